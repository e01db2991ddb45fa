// SPDX-License-Identifier: GPL-2.0-only
/* before 5.11: bd_prepare_to_claim() takes the whole disk (37c3fc9abb25) */
#include <linux/blkdev.h>
#include <linux/fs.h>

int (*looplt_probe)(struct block_device *bdev, struct block_device *whole,
		    void *holder) = bd_prepare_to_claim;
