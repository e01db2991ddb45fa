// SPDX-License-Identifier: GPL-2.0-only
/* before 6.5: ->open takes the block device (d32e2bf83791) */
#include <linux/blkdev.h>

void looplt_probe(struct block_device_operations *ops,
		  int (*fn)(struct block_device *bdev, fmode_t mode));
void looplt_probe(struct block_device_operations *ops,
		  int (*fn)(struct block_device *bdev, fmode_t mode))
{
	ops->open = fn;
}
