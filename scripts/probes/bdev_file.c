// SPDX-License-Identifier: GPL-2.0-only
/* since 6.9: bdev_file_open_by_dev() (f3a608827d1f) */
#include <linux/blkdev.h>

struct file *looplt_probe(dev_t dev);
struct file *looplt_probe(dev_t dev)
{
	struct file *file;

	file = bdev_file_open_by_dev(dev, BLK_OPEN_READ, NULL, NULL);
	if (!IS_ERR(file))
		bdev_fput(file);
	return file;
}
