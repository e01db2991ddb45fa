// SPDX-License-Identifier: GPL-2.0-only
/* 5.13 to 6.5: disk_force_media_change() takes events (e6138dc12de9) */
#include <linux/blkdev.h>

void looplt_probe(struct gendisk *disk);
void looplt_probe(struct gendisk *disk)
{
	disk_force_media_change(disk, DISK_EVENT_MEDIA_CHANGE);
}
