// SPDX-License-Identifier: GPL-2.0-only
/* since 5.11: __register_blkdev() takes a probe (a160c6159d4a) */
#include <linux/blkdev.h>

int looplt_probe(void (*probe)(dev_t dev));
int looplt_probe(void (*probe)(dev_t dev))
{
	return __register_blkdev(7, "loop", probe);
}
