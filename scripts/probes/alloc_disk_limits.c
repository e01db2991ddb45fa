// SPDX-License-Identifier: GPL-2.0-only
/* since 6.9: blk_mq_alloc_disk() takes limits (27e32cd23fed) */
#include <linux/blk-mq.h>

struct gendisk *looplt_probe(struct blk_mq_tag_set *set,
			     struct queue_limits *lim);
struct gendisk *looplt_probe(struct blk_mq_tag_set *set,
			     struct queue_limits *lim)
{
	return blk_mq_alloc_disk(set, lim, NULL);
}
