// SPDX-License-Identifier: GPL-2.0-only
/* before 5.14: block_device.bd_mutex (a8698707a183) */
#include <linux/blkdev.h>
#include <linux/fs.h>

void looplt_probe(struct block_device *bdev);
void looplt_probe(struct block_device *bdev)
{
	mutex_lock(&bdev->bd_mutex);
	mutex_unlock(&bdev->bd_mutex);
}
