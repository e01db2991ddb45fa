// SPDX-License-Identifier: GPL-2.0-only
/* before 7.1: blk_queue_nonrot() */
#include <linux/blkdev.h>

bool looplt_probe(struct request_queue *q);
bool looplt_probe(struct request_queue *q)
{
	return blk_queue_nonrot(q);
}
