// SPDX-License-Identifier: GPL-2.0-only
/* since 7.0: bdev_rot() in place of bdev_nonrot() */
#include <linux/blkdev.h>

bool looplt_probe(struct block_device *bdev);
bool looplt_probe(struct block_device *bdev)
{
	return bdev_rot(bdev);
}
