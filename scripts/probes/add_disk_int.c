// SPDX-License-Identifier: GPL-2.0-only
/* since 5.15: device_add_disk() returns an error (83cbce957446) */
#include <linux/blkdev.h>

int looplt_probe(struct gendisk *disk);
int looplt_probe(struct gendisk *disk)
{
	return device_add_disk(NULL, disk, NULL);
}
