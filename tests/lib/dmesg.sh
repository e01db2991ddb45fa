# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Lines of the kernel log that fail a test.

dmesg_bad='WARNING:|BUG:|BUG |Oops|Call Trace|general protection'
dmesg_bad+='|possible circular locking|inconsistent lock state'
dmesg_bad+='|possible recursive locking|suspicious RCU usage'
dmesg_bad+='|INFO: task .* blocked for|rcu_.* detected stalls'
dmesg_bad+='|KASAN|UBSAN|KCSAN|kmemleak:|refcount_t:'
dmesg_bad+='|ODEBUG|list_(add|del) corruption|sysfs: cannot create duplicate'
dmesg_bad+='|operation not supported error|leaked'
# The emulator is slow, and says so itself.
dmesg_fine='soft lockup|clocksource: |hrtimer: interrupt took'

# dmesg_check EXPECTED: print what is wrong in the log on standard input; true
# if that is nothing.  EXPECTED is a pattern of lines that the test is about.
dmesg_check()
{
	local lines

	lines=$(grep -E "$dmesg_bad" | grep -Ev "$dmesg_fine") || return 0
	if [[ $1 ]]; then
		lines=$(grep -Ev "$1" <<< "$lines") || return 0
	fi
	echo "$lines"
	return 1
}
