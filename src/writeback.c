// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt - write-behind: what buffered writes made dirty goes to disk soon.
 *
 * Left to the kernel, dirty pages of the backing file grow to a share of all
 * memory, and the next flush, or anybody's fsync in that file system, takes as
 * long as writing them takes.  So a thread of each device starts writeback
 * whenever a window of bytes has been accepted; writers that are more than
 * LOOPLT_WINDOWS of them ahead of the disk wait.
 *
 * It is a thread of its own: neither writes nor flushes wait while it submits.
 * It makes nothing dirty.  It reads the binding without being a request; that
 * is safe since lo->backing changes only before it starts, after it was
 * stopped, or on a read-only device (LOOP_CHANGE_FD), where it has no work.
 */
#include "looplt.h"

#include <linux/kthread.h>
#include <linux/module.h>

/* Windows that may be dirty or on their way to disk. */
#define LOOPLT_WINDOWS	4

static unsigned int looplt_write_behind = 16;
module_param_named(write_behind, looplt_write_behind, uint, 0644);
MODULE_PARM_DESC(write_behind, "MiB written to the page cache after which writeback starts; 4 times that may be dirty; 0: left to the kernel (16)");

/* Is as much as @windows ahead of the disk?  Never, with write-behind off. */
static bool looplt_writeback_ahead(struct looplt_writeback *wb,
				   unsigned int windows)
{
	u64 window = (u64)READ_ONCE(looplt_write_behind) << 20;

	return window &&
	       (u64)atomic64_read(&wb->written) - READ_ONCE(wb->cleaned) >=
	       windows * window;
}

static int looplt_writeback_fn(void *data)
{
	struct looplt_device *lo = data;
	struct looplt_writeback *wb = &lo->writeback;
	u64 written;

	looplt_worker_set_flags();
	for (;;) {
		wait_event_idle(wb->work, kthread_should_stop() ||
				looplt_writeback_ahead(wb, 1));
		if (kthread_should_stop())
			return 0;
		/* What is written from here on is the next pass's. */
		written = atomic64_read(&wb->written);
		looplt_backing_clean(lo);
		WRITE_ONCE(wb->cleaned, written);
		wake_up_all(&wb->room);
	}
}

/**
 * looplt_writeback_account() - bytes were written to the page cache
 * @lo: the device, bound
 * @bytes: how many
 *
 * Context: a lane's thread.
 */
void looplt_writeback_account(struct looplt_device *lo, size_t bytes)
{
	struct looplt_writeback *wb = &lo->writeback;

	atomic64_add(bytes, &wb->written);
	if (looplt_writeback_ahead(wb, 1))
		wake_up(&wb->work);
}

/**
 * looplt_writeback_throttle() - wait until there is room for a write
 * @lo: the device, bound
 *
 * Context: a lane's thread; sleeps.  What is plugged is sent off first.
 */
void looplt_writeback_throttle(struct looplt_device *lo)
{
	struct looplt_writeback *wb = &lo->writeback;

	wait_event_idle(wb->room,
			!looplt_writeback_ahead(wb, LOOPLT_WINDOWS));
}

/**
 * looplt_writeback_start() - make the write-behind thread of a device
 * @lo: the device, not bound
 *
 * Context: process context, lo->mutex held.
 * Return: 0; -ENOMEM; -EINTR if the caller got a fatal signal.
 */
int looplt_writeback_start(struct looplt_device *lo)
{
	struct looplt_writeback *wb = &lo->writeback;
	struct task_struct *task;

	atomic64_set(&wb->written, 0);
	wb->cleaned = 0;
	init_waitqueue_head(&wb->work);
	init_waitqueue_head(&wb->room);
	task = kthread_run(looplt_writeback_fn, lo, "%sb", lo->disk->disk_name);
	if (IS_ERR(task))
		return PTR_ERR(task);
	wb->task = task;
	return 0;
}

/**
 * looplt_writeback_stop() - end the write-behind thread of a device
 * @lo: the device; it has no request in flight and will get none
 *
 * Context: process context, lo->mutex held.  Waits for a pass under way.
 */
void looplt_writeback_stop(struct looplt_device *lo)
{
	kthread_stop(lo->writeback.task);
	lo->writeback.task = NULL;
}
