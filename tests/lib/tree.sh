# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A file system inside the image: filled, checked, and looked at from outside.

# tree_roundtrip MODE FS
tree_roundtrip()
{
	local mode=$1 fs=$2

	t_image 320M
	t_attach --io "$mode" "$T_IMG"
	"mkfs.$fs" -q "$T_DEV" > /dev/null
	t_mount "$T_DEV"
	cp -a /usr/lib/udev /usr/share/perl/5* /usr/sbin "$T_MNT"
	umount "$T_MNT"
	case $fs in
	ext4) e2fsck -f -n "$T_DEV" > /dev/null 2>&1 ;;
	xfs) xfs_repair -n "$T_DEV" > /dev/null 2>&1 ;;
	esac
	t_drop_caches
	mount -r "$T_DEV" "$T_MNT"
	tree_compare
	umount "$T_MNT"
	looplt detach --wait=30 "$T_DEV"

	# The same image, by the stock driver: nothing of ours is in the way.
	t_drop_caches
	t_stock_attach --read-only "$T_IMG"
	mount -r "$T_DEV" "$T_MNT"
	tree_compare
	umount "$T_MNT"
}

tree_compare()
{
	local d

	for d in /usr/lib/udev /usr/share/perl/5* /usr/sbin; do
		diff -r --no-dereference "$d" "$T_MNT/${d##*/}"
	done
}
