# shellcheck shell=dash
# SPDX-License-Identifier: GPL-2.0-only
#
# The lab's disk: memory, 100 us for each request, and a limit on bandwidth.

# disk_create MIB MBPS: /dev/nullb0; MBPS 0: no limit.
disk_create()
{
	d=/sys/kernel/config/nullb/nullb0
	mkdir $d
	echo "$1" > $d/size
	echo 1 > $d/memory_backed
	echo 2 > $d/irqmode
	echo 100000 > $d/completion_nsec
	echo 512 > $d/blocksize
	echo "$2" > $d/mbps
	echo 1 > $d/power
	# The limit is kept in steps of 20 ms, and what is unused is lost: only
	# requests that are small against a step get what they were promised.
	[ "$2" = 0 ] || echo 64 > /sys/block/nullb0/queue/max_sectors_kb
}

# Hundredths of a second since boot.
now()
{
	read -r up rest < /proc/uptime
	echo "${up%.*}${up#*.}" | sed 's/^0*\(.\)/\1/'
}

# mkfs DEV: the same file system every time.
mkfs()
{
	mkfs.ext4 -q -F -U 6c6f6f70-6c74-4c41-8000-000000000001 \
		-E nodiscard,lazy_itable_init=0,lazy_journal_init=0,hash_seed=6c6f6f70-6c74-4c41-8000-000000000002 \
		"$1"
}
