// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt - the control node; in drop-in mode, the stock driver's too.
 *
 * The stock driver's LOOP_CTL_ calls, and those of include/uapi/looplt.h:
 * copy in, check, do, copy out.  Like the stock node's, its access mode is
 * what protects it.
 */
#include "looplt.h"

#include <linux/compat.h>
#include <linux/file.h>
#include <linux/jiffies.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>

/* Sizes as first published; later ones are longer. */
#define LOOPLT_ATTACH_SIZE_0	sizeof(struct looplt_attach)
#define LOOPLT_DETACH_SIZE_0	sizeof(struct looplt_detach)
#define LOOPLT_INFO_SIZE_0	sizeof(struct looplt_info)

#define LOOPLT_ATTACH_FLAGS	(LOOPLT_ATTACH_READ_ONLY |	\
				 LOOPLT_ATTACH_AUTOCLEAR |	\
				 LOOPLT_ATTACH_PARTSCAN |	\
				 LOOPLT_ATTACH_EXCLUSIVE |	\
				 LOOPLT_ATTACH_SHARED |		\
				 LOOPLT_ATTACH_REMOVE)
#define LOOPLT_DETACH_FLAGS	LOOPLT_DETACH_WAIT

/* Returns the caller's size, to copy back no more than that. */
static ssize_t looplt_control_copy_in(void *to, size_t size, size_t min_size,
				      const void __user *from)
{
	u32 user_size;
	int err;

	if (get_user(user_size, (const u32 __user *)from))
		return -EFAULT;
	if (user_size < min_size)
		return -EINVAL;
	if (user_size > PAGE_SIZE)
		return -E2BIG;
	err = copy_struct_from_user(to, size, from, user_size);
	if (err)
		return err;
	/* The first word was read twice; the first reading counts. */
	*(u32 *)to = user_size;
	return user_size;
}

static int looplt_control_copy_out(void __user *to, const void *from,
				   size_t size, size_t user_size)
{
	return copy_to_user(to, from, min(size, user_size)) ? -EFAULT : 0;
}

static bool looplt_control_text_ok(const char *text, size_t size)
{
	return strnlen(text, size) < size;
}

static int looplt_attach_check(const struct looplt_attach *a)
{
	const u32 both = LOOPLT_ATTACH_EXCLUSIVE | LOOPLT_ATTACH_SHARED;

	if (a->flags & ~LOOPLT_ATTACH_FLAGS || a->reserved)
		return -EINVAL;
	if ((a->flags & both) == both)
		return -EINVAL;
	if (a->index < -1 || a->io_mode > LOOPLT_IO_UNCACHED)
		return -EINVAL;
	if (!looplt_control_text_ok(a->file_name, sizeof(a->file_name)) ||
	    !looplt_control_text_ok(a->tag, sizeof(a->tag)))
		return -EINVAL;
	return 0;
}

static void looplt_attach_conf(struct looplt_conf *conf,
			       const struct looplt_attach *a)
{
	memset(conf, 0, sizeof(*conf));
	conf->offset = a->offset;
	conf->sizelimit = a->sizelimit;
	conf->block_size = a->block_size;
	conf->io_mode = a->io_mode ?: looplt_default_io();
	conf->io_required = a->io_mode == LOOPLT_IO_DIRECT;
	conf->keep = !(a->flags & LOOPLT_ATTACH_REMOVE);
	conf->exclusive = looplt_exclusive;
	if (a->flags & (LOOPLT_ATTACH_EXCLUSIVE | LOOPLT_ATTACH_SHARED))
		conf->exclusive = a->flags & LOOPLT_ATTACH_EXCLUSIVE;
	if (a->flags & LOOPLT_ATTACH_READ_ONLY)
		conf->lo_flags |= LO_FLAGS_READ_ONLY;
	if (a->flags & LOOPLT_ATTACH_AUTOCLEAR)
		conf->lo_flags |= LO_FLAGS_AUTOCLEAR;
	if (a->flags & LOOPLT_ATTACH_PARTSCAN)
		conf->lo_flags |= LO_FLAGS_PARTSCAN;
	memcpy(conf->file_name, a->file_name, sizeof(conf->file_name));
	memcpy(conf->tag, a->tag, sizeof(conf->tag));
}

static void looplt_attach_result(struct looplt_attach *a,
				 struct looplt_device *lo)
{
	spin_lock(&lo->status_lock);
	a->index = lo->index;
	if (lo->conf.lo_flags & LO_FLAGS_READ_ONLY)
		a->flags |= LOOPLT_ATTACH_READ_ONLY;
	a->block_size = lo->conf.block_size;
	a->io_mode = lo->io_mode;
	a->diskseq = lo->diskseq;
	spin_unlock(&lo->status_lock);
	a->major = lo->disk->major;
	a->minor = lo->disk->first_minor;
}

static int looplt_control_attach(struct looplt_attach *a)
{
	struct looplt_device *lo;
	struct looplt_conf conf;
	struct file *file;
	int err;

	err = looplt_attach_check(a);
	if (err)
		return err;
	file = fget(a->fd);
	if (!file)
		return -EBADF;

	lo = looplt_device_reserve(a->index);
	if (IS_ERR(lo)) {
		err = PTR_ERR(lo);
		goto put_file;
	}
	looplt_attach_conf(&conf, a);
	err = looplt_bind(lo, file, &conf, LOOPLT_RESERVED);
	if (err)
		looplt_device_unreserve(lo);
	else
		looplt_attach_result(a, lo);
	looplt_device_put(lo);
put_file:
	fput(file);
	return err;
}

static int looplt_detach_wait(struct looplt_device *lo, u32 timeout_ms)
{
	long timeout = timeout_ms ? msecs_to_jiffies(timeout_ms) :
				    MAX_SCHEDULE_TIMEOUT;

	timeout = wait_event_interruptible_timeout(lo->detach_wait,
						   !looplt_is_detaching(lo),
						   timeout);
	if (timeout < 0)
		return -EINTR;
	return timeout ? 0 : -ETIMEDOUT;
}

static int looplt_control_detach(struct looplt_detach *d)
{
	struct looplt_device *lo;
	bool done = false;
	int err;

	if (d->flags & ~LOOPLT_DETACH_FLAGS || d->reserved ||
	    d->result || d->openers)
		return -EINVAL;
	if (d->timeout_ms && !(d->flags & LOOPLT_DETACH_WAIT))
		return -EINVAL;
	lo = looplt_device_find(d->index);
	if (!lo)
		return -ENODEV;

	err = looplt_detach(lo, 0, d->diskseq, &done);
	if (err)
		goto put_device;
	if (!done && d->flags & LOOPLT_DETACH_WAIT) {
		err = looplt_detach_wait(lo, d->timeout_ms);
		done = !err;
	}
	/* A disk that goes with its binding is gone when we say so. */
	if (done)
		flush_work(&lo->remove_work);
	d->result = done ? LOOPLT_DETACH_DONE : LOOPLT_DETACH_DEFERRED;
	d->openers = done ? 0 : looplt_compat_openers(lo->bdev);
put_device:
	looplt_device_put(lo);
	return err;
}

static void looplt_info_fill(struct looplt_info *i, struct looplt_device *lo)
{
	const struct looplt_conf *conf = &lo->conf;

	lockdep_assert_held(&lo->status_lock);

	i->diskseq = lo->diskseq;
	if (lo->state != LOOPLT_BOUND)
		return;
	i->state = lo->detaching ? LOOPLT_STATE_DETACHING : LOOPLT_STATE_BOUND;
	if (conf->lo_flags & LO_FLAGS_READ_ONLY)
		i->flags |= LOOPLT_INFO_READ_ONLY;
	if (conf->lo_flags & LO_FLAGS_AUTOCLEAR)
		i->flags |= LOOPLT_INFO_AUTOCLEAR;
	if (conf->lo_flags & LO_FLAGS_PARTSCAN)
		i->flags |= LOOPLT_INFO_PARTSCAN;
	if (conf->exclusive)
		i->flags |= LOOPLT_INFO_EXCLUSIVE;
	if (!lo->keep)
		i->flags |= LOOPLT_INFO_REMOVE;
	i->block_size = conf->block_size;
	i->io_mode = lo->io_mode;
	i->io_mode_wanted = conf->io_mode;
	i->offset = conf->offset;
	i->sizelimit = conf->sizelimit;
	i->capacity = (u64)lo->nr_sectors << SECTOR_SHIFT;
	i->backing_dev = lo->backing.dev;
	i->backing_ino = lo->backing.ino;
	memcpy(i->file_name, conf->file_name, sizeof(i->file_name));
	memcpy(i->tag, conf->tag, sizeof(i->tag));
	strscpy(i->io_mode_reason, lo->io_reason, sizeof(i->io_mode_reason));
}

static int looplt_control_info(struct looplt_info *i)
{
	struct looplt_device *lo;
	u32 size = i->size;

	lo = looplt_device_find(i->index);
	if (!lo)
		return -ENODEV;
	memset(i, 0, sizeof(*i));
	i->size = size;
	i->index = lo->index;
	i->openers = looplt_compat_openers(lo->bdev);
	i->major = lo->disk->major;
	i->minor = lo->disk->first_minor;
	spin_lock(&lo->status_lock);
	looplt_info_fill(i, lo);
	spin_unlock(&lo->status_lock);
	looplt_device_put(lo);
	return 0;
}

static long looplt_ctl_attach(void __user *arg)
{
	struct looplt_attach a;
	ssize_t size;
	int err;

	size = looplt_control_copy_in(&a, sizeof(a), LOOPLT_ATTACH_SIZE_0, arg);
	if (size < 0)
		return size;
	err = looplt_control_attach(&a);
	if (err)
		return err;
	return looplt_control_copy_out(arg, &a, sizeof(a), size);
}

static long looplt_ctl_detach(void __user *arg)
{
	struct looplt_detach d;
	ssize_t size;
	int err, copy_err;

	size = looplt_control_copy_in(&d, sizeof(d), LOOPLT_DETACH_SIZE_0, arg);
	if (size < 0)
		return size;
	err = looplt_control_detach(&d);
	if (err && !d.result)
		return err;
	copy_err = looplt_control_copy_out(arg, &d, sizeof(d), size);
	return err ?: copy_err;
}

static long looplt_ctl_info(void __user *arg)
{
	struct looplt_info i;
	ssize_t size;
	int err;

	size = looplt_control_copy_in(&i, sizeof(i), LOOPLT_INFO_SIZE_0, arg);
	if (size < 0)
		return size;
	err = looplt_control_info(&i);
	if (err)
		return err;
	return looplt_control_copy_out(arg, &i, sizeof(i), size);
}

static long looplt_ctl_add(int index)
{
	struct looplt_device *lo;

	lo = looplt_device_create(index, true, LOOPLT_UNBOUND);
	if (IS_ERR(lo))
		return PTR_ERR(lo);
	index = lo->index;
	looplt_device_put(lo);
	return index;
}

static long looplt_control_ioctl(struct file *file, unsigned int cmd,
				 unsigned long arg)
{
	void __user *uarg = (void __user *)arg;

	switch (cmd) {
	case LOOP_CTL_ADD:
		return looplt_ctl_add(arg);
	case LOOP_CTL_REMOVE:
		return looplt_device_remove(arg);
	case LOOP_CTL_GET_FREE:
		return looplt_device_get_free();
	case LOOPLT_CTL_ATTACH:
		return looplt_ctl_attach(uarg);
	case LOOPLT_CTL_DETACH:
		return looplt_ctl_detach(uarg);
	case LOOPLT_CTL_INFO:
		return looplt_ctl_info(uarg);
	default:
		return -ENOSYS;	/* as the stock node, not ENOTTY */
	}
}

#ifdef CONFIG_COMPAT
/* Structures are the same for 32-bit callers; only the pointer is not. */
static long looplt_control_compat_ioctl(struct file *file, unsigned int cmd,
					unsigned long arg)
{
	if (cmd == LOOP_CTL_ADD || cmd == LOOP_CTL_REMOVE)
		return looplt_control_ioctl(file, cmd, arg);
	return looplt_control_ioctl(file, cmd, (unsigned long)compat_ptr(arg));
}
#endif

static const struct file_operations looplt_control_fops = {
	.owner		= THIS_MODULE,
	.open		= nonseekable_open,
	.unlocked_ioctl	= looplt_control_ioctl,
#ifdef CONFIG_COMPAT
	.compat_ioctl	= looplt_control_compat_ioctl,
#endif
	.llseek		= noop_llseek,
};

static struct miscdevice looplt_control_misc = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= LOOPLT_CONTROL,
	.fops	= &looplt_control_fops,
};

/* In drop-in mode: what programs know.  It answers our own calls, too. */
static struct miscdevice looplt_stock_misc = {
	.minor	= LOOP_CTRL_MINOR,
	.name	= "loop-control",
	.fops	= &looplt_control_fops,
};

/**
 * looplt_control_init() - show the control node, or nodes
 *
 * The last step of loading that can fail: somebody may have them open.
 *
 * Return: 0 or -errno.
 */
int looplt_control_init(void)
{
	int err;

	if (looplt_dropin) {
		err = misc_register(&looplt_stock_misc);
		if (err == -EBUSY)
			looplt_dropin_explain();
		if (err)
			return err;
	}
	err = misc_register(&looplt_control_misc);
	if (err && looplt_dropin)
		misc_deregister(&looplt_stock_misc);
	return err;
}

/**
 * looplt_control_exit() - remove them
 */
void looplt_control_exit(void)
{
	misc_deregister(&looplt_control_misc);
	if (looplt_dropin)
		misc_deregister(&looplt_stock_misc);
}
