# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# matrix.sh, continued: commands that mount, on /mnt and /tmp of the tree.
# shellcheck disable=SC2154	# matrix.sh

mounted() { in_use /mnt; }

row_mount() { attach; u mount "$dev" /mnt; word ok fails mounted; }

row_umount-d()
{
	attach
	u mount "$dev" /mnt
	u umount -d /mnt
	word ok stays soon unbound
}

mount_loop()
{
	u mount -o "loop=$dev" "$img" /mnt && mounted && prints 1 attr loop/autoclear
}

row_mount-loop()
{
	mount_loop && u umount /mnt
	word ok fails soon unbound
}

row_mount-loop-again()
{
	mount_loop
	sync
	u mount -o loop "$img" /tmp
	again "$(findmnt -n -o SOURCE "$tree/tmp")"
}

row_umount-file() { mount_loop; u umount "$img"; word ok fails soon unbound; }

row_mount-shows() { mount_loop; word ok fails has "$img on /mnt" u mount; }

row_findmnt() { mount_loop; word ok fails prints "$dev" u findmnt -n -o SOURCE /mnt; }

# fstab LINE: mount -a twice mounts it once, and a umount releases it.
fstab()
{
	echo "$img /mnt $1 0 0" > "$tree/etc/fstab"
	u mount -a && u mount -a &&
		prints 1 grep -c "$tree/mnt " /proc/self/mountinfo &&
		u umount /mnt && soon unbound
}

row_fstab-loop() { word ok fails fstab "ext4 loop=$dev"; }

row_fstab-type() { word ok fails fstab "looplt.ext4 looplt.index=0"; }

row_mount-type()
{
	u mount -t looplt.ext4 -o looplt.index=0 "$img" /mnt && mounted &&
		has "$img" attr loop/backing_file && u umount /mnt
	word ok fails soon unbound
}
