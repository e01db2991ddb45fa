// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt - the limits of a disk's queue, from its backing file.
 *
 * All that has to be asked of the file system is asked before the block
 * layer's limits are touched: it may do I/O.
 */
#include "looplt.h"

#define LOOPLT_MAX_HW_SECTORS	8192U	/* 4 MiB */

/**
 * looplt_limits_initial() - limits of a disk with nothing attached
 * @lim: filled in
 */
void looplt_limits_initial(struct looplt_limits *lim)
{
	*lim = (struct looplt_limits) {
		.logical_block_size	= SECTOR_SIZE,
		.physical_block_size	= SECTOR_SIZE,
		.io_min			= SECTOR_SIZE,
		.max_hw_sectors		= LOOPLT_MAX_HW_SECTORS,
		.max_segments		= LOOPLT_MAX_BVECS,
		.max_segment_size	= UINT_MAX,
		.dma_alignment		= SECTOR_SIZE - 1,
	};
}

/**
 * looplt_block_size_ok() - can this be a logical block size
 * @bytes: the size
 */
bool looplt_block_size_ok(unsigned long bytes)
{
	return is_power_of_2(bytes) && bytes >= SECTOR_SIZE &&
	       bytes <= BLK_MAX_BLOCK_SIZE;
}

static struct block_device *looplt_limits_disk(const struct looplt_backing *b)
{
	if (S_ISBLK(b->inode->i_mode))
		return I_BDEV(b->inode);
	return b->inode->i_sb->s_bdev;
}

/* The file's own block, if mkfs can make use of it. */
static unsigned int looplt_limits_physical(const struct looplt_backing *b,
					   unsigned int logical,
					   enum looplt_io_mode mode)
{
	unsigned int block = looplt_backing_block_size(b);

	/* mkfs is to make what it makes on the stock driver. */
	if (looplt_dropin && mode != LOOPLT_IO_DIRECT)
		return logical;
	return clamp_t(unsigned int, block, logical,
		       max_t(unsigned int, logical, PAGE_SIZE));
}

static void looplt_limits_discard(struct looplt_limits *lim,
				  const struct looplt_backing *b)
{
	unsigned int max = UINT_MAX >> SECTOR_SHIFT;

	if (b->read_only || !b->file->f_op->fallocate)
		return;
	/* On a disk, punching is zeroing: only as good as the disk does it. */
	if (S_ISBLK(b->inode->i_mode))
		max = bdev_write_zeroes_sectors(I_BDEV(b->inode));
	if (!max)
		return;

	lim->discard_granularity = max(looplt_backing_block_size(b),
				       lim->logical_block_size);
	lim->max_discard_sectors = max;
	lim->max_write_zeroes_sectors = max;
}

static void looplt_limits_fill(struct looplt_limits *lim,
			       const struct looplt_backing *b,
			       unsigned int block_size,
			       enum looplt_io_mode mode)
{
	struct block_device *bdev = looplt_limits_disk(b);

	looplt_limits_initial(lim);
	lim->logical_block_size = block_size;
	lim->physical_block_size = looplt_limits_physical(b, block_size,
							  mode);
	lim->io_min = lim->physical_block_size;
	if (b->file->f_op->fsync && !b->read_only) {
		lim->write_cache = true;
		lim->fua = true;
	}
	lim->rotational = bdev && looplt_compat_rotational(bdev);
	/* Direct I/O hands the pages of the writer to those who checksum. */
	lim->stable_writes = mode == LOOPLT_IO_DIRECT &&
			     looplt_compat_stable_writes(b->inode->i_sb);
	looplt_limits_discard(lim, b);
}

/**
 * looplt_limits_apply() - give the queue the limits of a backing file
 * @lo: the device
 * @b: the backing file, or NULL for none
 * @conf: its configuration; ignored without @b
 * @mode: the mode in effect; ignored without @b
 *
 * Context: process context, lo->mutex held, queue not frozen by the caller,
 *	    never an I/O thread.
 * Return: 0 or -errno with the old limits in force.
 */
int looplt_limits_apply(struct looplt_device *lo, const struct looplt_backing *b,
			const struct looplt_conf *conf,
			enum looplt_io_mode mode)
{
	struct looplt_limits lim;

	lockdep_assert_held(&lo->mutex);

	if (b)
		looplt_limits_fill(&lim, b, conf->block_size, mode);
	else
		looplt_limits_initial(&lim);
	return looplt_compat_set_limits(lo->disk, &lim);
}
