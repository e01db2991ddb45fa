// SPDX-License-Identifier: GPL-2.0-only
/* since 4.13: kernel threads that are stopped, without I/O of their own */
#include <linux/kthread.h>
#include <linux/sched.h>

int looplt_probe(int (*fn)(void *data), void *data);
int looplt_probe(int (*fn)(void *data), void *data)
{
	struct task_struct *task = kthread_create(fn, data, "probe%d", 0);

	if (IS_ERR(task))
		return PTR_ERR(task);
	current->flags |= PF_MEMALLOC_NOIO;
	wake_up_process(task);
	return kthread_stop(task);
}
