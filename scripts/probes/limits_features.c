// SPDX-License-Identifier: GPL-2.0-only
/* since 6.11: queue limits carry features (1122c0c1cc71) */
#include <linux/blkdev.h>

int looplt_probe(struct request_queue *q);
int looplt_probe(struct request_queue *q)
{
	struct queue_limits lim = queue_limits_start_update(q);

	lim.features |= BLK_FEAT_WRITE_CACHE;
	return queue_limits_commit_update_frozen(q, &lim);
}
