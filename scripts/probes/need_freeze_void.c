// SPDX-License-Identifier: GPL-2.0-only
/* before 6.14: blk_mq_freeze_queue() returns nothing (1e1a9cecfab3) */
#include <linux/blk-mq.h>

void looplt_probe(struct request_queue *q);
void looplt_probe(struct request_queue *q)
{
	blk_mq_freeze_queue(q);
	blk_mq_unfreeze_queue(q);
}
