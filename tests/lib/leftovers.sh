# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What a test must not leave behind, and how to get rid of it.

test_mounts()
{
	awk '$2 ~ "^/tmp/test[.]" || $1 ~ "^/dev/looplt" { print $2 }' /proc/mounts
}

# clean: true if nothing of the driver and of a test is there.
clean()
{
	[[ ! $(test_mounts) && ! -e /sys/module/looplt ]] &&
		! compgen -G '/sys/block/looplt*' > /dev/null
}

# leftovers SESSION: name them, and clean up for the next test.
leftovers()
{
	local path dev

	# timeout is the session's leader, and gone.
	if (($1)) && pgrep -s "$1" > /dev/null; then
		pgrep -l -s "$1" | sed 's/^/left behind: process /'
		pkill -KILL -s "$1"
		sleep 0.2
	fi
	test_mounts | tac | while read -r path; do
		echo "left behind: mounted on $path"
		umount "$path" || umount -l "$path"
	done
	for path in /sys/block/looplt*; do
		[[ -e $path ]] || continue
		dev=${path##*/}
		# One that was made by number stays, unbound, when detached.
		echo "left behind: $dev"
		timeout 20 looplt detach --wait=10 "/dev/$dev"
	done
	for path in /sys/block/loop[0-9]*/loop; do
		[[ -e $path ]] || continue
		dev=$(basename "${path%/loop}")
		echo "left behind: $dev of the stock driver"
		losetup -d "/dev/$dev"
	done
	rm -rf --one-file-system /tmp/test.*
	if [[ -e /sys/module/looplt ]]; then
		timeout 30 rmmod looplt || echo "left behind: the module"
	fi
} 2>&1
