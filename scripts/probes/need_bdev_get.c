// SPDX-License-Identifier: GPL-2.0-only
/* before 6.9: blkdev_get_by_dev() (f3a608827d1f) */
#include <linux/blkdev.h>
#include <linux/fs.h>

void looplt_probe(dev_t dev);
void looplt_probe(dev_t dev)
{
	blkdev_put(blkdev_get_by_dev(dev, FMODE_READ, NULL), FMODE_READ);
}
