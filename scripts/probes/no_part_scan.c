// SPDX-License-Identifier: GPL-2.0-only
/* before 5.17: GENHD_FL_NO_PART_SCAN (46e7eac647b3) */
#include <linux/blkdev.h>

void looplt_probe(struct gendisk *disk);
void looplt_probe(struct gendisk *disk)
{
	disk->flags |= GENHD_FL_NO_PART_SCAN;
}
