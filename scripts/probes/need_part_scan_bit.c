// SPDX-License-Identifier: GPL-2.0-only
/* since 5.19: GD_SUPPRESS_PART_SCAN (b9684a71fca7) */
#include <linux/blkdev.h>

void looplt_probe(struct gendisk *disk);
void looplt_probe(struct gendisk *disk)
{
	set_bit(GD_SUPPRESS_PART_SCAN, &disk->state);
}
