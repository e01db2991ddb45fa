# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The util-linux of other Debian releases; see scripts/fetch-userland.

# t_userland SUITE...: makes them ready for in_suite; T_DIR is at the same place
# there as here.
t_userland()
{
	local suite root dir

	t_trees=$T_TMP/trees
	mkdir "$t_trees"
	mount -t ext4 "$T_USERLAND" "$t_trees"
	t_at_exit umount -R "$t_trees"
	for suite in "$@"; do
		root=$t_trees/$suite
		mkdir -p "$root$T_DIR"
		for dir in /dev /proc /sys "$T_DIR"; do
			mount --bind "$dir" "$root$dir"
		done
	done
}

# t_udev_pauses: nobody else opens the disks; nodes come from the kernel.  The
# daemon goes, and another one comes: one that only holds its queue back may sit
# on it for minutes when it is let go again.
t_udev_pauses()
{
	udevadm settle
	udevadm control --exit
	t_at_exit t_udev_again
	t_wait 10 eval '! pgrep udevd'
}

t_udev_again()
{
	local udevd

	rm -f /run/udev/queue
	for udevd in /lib/systemd/systemd-udevd /usr/lib/systemd/systemd-udevd; do
		[[ ! -x $udevd ]] || { "$udevd" --daemon; return; }
	done
	return 1
}

# in_suite SUITE COMMAND...
in_suite()
{
	chroot "$t_trees/$1" "${@:2}"
}
