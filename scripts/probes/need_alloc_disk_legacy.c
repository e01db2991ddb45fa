// SPDX-License-Identifier: GPL-2.0-only
/* before 5.14: queue first, then disk (b461dfc49eb6) */
#include <linux/blk-mq.h>

struct gendisk *looplt_probe(struct blk_mq_tag_set *set);
struct gendisk *looplt_probe(struct blk_mq_tag_set *set)
{
	blk_cleanup_queue(blk_mq_init_queue(set));
	return alloc_disk(1);
}
