// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt - what a disk shows in sysfs.
 *
 *   looplt/	our own, for the life of the disk; documented in README.md
 *   loop/	the stock driver's, only while a file is bound: its existence
 *		is how user space knows
 *
 * One value per file.  No lock but lo->status_lock: reading never waits for
 * the backing file.
 */
#include "looplt.h"

#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sysfs.h>

static struct looplt_device *to_looplt(struct device *dev)
{
	return dev_to_disk(dev)->private_data;
}

static bool looplt_sysfs_bound(const struct looplt_device *lo)
{
	lockdep_assert_held(&lo->status_lock);

	return lo->state == LOOPLT_BOUND;
}

/* An attribute with a value while a file is bound, else an empty line. */
#define LOOPLT_BOUND_ATTR(_name, _format, ...)				\
static ssize_t _name##_show(struct device *dev,				\
			    struct device_attribute *attr, char *buf)	\
{									\
	struct looplt_device *lo = to_looplt(dev);			\
	ssize_t len;							\
									\
	spin_lock(&lo->status_lock);					\
	if (looplt_sysfs_bound(lo))					\
		len = sysfs_emit(buf, _format "\n", __VA_ARGS__);	\
	else								\
		len = sysfs_emit(buf, "\n");				\
	spin_unlock(&lo->status_lock);					\
	return len;							\
}									\
static DEVICE_ATTR_RO(_name)

static const char * const looplt_mode_names[] = {
	[LOOPLT_IO_AUTO]	= "auto",
	[LOOPLT_IO_DIRECT]	= "direct",
	[LOOPLT_IO_BUFFERED]	= "buffered",
	[LOOPLT_IO_UNCACHED]	= "uncached",
};

LOOPLT_BOUND_ATTR(io_mode, "%s", looplt_mode_names[lo->io_mode]);
LOOPLT_BOUND_ATTR(io_mode_reason, "%s", lo->io_reason);
LOOPLT_BOUND_ATTR(exclusive, "%d", lo->conf.exclusive);
LOOPLT_BOUND_ATTR(tag, "%s", lo->conf.tag);
LOOPLT_BOUND_ATTR(backing_dev, "%u:%u", MAJOR(huge_decode_dev(lo->backing.dev)),
		  MINOR(huge_decode_dev(lo->backing.dev)));
LOOPLT_BOUND_ATTR(backing_ino, "%llu", lo->backing.ino);

static ssize_t state_show(struct device *dev, struct device_attribute *attr,
			  char *buf)
{
	struct looplt_device *lo = to_looplt(dev);
	const char *state = "unbound";

	spin_lock(&lo->status_lock);
	if (looplt_sysfs_bound(lo))
		state = lo->detaching ? "detaching" : "bound";
	spin_unlock(&lo->status_lock);
	return sysfs_emit(buf, "%s\n", state);
}
static DEVICE_ATTR_RO(state);

static ssize_t worker_pids_show(struct device *dev,
				struct device_attribute *attr, char *buf)
{
	struct looplt_device *lo = to_looplt(dev);
	int i, len = 0;

	spin_lock(&lo->status_lock);
	for (i = 0; looplt_sysfs_bound(lo) && i < LOOPLT_NR_LANES; i++)
		len += sysfs_emit_at(buf, len, i ? " %d" : "%d",
				     task_pid_nr(lo->lanes[i].task));
	spin_unlock(&lo->status_lock);
	return len + sysfs_emit_at(buf, len, "\n");
}
static DEVICE_ATTR_RO(worker_pids);

struct looplt_stat_attr {
	struct device_attribute	attr;
	enum looplt_stat	stat;
};

static ssize_t looplt_stat_show(struct device *dev,
				struct device_attribute *attr, char *buf)
{
	struct looplt_device *lo = to_looplt(dev);
	struct looplt_stat_attr *stat_attr =
		container_of(attr, struct looplt_stat_attr, attr);
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu_ptr(lo->stats, cpu)->count[stat_attr->stat]);
	return sysfs_emit(buf, "%llu\n", sum);
}

#define LOOPLT_STAT_ATTR(_name, _stat)					\
static struct looplt_stat_attr looplt_stat_##_name = {			\
	.attr	= __ATTR(_name, 0444, looplt_stat_show, NULL),		\
	.stat	= _stat,						\
}

LOOPLT_STAT_ATTR(reads, LOOPLT_STAT_READS);
LOOPLT_STAT_ATTR(read_bytes, LOOPLT_STAT_READ_BYTES);
LOOPLT_STAT_ATTR(writes, LOOPLT_STAT_WRITES);
LOOPLT_STAT_ATTR(written_bytes, LOOPLT_STAT_WRITTEN_BYTES);
LOOPLT_STAT_ATTR(discards, LOOPLT_STAT_DISCARDS);
LOOPLT_STAT_ATTR(discarded_bytes, LOOPLT_STAT_DISCARDED_BYTES);
LOOPLT_STAT_ATTR(zeroes, LOOPLT_STAT_ZEROES);
LOOPLT_STAT_ATTR(zeroed_bytes, LOOPLT_STAT_ZEROED_BYTES);
LOOPLT_STAT_ATTR(flushes, LOOPLT_STAT_FLUSHES);
LOOPLT_STAT_ATTR(fsyncs, LOOPLT_STAT_FSYNCS);
LOOPLT_STAT_ATTR(buffered_fallbacks, LOOPLT_STAT_BUFFERED_FALLBACKS);
LOOPLT_STAT_ATTR(short_ios, LOOPLT_STAT_SHORT_IOS);
LOOPLT_STAT_ATTR(errors, LOOPLT_STAT_ERRORS);
LOOPLT_STAT_ATTR(nospace, LOOPLT_STAT_NOSPACE);
LOOPLT_STAT_ATTR(unflagged_writes, LOOPLT_STAT_UNFLAGGED_WRITES);

static struct attribute *looplt_attrs[] = {
	&dev_attr_state.attr,
	&dev_attr_io_mode.attr,
	&dev_attr_io_mode_reason.attr,
	&dev_attr_exclusive.attr,
	&dev_attr_tag.attr,
	&dev_attr_backing_dev.attr,
	&dev_attr_backing_ino.attr,
	&dev_attr_worker_pids.attr,
	&looplt_stat_reads.attr.attr,
	&looplt_stat_read_bytes.attr.attr,
	&looplt_stat_writes.attr.attr,
	&looplt_stat_written_bytes.attr.attr,
	&looplt_stat_discards.attr.attr,
	&looplt_stat_discarded_bytes.attr.attr,
	&looplt_stat_zeroes.attr.attr,
	&looplt_stat_zeroed_bytes.attr.attr,
	&looplt_stat_flushes.attr.attr,
	&looplt_stat_fsyncs.attr.attr,
	&looplt_stat_buffered_fallbacks.attr.attr,
	&looplt_stat_short_ios.attr.attr,
	&looplt_stat_errors.attr.attr,
	&looplt_stat_nospace.attr.attr,
	&looplt_stat_unflagged_writes.attr.attr,
	NULL,
};

static const struct attribute_group looplt_attr_group = {
	.name	= "looplt",
	.attrs	= looplt_attrs,
};

const struct attribute_group *looplt_disk_groups[] = {
	&looplt_attr_group,
	NULL,
};

static ssize_t backing_file_show(struct device *dev,
				 struct device_attribute *attr, char *buf)
{
	struct looplt_device *lo = to_looplt(dev);
	ssize_t len = 0;
	char *path;

	spin_lock(&lo->status_lock);
	if (looplt_sysfs_bound(lo)) {
		path = file_path(lo->backing.file, buf, PAGE_SIZE - 1);
		if (IS_ERR(path)) {
			len = PTR_ERR(path);
		} else {
			len = strlen(path);
			memmove(buf, path, len);
			buf[len++] = '\n';
		}
	}
	spin_unlock(&lo->status_lock);
	return len;
}
static DEVICE_ATTR_RO(backing_file);

LOOPLT_BOUND_ATTR(offset, "%llu", lo->conf.offset);
LOOPLT_BOUND_ATTR(sizelimit, "%llu", lo->conf.sizelimit);
LOOPLT_BOUND_ATTR(autoclear, "%d", !!(lo->conf.lo_flags & LO_FLAGS_AUTOCLEAR));
LOOPLT_BOUND_ATTR(partscan, "%d", !!(lo->conf.lo_flags & LO_FLAGS_PARTSCAN));
LOOPLT_BOUND_ATTR(dio, "%d", lo->io_mode == LOOPLT_IO_DIRECT);

static struct attribute *looplt_loop_attrs[] = {
	&dev_attr_backing_file.attr,
	&dev_attr_offset.attr,
	&dev_attr_sizelimit.attr,
	&dev_attr_autoclear.attr,
	&dev_attr_partscan.attr,
	&dev_attr_dio.attr,
	NULL,
};

static const struct attribute_group looplt_loop_group = {
	.name	= "loop",
	.attrs	= looplt_loop_attrs,
};

/**
 * looplt_sysfs_bind() - make the stock driver's group
 * @lo: the device, about to be bound
 *
 * Context: process context, lo->mutex held.
 * Return: 0 or -errno.
 */
int looplt_sysfs_bind(struct looplt_device *lo)
{
	lockdep_assert_held(&lo->mutex);

	return sysfs_create_group(&disk_to_dev(lo->disk)->kobj,
				  &looplt_loop_group);
}

/**
 * looplt_sysfs_unbind() - remove it; waits for those who are reading it
 * @lo: the device, not bound any more
 *
 * Context: process context, lo->mutex held.
 */
void looplt_sysfs_unbind(struct looplt_device *lo)
{
	lockdep_assert_held(&lo->mutex);

	sysfs_remove_group(&disk_to_dev(lo->disk)->kobj, &looplt_loop_group);
}
