// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt - who uses which inode.
 *
 * Two writers on one file through two disks lose data: each has a page cache
 * of its own.  So an inode has at most one writable attachment or any number
 * of read-only ones, unless all of them were attached as shared.
 *
 * The same table keeps disks from being stacked in a circle: checking and
 * entering are one step, so two attachments can't close a circle together.
 *
 * An inode is that of the data (f_mapping->host), which is one for all hard
 * links, bind mounts and device nodes.  It is pinned by the backing file of
 * the device in the table.
 */
#include "looplt.h"

#include <linux/major.h>
#include <linux/ratelimit.h>

static DEFINE_MUTEX(looplt_claims_lock);
static LIST_HEAD(looplt_claims);

/* The device behind a looplt disk or partition, or NULL for another inode. */
static struct looplt_device *looplt_claim_below(const struct inode *inode)
{
	struct gendisk *disk;

	if (!S_ISBLK(inode->i_mode))
		return NULL;
	disk = I_BDEV((struct inode *)inode)->bd_disk;
	return disk->fops == &looplt_fops ? disk->private_data : NULL;
}

/*
 * No way to see what is below a stock loop device.  One without data might be
 * bound to us later.  One with data is not bound to @lo while @lo has none;
 * but if @lo is changing its file it may well be.
 */
static bool looplt_claim_hidden(const struct looplt_device *lo,
				const struct inode *inode)
{
	struct gendisk *disk;

	/* In drop-in mode, major 7 is our own. */
	if (!S_ISBLK(inode->i_mode) || looplt_claim_below(inode))
		return false;
	disk = I_BDEV((struct inode *)inode)->bd_disk;
	return disk->major == LOOP_MAJOR &&
	       (lo->claim_inode || !get_capacity(disk));
}

static int looplt_claim_walk(const struct looplt_device *lo,
			     const struct inode *inode)
{
	const struct looplt_device *below;

	lockdep_assert_held(&looplt_claims_lock);

	while ((below = looplt_claim_below(inode))) {
		if (below == lo)
			return -EBADF;
		inode = below->claim_inode;
		if (!inode)
			return -EINVAL;
	}
	return looplt_claim_hidden(lo, inode) ? -EINVAL : 0;
}

static const struct looplt_device *
looplt_claim_conflict(const struct looplt_device *lo, const struct inode *inode,
		      bool write, bool exclusive)
{
	const struct looplt_device *other;

	lockdep_assert_held(&looplt_claims_lock);

	list_for_each_entry(other, &looplt_claims, claim_entry) {
		if (other != lo && other->claim_inode == inode &&
		    (write || other->claim_write) &&
		    (exclusive || other->claim_exclusive))
			return other;
	}
	return NULL;
}

static int looplt_claim_check(struct looplt_device *lo,
			      const struct looplt_backing *b, bool exclusive)
{
	const struct looplt_device *other;
	int err;

	lockdep_assert_held(&looplt_claims_lock);

	err = looplt_claim_walk(lo, b->inode);
	if (err)
		return err;
	other = looplt_claim_conflict(lo, b->inode, !b->read_only, exclusive);
	if (!other)
		return 0;
	pr_notice_ratelimited("%s: the backing file is in use by %s; detach that, or attach both as shared\n",
			      lo->disk->disk_name, other->disk->disk_name);
	return -EBUSY;
}

/**
 * looplt_claim_add() - enter a device's use of an inode
 * @lo: the device, without a claim
 * @b: what it will be bound to
 * @exclusive: nobody else may write it, or read it if we write
 *
 * Context: process context.
 * Return: 0; -EBUSY if it conflicts with another device, which is named in
 *	   the log; -EBADF if @lo is (below) its own backing; -EINVAL if there
 *	   is an unbound loop device below.
 */
int looplt_claim_add(struct looplt_device *lo, const struct looplt_backing *b,
		     bool exclusive)
{
	int err;

	mutex_lock(&looplt_claims_lock);
	err = looplt_claim_check(lo, b, exclusive);
	if (!err) {
		lo->claim_inode = b->inode;
		lo->claim_write = !b->read_only;
		lo->claim_exclusive = exclusive;
		list_add_tail(&lo->claim_entry, &looplt_claims);
	}
	mutex_unlock(&looplt_claims_lock);
	return err;
}

/**
 * looplt_claim_move() - go over to another inode, in one step
 * @lo: a device with a claim
 * @b: what it will be bound to
 *
 * Context: process context.
 * Return: as looplt_claim_add(), with the old claim in force after an error.
 */
int looplt_claim_move(struct looplt_device *lo, const struct looplt_backing *b)
{
	int err;

	mutex_lock(&looplt_claims_lock);
	err = looplt_claim_check(lo, b, lo->claim_exclusive);
	if (!err) {
		lo->claim_inode = b->inode;
		lo->claim_write = !b->read_only;
	}
	mutex_unlock(&looplt_claims_lock);
	return err;
}

/**
 * looplt_claim_del() - give a claim back
 * @lo: a device with a claim, whose backing file is still open
 *
 * Context: process context.
 */
void looplt_claim_del(struct looplt_device *lo)
{
	mutex_lock(&looplt_claims_lock);
	list_del(&lo->claim_entry);
	lo->claim_inode = NULL;
	mutex_unlock(&looplt_claims_lock);
}
