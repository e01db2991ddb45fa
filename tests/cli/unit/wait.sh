# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# wait, set and resize, as far as they go without a disk.
# shellcheck disable=SC2154	# all.sh sets tmp, lib.sh the rest

t_wait_until_attached()
{
	gives 1 'looplt3: not attached after 0 s' wait --timeout 0 3
	disk 3
	gives 0 '' wait --timeout 0 /dev/looplt3
	gives 0 '' wait --timeout 0 --partitions looplt3
	rm sys/block/looplt3/loop/backing_file
	(sleep 0.3 && echo /img > sys/block/looplt3/loop/backing_file) &
	gives 0 '' wait --timeout 20 3
	wait
}

t_wait_for_partitions()
{
	disk 3
	mkdir sys/block/looplt3/looplt3p1
	echo 259:7 > sys/block/looplt3/looplt3p1/dev
	gives 1 'partitions not ready after 0 s' wait --partitions --timeout 0 3
	touch dev/looplt3p1
	gives 0 '' wait --partitions --timeout 0 3
	# Where udev runs, it has to be done with all of them.
	mkdir -p run/udev/data
	touch run/udev/control run/udev/data/b240:48
	gives 1 'not ready' wait --partitions --timeout 0 3
	touch run/udev/data/b259:7
	gives 0 '' wait --partitions --timeout 0 3
}

t_set_needs_a_disk()
{
	gives 1 'looplt3: no such disk' set --autoclear 3
	gives 1 'looplt3: no such disk' resize 3
	# Not a block device: the ioctl fails.
	touch dev/looplt3
	gives 1 'looplt3: cannot use direct I/O: Inappropriate' set --direct-io 3
	gives 1 'looplt3: cannot change the sector size' set -b 4K 3
	gives 1 'looplt3: cannot read its flags' set --autoclear=off 3
	gives 1 'looplt3: cannot resize' resize 3
}
