// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt - the threads that touch the backing file.
 *
 * Each lane has one.  It takes all that is pending and starts it under one
 * plug, so that the disk below sees the batch as one.  Threads are made when
 * a file is bound and end when it is unbound; nothing is created for a
 * request.  They don't freeze: a freezing file system may be waiting for
 * their I/O.
 */
#include "looplt.h"

#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

static const char * const looplt_lane_names[] = {
	[LOOPLT_LANE_READ]	= "r",
	[LOOPLT_LANE_WRITE]	= "w",
	[LOOPLT_LANE_SLOW]	= "s",
};

/**
 * looplt_worker_set_flags() - make the calling thread one that does I/O
 *
 * PF_LOCAL_THROTTLE: balance_dirty_pages() must not hold this thread for the
 * dirty pages that only it can clean.  PF_MEMALLOC_NOIO: no allocation below
 * may wait for I/O that this thread would have to do.
 *
 * Context: a kthread of the device.
 */
void looplt_worker_set_flags(void)
{
	current->flags |= PF_MEMALLOC_NOIO;
	if (READ_ONCE(looplt_local_throttle))
		current->flags |= PF_LOCAL_THROTTLE;
	else
		current->flags &= ~PF_LOCAL_THROTTLE;
}

static void looplt_lane_run(struct looplt_lane *lane, struct llist_node *batch)
{
	struct looplt_cmd *cmd, *next;
	struct blk_plug plug;

	blk_start_plug(&plug);
	llist_for_each_entry_safe(cmd, next, batch, entry)
		looplt_rw_start(lane, cmd);
	blk_finish_plug(&plug);
}

static int looplt_worker_fn(void *data)
{
	struct looplt_lane *lane = data;
	struct llist_node *batch;

	looplt_worker_set_flags();
	for (;;) {
		/* Before the look at pending: pairs with the waker's order. */
		set_current_state(TASK_IDLE);
		batch = llist_del_all(&lane->pending);
		if (!batch) {
			if (kthread_should_stop())
				break;
			schedule();
			/* The parameter can change; the flag follows here. */
			looplt_worker_set_flags();
			continue;
		}
		__set_current_state(TASK_RUNNING);
		looplt_lane_run(lane, llist_reverse_order(batch));
		cond_resched();
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

/**
 * looplt_lane_add() - give a command to a lane
 * @lane: the lane
 * @cmd: the command, in no lane
 *
 * Context: any.  The thread is not woken, see looplt_lane_wake().
 */
void looplt_lane_add(struct looplt_lane *lane, struct looplt_cmd *cmd)
{
	cmd->lane = lane;
	llist_add(&cmd->entry, &lane->pending);
}

/**
 * looplt_lane_wake() - make the thread look at what is pending
 * @lane: the lane
 *
 * The thread may be awake already, end the command and be stopped, all before
 * we get to wake it.  So adding and waking share one RCU read section, and
 * looplt_worker_stop() waits for those.
 *
 * Context: any; rcu_read_lock() held since before looplt_lane_add().
 */
void looplt_lane_wake(struct looplt_lane *lane)
{
	RCU_LOCKDEP_WARN(!rcu_read_lock_held(), "lane woken outside RCU");

	if (!llist_empty(&lane->pending))
		wake_up_process(lane->task);
}

static int looplt_lane_start(struct looplt_lane *lane, const char *name)
{
	struct task_struct *task;

	lane->bvecs = kvmalloc_array(LOOPLT_MAX_BVECS, sizeof(*lane->bvecs),
				     GFP_KERNEL);
	if (!lane->bvecs)
		return -ENOMEM;

	task = kthread_create(looplt_worker_fn, lane, "%s%s",
			      lane->lo->disk->disk_name, name);
	if (IS_ERR(task)) {
		kvfree(lane->bvecs);
		lane->bvecs = NULL;
		return PTR_ERR(task);
	}
	lane->task = task;
	wake_up_process(task);
	return 0;
}

static void looplt_lane_stop(struct looplt_lane *lane)
{
	kthread_stop(lane->task);
	WARN_ON_ONCE(!llist_empty(&lane->pending));
	lane->task = NULL;
	kvfree(lane->bvecs);
	lane->bvecs = NULL;
}

/**
 * looplt_worker_start() - make the threads of a device
 * @lo: the device, not bound
 *
 * Context: process context, lo->mutex held.
 * Return: 0; -ENOMEM; -EINTR if the caller got a fatal signal.
 */
int looplt_worker_start(struct looplt_device *lo)
{
	int i, err;

	lockdep_assert_held(&lo->mutex);

	for (i = 0; i < LOOPLT_NR_LANES; i++) {
		err = looplt_lane_start(&lo->lanes[i], looplt_lane_names[i]);
		if (err)
			goto err_stop_lanes;
	}
	err = looplt_writeback_start(lo);
	if (err)
		goto err_stop_lanes;
	return 0;

err_stop_lanes:
	while (--i >= 0)
		looplt_lane_stop(&lo->lanes[i]);
	return err;
}

/**
 * looplt_worker_stop() - end the threads of a device
 * @lo: the device; it has no request in flight and will get none
 *
 * Context: process context, lo->mutex held.
 */
void looplt_worker_stop(struct looplt_device *lo)
{
	int i;

	lockdep_assert_held(&lo->mutex);

	looplt_writeback_stop(lo);
	synchronize_rcu();	/* see looplt_lane_wake() */
	for (i = 0; i < LOOPLT_NR_LANES; i++)
		looplt_lane_stop(&lo->lanes[i]);
}
