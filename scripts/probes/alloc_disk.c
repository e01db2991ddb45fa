// SPDX-License-Identifier: GPL-2.0-only
/* since 5.14: blk_mq_alloc_disk() (b461dfc49eb6) */
#include <linux/blk-mq.h>

struct gendisk *looplt_probe(struct blk_mq_tag_set *set);
struct gendisk *looplt_probe(struct blk_mq_tag_set *set)
{
	return blk_mq_alloc_disk(set, NULL);
}
