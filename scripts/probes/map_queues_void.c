// SPDX-License-Identifier: GPL-2.0-only
/* since 6.1: ->map_queues returns nothing (a4e1d0b76e7b) */
#include <linux/blk-mq.h>

void looplt_probe(struct blk_mq_ops *ops,
		  void (*fn)(struct blk_mq_tag_set *set));
void looplt_probe(struct blk_mq_ops *ops,
		  void (*fn)(struct blk_mq_tag_set *set))
{
	ops->map_queues = fn;
}
