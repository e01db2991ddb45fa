// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt CLI - why the kernel refused an attach, and what to do.
 *
 * It answers with an errno; what is behind it can be found out from here.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

/* The disk that has the file already, or -1. */
static int find_user(const struct stat *st, int control)
{
	struct looplt_info info;
	int n, *all, user = -1;

	n = device_all(&all);
	for (int i = 0; i < n && user < 0; i++) {
		if (disk_info(control, all[i], &info) && disk_uses(&info, st))
			user = all[i];
	}
	free(all);
	return user;
}

static int explain_busy(const struct stat *st, int control, const char *path)
{
	const int user = find_user(st, control);

	if (user < 0)
		return refuse("%s: busy", path);
	message("%s: busy: it is attached as %s", path, device_name(user));
	return refuse("detach that, or attach both with --shared, or both read-only");
}

static bool is_block_size(unsigned int bytes)
{
	return !bytes || (bytes >= 512 && !(bytes & (bytes - 1)));
}

static bool takes_direct(const char *path)
{
	const int fd = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0 || errno != EINVAL;
}

static int explain_invalid(const struct looplt_attach *a, const struct stat *st,
			   const char *path)
{
	if (!S_ISREG(st->st_mode) && !S_ISBLK(st->st_mode))
		return refuse("%s: neither a regular file nor a block device", path);
	if (!is_block_size(a->block_size) || a->block_size > sysconf(_SC_PAGESIZE))
		return refuse("sector size %u: not a power of two from 512 to %ld",
			      a->block_size, sysconf(_SC_PAGESIZE));
	if (a->index >= 0 && a->io_mode != LOOPLT_IO_DIRECT)
		return refuse("%s: there can be no disk of that number", device_name(a->index));
	if (a->io_mode != LOOPLT_IO_DIRECT)
		return refuse("%s: not possible with these options", path);
	if (!takes_direct(path))
		message("%s: direct I/O is impossible: its file system has none", path);
	else if (a->offset & 4095)
		message("%s: direct I/O is impossible: offset %llu is not aligned for it",
			path, (unsigned long long)a->offset);
	else
		message("%s: direct I/O is impossible", path);
	return refuse("use --io auto to have it where it is possible");
}

int explain_attach(int err, const struct looplt_attach *a, int control,
		   const char *path)
{
	struct stat st = { 0 };

	fstat(a->fd, &st);
	switch (err) {
	case EBUSY:
		return explain_busy(&st, control, path);
	case EINVAL:
		return explain_invalid(a, &st, path);
	case EEXIST:
		return refuse("%s: in use; without --index a free one is taken",
			      device_name(a->index));
	case EBADF:
		return refuse("%s: a disk cannot be its own backing", path);
	case ETXTBSY:
		return refuse("%s: in use as swap space: swapoff it first", path);
	case EOVERFLOW:
	case EFBIG:
		return refuse("%s: offset or size limit is larger than any file", path);
	case ENOSPC:
		return refuse("no disk number is left: detach what is not needed");
	case EPERM:
	case EACCES:
		return refuse("%s: the kernel may not open it for you: %s", path, strerror(err));
	case ENOTTY:
	case E2BIG:
		return refuse("the loaded module is older than this program: load the new one");
	default:
		return refuse("%s: cannot attach: %s", path, strerror(err));
	}
}
