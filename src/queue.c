// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt - the request path, from the block layer to a lane and back.
 *
 *   looplt_queue_rq() -> lane -> thread: looplt_rw_start() -> looplt_cmd_done()
 *
 * looplt_queue_rq() never touches the backing file: it runs on other people's
 * stacks, in the middle of other file systems' transactions.  blk-mq calls
 * it, and ->commit_rqs, under rcu_read_lock(): see looplt_lane_wake().
 */
#include "looplt.h"

#include "trace.h"

static struct looplt_lane *looplt_queue_lane(struct looplt_device *lo,
					     const struct request *rq)
{
	switch (req_op(rq)) {
	case REQ_OP_READ:
		return &lo->lanes[LOOPLT_LANE_READ];
	case REQ_OP_WRITE:
		/* A synchronous buffered write would hold up the others. */
		if ((rq->cmd_flags & REQ_FUA) &&
		    lo->io_mode != LOOPLT_IO_DIRECT)
			return &lo->lanes[LOOPLT_LANE_SLOW];
		return &lo->lanes[LOOPLT_LANE_WRITE];
	default:
		return &lo->lanes[LOOPLT_LANE_SLOW];
	}
}

static void looplt_queue_wake(struct looplt_device *lo)
{
	looplt_lane_wake(&lo->lanes[LOOPLT_LANE_READ]);
	looplt_lane_wake(&lo->lanes[LOOPLT_LANE_WRITE]);
}

static blk_status_t looplt_queue_rq(struct blk_mq_hw_ctx *hctx,
				    const struct blk_mq_queue_data *bd)
{
	struct looplt_device *lo = hctx->queue->queuedata;
	struct request *rq = bd->rq;
	struct looplt_cmd *cmd = blk_mq_rq_to_pdu(rq);
	struct looplt_lane *lane;

	/* Pairs with the release in looplt_device_set_state(). */
	if (smp_load_acquire(&lo->state) != LOOPLT_BOUND)
		return BLK_STS_IOERR;
	/* The block layer warns of writes to read-only disks, no more. */
	if (op_is_write(req_op(rq)) && lo->backing.read_only)
		return BLK_STS_IOERR;

	blk_mq_start_request(rq);
	cmd->done = 0;
	cmd->buffered = false;
	cmd->bvecs = NULL;

	lane = looplt_queue_lane(lo, rq);
	looplt_lane_add(lane, cmd);
	if (lane == &lo->lanes[LOOPLT_LANE_SLOW])
		looplt_lane_wake(lane);
	/* This one may be the last of a batch that went to another lane. */
	if (bd->last)
		looplt_queue_wake(lo);
	return BLK_STS_OK;
}

/* A batch ended before a request that said it was the last. */
static void looplt_commit_rqs(struct blk_mq_hw_ctx *hctx)
{
	looplt_queue_wake(hctx->queue->queuedata);
}

static LOOPLT_COMPAT_MAP_QUEUES looplt_map_queues(struct blk_mq_tag_set *set)
{
	int i;

	/* One hardware queue per map: the block layer picks by operation. */
	for (i = 0; i < set->nr_maps; i++) {
		set->map[i].nr_queues = 1;
		set->map[i].queue_offset = i;
		blk_mq_map_queues(&set->map[i]);
	}
	looplt_compat_map_return();
}

const struct blk_mq_ops looplt_mq_ops = {
	.queue_rq	= looplt_queue_rq,
	.commit_rqs	= looplt_commit_rqs,
	.map_queues	= looplt_map_queues,
};

static void looplt_cmd_count(struct looplt_device *lo, struct request *rq)
{
	unsigned int bytes = blk_rq_bytes(rq);

	switch (req_op(rq)) {
	case REQ_OP_READ:
		looplt_stat_add(lo, LOOPLT_STAT_READS, 1);
		looplt_stat_add(lo, LOOPLT_STAT_READ_BYTES, bytes);
		break;
	case REQ_OP_WRITE:
		looplt_stat_add(lo, LOOPLT_STAT_WRITES, 1);
		looplt_stat_add(lo, LOOPLT_STAT_WRITTEN_BYTES, bytes);
		break;
	case REQ_OP_DISCARD:
		looplt_stat_add(lo, LOOPLT_STAT_DISCARDS, 1);
		looplt_stat_add(lo, LOOPLT_STAT_DISCARDED_BYTES, bytes);
		break;
	case REQ_OP_WRITE_ZEROES:
		looplt_stat_add(lo, LOOPLT_STAT_ZEROES, 1);
		looplt_stat_add(lo, LOOPLT_STAT_ZEROED_BYTES, bytes);
		break;
	case REQ_OP_FLUSH:
		looplt_stat_add(lo, LOOPLT_STAT_FLUSHES, 1);
		break;
	default:
		break;
	}
}

static blk_status_t looplt_cmd_status(struct looplt_device *lo, int err)
{
	switch (err) {
	case 0:
		return BLK_STS_OK;
	case -EOPNOTSUPP:	/* an answer, not a fault */
		return BLK_STS_NOTSUPP;
	case -EDQUOT:		/* the block layer knows no quota */
		err = -ENOSPC;
		fallthrough;
	case -ENOSPC:
		looplt_stat_add(lo, LOOPLT_STAT_NOSPACE, 1);
		fallthrough;
	default:
		looplt_stat_add(lo, LOOPLT_STAT_ERRORS, 1);
		return errno_to_blk_status(err);
	}
}

/**
 * looplt_cmd_done() - end a request
 * @cmd: the command; gone when this returns
 * @err: 0 if every byte was moved, or -errno
 *
 * Ends it here and now: the threads have nothing to gain from the softirq
 * that blk_mq_complete_request() would raise.
 *
 * Context: any, including interrupt.
 */
void looplt_cmd_done(struct looplt_cmd *cmd, int err)
{
	struct request *rq = blk_mq_rq_from_pdu(cmd);
	struct looplt_device *lo = cmd->lane->lo;

	trace_looplt_cmd_done(cmd, err);
	looplt_cmd_count(lo, rq);
	blk_mq_end_request(rq, looplt_cmd_status(lo, err));
}
