// SPDX-License-Identifier: GPL-2.0-only
/* before 6.14: BLK_MQ_F_SHOULD_MERGE has to be asked for (9377b95cda73) */
#include <linux/blk-mq.h>

unsigned int looplt_probe(void);
unsigned int looplt_probe(void)
{
	return BLK_MQ_F_SHOULD_MERGE;
}
