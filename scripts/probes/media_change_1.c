// SPDX-License-Identifier: GPL-2.0-only
/* since 6.6: disk_force_media_change() takes the disk (ab6860f62bfe) */
#include <linux/blkdev.h>

void looplt_probe(struct gendisk *disk);
void looplt_probe(struct gendisk *disk)
{
	disk_force_media_change(disk);
}
