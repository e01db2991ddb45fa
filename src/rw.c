// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt - moving data between a request and the backing file.
 *
 * One backing call moves at most LOOPLT_MAX_BVECS vectors.  What is left of a
 * request, because it had more or because the file took less, goes back to the
 * lane and is continued, until all is moved, an error comes back, or nothing
 * moves any more.  So a request never ends well with bytes missing.
 *
 * In direct mode the call is asynchronous: it needs its vectors for longer
 * than the thread can lend its own.  Commands hold a few themselves; for more
 * there is an allocation, and when that fails the call is synchronous.  It
 * never fails the request.
 *
 * A buffered read does not wait for pages that are being read: when the first
 * of them is there, the command goes back to the lane.  So all reads of a batch
 * are under way before any is waited for.
 *
 * cmd->ref is 2 during a call: one for the submitter, one for the completion,
 * which may run first, elsewhere.  The last put decides what comes next.
 */
#include "looplt.h"

#include <linux/falloc.h>
#include <linux/ioprio.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "trace.h"

/* The part of a request that one backing call moves. */
struct looplt_piece {
	struct bio_vec	*bvecs;
	unsigned int	nr;
	size_t		bytes;
	unsigned int	mem_mask;	/* all vector offsets, or-ed */
	unsigned int	len_mask;	/* all vector lengths, or-ed */
};

static bool looplt_rw_is_write(const struct request *rq)
{
	return req_op(rq) == REQ_OP_WRITE;
}

/* Collect what comes after the first cmd->done bytes. */
static void looplt_rw_collect(struct looplt_cmd *cmd, struct looplt_piece *p)
{
	struct request *rq = blk_mq_rq_from_pdu(cmd);
	unsigned int skip = cmd->done;
	struct req_iterator iter;
	struct bio_vec whole, bv;

	p->nr = 0;
	p->bytes = 0;
	p->mem_mask = 0;
	p->len_mask = 0;
	/* The loop goes on by the length of its own vector: cut a copy. */
	rq_for_each_bvec(whole, rq, iter) {
		if (skip >= whole.bv_len) {
			skip -= whole.bv_len;
			continue;
		}
		if (p->nr == LOOPLT_MAX_BVECS)
			break;
		bv = whole;
		bv.bv_offset += skip;
		bv.bv_len -= skip;
		skip = 0;
		p->mem_mask |= bv.bv_offset;
		p->len_mask |= bv.bv_len;
		p->bytes += bv.bv_len;
		p->bvecs[p->nr++] = bv;
	}
}

/*
 * Direct I/O, for this piece?  What is not aligned for it takes the page
 * cache: the kernel keeps the two coherent within one file.
 */
static bool looplt_rw_direct(struct looplt_device *lo, struct looplt_cmd *cmd,
			     const struct looplt_piece *p, loff_t pos)
{
	const struct looplt_backing *b = &lo->backing;

	if (lo->io_mode != LOOPLT_IO_DIRECT)
		return false;
	if (!cmd->buffered &&
	    !(((u64)pos | p->len_mask) & (b->dio_offset_align - 1)) &&
	    !(p->mem_mask & (b->dio_mem_align - 1)))
		return true;

	looplt_stat_add(lo, LOOPLT_STAT_BUFFERED_FALLBACKS, 1);
	return false;
}

/* Vectors that outlive this call; false: the call must be synchronous. */
static bool looplt_rw_keep(struct looplt_cmd *cmd, struct looplt_piece *p)
{
	if (p->nr <= LOOPLT_INLINE_BVECS) {
		memcpy(cmd->inline_bvecs, p->bvecs, p->nr * sizeof(*p->bvecs));
		p->bvecs = cmd->inline_bvecs;
		return true;
	}

	cmd->bvecs = kmemdup(p->bvecs, p->nr * sizeof(*p->bvecs),
			     GFP_NOIO | __GFP_NORETRY | __GFP_NOWARN);
	if (!cmd->bvecs)
		return false;
	p->bvecs = cmd->bvecs;
	return true;
}

static void looplt_rw_continue(struct looplt_cmd *cmd)
{
	rcu_read_lock();
	looplt_lane_add(cmd->lane, cmd);
	looplt_lane_wake(cmd->lane);
	rcu_read_unlock();
}

/*
 * A file system may take direct I/O in general and refuse this one; only the
 * page cache takes everything.
 */
static bool looplt_rw_refused(struct looplt_cmd *cmd)
{
	return (cmd->iocb.ki_flags & IOCB_DIRECT) &&
	       (cmd->ret == -EINVAL || cmd->ret == -EOPNOTSUPP);
}

static void looplt_rw_put(struct looplt_cmd *cmd)
{
	struct request *rq = blk_mq_rq_from_pdu(cmd);

	if (!atomic_dec_and_test(&cmd->ref))
		return;

	kfree(cmd->bvecs);
	cmd->bvecs = NULL;

	if (cmd->ret == -EIOCBQUEUED) {		/* see looplt_rw_page_ready() */
		looplt_rw_continue(cmd);
		return;
	}
	if (looplt_rw_refused(cmd)) {
		cmd->buffered = true;
		looplt_rw_continue(cmd);
		return;
	}
	/* Nothing moved, and no reason: the file is shorter than the disk. */
	if (cmd->ret <= 0) {
		looplt_cmd_done(cmd, cmd->ret ?: -EIO);
		return;
	}

	cmd->done += cmd->ret;
	if (cmd->done >= blk_rq_bytes(rq)) {
		looplt_cmd_done(cmd, 0);
		return;
	}
	/* A read that may not wait stops where pages are still to come. */
	if (!(cmd->iocb.ki_flags & IOCB_WAITQ))
		looplt_stat_add(cmd->lane->lo, LOOPLT_STAT_SHORT_IOS, 1);
	looplt_rw_continue(cmd);
}

/* A page is there.  Called with its wait queue locked, often in interrupt. */
static int looplt_rw_page_ready(struct wait_queue_entry *entry,
				unsigned int mode, int sync, void *key)
{
	struct wait_page_queue *wait =
		container_of(entry, struct wait_page_queue, wait);
	struct looplt_cmd *cmd =
		container_of(wait, struct looplt_cmd, page_wait);

	if (!wake_page_match(wait, key))
		return 0;

	list_del_init(&entry->entry);
	cmd->ret = -EIOCBQUEUED;
	looplt_rw_put(cmd);
	return 1;
}

static void looplt_rw_wait_async(struct looplt_cmd *cmd)
{
	struct wait_page_queue *wait = &cmd->page_wait;

	init_waitqueue_func_entry(&wait->wait, looplt_rw_page_ready);
	INIT_LIST_HEAD(&wait->wait.entry);
	cmd->iocb.ki_waitq = wait;
	cmd->iocb.ki_flags |= IOCB_WAITQ;
}

/*
 * Writes to a regular file wait while its file system is frozen, and keep it
 * from being frozen, until they end.  A block device has no such thing.
 */
static void looplt_rw_end(struct looplt_device *lo, struct kiocb *iocb,
			  bool write)
{
	if (write && S_ISREG(lo->backing.inode->i_mode))
		kiocb_end_write(iocb);
}

static ssize_t looplt_rw_read(struct kiocb *iocb, struct iov_iter *iter)
{
	ssize_t ret = iocb->ki_filp->f_op->read_iter(iocb, iter);

	/* No memory for pages, or one that can't be read: that takes waiting. */
	if (ret == -EAGAIN && (iocb->ki_flags & IOCB_WAITQ)) {
		iocb->ki_flags &= ~(IOCB_WAITQ | IOCB_NOWAIT);
		ret = iocb->ki_filp->f_op->read_iter(iocb, iter);
	}
	return ret;
}

/*
 * -EIOCBQUEUED: ki_complete or ki_waitq has been or will be called.  Else: all
 * is over.
 */
static ssize_t looplt_rw_call(struct looplt_device *lo, struct kiocb *iocb,
			      struct iov_iter *iter, bool write)
{
	bool dirties;
	ssize_t ret;

	if (!write)
		return looplt_rw_read(iocb, iter);

	if (WARN_ON_ONCE(!(current->flags & PF_MEMALLOC_NOIO)) ||
	    !(current->flags & PF_LOCAL_THROTTLE))
		looplt_stat_add(lo, LOOPLT_STAT_UNFLAGGED_WRITES, 1);
	/* Neither direct nor synchronous: it leaves dirty pages behind. */
	dirties = !(iocb->ki_flags & (IOCB_DIRECT | IOCB_DSYNC));
	if (dirties)
		looplt_writeback_throttle(lo);
	if (S_ISREG(lo->backing.inode->i_mode))
		kiocb_start_write(iocb);
	ret = iocb->ki_filp->f_op->write_iter(iocb, iter);
	if (ret != -EIOCBQUEUED)
		looplt_rw_end(lo, iocb, true);
	if (dirties && ret > 0)
		looplt_writeback_account(lo, ret);
	return ret;
}

static void looplt_rw_complete(LOOPLT_COMPAT_KI_ARGS)
{
	struct looplt_cmd *cmd = container_of(iocb, struct looplt_cmd, iocb);

	looplt_rw_end(cmd->lane->lo, iocb,
		      looplt_rw_is_write(blk_mq_rq_from_pdu(cmd)));
	cmd->ret = ret;
	looplt_rw_put(cmd);
}

static loff_t looplt_rw_pos(const struct looplt_device *lo,
			    const struct request *rq)
{
	return lo->conf.offset + ((loff_t)blk_rq_pos(rq) << SECTOR_SHIFT);
}

static void looplt_rw_submit(struct looplt_lane *lane, struct looplt_cmd *cmd)
{
	struct request *rq = blk_mq_rq_from_pdu(cmd);
	struct looplt_piece piece = { .bvecs = lane->bvecs };
	struct looplt_device *lo = lane->lo;
	bool write = looplt_rw_is_write(rq);
	struct kiocb *iocb = &cmd->iocb;
	struct iov_iter iter;
	ssize_t ret;

	looplt_rw_collect(cmd, &piece);

	memset(iocb, 0, sizeof(*iocb));
	iocb->ki_filp = lo->backing.file;
	iocb->ki_pos = looplt_rw_pos(lo, rq) + cmd->done;
	iocb->ki_ioprio = req_get_ioprio(rq);
	if (looplt_rw_direct(lo, cmd, &piece, iocb->ki_pos)) {
		iocb->ki_flags |= IOCB_DIRECT;
		if (looplt_rw_keep(cmd, &piece))
			iocb->ki_complete = looplt_rw_complete;
	} else if (!write && lo->backing.can_wait_async) {
		looplt_rw_wait_async(cmd);
	}
	if (rq->cmd_flags & REQ_FUA)
		iocb->ki_flags |= IOCB_DSYNC;

	atomic_set(&cmd->ref, 2);
	iov_iter_bvec(&iter, write ? ITER_SOURCE : ITER_DEST, piece.bvecs,
		      piece.nr, piece.bytes);
	ret = looplt_rw_call(lo, iocb, &iter, write);
	if (ret != -EIOCBQUEUED) {
		if (!write && ret > 0)
			looplt_backing_forget(lo, iocb->ki_pos - ret, ret);
		cmd->ret = ret;
		looplt_rw_put(cmd);
	}
	looplt_rw_put(cmd);
}

/* One page of zeroes, as often as the lane has vectors for it. */
static size_t looplt_rw_zero_bvecs(struct looplt_lane *lane, loff_t bytes,
				   unsigned int *nr)
{
	size_t left = min_t(loff_t, bytes, LOOPLT_MAX_BVECS * PAGE_SIZE);
	size_t total = left;

	for (*nr = 0; left; (*nr)++) {
		struct bio_vec *bv = &lane->bvecs[*nr];

		bv->bv_page = ZERO_PAGE(0);
		bv->bv_offset = 0;
		bv->bv_len = min_t(size_t, left, PAGE_SIZE);
		left -= bv->bv_len;
	}
	return total;
}

/* For files that can't zero a range by themselves. */
static int looplt_rw_write_zeroes(struct looplt_lane *lane, loff_t pos,
				  loff_t bytes)
{
	struct kiocb iocb = { .ki_filp = lane->lo->backing.file };
	struct iov_iter iter;
	unsigned int nr;
	size_t total;
	ssize_t ret;

	while (bytes) {
		total = looplt_rw_zero_bvecs(lane, bytes, &nr);
		iov_iter_bvec(&iter, ITER_SOURCE, lane->bvecs, nr, total);
		iocb.ki_pos = pos;
		ret = looplt_rw_call(lane->lo, &iocb, &iter, true);
		if (ret <= 0)
			return ret ?: -EIO;
		pos += ret;
		bytes -= ret;
	}
	return 0;
}

static int looplt_rw_zero(struct looplt_lane *lane, struct request *rq)
{
	int mode = rq->cmd_flags & REQ_NOUNMAP ? FALLOC_FL_ZERO_RANGE :
						 FALLOC_FL_PUNCH_HOLE;
	loff_t pos = looplt_rw_pos(lane->lo, rq);
	int err;

	err = looplt_backing_fallocate(lane->lo, mode | FALLOC_FL_KEEP_SIZE,
				       pos, blk_rq_bytes(rq));
	if (err == -EOPNOTSUPP)
		err = looplt_rw_write_zeroes(lane, pos, blk_rq_bytes(rq));
	if (!err && (rq->cmd_flags & REQ_FUA))
		err = looplt_backing_flush(lane->lo);
	return err;
}

/* A hint: a file that can't take it has lost nothing. */
static int looplt_rw_discard(struct looplt_lane *lane, struct request *rq)
{
	int err;

	err = looplt_backing_fallocate(lane->lo, FALLOC_FL_PUNCH_HOLE |
				       FALLOC_FL_KEEP_SIZE,
				       looplt_rw_pos(lane->lo, rq),
				       blk_rq_bytes(rq));
	return err == -EOPNOTSUPP ? 0 : err;
}

/**
 * looplt_rw_start() - carry out a command, or start to
 * @lane: the lane it waited in
 * @cmd: the command; may be gone when this returns
 *
 * Context: the lane's thread; sleeps.
 */
void looplt_rw_start(struct looplt_lane *lane, struct looplt_cmd *cmd)
{
	struct request *rq = blk_mq_rq_from_pdu(cmd);

	trace_looplt_cmd_start(cmd, 0);
	switch (req_op(rq)) {
	case REQ_OP_READ:
	case REQ_OP_WRITE:
		looplt_rw_submit(lane, cmd);
		break;
	case REQ_OP_FLUSH:
		looplt_cmd_done(cmd, looplt_backing_flush(lane->lo));
		break;
	case REQ_OP_DISCARD:
		looplt_cmd_done(cmd, looplt_rw_discard(lane, rq));
		break;
	case REQ_OP_WRITE_ZEROES:
		looplt_cmd_done(cmd, looplt_rw_zero(lane, rq));
		break;
	default:
		looplt_cmd_done(cmd, -EOPNOTSUPP);
	}
}
