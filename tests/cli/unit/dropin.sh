# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Drop-in mode: the file for modprobe, and disks by their stock names.
# shellcheck disable=SC2154	# lib.sh sets the variables

conf=etc/modprobe.d/looplt-dropin.conf

# A system with looplt installed and no loop driver loaded.
dropin_root()
{
	local modules

	modules=lib/modules/$(uname -r)
	mkdir -p "$modules" etc/modprobe.d
	echo 'updates/looplt.ko.xz:' > "$modules/modules.dep"
	printf 'Block devices:\n259 blkext\n' > proc/devices
	rm -rf sys/module/looplt
}

# driver stock|built-in|looplt: it has block major 7.
driver()
{
	echo '  7 loop' >> proc/devices
	case $1 in
	looplt) in_dropin ;;
	*)
		mkdir -p sys/module/loop
		[[ $1 == built-in ]] || touch sys/module/loop/initstate
		;;
	esac
}

in_dropin()
{
	mkdir -p sys/module/looplt/parameters
	echo Y > sys/module/looplt/parameters/dropin
}

t_dropin_enables()
{
	dropin_root
	gives 0 'as soon as somebody wants a loop disk' dropin enable
	grep -qx 'alias loop looplt' "$conf"
	grep -qx 'alias block-major-7-\* looplt' "$conf"
	grep -qx 'alias char-major-10-237 looplt' "$conf"
	grep -qx 'alias devname:loop-control looplt' "$conf"
	grep -qx 'options looplt dropin=1' "$conf"
	[[ $(stat -c %a "$conf") == 644 && $(ls etc/modprobe.d) == "${conf##*/}" ]]
	[[ $err != *initramfs* ]] || fail "there is none"
	gives 0 'already enabled' dropin enable
	mkdir -p usr/sbin
	touch usr/sbin/update-initramfs
	gives 0 'add looplt to /etc/initramfs-tools/modules; update-initramfs -u' dropin enable
	gives 0 'remove looplt from /etc/initramfs-tools/modules; update-initramfs -u' \
		dropin disable
	[[ ! -e $conf ]] || fail "still there"
	gives 0 'not enabled' dropin disable
}

t_dropin_says_what_is_next()
{
	dropin_root
	mkdir -p sys/module/looplt/parameters
	echo N > sys/module/looplt/parameters/dropin
	gives 0 'rmmod looplt; modprobe looplt' dropin enable
	driver stock
	gives 0 'losetup -D; rmmod loop; modprobe looplt' dropin enable
	rm -r sys/module/loop
	in_dropin
	gives 0 'looplt is the loop driver' dropin enable
	gives 0 'until it is unloaded' dropin disable
}

t_dropin_touches_nothing_else()
{
	dropin_root
	mkdir -p etc/modprobe.d
	echo 'alias loop looplt' > "$conf"
	gives 1 'left alone' dropin enable
	gives 1 'left alone' dropin disable
	[[ $(< "$conf") == 'alias loop looplt' ]]
	gives 0 '' dropin status
	prints $'enabled  changed by somebody\ndriver   none loaded'
}

t_dropin_refuses_to_leave_no_driver()
{
	dropin_root
	echo kernel/drivers/block/loop.ko: > "lib/modules/$(uname -r)/modules.dep"
	gives 1 'not installed for this kernel' dropin enable
	[[ ! -e $conf ]]
	dropin_root
	driver built-in
	gives 1 'initcall_blacklist=loop_init' dropin enable
	[[ ! -e $conf ]]
	# Built in, but kept from starting: then it can be replaced.
	printf 'Block devices:\n259 blkext\n' > proc/devices
	gives 0 'as soon as' dropin enable
	rmdir etc/modprobe.d 2> /dev/null || rm -r etc/modprobe.d
	gives 1 'cannot write: No such file' dropin enable
}

t_dropin_status()
{
	dropin_root
	gives 0 '' dropin status
	prints $'enabled  no\ndriver   none loaded'
	looplt dropin enable
	driver stock
	gives 0 '' dropin status
	prints $'enabled  yes\ndriver   stock'
	rm sys/module/loop/initstate
	gives 0 '' dropin status
	prints $'enabled  yes\ndriver   stock, built in'
	in_dropin
	gives 0 '' dropin status
	prints $'enabled  yes\ndriver   looplt'
	gives 2 'enable, disable or status' dropin
	gives 2 'enable, disable or status' dropin on
	gives 2 'enable, disable or status' dropin enable now
}

t_dropin_disks_have_stock_names()
{
	in_dropin
	disk 2
	mv sys/block/looplt2 sys/block/loop2
	mkdir sys/block/loop2/loop2p1 sys/block/looplt9 sys/block/loop2x
	info 2 major 7 minor 2
	mounted 0:40 /mnt btrfs /dev/loop2p1
	gives 0 '' list -n -O NAME,STATE,MOUNTPOINTS
	[[ $out == "/dev/loop2"*"bound"*"/mnt"* && $(wc -l <<< "$out") == 1 ]] || fail list
	gives 0 '' stat /dev/loop2
	[[ $out == /dev/loop2* ]] || fail stat
	LOOPLT_DETACH=deferred gives 0 'loop2: detach deferred, in use by: mounted on /mnt' \
		detach loop2
	asked 'detach index=2'
	gives 2 'not a looplt disk' resize looplt2
	gives 0 'made it' attach image
	prints /dev/loop3
	LOOPLT_ATTACH=EEXIST gives 1 'loop7: in use' attach --index 7 image
}

t_dropin_load_fails()
{
	rm -rf dev/looplt-control sys/module/looplt
	printf '#!/bin/sh\necho "ERROR: could not insert: Device or resource busy" >&2\nexit 1\n' \
		> sbin/modprobe
	chmod +x sbin/modprobe
	LOOPLT_EUID=0 gives 1 'stock loop driver is in the way' attach image
}
