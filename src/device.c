// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt - making, finding and removing devices.
 *
 * The index table holds a NULL for an index that is taken but not ready.  A
 * device enters it as the last step of its creation, and leaves it after its
 * disk has left sysfs.
 */
#include "looplt.h"

#include <linux/idr.h>
#include <linux/kdev_t.h>
#include <linux/module.h>
#include <linux/slab.h>

static DEFINE_MUTEX(looplt_devices_mutex);
static DEFINE_IDR(looplt_devices);
static struct workqueue_struct *looplt_remove_wq;
static int looplt_major;

static struct looplt_device *looplt_device_of(struct gendisk *disk)
{
	return disk->private_data;
}

/* Under open_mutex, as everything that unbinds or removes a device is. */
static int looplt_device_open(struct gendisk *disk, blk_mode_t mode)
{
	struct looplt_device *lo = looplt_device_of(disk);

	if (READ_ONCE(lo->state) == LOOPLT_DELETING)
		return -ENXIO;
	if (mode & BLK_OPEN_EXCL)
		WRITE_ONCE(lo->lease, false);
	return 0;
}

static void looplt_device_release(struct gendisk *disk)
{
	struct looplt_device *lo = looplt_device_of(disk);

	if (!looplt_compat_openers(lo->bdev))
		looplt_last_close(lo);
}

static void looplt_device_free(struct looplt_device *lo)
{
	free_percpu(lo->stats);
	mutex_destroy(&lo->mutex);
	kfree(lo);
}

static void looplt_device_free_disk(struct gendisk *disk)
{
	looplt_device_free(looplt_device_of(disk));
}

LOOPLT_COMPAT_DISK_OPS(looplt_device_open, looplt_device_release)
LOOPLT_COMPAT_DEFINE_FREE_DISK(looplt_device_free_disk)

const struct block_device_operations looplt_fops = {
	.owner		= THIS_MODULE,
	.open		= LOOPLT_COMPAT_OPEN(looplt_device_open),
	.release	= LOOPLT_COMPAT_RELEASE(looplt_device_release),
	.ioctl		= looplt_ioctl,
	.compat_ioctl	= looplt_compat_ioctl,
	LOOPLT_COMPAT_FREE_DISK(looplt_device_free_disk)
};

/**
 * looplt_device_set_state() - change the state
 * @lo: the device
 * @state: the new one
 *
 * Releases what was stored before it to looplt_queue_rq().
 *
 * Context: process context, lo->mutex held.
 */
void looplt_device_set_state(struct looplt_device *lo, enum looplt_state state)
{
	lockdep_assert_held(&lo->mutex);

	spin_lock(&lo->status_lock);
	/* Pairs with the acquire in looplt_queue_rq(). */
	smp_store_release(&lo->state, state);
	spin_unlock(&lo->status_lock);
}

/* Its disk goes from sysfs, then its index; others may still hold it open. */
static void looplt_device_del(struct looplt_device *lo)
{
	struct gendisk *disk = lo->disk;

	del_gendisk(disk);
	looplt_compat_cleanup_queue(disk);
	blk_mq_free_tag_set(&lo->tag_set);
	looplt_compat_put_bdev(lo->bdev);

	mutex_lock(&looplt_devices_mutex);
	idr_remove(&looplt_devices, lo->index);
	mutex_unlock(&looplt_devices_mutex);

	put_disk(disk);
}

static void looplt_device_remove_fn(struct work_struct *work)
{
	looplt_device_del(container_of(work, struct looplt_device, remove_work));
}

/**
 * looplt_device_queue_remove() - remove a device from a context that can't
 * @lo: the device, in state DELETING
 *
 * Context: any that may not wait for open_mutex.
 */
void looplt_device_queue_remove(struct looplt_device *lo)
{
	queue_work(looplt_remove_wq, &lo->remove_work);
}

static struct looplt_device *looplt_device_alloc(bool keep,
						 enum looplt_state state)
{
	struct looplt_device *lo = kzalloc(sizeof(*lo), GFP_KERNEL);
	int i;

	if (!lo)
		return NULL;
	lo->stats = alloc_percpu(struct looplt_stats);
	if (!lo->stats) {
		kfree(lo);
		return NULL;
	}
	mutex_init(&lo->mutex);
	spin_lock_init(&lo->status_lock);
	INIT_LIST_HEAD(&lo->claim_entry);
	INIT_WORK(&lo->remove_work, looplt_device_remove_fn);
	init_waitqueue_head(&lo->detach_wait);
	for (i = 0; i < LOOPLT_NR_LANES; i++) {
		lo->lanes[i].lo = lo;
		init_llist_head(&lo->lanes[i].pending);
	}
	lo->keep = keep;
	lo->state = state;
	return lo;
}

static int looplt_index_reserve(int index)
{
	int end = (MINORMASK >> looplt_part_shift) + 1;
	int err;

	if (index >= end)
		return -EINVAL;
	mutex_lock(&looplt_devices_mutex);
	if (index >= 0)
		err = idr_alloc(&looplt_devices, NULL, index, index + 1,
				GFP_KERNEL);
	else
		err = idr_alloc(&looplt_devices, NULL, 0, end, GFP_KERNEL);
	mutex_unlock(&looplt_devices_mutex);
	return err == -ENOSPC && index >= 0 ? -EEXIST : err;
}

static void looplt_index_set(int index, struct looplt_device *lo)
{
	mutex_lock(&looplt_devices_mutex);
	if (lo)
		idr_replace(&looplt_devices, lo, index);
	else
		idr_remove(&looplt_devices, index);
	mutex_unlock(&looplt_devices_mutex);
}

static int looplt_tags_alloc(struct looplt_device *lo)
{
	lo->tag_set.ops = &looplt_mq_ops;
	lo->tag_set.nr_hw_queues = LOOPLT_NR_HCTX;
	lo->tag_set.nr_maps = LOOPLT_NR_HCTX;
	lo->tag_set.queue_depth = looplt_queue_depth;
	lo->tag_set.numa_node = NUMA_NO_NODE;
	lo->tag_set.cmd_size = sizeof(struct looplt_cmd);
	/* STACKING: CPU hotplug must not wait for I/O that needs us. */
	lo->tag_set.flags = BLK_MQ_F_SHOULD_MERGE | BLK_MQ_F_STACKING |
			    BLK_MQ_F_NO_SCHED_BY_DEFAULT;
	return blk_mq_alloc_tag_set(&lo->tag_set);
}

static int looplt_disk_alloc(struct looplt_device *lo)
{
	struct looplt_limits lim;
	struct gendisk *disk;

	looplt_limits_initial(&lim);
	disk = looplt_compat_alloc_disk(&lo->tag_set, &lim, lo);
	if (IS_ERR(disk))
		return PTR_ERR(disk);

	disk->major = looplt_major;
	disk->first_minor = lo->index << looplt_part_shift;
	disk->minors = 1 << looplt_part_shift;
	disk->fops = &looplt_fops;
	disk->private_data = lo;
	disk->events = DISK_EVENT_MEDIA_CHANGE;
	disk->event_flags = DISK_EVENT_FLAG_UEVENT;
	snprintf(disk->disk_name, sizeof(disk->disk_name), "%s%d",
		 looplt_dropin_name(), lo->index);
	looplt_compat_part_scan(disk, false);
	lo->disk = disk;
	lo->bdev = looplt_compat_get_bdev(disk);
	return 0;
}

/**
 * looplt_device_create() - make a device and show it to user space
 * @index: its number, or negative for the first that is free
 * @keep: it stays when it is unbound
 * @state: UNBOUND, or RESERVED for the caller
 *
 * Context: process context, no lock held.
 * Return: the device with a reference for looplt_device_put(), or ERR_PTR:
 *	   -EEXIST, -EINVAL beyond the last minor, -ENOSPC none free, -ENOMEM.
 */
struct looplt_device *looplt_device_create(int index, bool keep,
					   enum looplt_state state)
{
	struct looplt_device *lo;
	int err;

	lo = looplt_device_alloc(keep, state);
	if (!lo)
		return ERR_PTR(-ENOMEM);

	err = looplt_index_reserve(index);
	if (err < 0)
		goto err_free_device;
	lo->index = err;

	err = looplt_tags_alloc(lo);
	if (err)
		goto err_release_index;
	err = looplt_disk_alloc(lo);
	if (err)
		goto err_free_tags;
	err = looplt_compat_add_disk(lo->disk, looplt_disk_groups);
	if (err)
		goto err_drop_disk;

	looplt_compat_chain_free(lo->disk);
	get_device(disk_to_dev(lo->disk));
	looplt_index_set(lo->index, lo);
	return lo;

err_drop_disk:
	looplt_compat_put_bdev(lo->bdev);
	looplt_compat_drop_disk(lo->disk);
err_free_tags:
	blk_mq_free_tag_set(&lo->tag_set);
err_release_index:
	looplt_index_set(lo->index, NULL);
err_free_device:
	looplt_device_free(lo);
	return ERR_PTR(err);
}

/**
 * looplt_device_find() - look a device up
 * @index: its number
 *
 * Context: process context, no lock held.
 * Return: the device with a reference for looplt_device_put(), or NULL.
 */
struct looplt_device *looplt_device_find(int index)
{
	struct looplt_device *lo;

	mutex_lock(&looplt_devices_mutex);
	lo = idr_find(&looplt_devices, index);
	if (lo)
		get_device(disk_to_dev(lo->disk));
	mutex_unlock(&looplt_devices_mutex);
	return lo;
}

/**
 * looplt_device_put() - give a reference back
 * @lo: the device; gone, perhaps
 */
void looplt_device_put(struct looplt_device *lo)
{
	put_device(disk_to_dev(lo->disk));
}

static struct looplt_device *looplt_device_find_unbound(int from)
{
	struct looplt_device *lo;
	int index = from;

	mutex_lock(&looplt_devices_mutex);
	idr_for_each_entry_continue(&looplt_devices, lo, index) {
		if (READ_ONCE(lo->state) != LOOPLT_UNBOUND)
			continue;
		get_device(disk_to_dev(lo->disk));
		break;
	}
	mutex_unlock(&looplt_devices_mutex);
	return lo;
}

/* From UNBOUND and not open to another state; false: it is in use. */
static bool looplt_device_take(struct looplt_device *lo, enum looplt_state to)
{
	struct mutex *open_mutex = looplt_compat_open_mutex(lo->bdev);
	bool taken;

	mutex_lock(open_mutex);
	mutex_lock(&lo->mutex);
	taken = lo->state == LOOPLT_UNBOUND && !looplt_compat_openers(lo->bdev);
	if (taken)
		looplt_device_set_state(lo, to);
	mutex_unlock(&lo->mutex);
	mutex_unlock(open_mutex);
	return taken;
}

/**
 * looplt_device_reserve() - get a device that nobody else can bind
 * @index: its number, or negative for any that is free
 *
 * A device that exists is taken only if it is not open.
 *
 * Context: process context, no lock held.
 * Return: the device in state RESERVED, with a reference, for looplt_bind()
 *	   or looplt_device_unreserve(); -EEXIST if @index is in use; those of
 *	   looplt_device_create().
 */
struct looplt_device *looplt_device_reserve(int index)
{
	struct looplt_device *lo;
	int next = 0;

	if (index >= 0) {
		lo = looplt_device_find(index);
		if (!lo)
			return looplt_device_create(index, false,
						    LOOPLT_RESERVED);
		if (looplt_device_take(lo, LOOPLT_RESERVED))
			return lo;
		looplt_device_put(lo);
		return ERR_PTR(-EEXIST);
	}

	while ((lo = looplt_device_find_unbound(next))) {
		if (looplt_device_take(lo, LOOPLT_RESERVED))
			return lo;
		next = lo->index + 1;
		looplt_device_put(lo);
	}
	return looplt_device_create(-1, false, LOOPLT_RESERVED);
}

/**
 * looplt_device_unreserve() - undo looplt_device_reserve()
 * @lo: the device in state RESERVED; the reference is not dropped
 *
 * Context: process context, no lock held.
 */
void looplt_device_unreserve(struct looplt_device *lo)
{
	mutex_lock(&lo->mutex);
	looplt_device_set_state(lo, lo->keep ? LOOPLT_UNBOUND : LOOPLT_DELETING);
	mutex_unlock(&lo->mutex);
	if (!lo->keep)
		looplt_device_del(lo);
}

/**
 * looplt_device_get_free() - find an unbound device, or make one
 *
 * Somebody else may bind it first: that is how LOOP_CTL_GET_FREE works.
 *
 * Context: process context, no lock held.
 * Return: the index, or -errno of looplt_device_create().
 */
int looplt_device_get_free(void)
{
	struct looplt_device *lo;
	int index;

	lo = looplt_device_find_unbound(0);
	if (!lo)
		lo = looplt_device_create(-1, true, LOOPLT_UNBOUND);
	if (IS_ERR(lo))
		return PTR_ERR(lo);
	index = lo->index;
	looplt_device_put(lo);
	return index;
}

/**
 * looplt_device_remove() - remove a device that is not in use
 * @index: its number
 *
 * Context: process context, no lock held.
 * Return: 0; -EINVAL if negative; -ENODEV; -EBUSY if it is bound or open.
 */
int looplt_device_remove(int index)
{
	struct looplt_device *lo;
	int err = -EBUSY;

	if (index < 0)
		return -EINVAL;
	lo = looplt_device_find(index);
	if (!lo)
		return -ENODEV;
	if (looplt_device_take(lo, LOOPLT_DELETING)) {
		looplt_device_del(lo);
		err = 0;
	}
	looplt_device_put(lo);
	return err;
}

/**
 * looplt_device_exit() - remove all devices
 *
 * None is bound or open: either holds the module.
 *
 * Context: module init or exit, the control node is gone.
 */
void looplt_device_exit(void)
{
	struct looplt_device *lo;

	/* The kernel asks for no more disks. */
	unregister_blkdev(looplt_major, looplt_dropin_name());
	/* First those that are on their way out already. */
	flush_workqueue(looplt_remove_wq);
	while ((lo = looplt_device_find_unbound(0))) {
		WARN_ON_ONCE(!looplt_device_take(lo, LOOPLT_DELETING));
		looplt_device_del(lo);
		looplt_device_put(lo);
	}
	destroy_workqueue(looplt_remove_wq);
	idr_destroy(&looplt_devices);
}

/**
 * looplt_device_init() - get ready
 *
 * Context: module init.
 * Return: 0 or -errno.
 */
int looplt_device_init(void)
{
	looplt_remove_wq = alloc_workqueue("looplt-remove", WQ_UNBOUND, 0);
	if (!looplt_remove_wq)
		return -ENOMEM;
	looplt_major = looplt_dropin_register();
	if (looplt_major < 0) {
		destroy_workqueue(looplt_remove_wq);
		return looplt_major;
	}
	return 0;
}

/**
 * looplt_device_create_first() - make the devices that are there from the start
 * @nr_devices: how many; somebody else may have made some of them
 *
 * Somebody may have them open at once, so that loading can't fail any more.
 * What is not made here can be made later.
 *
 * Context: module init.
 */
void looplt_device_create_first(unsigned int nr_devices)
{
	struct looplt_device *lo;
	unsigned int i;

	for (i = 0; i < nr_devices; i++) {
		lo = looplt_device_create(i, true, LOOPLT_UNBOUND);
		if (!IS_ERR(lo))
			looplt_device_put(lo);
		else if (PTR_ERR(lo) != -EEXIST)
			pr_warn("%s%u not made (%ld)\n", looplt_dropin_name(),
				i, PTR_ERR(lo));
	}
}
