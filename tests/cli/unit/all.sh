# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# all.sh PROGRAM: the CLI's unit tests.  PROGRAM is the test build, which has
# tests/cli/kernel.c under it; see "make -C src/cli check".  No test touches
# this system's devices, or needs to be root.
#
# Each function t_* is a test: it runs in a shell and a root directory of its
# own, and fails at the first command that does.

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck disable=SC2034	# for the tests
top=$(cd "$here/../../.." && pwd)
# shellcheck disable=SC2034
program=$(readlink -f "$1")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# Sanitizers report by status 66: no test takes a crash for a refusal.
export ASAN_OPTIONS=exitcode=66:detect_leaks=${LEAKS:-1} UBSAN_OPTIONS=exitcode=66
export LC_ALL=C.UTF-8
umask 022

for part in "$here"/*.sh; do
	if [[ $part != */all.sh ]]; then
		# shellcheck source=/dev/null
		. "$part"
	fi
done

run_test()
{
	export LOOPLT_SYSROOT=$tmp/root
	rm -rf "$tmp/root"
	mkdir -p "$tmp/root"
	cd "$tmp/root"
	new_root
	trap 'echo "line $LINENO: $BASH_COMMAND"' ERR
	set -E
	"$1"
}

passed=0
failed=0
for name in $(compgen -A function t_); do
	status=0
	# Not in a condition: there, set -e would mean nothing to the test.
	set +e
	(set -e; run_test "$name") > "$tmp/log" 2>&1
	status=$?
	set -e
	if ((status == 0)); then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL  ${name#t_}"
		sed 's/^/      /' "$tmp/log"
	fi
done
echo "$passed passed, $failed failed, 0 skipped"
((passed > 0 && failed == 0))
