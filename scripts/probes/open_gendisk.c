// SPDX-License-Identifier: GPL-2.0-only
/* since 6.5: ->open takes the disk (d32e2bf83791) */
#include <linux/blkdev.h>

void looplt_probe(struct block_device_operations *ops,
		  int (*fn)(struct gendisk *disk, blk_mode_t mode));
void looplt_probe(struct block_device_operations *ops,
		  int (*fn)(struct gendisk *disk, blk_mode_t mode))
{
	ops->open = fn;
}
