// SPDX-License-Identifier: GPL-2.0-only
/* since 6.5: bd_prepare_to_claim() takes holder ops (0718afd47f70) */
#include <linux/blkdev.h>

int looplt_probe(struct block_device *bdev);
int looplt_probe(struct block_device *bdev)
{
	return bd_prepare_to_claim(bdev, bdev, NULL);
}
