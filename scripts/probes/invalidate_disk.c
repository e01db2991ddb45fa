// SPDX-License-Identifier: GPL-2.0-only
/* since 5.16: invalidate_disk() (f059a1d2e23a) */
#include <linux/blkdev.h>

void looplt_probe(struct gendisk *disk);
void looplt_probe(struct gendisk *disk)
{
	invalidate_disk(disk);
}
