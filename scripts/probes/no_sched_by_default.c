// SPDX-License-Identifier: GPL-2.0-only
/* since 5.14: BLK_MQ_F_NO_SCHED_BY_DEFAULT (90b7198001f2) */
#include <linux/blk-mq.h>

unsigned int looplt_probe(void);
unsigned int looplt_probe(void)
{
	return BLK_MQ_F_NO_SCHED_BY_DEFAULT;
}
