// SPDX-License-Identifier: GPL-2.0-only
/* since 5.18: block_device_operations.free_disk (76792055c4c8) */
#include <linux/blkdev.h>

void looplt_probe(struct block_device_operations *ops,
		  void (*fn)(struct gendisk *disk));
void looplt_probe(struct block_device_operations *ops,
		  void (*fn)(struct gendisk *disk))
{
	ops->free_disk = fn;
}
