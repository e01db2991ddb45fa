// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt - tying a backing file to a device, and untying it.
 *
 * Binding asks the file system everything first, without a lock; then takes
 * lo->mutex for the steps that can fail; then publishes, which can't.  The
 * partitions come next, with their events, and last the only one of the disk:
 * who sees that one sees a disk that is complete.
 *
 * Unbinding happens under open_mutex: from the last close, or from a detach
 * call that finds nobody else there.
 */
#include "looplt.h"

#include <linux/file.h>
#include <linux/kobject.h>
#include <linux/module.h>

/* What was learnt before lo->mutex was taken. */
struct looplt_prepared {
	struct looplt_backing	backing;
	struct looplt_conf	conf;
	enum looplt_io_mode	io_mode;
	const char		*io_reason;
	loff_t			file_bytes;
	sector_t		nr_sectors;
};

/* What the disk would show of the file, if it could show part of a block. */
static u64 looplt_binding_bytes(loff_t file_bytes,
				const struct looplt_conf *conf)
{
	u64 bytes;

	if (file_bytes <= 0 || conf->offset >= file_bytes)
		return 0;
	bytes = file_bytes - conf->offset;
	if (conf->sizelimit && conf->sizelimit < bytes)
		bytes = conf->sizelimit;
	return bytes;
}

/**
 * looplt_binding_sectors() - how much of a file a disk shows
 * @file_bytes: length of the file
 * @conf: offset, sizelimit and block size
 *
 * Whole blocks only: a rest at the end is not lost, but not shown.
 *
 * Return: sectors.
 */
sector_t looplt_binding_sectors(loff_t file_bytes,
				const struct looplt_conf *conf)
{
	u64 bytes = looplt_binding_bytes(file_bytes, conf);

	return round_down(bytes, conf->block_size) >> SECTOR_SHIFT;
}

/**
 * looplt_binding_tell_rest() - say so if part of a block is not shown
 * @lo: the device
 * @file_bytes: length of the file
 * @conf: offset, sizelimit and block size
 *
 * Context: process context.
 */
void looplt_binding_tell_rest(struct looplt_device *lo, loff_t file_bytes,
			      const struct looplt_conf *conf)
{
	u64 rest = looplt_binding_bytes(file_bytes, conf) % conf->block_size;

	if (rest)
		pr_notice_ratelimited("%s: the last %llu bytes are no whole block of %u and not shown\n",
				      lo->disk->disk_name, rest,
				      conf->block_size);
}

/**
 * looplt_binding_uevent() - tell user space that the disk shows other data
 * @lo: the device
 *
 * Context: process context.
 */
void looplt_binding_uevent(struct looplt_device *lo)
{
	char *envp[] = { "DISK_MEDIA_CHANGE=1", NULL };

	kobject_uevent_env(&disk_to_dev(lo->disk)->kobj, KOBJ_CHANGE, envp);
}

static int looplt_binding_prepare(struct looplt_prepared *p, struct file *file,
				  const struct looplt_conf *conf)
{
	int err;

	p->conf = *conf;
	if (!p->conf.block_size)
		p->conf.block_size = SECTOR_SIZE;
	if (!looplt_block_size_ok(p->conf.block_size))
		return -EINVAL;
	if (p->conf.offset > LLONG_MAX || p->conf.sizelimit > LLONG_MAX)
		return -EOVERFLOW;

	err = looplt_backing_open(&p->backing, file,
				  conf->lo_flags & LO_FLAGS_READ_ONLY);
	if (err)
		return err;
	if (p->backing.read_only)
		p->conf.lo_flags |= LO_FLAGS_READ_ONLY;

	err = looplt_backing_pick_mode(&p->backing, &p->conf, &p->io_mode,
				       &p->io_reason);
	if (err)
		goto err_close_backing;
	if (p->io_mode == LOOPLT_IO_DIRECT) {
		err = looplt_backing_drop_cache(&p->backing);
		if (err)
			goto err_close_backing;
	}
	p->file_bytes = looplt_backing_bytes(&p->backing);
	p->nr_sectors = looplt_binding_sectors(p->file_bytes, &p->conf);
	return 0;

err_close_backing:
	looplt_backing_close(&p->backing);
	return err;
}

/* Can't fail.  Once the capacity is set, requests may come. */
static void looplt_binding_publish(struct looplt_device *lo,
				   const struct looplt_prepared *p)
{
	u64 diskseq;

	lockdep_assert_held(&lo->mutex);

	dev_set_uevent_suppress(disk_to_dev(lo->disk), 1);
	diskseq = looplt_compat_media_change(lo->disk);

	spin_lock(&lo->status_lock);
	lo->conf = p->conf;
	lo->backing = p->backing;
	lo->io_mode = p->io_mode;
	lo->io_reason = p->io_reason;
	lo->nr_sectors = p->nr_sectors;
	lo->diskseq = diskseq;
	lo->detaching = false;
	spin_unlock(&lo->status_lock);

	lo->keep = lo->keep || p->conf.keep;
	lo->lease = lo->state == LOOPLT_RESERVED;
	__module_get(THIS_MODULE);
	set_disk_ro(lo->disk, lo->backing.read_only);
	looplt_compat_part_scan(lo->disk, lo->conf.lo_flags & LO_FLAGS_PARTSCAN);
	looplt_device_set_state(lo, LOOPLT_BOUND);
	set_capacity(lo->disk, lo->nr_sectors);
	dev_set_uevent_suppress(disk_to_dev(lo->disk), 0);
}

static int looplt_bind_locked(struct looplt_device *lo,
			      const struct looplt_prepared *p)
{
	int err;

	lockdep_assert_held(&lo->mutex);

	err = looplt_claim_add(lo, &p->backing, p->conf.exclusive);
	if (err)
		return err;
	err = looplt_worker_start(lo);
	if (err)
		goto err_del_claim;
	err = looplt_sysfs_bind(lo);
	if (err)
		goto err_stop_worker;
	err = looplt_limits_apply(lo, &p->backing, &p->conf, p->io_mode);
	if (err)
		goto err_unbind_sysfs;

	looplt_binding_publish(lo, p);
	return 0;

err_unbind_sysfs:
	looplt_sysfs_unbind(lo);
err_stop_worker:
	looplt_worker_stop(lo);
err_del_claim:
	looplt_claim_del(lo);
	return err;
}

/*
 * The block layer announces the disk first and then each partition, or nothing
 * at all: so the partitions' events are for us to send.
 */
static int looplt_binding_scan_locked(struct looplt_device *lo)
{
	int err;

	lockdep_assert_held(looplt_compat_open_mutex(lo->bdev));

	dev_set_uevent_suppress(disk_to_dev(lo->disk), 1);
	err = looplt_compat_disk_changed(lo->disk, lo->bdev);
	dev_set_uevent_suppress(disk_to_dev(lo->disk), 0);
	if (!err)
		looplt_compat_partition_events(lo->disk);
	return err;
}

/**
 * looplt_binding_scan() - find the partitions, send their events
 * @lo: the device, bound
 *
 * The disk is opened for it: only an open sets the block size by which the
 * page cache reads the table.  A disk whose table can't be read is still a
 * disk, so the error is for the log.  The disk's own event is the caller's.
 *
 * Context: process context, no lock held.
 */
void looplt_binding_scan(struct looplt_device *lo)
{
	struct mutex *open_mutex = looplt_compat_open_mutex(lo->bdev);
	looplt_compat_handle handle;
	int err;

	handle = looplt_compat_open_dev(disk_devt(lo->disk));
	err = PTR_ERR_OR_ZERO(handle);
	if (!err) {
		mutex_lock(open_mutex);
		err = looplt_binding_scan_locked(lo);
		mutex_unlock(open_mutex);
		looplt_compat_close_dev(handle);
	}
	if (err)
		looplt_warn(lo, "partition scan failed (%d)\n", err);
}

/**
 * looplt_bind() - tie a file to a device
 * @lo: the device
 * @file: user space's file; not kept
 * @conf: how; copied
 * @from: LOOPLT_UNBOUND, or LOOPLT_RESERVED by the caller
 *
 * On return the disk is complete, its partitions included.
 *
 * Context: process context, as the user who attaches; no lock held.
 * Return: 0; -EBUSY if @lo is not in state @from or the inode is claimed;
 *	   -EINTR; -EINVAL; -EOVERFLOW; -ENOMEM; those of
 *	   looplt_backing_open().  After an error nothing has changed.
 */
int looplt_bind(struct looplt_device *lo, struct file *file,
		const struct looplt_conf *conf, enum looplt_state from)
{
	struct looplt_prepared p;
	int err;

	/* User space takes any other error on a bound device for its own. */
	if (READ_ONCE(lo->state) != from)
		return -EBUSY;
	err = looplt_binding_prepare(&p, file, conf);
	if (err)
		return err;

	err = -EINTR;
	if (mutex_lock_killable(&lo->mutex))
		goto err_close_backing;
	err = -EBUSY;
	if (lo->state != from)
		goto err_unlock;
	err = looplt_bind_locked(lo, &p);
	if (err)
		goto err_unlock;
	mutex_unlock(&lo->mutex);

	looplt_binding_tell_rest(lo, p.file_bytes, &p.conf);
	if (p.conf.lo_flags & LO_FLAGS_PARTSCAN)
		looplt_binding_scan(lo);
	looplt_binding_uevent(lo);
	return 0;

err_unlock:
	mutex_unlock(&lo->mutex);
err_close_backing:
	looplt_backing_close(&p.backing);
	return err;
}

/*
 * Untie the file.  Everybody has closed the disk, but for one opener who asked
 * for this.  Returns the backing, for the caller to close without locks.
 */
static struct looplt_backing looplt_unbind_locked(struct looplt_device *lo)
{
	struct looplt_backing backing = lo->backing;

	lockdep_assert_held(looplt_compat_open_mutex(lo->bdev));
	lockdep_assert_held(&lo->mutex);

	looplt_device_set_state(lo, LOOPLT_RUNDOWN);
	/* Requests that saw BOUND end now; later ones fail. */
	looplt_compat_unfreeze(lo->disk->queue,
			       looplt_compat_freeze(lo->disk->queue));

	dev_set_uevent_suppress(disk_to_dev(lo->disk), 1);
	looplt_worker_stop(lo);
	looplt_sysfs_unbind(lo);
	looplt_compat_invalidate(lo->disk, lo->bdev);
	looplt_compat_disk_changed(lo->disk, lo->bdev);	/* drops the partitions */
	looplt_compat_part_scan(lo->disk, false);
	looplt_compat_media_change(lo->disk);
	set_disk_ro(lo->disk, false);
	if (looplt_limits_apply(lo, NULL, NULL, LOOPLT_IO_AUTO))
		looplt_warn(lo, "queue limits not reset\n");
	looplt_claim_del(lo);

	spin_lock(&lo->status_lock);
	memset(&lo->conf, 0, sizeof(lo->conf));
	memset(&lo->backing, 0, sizeof(lo->backing));
	lo->detaching = false;
	lo->nr_sectors = 0;
	lo->diskseq = 0;
	spin_unlock(&lo->status_lock);
	lo->lease = false;

	looplt_device_set_state(lo, lo->keep ? LOOPLT_UNBOUND : LOOPLT_DELETING);
	dev_set_uevent_suppress(disk_to_dev(lo->disk), 0);
	looplt_binding_uevent(lo);
	if (!lo->keep)
		looplt_device_queue_remove(lo);
	module_put(THIS_MODULE);
	wake_up_all(&lo->detach_wait);
	return backing;
}

/**
 * looplt_last_close() - nobody has the disk open any more
 * @lo: the device
 *
 * Context: ->release, open_mutex held.
 */
void looplt_last_close(struct looplt_device *lo)
{
	struct looplt_backing backing = {};

	lockdep_assert_held(looplt_compat_open_mutex(lo->bdev));

	mutex_lock(&lo->mutex);
	if (lo->state == LOOPLT_BOUND &&
	    (lo->detaching ||
	     ((lo->conf.lo_flags & LO_FLAGS_AUTOCLEAR) && !lo->lease)))
		backing = looplt_unbind_locked(lo);
	mutex_unlock(&lo->mutex);

	/* From a system call, the kernel defers this past open_mutex. */
	if (backing.file)
		looplt_backing_close(&backing);
}

static int looplt_detach_locked(struct looplt_device *lo, unsigned int own_opens,
				u64 diskseq, struct looplt_backing *backing)
{
	lockdep_assert_held(&lo->mutex);

	if (lo->state != LOOPLT_BOUND)
		return -ENXIO;
	if (diskseq && diskseq != lo->diskseq)
		return -ESTALE;

	if (looplt_compat_openers(lo->bdev) > own_opens) {
		spin_lock(&lo->status_lock);
		lo->detaching = true;
		lo->conf.lo_flags |= LO_FLAGS_AUTOCLEAR;
		spin_unlock(&lo->status_lock);
		return 0;
	}
	/* What the caller wrote through the page cache of the disk. */
	sync_blockdev(lo->bdev);
	*backing = looplt_unbind_locked(lo);
	return 0;
}

/**
 * looplt_detach() - untie the file, now or at the last close
 * @lo: the device
 * @own_opens: how many of the disk's opens are the caller's own
 * @diskseq: of the attachment that is meant, or 0
 * @done: out: untied; else it was marked
 *
 * Context: process context, no lock held.
 * Return: 0; -ENXIO if nothing is attached; -ESTALE if something else is;
 *	   -EINTR.
 */
int looplt_detach(struct looplt_device *lo, unsigned int own_opens, u64 diskseq,
		  bool *done)
{
	struct mutex *open_mutex = looplt_compat_open_mutex(lo->bdev);
	struct looplt_backing backing = {};
	int err = -EINTR;

	if (mutex_lock_killable(open_mutex))
		return err;
	if (mutex_lock_killable(&lo->mutex))
		goto err_unlock_open;
	err = looplt_detach_locked(lo, own_opens, diskseq, &backing);
	mutex_unlock(&lo->mutex);
err_unlock_open:
	mutex_unlock(open_mutex);

	*done = backing.file;
	if (backing.file)
		looplt_backing_close(&backing);
	return err;
}

/**
 * looplt_is_detaching() - is the device marked to be untied at the last close
 * @lo: the device
 *
 * Context: any but interrupt.
 */
bool looplt_is_detaching(struct looplt_device *lo)
{
	bool detaching;

	spin_lock(&lo->status_lock);
	detaching = lo->state == LOOPLT_BOUND && lo->detaching;
	spin_unlock(&lo->status_lock);
	return detaching;
}
