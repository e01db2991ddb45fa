// SPDX-License-Identifier: GPL-2.0-only
/* since 5.10: a disk's size, its pages, its end */
#include <linux/blkdev.h>
#include <linux/fs.h>

void looplt_probe(struct gendisk *disk, struct block_device *bdev);
void looplt_probe(struct gendisk *disk, struct block_device *bdev)
{
	sync_blockdev(bdev);
	invalidate_bdev(bdev);
	set_capacity(disk, 0);
	set_capacity_and_notify(disk, 8);
	set_disk_ro(disk, true);
	del_gendisk(disk);
	put_disk(disk);
}
