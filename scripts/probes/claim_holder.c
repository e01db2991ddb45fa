// SPDX-License-Identifier: GPL-2.0-only
/* 5.11 to 6.4: bd_prepare_to_claim() takes bdev and holder (37c3fc9abb25) */
#include <linux/blkdev.h>

int looplt_probe(struct block_device *bdev);
int looplt_probe(struct block_device *bdev)
{
	return bd_prepare_to_claim(bdev, bdev);
}
