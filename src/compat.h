/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * looplt - the kernel interface the rest of the module is written against.
 *
 * Other files are written for the newest kernel we support.  Only this file
 * tests LOOPLT_HAVE_*, which scripts/probe-kernel finds out by compiling
 * scripts/probes/, and no file tests version numbers: distributions backport.
 * Each block says what changed, since when, and what goes with the old arm.
 */
/* long: all that is known of kernel differences stays in one place */
#ifndef LOOPLT_COMPAT_H
#define LOOPLT_COMPAT_H

#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/fs.h>
#include <linux/kobject.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/stat.h>
#include <linux/uio.h>

#include "generated/probes.h"

/*
 * (a) Missing on old kernels, same meaning: take the kernel's own name.
 */

/* 5.8 (a37b0715ddf3) renamed the flag and sharpened its meaning. */
#ifndef PF_LOCAL_THROTTLE
#ifdef PF_LESS_THROTTLE
#define PF_LOCAL_THROTTLE	PF_LESS_THROTTLE
#else
#error "looplt: this kernel has neither PF_LOCAL_THROTTLE nor PF_LESS_THROTTLE"
#endif
#endif

#ifndef ITER_SOURCE		/* 6.2 (de4eda9de2d9) */
#define ITER_SOURCE		WRITE
#define ITER_DEST		READ
#endif

#ifndef BLK_OPEN_WRITE		/* 6.5 (05bdb9965305) */
#define BLK_OPEN_READ		FMODE_READ
#define BLK_OPEN_WRITE		FMODE_WRITE
#define BLK_OPEN_EXCL		FMODE_EXCL
typedef fmode_t blk_mode_t;
#endif

#ifndef BLK_MAX_BLOCK_SIZE	/* 6.15 (47dd67532303) */
#define BLK_MAX_BLOCK_SIZE	PAGE_SIZE
#endif

#ifndef LOOPLT_HAVE_SHOULD_MERGE	/* the default since 6.14 */
#define BLK_MQ_F_SHOULD_MERGE	0
#endif

#ifndef LOOPLT_HAVE_NO_SCHED_BY_DEFAULT	/* 5.14 (90b7198001f2) */
#define BLK_MQ_F_NO_SCHED_BY_DEFAULT	BLK_MQ_F_NO_SCHED
#endif

#ifndef LOOPLT_HAVE_KIOCB_START_WRITE	/* 6.6 (ed0360bbab72) */
static inline void kiocb_start_write(struct kiocb *iocb)
{
	struct inode *inode = file_inode(iocb->ki_filp);

	sb_start_write(inode->i_sb);
	/* The completion may run elsewhere: hide the lock from lockdep. */
	__sb_writers_release(inode->i_sb, SB_FREEZE_WRITE);
}

static inline void kiocb_end_write(struct kiocb *iocb)
{
	struct inode *inode = file_inode(iocb->ki_filp);

	__sb_writers_acquired(inode->i_sb, SB_FREEZE_WRITE);
	sb_end_write(inode->i_sb);
}
#endif

/*
 * (b) Signature or meaning changed: a verb of ours, one whole body per arm.
 */

/* What the module asks of the block layer, whatever the kernel calls it. */
struct looplt_limits {
	unsigned int	logical_block_size;	/* bytes */
	unsigned int	physical_block_size;	/* bytes */
	unsigned int	io_min;			/* bytes */
	unsigned int	max_hw_sectors;
	unsigned int	max_segments;
	unsigned int	max_segment_size;	/* bytes */
	unsigned int	dma_alignment;		/* mask */
	unsigned int	discard_granularity;	/* bytes; 0: no discard */
	unsigned int	max_discard_sectors;
	unsigned int	max_write_zeroes_sectors;
	bool		write_cache;
	bool		fua;
	bool		rotational;
	bool		stable_writes;
};

/*
 * Disk and queue with their limits.
 *
 *   6.11  limits carry features, and are an argument	ALLOC_DISK_LIMITS,
 *	   (1122c0c1cc71)				LIMITS_FEATURES
 *   5.14  blk_mq_alloc_disk() (b461dfc49eb6)		ALLOC_DISK
 *   5.10  queue first, then disk; no ->free_disk (5.18, 76792055c4c8), so
 *	   the device's release is chained
 *
 * looplt_compat_alloc_disk(): a disk not yet added, or ERR_PTR.
 * looplt_compat_drop_disk(): of a disk never added; ->free_disk is not called.
 * looplt_compat_cleanup_queue(): between del_gendisk() and freeing the tags.
 * looplt_compat_set_limits(): freezes the queue; 0 or -errno with the old
 *	limits in force.  Context: process, queue not frozen, no I/O thread.
 */
#if defined(LOOPLT_HAVE_ALLOC_DISK_LIMITS) && defined(LOOPLT_HAVE_LIMITS_FEATURES)

static inline void looplt_compat_fill_limits(struct queue_limits *lim,
					     const struct looplt_limits *l)
{
	lim->logical_block_size = l->logical_block_size;
	lim->physical_block_size = l->physical_block_size;
	lim->io_min = l->io_min;
	lim->max_hw_sectors = l->max_hw_sectors;
	lim->max_segments = l->max_segments;
	lim->max_segment_size = l->max_segment_size;
	lim->dma_alignment = l->dma_alignment;
	lim->discard_granularity = l->discard_granularity;
	lim->max_hw_discard_sectors = l->max_discard_sectors;
	lim->max_write_zeroes_sectors = l->max_write_zeroes_sectors;
	lim->features &= ~(BLK_FEAT_WRITE_CACHE | BLK_FEAT_FUA |
			   BLK_FEAT_ROTATIONAL | BLK_FEAT_STABLE_WRITES);
	if (l->write_cache)
		lim->features |= BLK_FEAT_WRITE_CACHE;
	if (l->fua)
		lim->features |= BLK_FEAT_FUA;
	if (l->rotational)
		lim->features |= BLK_FEAT_ROTATIONAL;
	if (l->stable_writes)
		lim->features |= BLK_FEAT_STABLE_WRITES;
}

static inline struct gendisk *
looplt_compat_alloc_disk(struct blk_mq_tag_set *set,
			 const struct looplt_limits *l, void *data)
{
	struct queue_limits lim = {};

	looplt_compat_fill_limits(&lim, l);
	return blk_mq_alloc_disk(set, &lim, data);
}

static inline void looplt_compat_drop_disk(struct gendisk *disk)
{
	put_disk(disk);
}

static inline void looplt_compat_cleanup_queue(struct gendisk *disk)
{
}

static inline int looplt_compat_set_limits(struct gendisk *disk,
					   const struct looplt_limits *l)
{
	struct queue_limits lim = queue_limits_start_update(disk->queue);

	looplt_compat_fill_limits(&lim, l);
	return queue_limits_commit_update_frozen(disk->queue, &lim);
}

#elif !defined(LOOPLT_HAVE_LIMITS_FEATURES)

static inline void looplt_compat_queue_flag(struct request_queue *q,
					    unsigned int flag, bool on)
{
	if (on)
		blk_queue_flag_set(flag, q);
	else
		blk_queue_flag_clear(flag, q);
}

static inline void looplt_compat_setters(struct request_queue *q,
					 const struct looplt_limits *l)
{
	/* These setters only ever raise the block sizes. */
	q->limits.physical_block_size = l->logical_block_size;
	q->limits.io_min = l->logical_block_size;
	blk_queue_logical_block_size(q, l->logical_block_size);
	blk_queue_physical_block_size(q, l->physical_block_size);
	blk_queue_io_min(q, l->io_min);
	blk_queue_max_hw_sectors(q, l->max_hw_sectors);
	blk_queue_max_segments(q, l->max_segments);
	blk_queue_max_segment_size(q, l->max_segment_size);
	blk_queue_dma_alignment(q, l->dma_alignment);
	q->limits.discard_granularity = l->discard_granularity;
	blk_queue_max_discard_sectors(q, l->max_discard_sectors);
	blk_queue_max_write_zeroes_sectors(q, l->max_write_zeroes_sectors);
	blk_queue_write_cache(q, l->write_cache, l->fua);
	looplt_compat_queue_flag(q, QUEUE_FLAG_NONROT, !l->rotational);
	looplt_compat_queue_flag(q, QUEUE_FLAG_STABLE_WRITES, l->stable_writes);
#ifdef QUEUE_FLAG_DISCARD	/* until 5.19 (70200574cc22) */
	looplt_compat_queue_flag(q, QUEUE_FLAG_DISCARD, l->max_discard_sectors);
#endif
}

static inline int looplt_compat_set_limits(struct gendisk *disk,
					   const struct looplt_limits *l)
{
	unsigned int noio = memalloc_noio_save();

	blk_mq_freeze_queue(disk->queue);
	looplt_compat_setters(disk->queue, l);
	blk_mq_unfreeze_queue(disk->queue);
	memalloc_noio_restore(noio);
	return 0;
}

#ifdef LOOPLT_HAVE_ALLOC_DISK

static inline struct gendisk *
looplt_compat_alloc_disk(struct blk_mq_tag_set *set,
			 const struct looplt_limits *l, void *data)
{
	struct gendisk *disk = blk_mq_alloc_disk(set, data);

	if (!IS_ERR(disk))
		looplt_compat_setters(disk->queue, l);
	return disk;
}

static inline void looplt_compat_drop_disk(struct gendisk *disk)
{
	put_disk(disk);
}

static inline void looplt_compat_cleanup_queue(struct gendisk *disk)
{
}

#else

static inline struct gendisk *
looplt_compat_alloc_disk(struct blk_mq_tag_set *set,
			 const struct looplt_limits *l, void *data)
{
	struct request_queue *q = blk_mq_init_queue(set);
	struct gendisk *disk;

	if (IS_ERR(q))
		return ERR_CAST(q);
	disk = alloc_disk(1);
	if (!disk) {
		blk_cleanup_queue(q);
		return ERR_PTR(-ENOMEM);
	}
	q->queuedata = data;
	disk->queue = q;
	looplt_compat_setters(q, l);
	return disk;
}

static inline void looplt_compat_drop_disk(struct gendisk *disk)
{
	blk_cleanup_queue(disk->queue);
	/* A disk never added holds no reference of its own to the queue. */
	disk->queue = NULL;
	put_disk(disk);
}

static inline void looplt_compat_cleanup_queue(struct gendisk *disk)
{
	blk_cleanup_queue(disk->queue);
}

#endif /* LOOPLT_HAVE_ALLOC_DISK */
#else
#error "looplt: this kernel has no blk-mq disk allocation that looplt knows"
#endif

/*
 * ->free_disk: since 5.18.  Before, call it from the device's release; the
 * type's own release, which the field shadows, still has to run.
 */
#ifdef LOOPLT_HAVE_FREE_DISK
#define LOOPLT_COMPAT_FREE_DISK(fn)		.free_disk = fn,
#define LOOPLT_COMPAT_DEFINE_FREE_DISK(fn)
#define looplt_compat_chain_free(disk)		do { } while (0)
#else
#define LOOPLT_COMPAT_FREE_DISK(fn)
#define LOOPLT_COMPAT_DEFINE_FREE_DISK(fn)			\
static void looplt_compat_disk_release(struct device *dev)	\
{								\
	fn(dev_to_disk(dev));					\
	dev->type->release(dev);				\
}
#define looplt_compat_chain_free(disk)				\
	(disk_to_dev(disk)->release = looplt_compat_disk_release)
#endif

/* 5.15 (83cbce957446): device_add_disk() can fail. */
#ifdef LOOPLT_HAVE_ADD_DISK_INT
static inline int looplt_compat_add_disk(struct gendisk *disk,
					 const struct attribute_group **groups)
{
	return device_add_disk(NULL, disk, groups);
}
#else
static inline int looplt_compat_add_disk(struct gendisk *disk,
					 const struct attribute_group **groups)
{
	device_add_disk(NULL, disk, groups);
	return disk_to_dev(disk)->kobj.state_in_sysfs ? 0 : -EEXIST;
}
#endif

/*
 * The whole disk's block device, and the lock around its opens.
 *
 *   5.14  disk->open_mutex (a8698707a183)		OPEN_MUTEX
 *   5.11  disk->part0 is a block device (0d02129e76ed)
 *   5.10  bdget_disk(), bd_mutex
 */
#ifdef LOOPLT_HAVE_OPEN_MUTEX
static inline struct block_device *looplt_compat_get_bdev(struct gendisk *disk)
{
	return disk->part0;
}

static inline void looplt_compat_put_bdev(struct block_device *bdev)
{
}

static inline struct mutex *looplt_compat_open_mutex(struct block_device *bdev)
{
	return &bdev->bd_disk->open_mutex;
}

static inline unsigned int looplt_compat_openers(struct block_device *bdev)
{
	return disk_openers(bdev->bd_disk);
}

static inline struct block_device *looplt_compat_whole(struct block_device *bdev)
{
	return bdev_whole(bdev);
}

static inline int looplt_compat_disk_changed(struct gendisk *disk,
					     struct block_device *bdev)
{
	return bdev_disk_changed(disk, false);
}
#else
/* It goes by a number that, else, the disk is given only when it is added. */
static inline struct block_device *looplt_compat_get_bdev(struct gendisk *disk)
{
	disk_to_dev(disk)->devt = disk_devt(disk);
	return bdget_disk(disk, 0);
}

static inline void looplt_compat_put_bdev(struct block_device *bdev)
{
	bdput(bdev);
}

static inline struct mutex *looplt_compat_open_mutex(struct block_device *bdev)
{
	return &bdev->bd_mutex;
}

static inline unsigned int looplt_compat_openers(struct block_device *bdev)
{
	return bdev->bd_openers;
}

static inline struct block_device *looplt_compat_whole(struct block_device *bdev)
{
	return bdev->bd_contains;
}

/*
 * Here a block device knows its disk only while somebody has it open, under
 * bd_mutex, which our callers hold: lend it the disk, or it is a NULL pointer.
 */
static inline int looplt_compat_disk_changed(struct gendisk *disk,
					     struct block_device *bdev)
{
	struct gendisk *known = bdev->bd_disk;
	int err;

	lockdep_assert_held(&bdev->bd_mutex);

	bdev->bd_disk = disk;
	err = bdev_disk_changed(bdev, false);
	bdev->bd_disk = known;
	return err;
}
#endif

/*
 * Claim the disk for a moment, so that nobody else has it exclusively.
 *
 *   6.5   holder ops (0718afd47f70)	CLAIM_HOPS
 *   5.11  no "whole" argument		CLAIM_HOLDER
 */
#if defined(LOOPLT_HAVE_CLAIM_HOPS)
static inline int looplt_compat_claim(struct block_device *bdev, void *holder)
{
	return bd_prepare_to_claim(bdev, holder, NULL);
}

static inline void looplt_compat_unclaim(struct block_device *bdev, void *holder)
{
	bd_abort_claiming(bdev, holder);
}
#elif defined(LOOPLT_HAVE_CLAIM_HOLDER)
static inline int looplt_compat_claim(struct block_device *bdev, void *holder)
{
	return bd_prepare_to_claim(bdev, holder);
}

static inline void looplt_compat_unclaim(struct block_device *bdev, void *holder)
{
	bd_abort_claiming(bdev, holder);
}
#else
static inline int looplt_compat_claim(struct block_device *bdev, void *holder)
{
	return bd_prepare_to_claim(bdev, bdev, holder);
}

static inline void looplt_compat_unclaim(struct block_device *bdev, void *holder)
{
	bd_abort_claiming(bdev, bdev, holder);
}
#endif

/*
 * Open our own disk from the kernel, so that a partition scan finds the block
 * size of the page cache set.  6.9 (f3a608827d1f): a file.  Before: the bdev.
 */
#ifdef LOOPLT_HAVE_BDEV_FILE
typedef struct file *looplt_compat_handle;

static inline looplt_compat_handle looplt_compat_open_dev(dev_t dev)
{
	return bdev_file_open_by_dev(dev, BLK_OPEN_READ, NULL, NULL);
}

static inline void looplt_compat_close_dev(looplt_compat_handle handle)
{
	bdev_fput(handle);
}
#else
typedef struct block_device *looplt_compat_handle;

static inline looplt_compat_handle looplt_compat_open_dev(dev_t dev)
{
	return blkdev_get_by_dev(dev, FMODE_READ, NULL);
}

static inline void looplt_compat_close_dev(looplt_compat_handle handle)
{
	blkdev_put(handle, FMODE_READ);
}
#endif

/*
 * Tell the block layer that the disk shows other data from now on.
 *
 *   6.6   one argument			MEDIA_CHANGE_1
 *   5.13  also asks for a partition scan at the next open, which would race
 *	   with ours (267ec4d7223a): taken back
 *   5.10  nothing; there is no sequence number either
 */
#if defined(LOOPLT_HAVE_MEDIA_CHANGE_1)
static inline u64 looplt_compat_media_change(struct gendisk *disk)
{
	disk_force_media_change(disk);
	clear_bit(GD_NEED_PART_SCAN, &disk->state);
	return disk->diskseq;
}
#elif defined(LOOPLT_HAVE_MEDIA_CHANGE_2)
static inline u64 looplt_compat_media_change(struct gendisk *disk)
{
	disk_force_media_change(disk, DISK_EVENT_MEDIA_CHANGE);
	clear_bit(GD_NEED_PART_SCAN, &disk->state);
	return disk->diskseq;
}
#else
static inline u64 looplt_compat_media_change(struct gendisk *disk)
{
	return 0;
}
#endif

/* Scan for partitions on request.  5.17 (46e7eac647b3), in disk->state 5.19. */
#ifdef GD_SUPPRESS_PART_SCAN
static inline void looplt_compat_part_scan(struct gendisk *disk, bool on)
{
	if (on)
		clear_bit(GD_SUPPRESS_PART_SCAN, &disk->state);
	else
		set_bit(GD_SUPPRESS_PART_SCAN, &disk->state);
}
#elif defined(LOOPLT_HAVE_NO_PART_SCAN)
/* Without EXT_DEVT a disk has no more partitions than minors of its own. */
static inline void looplt_compat_part_scan(struct gendisk *disk, bool on)
{
	disk->flags |= GENHD_FL_EXT_DEVT;
	if (on)
		disk->flags &= ~GENHD_FL_NO_PART_SCAN;
	else
		disk->flags |= GENHD_FL_NO_PART_SCAN;
}
#else
#error "looplt: this kernel suppresses partition scans in a way looplt does not know"
#endif

/*
 * Send the events of partitions that were added while those of the disk were
 * held back.  Under the open mutex.  5.12 (a33df75c6328): an xarray.
 */
#ifdef LOOPLT_HAVE_PART_TBL
static inline void looplt_compat_partition_events(struct gendisk *disk)
{
	struct block_device *part;
	unsigned long partno;

	xa_for_each_start(&disk->part_tbl, partno, part, 1)
		kobject_uevent(bdev_kobj(part), KOBJ_ADD);
}
#else
static inline void looplt_compat_partition_events(struct gendisk *disk)
{
	struct disk_part_iter iter;
	struct hd_struct *part;

	disk_part_iter_init(&iter, disk, 0);
	while ((part = disk_part_iter_next(&iter)))
		kobject_uevent(&part_to_dev(part)->kobj, KOBJ_ADD);
	disk_part_iter_exit(&iter);
}
#endif

/* Drop what the page cache of the disk holds; capacity 0.  5.16: a helper. */
#ifdef LOOPLT_HAVE_INVALIDATE_DISK
static inline void looplt_compat_invalidate(struct gendisk *disk,
					    struct block_device *bdev)
{
	invalidate_disk(disk);
}
#else
static inline void looplt_compat_invalidate(struct gendisk *disk,
					    struct block_device *bdev)
{
	invalidate_bdev(bdev);
	bdev->bd_inode->i_mapping->wb_err = 0;
	set_capacity_and_notify(disk, 0);
}
#endif

/*
 * Wait until no request is in flight and keep new ones out.  6.14
 * (1e1a9cecfab3) allocates without I/O inside; before, we see to that.
 */
#ifdef LOOPLT_HAVE_FREEZE_MEMFLAGS
static inline unsigned int looplt_compat_freeze(struct request_queue *q)
{
	return blk_mq_freeze_queue(q);
}

static inline void looplt_compat_unfreeze(struct request_queue *q,
					  unsigned int noio)
{
	blk_mq_unfreeze_queue(q, noio);
}
#else
static inline unsigned int looplt_compat_freeze(struct request_queue *q)
{
	unsigned int noio = memalloc_noio_save();

	blk_mq_freeze_queue(q);
	return noio;
}

static inline void looplt_compat_unfreeze(struct request_queue *q,
					  unsigned int noio)
{
	blk_mq_unfreeze_queue(q);
	memalloc_noio_restore(noio);
}
#endif

/* 5.11 (a160c6159d4a): the kernel asks for disks by number.  Before, it doesn't. */
#ifdef LOOPLT_HAVE_REGISTER_PROBE
static inline int looplt_compat_register_blkdev(unsigned int major,
						const char *name,
						void (*probe)(dev_t dev))
{
	return __register_blkdev(major, name, probe);
}
#else
static inline int looplt_compat_register_blkdev(unsigned int major,
						const char *name,
						void (*probe)(dev_t dev))
{
	return register_blkdev(major, name);
}
#endif

/* 6.5 (ae220766d87c): open and release take the disk. */
#ifdef LOOPLT_HAVE_OPEN_GENDISK
#define LOOPLT_COMPAT_DISK_OPS(open_fn, release_fn)
#define LOOPLT_COMPAT_OPEN(open_fn)		open_fn
#define LOOPLT_COMPAT_RELEASE(release_fn)	release_fn
#else
#define LOOPLT_COMPAT_DISK_OPS(open_fn, release_fn)			\
static int looplt_compat_open(struct block_device *bdev, fmode_t mode)	\
{									\
	return open_fn(bdev->bd_disk, mode);				\
}									\
static void looplt_compat_close(struct gendisk *disk, fmode_t mode)	\
{									\
	release_fn(disk);						\
}
#define LOOPLT_COMPAT_OPEN(open_fn)		looplt_compat_open
#define LOOPLT_COMPAT_RELEASE(release_fn)	looplt_compat_close
#endif

/* 5.16 (6b19b766e8f0): ki_complete lost its third argument. */
#ifdef LOOPLT_HAVE_KI_COMPLETE_2
#define LOOPLT_COMPAT_KI_ARGS	struct kiocb *iocb, long ret
#else
#define LOOPLT_COMPAT_KI_ARGS	struct kiocb *iocb, long ret, long unused
#endif

/* 6.1 (a4e1d0b76e7b): map_queues returns nothing. */
#ifdef LOOPLT_HAVE_MAP_QUEUES_VOID
#define LOOPLT_COMPAT_MAP_QUEUES	void
#define looplt_compat_map_return()	return
#else
#define LOOPLT_COMPAT_MAP_QUEUES	int
#define looplt_compat_map_return()	return 0
#endif

/* Direct I/O: 6.0 (a2ad63daa88b) a file mode bit, before an operation. */
#ifdef FMODE_CAN_ODIRECT
static inline bool looplt_compat_can_odirect(const struct file *file)
{
	return file->f_mode & FMODE_CAN_ODIRECT;
}
#else
static inline bool looplt_compat_can_odirect(const struct file *file)
{
	return file->f_mapping->a_ops && file->f_mapping->a_ops->direct_IO;
}
#endif

/* IOCB_WAITQ on a buffered read: 6.9 (210a03c9d51a) says fop_flags. */
#ifdef FOP_BUFFER_RASYNC
static inline bool looplt_compat_can_wait_async(const struct file *file)
{
	return file->f_op->fop_flags & FOP_BUFFER_RASYNC;
}
#else
static inline bool looplt_compat_can_wait_async(const struct file *file)
{
	return file->f_mode & FMODE_BUF_RASYNC;
}
#endif

/*
 * Alignment that direct I/O takes, in bytes; false if the file system does
 * not say.  6.1 (825cf206ed51).
 */
#if defined(STATX_DIOALIGN) && defined(LOOPLT_HAVE_KSTAT_DIO)
#define LOOPLT_COMPAT_STATX	(STATX_BASIC_STATS | STATX_DIOALIGN)
static inline bool looplt_compat_dio_align(const struct kstat *st,
					   unsigned int *mem_align,
					   unsigned int *offset_align)
{
	if (!(st->result_mask & STATX_DIOALIGN))
		return false;
	*mem_align = st->dio_mem_align;
	*offset_align = st->dio_offset_align;
	return true;
}
#else
#define LOOPLT_COMPAT_STATX	STATX_BASIC_STATS
static inline bool looplt_compat_dio_align(const struct kstat *st,
					   unsigned int *mem_align,
					   unsigned int *offset_align)
{
	return false;
}
#endif

/* 7.x turned bdev_nonrot() around; 6.1 and before ask the queue. */
#if defined(LOOPLT_HAVE_BDEV_ROT)
static inline bool looplt_compat_rotational(struct block_device *bdev)
{
	return bdev_rot(bdev);
}
#else
static inline bool looplt_compat_rotational(struct block_device *bdev)
{
	return !blk_queue_nonrot(bdev_get_queue(bdev));
}
#endif

/* Does the file system checksum what it writes?  5.11 (1cb039f3dc16). */
static inline bool looplt_compat_stable_writes(const struct super_block *sb)
{
#ifdef SB_I_STABLE_WRITES
	return sb->s_iflags & SB_I_STABLE_WRITES;
#else
	return false;
#endif
}

#endif /* LOOPLT_COMPAT_H */
