// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt - changing a device that is bound.
 *
 * Each change is worked out on a copy of the configuration, which may fail;
 * then goes into force with the queue frozen, which can't.
 *
 * What would move data under somebody who has the disk exclusively (a mounted
 * file system) is refused: the caller has to be that somebody, or nobody is.
 * The momentary claim that finds out is taken before lo->mutex: it waits for
 * opens, an open for a last close, and that for lo->mutex.
 */
#include "looplt.h"

#include <linux/kobject.h>

static bool looplt_change_moves(const struct looplt_conf *old,
				const struct looplt_conf *new)
{
	return old->offset != new->offset ||
	       old->sizelimit != new->sizelimit ||
	       old->block_size != new->block_size;
}

/* Give the disk the size that the file has now; tell user space if it moved. */
static void looplt_change_resize(struct looplt_device *lo)
{
	loff_t bytes = looplt_backing_bytes(&lo->backing);
	sector_t nr_sectors;

	lockdep_assert_held(&lo->mutex);

	nr_sectors = looplt_binding_sectors(bytes, &lo->conf);
	looplt_binding_tell_rest(lo, bytes, &lo->conf);
	spin_lock(&lo->status_lock);
	lo->nr_sectors = nr_sectors;
	spin_unlock(&lo->status_lock);

	if (!set_capacity_and_notify(lo->disk, nr_sectors))
		kobject_uevent(&disk_to_dev(lo->disk)->kobj, KOBJ_CHANGE);
}

/*
 * Put a configuration into force.  If it moves data, what the disk has in its
 * page cache goes first: written where it belongs, then forgotten; and once
 * more, for what was read meanwhile.
 */
static int looplt_change_apply(struct looplt_device *lo,
			       const struct looplt_conf *new)
{
	bool moves = looplt_change_moves(&lo->conf, new);
	enum looplt_io_mode io_mode;
	const char *io_reason;
	unsigned int noio;
	int err;

	lockdep_assert_held(&lo->mutex);

	err = looplt_backing_pick_mode(&lo->backing, new, &io_mode, &io_reason);
	if (err)
		return err;
	if (io_mode == LOOPLT_IO_DIRECT && lo->io_mode != LOOPLT_IO_DIRECT) {
		err = looplt_backing_drop_cache(&lo->backing);
		if (err)
			return err;
	}
	if (moves) {
		err = sync_blockdev(lo->bdev);
		if (err)
			return err;
		invalidate_bdev(lo->bdev);
	}
	err = looplt_limits_apply(lo, &lo->backing, new, io_mode);
	if (err)
		return err;

	noio = looplt_compat_freeze(lo->disk->queue);
	spin_lock(&lo->status_lock);
	lo->conf = *new;
	lo->io_mode = io_mode;
	lo->io_reason = io_reason;
	spin_unlock(&lo->status_lock);
	looplt_compat_unfreeze(lo->disk->queue, noio);

	if (moves) {
		invalidate_bdev(lo->bdev);
		looplt_change_resize(lo);
	}
	return 0;
}

static int looplt_change_status_locked(struct looplt_device *lo,
				       const struct looplt_conf *conf,
				       bool may_move, bool *scan)
{
	struct looplt_conf new = lo->conf;
	int err;

	lockdep_assert_held(&lo->mutex);

	if (lo->state != LOOPLT_BOUND)
		return -ENXIO;
	if (conf->offset > LLONG_MAX || conf->sizelimit > LLONG_MAX)
		return -EOVERFLOW;

	new.offset = conf->offset;
	new.sizelimit = conf->sizelimit;
	memcpy(new.file_name, conf->file_name, LO_NAME_SIZE);
	new.lo_flags &= ~LOOP_SET_STATUS_CLEARABLE_FLAGS;
	new.lo_flags |= conf->lo_flags & LOOP_SET_STATUS_SETTABLE_FLAGS;
	*scan = new.lo_flags & ~lo->conf.lo_flags & LO_FLAGS_PARTSCAN;

	if (looplt_change_moves(&lo->conf, &new)) {
		err = may_move ? looplt_change_apply(lo, &new) : -EBUSY;
		if (err)
			return err;
	}
	/* Not the rest: requests may be reading it. */
	spin_lock(&lo->status_lock);
	memcpy(lo->conf.file_name, new.file_name, LO_NAME_SIZE);
	lo->conf.lo_flags = new.lo_flags;
	if (!(new.lo_flags & LO_FLAGS_AUTOCLEAR))
		lo->detaching = false;
	spin_unlock(&lo->status_lock);
	if (*scan)
		looplt_compat_part_scan(lo->disk, true);
	return 0;
}

/**
 * looplt_change_status() - change what LOOP_SET_STATUS64 can change
 * @lo: the device
 * @conf: offset, sizelimit, lo_flags and file_name count
 * @exclusive: the caller has the disk open exclusively
 *
 * Context: process context, no lock held.
 * Return: 0; -ENXIO if nothing is attached; -EBUSY if the disk would move
 *	   under somebody who has it exclusively; -EOVERFLOW; -EINTR; an error
 *	   of writing back.
 */
int looplt_change_status(struct looplt_device *lo,
			 const struct looplt_conf *conf, bool exclusive)
{
	bool claimed = false, scan = false;
	int err = -EINTR;

	if (!exclusive)
		claimed = !looplt_compat_claim(lo->bdev, lo);
	if (mutex_lock_killable(&lo->mutex))
		goto unclaim;
	err = looplt_change_status_locked(lo, conf, exclusive || claimed, &scan);
	mutex_unlock(&lo->mutex);
unclaim:
	if (claimed)
		looplt_compat_unclaim(lo->bdev, lo);
	if (!err && scan) {
		looplt_binding_scan(lo);
		kobject_uevent(&disk_to_dev(lo->disk)->kobj, KOBJ_CHANGE);
	}
	return err;
}

/**
 * looplt_change_capacity() - follow a backing file that has grown or shrunk
 * @lo: the device
 *
 * Context: process context, no lock held.
 * Return: 0; -ENXIO if nothing is attached; -EINTR.
 */
int looplt_change_capacity(struct looplt_device *lo)
{
	int err = 0;

	if (mutex_lock_killable(&lo->mutex))
		return -EINTR;
	if (lo->state == LOOPLT_BOUND)
		looplt_change_resize(lo);
	else
		err = -ENXIO;
	mutex_unlock(&lo->mutex);
	return err;
}

/**
 * looplt_change_direct() - direct I/O, or through the page cache
 * @lo: the device
 * @direct: which
 *
 * Context: process context, no lock held.
 * Return: 0; -ENXIO if nothing is attached; -EINVAL if the file takes no
 *	   direct I/O; -EINTR; an error of writing back.
 */
int looplt_change_direct(struct looplt_device *lo, bool direct)
{
	struct looplt_conf new;
	bool was_direct;
	int err;

	if (mutex_lock_killable(&lo->mutex))
		return -EINTR;
	err = -ENXIO;
	if (lo->state != LOOPLT_BOUND)
		goto unlock;
	err = 0;
	was_direct = lo->io_mode == LOOPLT_IO_DIRECT;
	if (direct == was_direct)
		goto unlock;

	new = lo->conf;
	new.io_mode = direct ? LOOPLT_IO_DIRECT : LOOPLT_IO_BUFFERED;
	new.io_required = direct;
	err = looplt_change_apply(lo, &new);
	/* Of this call, not of a later change of the offset. */
	lo->conf.io_required = false;
unlock:
	mutex_unlock(&lo->mutex);
	return err;
}

static int looplt_change_block_size_locked(struct looplt_device *lo,
					   unsigned long bytes)
{
	struct looplt_conf new = lo->conf;

	lockdep_assert_held(&lo->mutex);

	if (lo->state != LOOPLT_BOUND)
		return -ENXIO;
	if (bytes == lo->conf.block_size)
		return 0;
	if (!looplt_block_size_ok(bytes))
		return -EINVAL;
	new.block_size = bytes;
	return looplt_change_apply(lo, &new);
}

/**
 * looplt_change_block_size() - set the logical block size
 * @lo: the device
 * @bytes: the new size
 * @exclusive: the caller has the disk open exclusively
 *
 * Context: process context, no lock held.
 * Return: 0; -EBUSY if somebody else has the disk exclusively; -ENXIO if
 *	   nothing is attached; -EINVAL; -EINTR; an error of writing back.
 */
int looplt_change_block_size(struct looplt_device *lo, unsigned long bytes,
			     bool exclusive)
{
	int err;

	if (!exclusive) {
		err = looplt_compat_claim(lo->bdev, lo);
		if (err)
			return err;
	}
	err = -EINTR;
	if (!mutex_lock_killable(&lo->mutex)) {
		err = looplt_change_block_size_locked(lo, bytes);
		mutex_unlock(&lo->mutex);
	}
	if (!exclusive)
		looplt_compat_unclaim(lo->bdev, lo);
	return err;
}

/* On success, @b is what has to be closed: the old one. */
static int looplt_change_file_locked(struct looplt_device *lo,
				     struct looplt_backing *b, loff_t bytes,
				     bool *scan)
{
	struct looplt_backing old = lo->backing;
	enum looplt_io_mode io_mode;
	const char *io_reason;
	unsigned int noio;
	int err;

	lockdep_assert_held(&lo->mutex);

	if (lo->state != LOOPLT_BOUND)
		return -ENXIO;
	if (!lo->backing.read_only)
		return -EINVAL;
	if (looplt_binding_sectors(bytes, &lo->conf) != lo->nr_sectors)
		return -EINVAL;
	err = looplt_backing_pick_mode(b, &lo->conf, &io_mode, &io_reason);
	if (err)
		return err;
	err = looplt_claim_move(lo, b);
	if (err)
		return err;
	err = looplt_limits_apply(lo, b, &lo->conf, io_mode);
	if (err) {
		looplt_claim_move(lo, &old);
		return err;
	}

	dev_set_uevent_suppress(disk_to_dev(lo->disk), 1);
	noio = looplt_compat_freeze(lo->disk->queue);
	spin_lock(&lo->status_lock);
	lo->backing = *b;
	lo->io_mode = io_mode;
	lo->io_reason = io_reason;
	spin_unlock(&lo->status_lock);
	looplt_compat_unfreeze(lo->disk->queue, noio);
	looplt_compat_media_change(lo->disk);
	dev_set_uevent_suppress(disk_to_dev(lo->disk), 0);
	*scan = lo->conf.lo_flags & LO_FLAGS_PARTSCAN;
	*b = old;
	return 0;
}

/**
 * looplt_change_file() - put another file of the same size under the disk
 * @lo: the device, read-only
 * @file: user space's file; not kept
 *
 * Context: process context, no lock held.
 * Return: 0; -ENXIO if nothing is attached; -EINVAL if the disk is writable
 *	   or the size another; those of looplt_bind().
 */
int looplt_change_file(struct looplt_device *lo, struct file *file)
{
	struct looplt_backing b;
	bool scan = false;
	loff_t bytes;
	int err;

	if (READ_ONCE(lo->state) != LOOPLT_BOUND)
		return -ENXIO;
	err = looplt_backing_open(&b, file, true);
	if (err)
		return err;
	bytes = looplt_backing_bytes(&b);

	err = -EINTR;
	if (!mutex_lock_killable(&lo->mutex)) {
		err = looplt_change_file_locked(lo, &b, bytes, &scan);
		mutex_unlock(&lo->mutex);
	}
	looplt_backing_close(&b);
	if (err)
		return err;
	if (scan)
		looplt_binding_scan(lo);
	looplt_binding_uevent(lo);
	return 0;
}
