// SPDX-License-Identifier: GPL-2.0-only
/* since 6.5: bd_prepare_to_claim() takes holder ops (0718afd47f70) */
#include <linux/blkdev.h>

/* By type: in 5.10 it has three arguments too. */
int (*looplt_probe)(struct block_device *bdev, void *holder,
		    const struct blk_holder_ops *ops) = bd_prepare_to_claim;
