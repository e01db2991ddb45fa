// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt - the loop ioctls on the block device.
 *
 * Numbers, structures and errors are those of <linux/loop.h> and of the stock
 * driver.  A partition's node stands for its disk.
 */
#include "looplt.h"

#include <linux/capability.h>
#include <linux/compat.h>
#include <linux/file.h>
#include <linux/kdev_t.h>
#include <linux/uaccess.h>

#define LOOPLT_CONFIGURE_FLAGS	(LO_FLAGS_READ_ONLY | LO_FLAGS_AUTOCLEAR | \
				 LO_FLAGS_PARTSCAN | LO_FLAGS_DIRECT_IO)

/* Some calls change a disk that others use; these want more than an open. */
static bool looplt_ioctl_may_change(blk_mode_t mode)
{
	return (mode & BLK_OPEN_WRITE) || capable(CAP_SYS_ADMIN);
}

/* The part of the structure that looplt_set_status() looks at. */
static int looplt_conf_from_info(struct looplt_conf *conf,
				 const struct loop_info64 *info)
{
	if (info->lo_encrypt_key_size > LO_KEY_SIZE || info->lo_encrypt_type)
		return -EINVAL;	/* the crypto transfers left in 5.16 */

	memset(conf, 0, sizeof(*conf));
	conf->offset = info->lo_offset;
	conf->sizelimit = info->lo_sizelimit;
	conf->lo_flags = info->lo_flags;
	memcpy(conf->file_name, info->lo_file_name, LO_NAME_SIZE);
	conf->file_name[LO_NAME_SIZE - 1] = '\0';
	return 0;
}

static int looplt_conf_from_config(struct looplt_conf *conf,
				   const struct loop_config *config)
{
	int err;

	if (config->info.lo_flags & ~LOOPLT_CONFIGURE_FLAGS)
		return -EINVAL;
	err = looplt_conf_from_info(conf, &config->info);
	if (err)
		return err;

	conf->block_size = config->block_size;
	conf->keep = false;	/* as it was made */
	conf->exclusive = looplt_exclusive;
	conf->io_mode = looplt_default_io();
	if (conf->lo_flags & LO_FLAGS_DIRECT_IO)
		conf->io_mode = LOOPLT_IO_DIRECT;
	conf->lo_flags &= ~LO_FLAGS_DIRECT_IO;	/* io_mode says it */
	if (looplt_part_shift)
		conf->lo_flags |= LO_FLAGS_PARTSCAN;
	return 0;
}

static int looplt_ioctl_bind(struct looplt_device *lo, blk_mode_t mode,
			     struct file *file, const struct loop_config *config)
{
	struct looplt_conf conf;
	int err;

	/* The disk changes; nobody may have it exclusively but the caller. */
	if (!(mode & BLK_OPEN_EXCL)) {
		err = looplt_compat_claim(lo->bdev, lo);
		if (err)
			return err;
	}
	err = looplt_conf_from_config(&conf, config);
	if (err)
		goto unclaim;
	if (file->f_flags & O_DIRECT)
		conf.io_mode = LOOPLT_IO_DIRECT;
	/* Who may not write the disk does not attach one that can be. */
	if (!(mode & BLK_OPEN_WRITE))
		conf.lo_flags |= LO_FLAGS_READ_ONLY;
	err = looplt_bind(lo, file, &conf, LOOPLT_UNBOUND);
unclaim:
	if (!(mode & BLK_OPEN_EXCL))
		looplt_compat_unclaim(lo->bdev, lo);
	return err;
}

static int looplt_ioctl_configure(struct looplt_device *lo, blk_mode_t mode,
				  const struct loop_config *config)
{
	struct file *file;
	int err;

	/* losetup undoes any other failure, on a stranger's attachment too. */
	if (READ_ONCE(lo->state) != LOOPLT_UNBOUND)
		return -EBUSY;
	file = fget(config->fd);
	if (!file)
		return -EBADF;
	err = looplt_ioctl_bind(lo, mode, file, config);
	fput(file);
	return err;
}

static int looplt_ioctl_set_fd(struct looplt_device *lo, blk_mode_t mode,
			       unsigned int fd)
{
	struct loop_config config = { .fd = fd };

	return looplt_ioctl_configure(lo, mode, &config);
}

static int looplt_ioctl_configure_user(struct looplt_device *lo, blk_mode_t mode,
				       const void __user *arg)
{
	struct loop_config config;

	if (copy_from_user(&config, arg, sizeof(config)))
		return -EFAULT;
	return looplt_ioctl_configure(lo, mode, &config);
}

/* A partition can't go while the caller has it open: that defers, too. */
static int looplt_ioctl_clr_fd(struct looplt_device *lo,
			       struct block_device *bdev)
{
	unsigned int own_opens = bdev_is_partition(bdev) ? 0 : 1;
	bool done;

	return looplt_detach(lo, own_opens, 0, &done);
}

static int looplt_ioctl_set_status(struct looplt_device *lo, blk_mode_t mode,
				   const struct loop_info64 *info)
{
	struct looplt_conf conf;
	int err;

	if (READ_ONCE(lo->state) != LOOPLT_BOUND)
		return -ENXIO;
	err = looplt_conf_from_info(&conf, info);
	if (err)
		return err;
	return looplt_change_status(lo, &conf, mode & BLK_OPEN_EXCL);
}

static int looplt_ioctl_get_status(struct looplt_device *lo,
				   struct loop_info64 *info)
{
	int err = -ENXIO;

	memset(info, 0, sizeof(*info));
	spin_lock(&lo->status_lock);
	if (lo->state != LOOPLT_BOUND)
		goto unlock;
	info->lo_device = lo->backing.dev;
	info->lo_inode = lo->backing.ino;
	info->lo_rdevice = lo->backing.rdev;
	info->lo_offset = lo->conf.offset;
	info->lo_sizelimit = lo->conf.sizelimit;
	info->lo_number = lo->index;
	info->lo_flags = lo->conf.lo_flags;
	if (lo->io_mode == LOOPLT_IO_DIRECT)
		info->lo_flags |= LO_FLAGS_DIRECT_IO;
	memcpy(info->lo_file_name, lo->conf.file_name, LO_NAME_SIZE);
	err = 0;
unlock:
	spin_unlock(&lo->status_lock);
	return err;
}

static int looplt_ioctl_set_status64(struct looplt_device *lo, blk_mode_t mode,
				     const void __user *arg)
{
	struct loop_info64 info;

	if (copy_from_user(&info, arg, sizeof(info)))
		return -EFAULT;
	return looplt_ioctl_set_status(lo, mode, &info);
}

static int looplt_ioctl_get_status64(struct looplt_device *lo, void __user *arg)
{
	struct loop_info64 info;
	int err;

	if (!arg)
		return -EINVAL;
	err = looplt_ioctl_get_status(lo, &info);
	if (err)
		return err;
	return copy_to_user(arg, &info, sizeof(info)) ? -EFAULT : 0;
}

/* The old structure: a signed offset, no sizelimit, flags at another place. */
static int looplt_ioctl_set_status_old(struct looplt_device *lo, blk_mode_t mode,
				       const void __user *arg)
{
	struct loop_info64 info = {};
	struct loop_info old;

	if (copy_from_user(&old, arg, sizeof(old)))
		return -EFAULT;
	info.lo_offset = old.lo_offset;
	info.lo_flags = old.lo_flags;
	memcpy(info.lo_file_name, old.lo_name, LO_NAME_SIZE);
	return looplt_ioctl_set_status(lo, mode, &info);
}

static int looplt_info_to_old(struct loop_info *old,
			      const struct loop_info64 *info)
{
	memset(old, 0, sizeof(*old));
	old->lo_number = info->lo_number;
	old->lo_device = info->lo_device;
	old->lo_inode = info->lo_inode;
	old->lo_rdevice = info->lo_rdevice;
	old->lo_offset = info->lo_offset;
	old->lo_flags = info->lo_flags;
	memcpy(old->lo_name, info->lo_file_name, LO_NAME_SIZE);

	if (old->lo_device != info->lo_device ||
	    old->lo_inode != info->lo_inode ||
	    old->lo_rdevice != info->lo_rdevice ||
	    old->lo_offset < 0 || (u64)old->lo_offset != info->lo_offset)
		return -EOVERFLOW;
	return 0;
}

static int looplt_ioctl_get_status_old(struct looplt_device *lo,
				       void __user *arg)
{
	struct loop_info64 info;
	struct loop_info old;
	int err;

	if (!arg)
		return -EINVAL;
	err = looplt_ioctl_get_status(lo, &info);
	if (err)
		return err;
	err = looplt_info_to_old(&old, &info);
	if (err)
		return err;
	return copy_to_user(arg, &old, sizeof(old)) ? -EFAULT : 0;
}

static int looplt_ioctl_change_fd(struct looplt_device *lo, unsigned int fd)
{
	struct file *file = fget(fd);
	int err;

	if (!file)
		return -EBADF;
	err = looplt_change_file(lo, file);
	fput(file);
	return err;
}

/* The calls that need looplt_ioctl_may_change(). */
static int looplt_ioctl_change(struct looplt_device *lo, blk_mode_t mode,
			       unsigned int cmd, unsigned long arg)
{
	void __user *uarg = (void __user *)arg;

	switch (cmd) {
	case LOOP_SET_STATUS:
		return looplt_ioctl_set_status_old(lo, mode, uarg);
	case LOOP_SET_STATUS64:
		return looplt_ioctl_set_status64(lo, mode, uarg);
	case LOOP_SET_CAPACITY:
		return looplt_change_capacity(lo);
	case LOOP_SET_DIRECT_IO:
		return looplt_change_direct(lo, arg);
	default:
		return looplt_change_block_size(lo, arg, mode & BLK_OPEN_EXCL);
	}
}

/**
 * looplt_ioctl() - ->ioctl of the disks
 * @bdev: the disk, or a partition of it
 * @mode: how the caller opened it
 * @cmd: LOOP_*
 * @arg: its argument
 *
 * Context: process context.
 */
int looplt_ioctl(struct block_device *bdev, blk_mode_t mode, unsigned int cmd,
		 unsigned long arg)
{
	struct looplt_device *lo = bdev->bd_disk->private_data;
	void __user *uarg = (void __user *)arg;

	/* Having a partition exclusively is not having the disk. */
	if (bdev_is_partition(bdev))
		mode &= ~BLK_OPEN_EXCL;

	switch (cmd) {
	case LOOP_SET_FD:
		return looplt_ioctl_set_fd(lo, mode, arg);
	case LOOP_CONFIGURE:
		return looplt_ioctl_configure_user(lo, mode, uarg);
	case LOOP_CLR_FD:
		return looplt_ioctl_clr_fd(lo, bdev);
	case LOOP_GET_STATUS:
		return looplt_ioctl_get_status_old(lo, uarg);
	case LOOP_GET_STATUS64:
		return looplt_ioctl_get_status64(lo, uarg);
	case LOOP_CHANGE_FD:
		return looplt_ioctl_change_fd(lo, arg);
	case LOOP_SET_STATUS:
	case LOOP_SET_STATUS64:
	case LOOP_SET_CAPACITY:
	case LOOP_SET_DIRECT_IO:
	case LOOP_SET_BLOCK_SIZE:
		if (!looplt_ioctl_may_change(mode))
			return -EPERM;
		return looplt_ioctl_change(lo, mode, cmd, arg);
	default:
		return -EINVAL;	/* as the stock driver, not ENOTTY */
	}
}

#ifdef CONFIG_COMPAT
/* struct loop_info, as a 32-bit process lays it out. */
struct looplt_compat_info {
	compat_int_t		lo_number;
	compat_dev_t		lo_device;
	compat_ulong_t		lo_inode;
	compat_dev_t		lo_rdevice;
	compat_int_t		lo_offset;
	compat_int_t		lo_encrypt_type;
	compat_int_t		lo_encrypt_key_size;
	compat_int_t		lo_flags;
	char			lo_name[LO_NAME_SIZE];
	unsigned char		lo_encrypt_key[LO_KEY_SIZE];
	compat_ulong_t		lo_init[2];
	char			reserved[4];
};

static int looplt_compat_set_status(struct looplt_device *lo, blk_mode_t mode,
				    const void __user *arg)
{
	struct looplt_compat_info old;
	struct loop_info64 info = {};

	if (copy_from_user(&old, arg, sizeof(old)))
		return -EFAULT;
	info.lo_offset = old.lo_offset;
	info.lo_flags = old.lo_flags;
	memcpy(info.lo_file_name, old.lo_name, LO_NAME_SIZE);
	return looplt_ioctl_set_status(lo, mode, &info);
}

static int looplt_compat_get_status(struct looplt_device *lo, void __user *arg)
{
	struct looplt_compat_info old = {};
	struct loop_info64 info;
	struct loop_info native;
	int err;

	if (!arg)
		return -EINVAL;
	err = looplt_ioctl_get_status(lo, &info);
	if (err)
		return err;
	err = looplt_info_to_old(&native, &info);
	if (err)
		return err;

	old.lo_number = native.lo_number;
	old.lo_device = native.lo_device;
	old.lo_inode = native.lo_inode;
	old.lo_rdevice = native.lo_rdevice;
	old.lo_offset = native.lo_offset;
	old.lo_flags = native.lo_flags;
	memcpy(old.lo_name, native.lo_name, LO_NAME_SIZE);
	if (old.lo_inode != native.lo_inode)
		return -EOVERFLOW;
	return copy_to_user(arg, &old, sizeof(old)) ? -EFAULT : 0;
}

/**
 * looplt_compat_ioctl() - ->compat_ioctl of the disks
 * @bdev: the disk, or a partition of it
 * @mode: how the caller opened it
 * @cmd: LOOP_*
 * @arg: its argument, as a 32-bit process gave it
 *
 * Context: process context.
 */
int looplt_compat_ioctl(struct block_device *bdev, blk_mode_t mode,
			unsigned int cmd, unsigned long arg)
{
	struct looplt_device *lo = bdev->bd_disk->private_data;

	switch (cmd) {
	case LOOP_SET_STATUS:
		if (!looplt_ioctl_may_change(mode))
			return -EPERM;
		if (bdev_is_partition(bdev))
			mode &= ~BLK_OPEN_EXCL;
		return looplt_compat_set_status(lo, mode, compat_ptr(arg));
	case LOOP_GET_STATUS:
		return looplt_compat_get_status(lo, compat_ptr(arg));
	case LOOP_SET_STATUS64:
	case LOOP_GET_STATUS64:
	case LOOP_CONFIGURE:
		arg = (unsigned long)compat_ptr(arg);
		fallthrough;
	case LOOP_SET_FD:
	case LOOP_CHANGE_FD:
	case LOOP_CLR_FD:
	case LOOP_SET_CAPACITY:
	case LOOP_SET_DIRECT_IO:
	case LOOP_SET_BLOCK_SIZE:
		return looplt_ioctl(bdev, mode, cmd, arg);
	default:
		return -ENOIOCTLCMD;
	}
}
#endif
