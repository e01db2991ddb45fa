/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * looplt - types private to the module, and the calls between its files.
 *
 * Locking, outermost first:
 *
 *   open_mutex		the block layer's, one per disk (bd_mutex in 5.10).
 *			Opens, last close, partition scans.  A device is
 *			unbound under it, so no open ever meets a device that
 *			is half unbound.
 *   lo->mutex		every change of lo->state and of the binding.  Taken
 *			by ioctls, by attach and detach, by the last close.
 *   (limits lock)	the block layer's, 6.12 and later.
 *   (queue frozen)	no request is in flight.  Waits for the backing file.
 *   looplt_claims_lock	who uses which inode.  Sleeps for nothing.
 *   lo->status_lock	spinlock.  What GET_STATUS, INFO and sysfs report.
 *			Those take no other lock: they answer while lo->mutex
 *			is held by somebody who waits for the backing file.
 *
 *   looplt_devices_mutex  the index table.  Held for look-ups and entries
 *			only: nothing is taken inside it, and it is taken with
 *			no other lock held.
 *
 * I/O threads take none of these, and never open, close or rescan a block
 * device: unbinding waits for them under open_mutex.  They may take whatever
 * the backing file system takes.  lane->pending is lock-free.
 *
 * States, changed under lo->mutex (and lo->status_lock, for its readers):
 *
 *   UNBOUND -> BOUND		looplt_bind()
 *   UNBOUND -> RESERVED	an attach call owns the device; -> BOUND, or back
 *   BOUND -> RUNDOWN		looplt_unbind_locked(), under open_mutex too; new
 *				requests fail
 *   RUNDOWN -> UNBOUND		and the device is free again, or
 *   RUNDOWN -> DELETING	it was to be removed with its binding
 *   UNBOUND -> DELETING	LOOP_CTL_REMOVE, module exit; never left
 *
 * A request reads lo->state once, in looplt_queue_rq().  A request that saw
 * BOUND keeps the queue from freezing until it is done, and the binding
 * (lo->backing, lo->conf, lo->io_mode) changes only while the device is not
 * BOUND or while the queue is frozen.  So the I/O path reads it without locks.
 *
 * Lifetime: the disk's device reference keeps struct looplt_device, which is
 * freed in looplt_device_free_disk().  looplt_device_find() takes one.  While
 * bound, the device holds the module, its backing file (lo->backing.file), a
 * claim on the inode, one thread per lane, and one for write-behind.
 */
#ifndef LOOPLT_H
#define LOOPLT_H

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/loop.h>
#include <linux/mutex.h>
#include <linux/pagemap.h>
#include <linux/percpu.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "../include/uapi/looplt.h"
#include "compat.h"

/* Bio vectors that one backing call moves at most; a request may take several. */
#define LOOPLT_MAX_BVECS	256
/* Of these, as many as a command holds itself while it is asynchronous. */
#define LOOPLT_INLINE_BVECS	4

/* Two hardware queues: reads have tags of their own, writes can't eat them. */
enum looplt_hctx {
	LOOPLT_HCTX_WRITE,	/* everything but reads */
	LOOPLT_HCTX_READ,
	LOOPLT_NR_HCTX,
};

/* A lane is a thread and what waits for it; lanes don't wait for each other. */
enum looplt_lane_id {
	LOOPLT_LANE_READ,
	LOOPLT_LANE_WRITE,
	LOOPLT_LANE_SLOW,	/* flush, discard, zeroing, buffered FUA */
	LOOPLT_NR_LANES,
};

enum looplt_state {
	LOOPLT_UNBOUND,
	LOOPLT_RESERVED,
	LOOPLT_BOUND,
	LOOPLT_RUNDOWN,
	LOOPLT_DELETING,
};

/* Order as in looplt_stat_names[] of sysfs.c. */
enum looplt_stat {
	LOOPLT_STAT_READS,
	LOOPLT_STAT_READ_BYTES,
	LOOPLT_STAT_WRITES,
	LOOPLT_STAT_WRITTEN_BYTES,
	LOOPLT_STAT_DISCARDS,
	LOOPLT_STAT_DISCARDED_BYTES,
	LOOPLT_STAT_ZEROES,
	LOOPLT_STAT_ZEROED_BYTES,
	LOOPLT_STAT_FLUSHES,
	LOOPLT_STAT_FSYNCS,		/* calls to the backing file's fsync */
	LOOPLT_STAT_BUFFERED_FALLBACKS,	/* in direct mode, sent buffered */
	LOOPLT_STAT_SHORT_IOS,		/* moved in part, continued */
	LOOPLT_STAT_ERRORS,		/* requests that failed */
	LOOPLT_STAT_NOSPACE,		/* of these, with ENOSPC or EDQUOT */
	LOOPLT_STAT_UNFLAGGED_WRITES,	/* sent without PF_LOCAL_THROTTLE */
	LOOPLT_NR_STATS,
};

struct looplt_stats {
	u64	count[LOOPLT_NR_STATS];
};

struct looplt_device;

struct looplt_lane {
	struct looplt_device	*lo;
	struct llist_head	pending;
	struct task_struct	*task;	/* NULL while not bound */
	struct bio_vec		*bvecs;	/* LOOPLT_MAX_BVECS, for the thread */
};

/* Bytes that went to the page cache, and from there to disk; see writeback.c. */
struct looplt_writeback {
	struct task_struct	*task;		/* NULL while not bound */
	wait_queue_head_t	work;		/* the thread waits for some */
	wait_queue_head_t	room;		/* writers wait for it */
	atomic64_t		written;	/* bytes since the device is bound */
	u64			cleaned;	/* of these; by the thread */
};

/*
 * What user space asked for.  Filled and checked by the caller of
 * looplt_bind(); nothing in it is a pointer.
 */
struct looplt_conf {
	u64		offset;		/* bytes */
	u64		sizelimit;	/* bytes; 0: none */
	unsigned int	block_size;	/* bytes; 0: default */
	u32		lo_flags;	/* LO_FLAGS_* of <linux/loop.h> */
	enum looplt_io_mode io_mode;	/* wanted */
	bool		io_required;	/* fail if direct can't be had */
	bool		exclusive;
	bool		keep;		/* the disk outlives the binding */
	char		file_name[LO_NAME_SIZE];
	char		tag[LOOPLT_NAME_SIZE];
};

/* The backing file, and what was learnt about it when it was opened. */
struct looplt_backing {
	struct file	*file;		/* our own open file; see backing.c */
	struct inode	*inode;		/* of the data: f_mapping->host */
	bool		read_only;
	bool		can_direct;
	bool		can_wait_async;		/* buffered reads, for pages */
	unsigned int	dio_mem_align;		/* bytes */
	unsigned int	dio_offset_align;	/* bytes */
	u64		dev;		/* as stat(2) shows it */
	u64		ino;
	u64		rdev;
};

struct looplt_device {
	/* Set before the disk is added, then constant. */
	int			index;
	struct gendisk		*disk;
	struct block_device	*bdev;		/* the whole disk */
	struct blk_mq_tag_set	tag_set;
	struct looplt_stats __percpu *stats;

	/* Under mutex, and status_lock for readers; state also READ_ONCE. */
	struct mutex		mutex;
	spinlock_t		status_lock;	/* see the top */
	enum looplt_state	state;
	bool			keep;		/* stays when unbound */
	bool			detaching;	/* at last close */
	u64			diskseq;	/* of the binding, 0: unknown */
	sector_t		nr_sectors;

	/* Under mutex, and status_lock; I/O: see the rule at the top. */
	struct looplt_conf	conf;
	struct looplt_backing	backing;
	enum looplt_io_mode	io_mode;	/* in effect */
	const char		*io_reason;	/* static text */

	/* Threads: under mutex while not BOUND. */
	struct looplt_lane	lanes[LOOPLT_NR_LANES];
	struct looplt_writeback	writeback;

	/* Under looplt_claims_lock. */
	struct list_head	claim_entry;
	struct inode		*claim_inode;	/* NULL: no claim */
	bool			claim_write;
	bool			claim_exclusive;

	/*
	 * An attach call leaves nobody with the disk open.  Autoclear waits
	 * until somebody has opened it exclusively (a mount, say).  Written
	 * under mutex; open clears it, under open_mutex.
	 */
	bool			lease;

	struct work_struct	remove_work;
	wait_queue_head_t	detach_wait;	/* state or diskseq changed */
};

/* One request; lives in the request's private area. */
struct looplt_cmd {
	struct llist_node	entry;		/* lane->pending */
	struct looplt_lane	*lane;
	unsigned int		done;		/* bytes moved so far */
	bool			buffered;	/* direct was refused */
	atomic_t		ref;		/* submitter and completion */
	long			ret;		/* of the last backing call */
	struct bio_vec		*bvecs;		/* allocated, or NULL */
	struct kiocb		iocb;
	union {
		struct bio_vec	inline_bvecs[LOOPLT_INLINE_BVECS]; /* direct */
		struct wait_page_queue page_wait;	/* buffered reads */
	};
};

#define looplt_warn(lo, fmt, ...) \
	pr_warn("%s: " fmt, (lo)->disk->disk_name, ##__VA_ARGS__)

static inline void looplt_stat_add(struct looplt_device *lo,
				   enum looplt_stat stat, u64 n)
{
	this_cpu_add(lo->stats->count[stat], n);
}

/* main.c */
extern unsigned int looplt_part_shift;	/* log2 of minors per disk */
extern unsigned int looplt_queue_depth;	/* requests per hardware queue */
extern unsigned int looplt_probe_limit;	/* opening a node makes disks below */
extern bool looplt_local_throttle;
extern bool looplt_exclusive;
enum looplt_io_mode looplt_default_io(void);

/* dropin.c */
extern bool looplt_dropin;
const char *looplt_dropin_name(void);
void looplt_dropin_explain(void);
int looplt_dropin_register(void);

/* control.c */
int looplt_control_init(void);
void looplt_control_exit(void);

/* device.c */
extern const struct block_device_operations looplt_fops;
int looplt_device_init(void);
void looplt_device_create_first(unsigned int nr_devices);
void looplt_device_exit(void);
struct looplt_device *looplt_device_create(int index, bool keep,
					   enum looplt_state state);
struct looplt_device *looplt_device_find(int index);
void looplt_device_put(struct looplt_device *lo);
struct looplt_device *looplt_device_reserve(int index);
void looplt_device_unreserve(struct looplt_device *lo);
int looplt_device_get_free(void);
int looplt_device_remove(int index);
void looplt_device_queue_remove(struct looplt_device *lo);
void looplt_device_set_state(struct looplt_device *lo, enum looplt_state state);

/* binding.c */
int looplt_bind(struct looplt_device *lo, struct file *file,
		const struct looplt_conf *conf, enum looplt_state from);
int looplt_detach(struct looplt_device *lo, unsigned int own_opens, u64 diskseq,
		  bool *done);
bool looplt_is_detaching(struct looplt_device *lo);
void looplt_last_close(struct looplt_device *lo);
sector_t looplt_binding_sectors(loff_t file_bytes,
				const struct looplt_conf *conf);
void looplt_binding_tell_rest(struct looplt_device *lo, loff_t file_bytes,
			      const struct looplt_conf *conf);
void looplt_binding_scan(struct looplt_device *lo);
void looplt_binding_uevent(struct looplt_device *lo);

/* change.c */
int looplt_change_status(struct looplt_device *lo,
			 const struct looplt_conf *conf, bool exclusive);
int looplt_change_capacity(struct looplt_device *lo);
int looplt_change_direct(struct looplt_device *lo, bool direct);
int looplt_change_block_size(struct looplt_device *lo, unsigned long bytes,
			     bool exclusive);
int looplt_change_file(struct looplt_device *lo, struct file *file);

/* claim.c */
int looplt_claim_add(struct looplt_device *lo, const struct looplt_backing *b,
		     bool exclusive);
int looplt_claim_move(struct looplt_device *lo, const struct looplt_backing *b);
void looplt_claim_del(struct looplt_device *lo);

/* limits.c */
int looplt_limits_apply(struct looplt_device *lo, const struct looplt_backing *b,
			const struct looplt_conf *conf,
			enum looplt_io_mode mode);
bool looplt_block_size_ok(unsigned long bytes);
void looplt_limits_initial(struct looplt_limits *lim);

/* backing.c */
int looplt_backing_open(struct looplt_backing *b, struct file *file,
			bool read_only);
void looplt_backing_close(struct looplt_backing *b);
loff_t looplt_backing_bytes(const struct looplt_backing *b);
unsigned int looplt_backing_block_size(const struct looplt_backing *b);
int looplt_backing_pick_mode(const struct looplt_backing *b,
			     const struct looplt_conf *conf,
			     enum looplt_io_mode *mode, const char **reason);
int looplt_backing_drop_cache(const struct looplt_backing *b);
void looplt_backing_clean(struct looplt_device *lo);
int looplt_backing_flush(struct looplt_device *lo);
void looplt_backing_forget(struct looplt_device *lo, loff_t pos, loff_t bytes);
int looplt_backing_fallocate(struct looplt_device *lo, int mode, loff_t pos,
			     loff_t bytes);

/* queue.c */
extern const struct blk_mq_ops looplt_mq_ops;
void looplt_cmd_done(struct looplt_cmd *cmd, int err);

/* worker.c */
int looplt_worker_start(struct looplt_device *lo);
void looplt_worker_stop(struct looplt_device *lo);
void looplt_worker_set_flags(void);
void looplt_lane_add(struct looplt_lane *lane, struct looplt_cmd *cmd);
void looplt_lane_wake(struct looplt_lane *lane);

/* writeback.c */
int looplt_writeback_start(struct looplt_device *lo);
void looplt_writeback_stop(struct looplt_device *lo);
void looplt_writeback_account(struct looplt_device *lo, size_t bytes);
void looplt_writeback_throttle(struct looplt_device *lo);

/* rw.c */
void looplt_rw_start(struct looplt_lane *lane, struct looplt_cmd *cmd);

/* ioctl.c */
int looplt_ioctl(struct block_device *bdev, blk_mode_t mode, unsigned int cmd,
		 unsigned long arg);
#ifdef CONFIG_COMPAT
int looplt_compat_ioctl(struct block_device *bdev, blk_mode_t mode,
			unsigned int cmd, unsigned long arg);
#else
#define looplt_compat_ioctl NULL
#endif

/* sysfs.c */
extern const struct attribute_group *looplt_disk_groups[];
int looplt_sysfs_bind(struct looplt_device *lo);
void looplt_sysfs_unbind(struct looplt_device *lo);

#endif /* LOOPLT_H */
