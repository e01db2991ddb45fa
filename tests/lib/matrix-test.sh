# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Hold one release's util-linux against its column of userland/matrix.table.

# shellcheck source=common.sh
. "$(dirname "$0")/../lib/common.sh"
# shellcheck source=userland.sh
. "$(dirname "$0")/../lib/userland.sh"
# shellcheck source=matrix.sh
. "$(dirname "$0")/../lib/matrix.sh"
# shellcheck source=matrix-mount.sh
. "$(dirname "$0")/../lib/matrix-mount.sh"
table=$(realpath "$(dirname "$0")/matrix.table")

# expected SUITE: "row word" for each row of the table.
expected()
{
	awk -v suite="$1" '
		$1 == "#" && $2 == "row" {
			for (i = 3; i <= NF; i++)
				if ($i == suite)
					column = i - 1
		}
		!/^#/ { print $1, $column }' "$table"
}

# start_again: nothing mounted, nothing attached, a disk without a file.
start_again()
{
	local mnt loop

	for mnt in /mnt /tmp; do
		! in_use "$mnt" || umount "$tree$mnt"
	done
	soon unbound || looplt detach --wait=10 "$dev"
	for loop in /sys/block/loop[0-9]*/loop; do
		[[ ! -e $loop ]] || losetup -d "/dev/$(basename "${loop%/loop}")"
	done
	: > "$tree/etc/fstab"
}

control() { "$(dirname "$0")/../lib/ioctl.pl" /dev/looplt-control w raw "$@"; }

# test_matrix SUITE VERSION
test_matrix()
{
	local suite=$1 row want got wrong=0

	t_backing ext4
	t_userland "$1"
	tree=$t_trees/$1
	cp /usr/sbin/looplt "$tree/sbin/looplt-losetup"
	cp /usr/sbin/looplt "$tree/sbin/mount.looplt"
	# fsck only names it.
	install -m 755 /dev/null "$tree/sbin/fsck.ext4"
	has " $2" u losetup --version || t_fail "not util-linux $2"
	modprobe loop
	img=$T_DIR/img part=$T_DIR/part
	truncate -s 8M "$img" "$part"
	mkfs.ext4 -q -E nodiscard "$img"
	echo 2048, | sfdisk -q "$part"
	t_udev_pauses
	control 0x4C80 0 > /dev/null
	t_at_exit control 0x4C81 0
	t_at_exit start_again

	while read -r row want; do
		got=$(trap - ERR; "row_$row")
		[[ $got == "$want" ]] || wrong=$((wrong + 1))
		printf '%-18s %-10s should be %s\n' "$row" "$got" "$want"
		start_again
	done < <(expected "$1")
	((wrong == 0)) || t_fail "$wrong rows are not as in the table"
	t_pass
}
