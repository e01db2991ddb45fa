// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt - the backing file: opening, vetting, and all calls but read and
 * write.
 *
 * The file handed in by user space is opened once more.  The private file has
 * a readahead state and a writeback-error cursor of its own, updates no access
 * times, and its flags are ours: an O_APPEND descriptor would turn each write
 * into an append, an O_DIRECT one would force direct I/O.
 */
#include "looplt.h"

#include <linux/cred.h>
#include <linux/falloc.h>
#include <linux/file.h>
#include <linux/pagemap.h>
#include <linux/swap.h>
#include <linux/syscalls.h>

/* Bytes that one fallocate may cover, so that a flush can get in between. */
#define LOOPLT_FALLOC_BYTES	(256LL << 20)

/* Is it something that data can be read from, and written to if need be? */
static int looplt_backing_vet(const struct file *file, bool read_only)
{
	const struct inode *inode = file->f_mapping->host;

	if (!S_ISREG(inode->i_mode) && !S_ISBLK(inode->i_mode))
		return -EINVAL;
	if (!(file->f_mode & FMODE_READ))
		return -EBADF;
	if (!file->f_op->read_iter)
		return -EINVAL;
	if (!read_only && !file->f_op->write_iter)
		return -EINVAL;
	if (IS_SWAPFILE(inode))
		return -ETXTBSY;
	return 0;
}

static int looplt_backing_stat(struct looplt_backing *b)
{
	struct kstat st;
	int err;

	err = vfs_getattr(&b->file->f_path, &st, LOOPLT_COMPAT_STATX,
			  AT_STATX_SYNC_AS_STAT);
	if (err)
		return err;

	b->dev = huge_encode_dev(st.dev);
	b->ino = st.ino;
	b->rdev = huge_encode_dev(st.rdev);

	b->can_wait_async = looplt_compat_can_wait_async(b->file);
	b->can_direct = looplt_compat_can_odirect(b->file);
	if (!looplt_compat_dio_align(&st, &b->dio_mem_align,
				     &b->dio_offset_align)) {
		b->dio_offset_align = SECTOR_SIZE;
		if (S_ISBLK(b->inode->i_mode))
			b->dio_offset_align =
				bdev_logical_block_size(I_BDEV(b->inode));
		else if (b->inode->i_sb->s_bdev)
			b->dio_offset_align =
				bdev_logical_block_size(b->inode->i_sb->s_bdev);
		b->dio_mem_align = b->dio_offset_align;
	}
	/* The file system says so when it takes no direct I/O on this file. */
	if (!is_power_of_2(b->dio_offset_align) ||
	    !is_power_of_2(b->dio_mem_align))
		b->can_direct = false;
	return 0;
}

/**
 * looplt_backing_open() - take a file as a backing file
 * @b: filled in
 * @file: user space's file; not kept
 * @read_only: the disk is to be read-only
 *
 * Context: process context, as the user who attaches; sleeps in the file
 *	    system.  No lock but the unbound device's mutex.
 * Return: 0 and @b to be closed by looplt_backing_close(); -EINVAL or -EBADF
 *	   if it can't be a backing file, -ETXTBSY if it is swap space, or what
 *	   opening or vfs_getattr() says.
 */
int looplt_backing_open(struct looplt_backing *b, struct file *file,
			bool read_only)
{
	int flags = O_LARGEFILE | O_NOATIME;
	int err;

	memset(b, 0, sizeof(*b));
	if (!(file->f_mode & FMODE_WRITE) || !file->f_op->write_iter)
		read_only = true;
	err = looplt_backing_vet(file, read_only);
	if (err)
		return err;

	b->read_only = read_only;
	b->file = dentry_open(&file->f_path,
			      flags | (read_only ? O_RDONLY : O_RDWR),
			      current_cred());
	if (IS_ERR(b->file))
		return PTR_ERR(b->file);
	b->inode = b->file->f_mapping->host;

	err = looplt_backing_stat(b);
	if (err)
		goto err_close_file;
	return 0;

err_close_file:
	fput(b->file);
	b->file = NULL;
	return err;
}

/**
 * looplt_backing_close() - give the backing file back
 * @b: from looplt_backing_open()
 *
 * Context: process context, no lock held: closing may be closing a disk.
 */
void looplt_backing_close(struct looplt_backing *b)
{
	fput(b->file);
	memset(b, 0, sizeof(*b));
}

/**
 * looplt_backing_bytes() - how long the file is now
 * @b: the backing file
 *
 * A network file system knows only after asking; if it does not answer, the
 * inode's last known size serves.
 *
 * Context: process context; sleeps in the file system.
 * Return: bytes.
 */
loff_t looplt_backing_bytes(const struct looplt_backing *b)
{
	struct kstat st;

	if (S_ISREG(b->inode->i_mode) &&
	    !vfs_getattr(&b->file->f_path, &st, STATX_SIZE, 0))
		return st.size;
	return i_size_read(b->inode);
}

/**
 * looplt_backing_block_size() - the unit in which the file is allocated
 * @b: the backing file
 *
 * Return: bytes, a power of two.
 */
unsigned int looplt_backing_block_size(const struct looplt_backing *b)
{
	if (S_ISBLK(b->inode->i_mode))
		return bdev_physical_block_size(I_BDEV(b->inode));
	return b->inode->i_sb->s_blocksize;
}

static const char *looplt_backing_no_direct(const struct looplt_backing *b,
					    const struct looplt_conf *conf)
{
	if (!b->can_direct)
		return "the file system has no direct I/O for this file";
	if (conf->offset & (b->dio_offset_align - 1))
		return "the offset is not aligned for direct I/O";
	return NULL;
}

/**
 * looplt_backing_pick_mode() - settle how data reaches the file
 * @b: the backing file
 * @conf: what is wanted
 * @mode: out: what will be done, never LOOPLT_IO_AUTO
 * @reason: out: why, static text
 *
 * Return: 0; -EINVAL if direct I/O is required and can't be had.
 */
int looplt_backing_pick_mode(const struct looplt_backing *b,
			     const struct looplt_conf *conf,
			     enum looplt_io_mode *mode, const char **reason)
{
	const char *no_direct = looplt_backing_no_direct(b, conf);

	*mode = conf->io_mode;
	*reason = "asked for";
	switch (conf->io_mode) {
	case LOOPLT_IO_DIRECT:
		if (!no_direct)
			return 0;
		if (conf->io_required)
			return -EINVAL;
		break;
	case LOOPLT_IO_AUTO:
		if (b->read_only) {
			*mode = LOOPLT_IO_BUFFERED;
			*reason = "read-only: the page cache serves it best";
			return 0;
		}
		if (!no_direct) {
			*mode = LOOPLT_IO_DIRECT;
			*reason = "the file takes direct I/O";
			return 0;
		}
		break;
	default:
		return 0;
	}
	*mode = LOOPLT_IO_BUFFERED;
	*reason = no_direct;
	return 0;
}

/**
 * looplt_backing_drop_cache() - write out and forget what is cached
 * @b: the backing file
 *
 * Before direct I/O: cached pages would make the file system complete each
 * direct write from a workqueue, to invalidate them.  Pages in use stay.
 *
 * Context: process context; waits for writeback.
 * Return: 0 or the error of the writeback.
 */
int looplt_backing_drop_cache(const struct looplt_backing *b)
{
	int err;

	if (!b->inode->i_mapping->nrpages)
		return 0;
	err = vfs_fsync(b->file, 0);
	if (err)
		return err;
	invalidate_inode_pages2(b->inode->i_mapping);
	return 0;
}

/**
 * looplt_backing_forget() - in uncached mode, drop what is clean
 * @lo: the device, bound
 * @pos: first byte in the file
 * @bytes: how many
 *
 * Dirty pages stay until write-behind or a flush has made them clean.
 *
 * Context: a thread of the device.
 */
void looplt_backing_forget(struct looplt_device *lo, loff_t pos, loff_t bytes)
{
	if (lo->io_mode != LOOPLT_IO_UNCACHED || !bytes)
		return;
	invalidate_mapping_pages(lo->backing.inode->i_mapping,
				 pos >> PAGE_SHIFT,
				 (pos + bytes - 1) >> PAGE_SHIFT);
}

/**
 * looplt_backing_clean() - write to disk what is dirty, and wait for it
 * @lo: the device, bound
 *
 * No flush of the disk's cache, and no error taken: the next flush reports it.
 *
 * Context: the write-behind thread.
 */
void looplt_backing_clean(struct looplt_device *lo)
{
	struct address_space *mapping = lo->backing.file->f_mapping;

	filemap_fdatawrite_range(mapping, 0, LLONG_MAX);
	filemap_fdatawait_range_keep_errors(mapping, 0, LLONG_MAX);
	looplt_backing_forget(lo, 0, LLONG_MAX);
}

/**
 * looplt_backing_flush() - make every completed write durable
 * @lo: the device, bound
 *
 * Data and what it takes to find it, not the time stamps: fdatasync.
 *
 * Context: the slow lane's thread.
 * Return: 0 or -errno.
 */
int looplt_backing_flush(struct looplt_device *lo)
{
	int err;

	looplt_stat_add(lo, LOOPLT_STAT_FSYNCS, 1);
	err = vfs_fsync(lo->backing.file, 1);
	looplt_backing_forget(lo, 0, LLONG_MAX);
	return err;
}

/**
 * looplt_backing_fallocate() - punch or zero a range
 * @lo: the device, bound
 * @mode: FALLOC_FL_*
 * @pos: first byte in the file
 * @bytes: how many
 *
 * In pieces: the file system holds its inode lock, and waits for direct I/O,
 * for the length of one call.
 *
 * Context: the slow lane's thread.
 * Return: 0; -EOPNOTSUPP if the file can't; another -errno.
 */
int looplt_backing_fallocate(struct looplt_device *lo, int mode, loff_t pos,
			     loff_t bytes)
{
	loff_t piece;
	int err;

	while (bytes) {
		piece = min(bytes, LOOPLT_FALLOC_BYTES);
		err = vfs_fallocate(lo->backing.file, mode, pos, piece);
		if (err)
			return err;
		pos += piece;
		bytes -= piece;
	}
	return 0;
}
