/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * looplt - what the kernel module and user space share.
 *
 * A looplt disk answers every ioctl of <linux/loop.h> on its block device, and
 * LOOP_CTL_ADD, LOOP_CTL_REMOVE and LOOP_CTL_GET_FREE on /dev/looplt-control.
 * This file adds the calls that have no stock counterpart.  All of them go to
 * the control node; each takes a pointer to a structure that starts with its
 * own size.
 *
 * Growth: new fields are appended.  A caller with an older, shorter structure
 * gets the old meaning.  A caller with a newer, longer one is served if every
 * byte the kernel does not know is zero, else the call fails with E2BIG.  A
 * structure shorter than its first published size fails with EINVAL, and so
 * do unknown flags and non-zero reserved fields.  Nothing has changed then.
 *
 * On success the structure is written back, as far as the caller's size goes.
 */
#ifndef LOOPLT_UAPI_H
#define LOOPLT_UAPI_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define LOOPLT_VERSION		"0.1.0"
#define LOOPLT_NAME		"looplt"
#define LOOPLT_CONTROL		"looplt-control"

/* Bytes, the terminating NUL included. */
#define LOOPLT_NAME_SIZE	64
#define LOOPLT_REASON_SIZE	96

/* The argument's size travels in the structure, not in the number. */
#define LOOPLT_CTL_ATTACH	_IO('L', 0x90)
#define LOOPLT_CTL_DETACH	_IO('L', 0x91)
#define LOOPLT_CTL_INFO		_IO('L', 0x92)

/* How data reaches the backing file. */
enum looplt_io_mode {
	/* Writable: direct where the file allows it.  Read-only: buffered. */
	LOOPLT_IO_AUTO		= 0,
	/* Past the page cache; asked for by name and impossible: EINVAL. */
	LOOPLT_IO_DIRECT	= 1,
	/* Through the page cache of the backing file. */
	LOOPLT_IO_BUFFERED	= 2,
	/* As buffered; pages are dropped once they are clean. */
	LOOPLT_IO_UNCACHED	= 3,
};

/* looplt_attach.flags */
#define LOOPLT_ATTACH_READ_ONLY		(1U << 0)
#define LOOPLT_ATTACH_AUTOCLEAR		(1U << 1)
#define LOOPLT_ATTACH_PARTSCAN		(1U << 2)
/* At most one writer or any number of readers per inode (EBUSY). */
#define LOOPLT_ATTACH_EXCLUSIVE		(1U << 3)
/* Allow other attachments of the inode; not together with EXCLUSIVE. */
#define LOOPLT_ATTACH_SHARED		(1U << 4)
/* Remove the disk at detach, unless LOOP_CTL_ADD made it. */
#define LOOPLT_ATTACH_REMOVE		(1U << 5)

/**
 * struct looplt_attach - argument of LOOPLT_CTL_ATTACH
 * @size: sizeof(struct looplt_attach)
 * @fd: the backing file, opened for reading, and for writing unless the disk
 *	is to be read-only
 * @index: in: the disk wanted, or -1 for any; out: the disk used
 * @flags: LOOPLT_ATTACH_*
 * @block_size: logical block in bytes, or 0 for the default; out: in effect
 * @io_mode: enum looplt_io_mode; out: in effect, never LOOPLT_IO_AUTO
 * @offset: first byte of the file that the disk shows
 * @sizelimit: bytes of the file that the disk shows at most; 0: no limit
 * @diskseq: out: sequence number of this attachment; 0 before Linux 5.15
 * @major: out: device number of the disk
 * @minor: out: device number of the disk
 * @reserved: zero
 * @file_name: free text that LOOP_GET_STATUS64 returns; usually the path
 * @tag: free text by which the caller finds the disk again
 *
 * Allocates a disk and binds it in one call: there is no moment at which
 * another process can take the disk.  On return the disk node, and with
 * PARTSCAN the partitions, are registered.
 *
 * Errors: those of LOOP_CONFIGURE; EBUSY also when the inode is claimed;
 * EEXIST when @index names a disk that is bound; ENOSPC when no index is left.
 */
struct looplt_attach {
	__u32	size;
	__s32	fd;
	__s32	index;
	__u32	flags;
	__u32	block_size;
	__u32	io_mode;
	__aligned_u64	offset;
	__aligned_u64	sizelimit;
	__aligned_u64	diskseq;
	__u32	major;
	__u32	minor;
	__aligned_u64	reserved;
	char	file_name[LOOPLT_NAME_SIZE];
	char	tag[LOOPLT_NAME_SIZE];
};

/* looplt_detach.flags */
/* Sleep until the detach is complete. */
#define LOOPLT_DETACH_WAIT		(1U << 0)

enum looplt_detach_result {
	LOOPLT_DETACH_DONE	= 1,	/* the backing file is released */
	LOOPLT_DETACH_DEFERRED	= 2,	/* will happen at the last close */
};

/**
 * struct looplt_detach - argument of LOOPLT_CTL_DETACH
 * @size: sizeof(struct looplt_detach)
 * @index: the disk
 * @flags: LOOPLT_DETACH_*
 * @timeout_ms: with WAIT: give up after this many milliseconds; 0: never
 * @diskseq: in: detach only this attachment; 0: whichever there is
 * @result: out: enum looplt_detach_result
 * @openers: out: how often the disk and its partitions are open
 * @reserved: zero
 *
 * A disk that is open somewhere is marked; the last close detaches it.
 * Asking again is no error.  Giving up changes nothing: the mark stays.
 *
 * Errors: ENODEV no such disk; ENXIO nothing attached; ESTALE @diskseq is not
 * the current one; ETIMEDOUT and EINTR from waiting, with the structure
 * written back.
 */
struct looplt_detach {
	__u32	size;
	__s32	index;
	__u32	flags;
	__u32	timeout_ms;
	__aligned_u64	diskseq;
	__u32	result;
	__u32	openers;
	__aligned_u64	reserved;
};

/* looplt_info.state */
enum looplt_info_state {
	LOOPLT_STATE_UNBOUND	= 0,
	LOOPLT_STATE_BOUND	= 1,
	LOOPLT_STATE_DETACHING	= 2,	/* bound, detached at last close */
};

/* looplt_info.flags */
#define LOOPLT_INFO_READ_ONLY		(1U << 0)
#define LOOPLT_INFO_AUTOCLEAR		(1U << 1)
#define LOOPLT_INFO_PARTSCAN		(1U << 2)
#define LOOPLT_INFO_EXCLUSIVE		(1U << 3)
#define LOOPLT_INFO_REMOVE		(1U << 4)

/**
 * struct looplt_info - argument of LOOPLT_CTL_INFO
 * @size: sizeof(struct looplt_info)
 * @index: in: the disk
 * @state: out: enum looplt_info_state; when unbound only @index, @openers,
 *	@major, @minor and @diskseq mean anything
 * @flags: out: LOOPLT_INFO_*
 * @block_size: out: logical block in bytes
 * @io_mode: out: enum looplt_io_mode in effect
 * @io_mode_wanted: out: enum looplt_io_mode asked for
 * @openers: out: how often the disk and its partitions are open
 * @major: out: device number of the disk
 * @minor: out: device number of the disk
 * @offset: out: as attached, bytes
 * @sizelimit: out: as attached, bytes
 * @capacity: out: size of the disk, bytes
 * @diskseq: out: sequence number of the attachment; 0 before Linux 5.15
 * @backing_dev: out: device of the backing inode, as stat() packs it
 * @backing_ino: out: number of the backing inode
 * @file_name: out: as attached
 * @tag: out: as attached
 * @io_mode_reason: out: why this mode, one line
 *
 * Never waits for I/O.  Errors: ENODEV no such disk.
 */
struct looplt_info {
	__u32	size;
	__s32	index;
	__u32	state;
	__u32	flags;
	__u32	block_size;
	__u32	io_mode;
	__u32	io_mode_wanted;
	__u32	openers;
	__u32	major;
	__u32	minor;
	__aligned_u64	offset;
	__aligned_u64	sizelimit;
	__aligned_u64	capacity;
	__aligned_u64	diskseq;
	__aligned_u64	backing_dev;
	__aligned_u64	backing_ino;
	char	file_name[LOOPLT_NAME_SIZE];
	char	tag[LOOPLT_NAME_SIZE];
	char	io_mode_reason[LOOPLT_REASON_SIZE];
};

#endif /* LOOPLT_UAPI_H */
