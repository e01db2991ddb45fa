// SPDX-License-Identifier: GPL-2.0-only
/*
 * storm DIR SEED PROCESSES SECONDS: processes make random calls on a few
 * disks, with DIR/0.img to DIR/3.img as backing files.  Each call may fail
 * only with an errno that the interface names for it.  Prints how often each
 * call was made and how often it succeeded; a call that never did, or an errno
 * that is not allowed, is a failure.  In the end nothing is attached.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../include/uapi/looplt.h"

#define FIRST_INDEX	70
#define DISKS		4
#define FILES		4

enum op { ADD, REMOVE, GET_FREE, OPEN, CONFIGURE, SET_FD, CLR_FD, CHANGE_FD,
	  GET_STATUS, SET_STATUS, CAPACITY, BLOCK, DIRECT, RESCAN, READ_DISK,
	  ATTACH, DETACH, INFO, OPS };

struct call {
	const char *name;
	int allowed[6];
};

/* The errnos that are not a fault, for arguments that are valid. */
static const struct call calls[OPS] = {
	[ADD]		= { "ADD", { EEXIST } },
	[REMOVE]	= { "REMOVE", { ENODEV, EBUSY } },
	[GET_FREE]	= { "GET_FREE", { 0 } },
	[OPEN]		= { "open", { ENOENT, ENXIO, EBUSY } },
	[CONFIGURE]	= { "CONFIGURE", { EBUSY } },
	[SET_FD]	= { "SET_FD", { EBUSY } },
	[CLR_FD]	= { "CLR_FD", { ENXIO } },
	[CHANGE_FD]	= { "CHANGE_FD", { ENXIO, EINVAL, EBUSY } },
	[GET_STATUS]	= { "GET_STATUS64", { ENXIO } },
	[SET_STATUS]	= { "SET_STATUS64", { ENXIO, EBUSY } },
	[CAPACITY]	= { "SET_CAPACITY", { ENXIO } },
	[BLOCK]		= { "SET_BLOCK_SIZE", { ENXIO, EBUSY } },
	[DIRECT]	= { "SET_DIRECT_IO", { ENXIO } },
	[RESCAN]	= { "BLKRRPART", { EINVAL, EBUSY, EIO, ENXIO } },
	[READ_DISK]	= { "read", { EIO } },
	[ATTACH]	= { "ATTACH", { EEXIST, EBUSY } },
	[DETACH]	= { "DETACH", { ENODEV, ENXIO } },
	[INFO]		= { "INFO", { ENODEV } },
};

struct tally {
	unsigned long made[OPS], done[OPS], bad;
};

static struct tally *tally;
static int control, files[FILES];
static unsigned int seed;

static unsigned int pick(unsigned int n)
{
	return rand_r(&seed) / 7 % n;
}

static long on_control(enum op op, int index)
{
	struct looplt_attach a = {
		.size = sizeof(a), .fd = files[pick(FILES)],
		.index = index, .flags = pick(8) |
			(pick(2) ? LOOPLT_ATTACH_REMOVE : 0),
	};
	struct looplt_detach d = { .size = sizeof(d), .index = index };
	struct looplt_info i = { .size = sizeof(i), .index = index };

	switch (op) {
	case ADD:
		return ioctl(control, LOOP_CTL_ADD, index);
	case REMOVE:
		return ioctl(control, LOOP_CTL_REMOVE, index);
	case GET_FREE:
		return ioctl(control, LOOP_CTL_GET_FREE);
	case ATTACH:
		return ioctl(control, LOOPLT_CTL_ATTACH, &a);
	case DETACH:
		return ioctl(control, LOOPLT_CTL_DETACH, &d);
	default:
		return ioctl(control, LOOPLT_CTL_INFO, &i);
	}
}

static long on_disk(enum op op, int fd)
{
	static const int flags[] = { 0, LO_FLAGS_AUTOCLEAR, LO_FLAGS_PARTSCAN,
		LO_FLAGS_READ_ONLY | LO_FLAGS_PARTSCAN, LO_FLAGS_DIRECT_IO };
	struct loop_config c = { .fd = files[pick(FILES)] };
	struct loop_info64 i = { .lo_offset = 4096 * pick(2) };
	char block[512];

	i.lo_flags = flags[pick(5)];
	switch (op) {
	case CONFIGURE:
		c.info = i;
		return ioctl(fd, LOOP_CONFIGURE, &c);
	case SET_FD:
		return ioctl(fd, LOOP_SET_FD, c.fd);
	case CLR_FD:
		return ioctl(fd, LOOP_CLR_FD);
	case CHANGE_FD:
		return ioctl(fd, LOOP_CHANGE_FD, c.fd);
	case GET_STATUS:
		return ioctl(fd, LOOP_GET_STATUS64, &i);
	case SET_STATUS:
		return ioctl(fd, LOOP_SET_STATUS64, &i);
	case CAPACITY:
		return ioctl(fd, LOOP_SET_CAPACITY);
	case BLOCK:
		return ioctl(fd, LOOP_SET_BLOCK_SIZE, pick(2) ? 512UL : 4096UL);
	case DIRECT:
		return ioctl(fd, LOOP_SET_DIRECT_IO, (unsigned long)pick(2));
	case RESCAN:
		return ioctl(fd, BLKRRPART);
	default:
		return pread(fd, block, sizeof(block), 0);
	}
}

static void judge(enum op op, long ret)
{
	int i, err = errno;

	__atomic_add_fetch(&tally->made[op], 1, __ATOMIC_RELAXED);
	if (ret >= 0) {
		__atomic_add_fetch(&tally->done[op], 1, __ATOMIC_RELAXED);
		return;
	}
	for (i = 0; i < 6; i++)
		if (calls[op].allowed[i] == err)
			return;
	if (__atomic_add_fetch(&tally->bad, 1, __ATOMIC_RELAXED) < 20)
		printf("not allowed: %s: %s\n", calls[op].name, strerror(err));
}

static bool is_for_control(enum op op)
{
	return op == ADD || op == REMOVE || op == GET_FREE || op >= ATTACH;
}

static void one_step(int *fd)
{
	enum op op = pick(OPS);
	char node[64];
	int index = FIRST_INDEX + pick(DISKS);

	if (op == OPEN) {
		if (*fd >= 0)
			close(*fd);
		snprintf(node, sizeof(node), "/dev/" LOOPLT_NAME "%d", index);
		*fd = open(node, O_CLOEXEC | (pick(8) ? O_RDWR :
					      O_RDWR | O_EXCL));
		judge(OPEN, *fd);
	} else if (is_for_control(op)) {
		judge(op, on_control(op, index));
	} else if (*fd >= 0) {
		judge(op, on_disk(op, *fd));
	}
	/* Disks that stay open are never removed. */
	if (*fd >= 0 && !pick(4)) {
		close(*fd);
		*fd = -1;
	}
}

static void run(time_t end)
{
	int fd = -1;

	while (time(NULL) < end)
		one_step(&fd);
	exit(0);
}

static int clean_up(void)
{
	struct looplt_detach d = {
		.size = sizeof(d), .flags = LOOPLT_DETACH_WAIT,
		.timeout_ms = 10000,
	};
	int i, failed = 0;

	/* GET_FREE makes disks from 0 on. */
	for (i = 0; i < FIRST_INDEX + DISKS; i++) {
		d.index = i;
		d.result = d.openers = 0;
		if (ioctl(control, LOOPLT_CTL_DETACH, &d) &&
		    errno != ENXIO && errno != ENODEV)
			failed = printf("detach of %d: %s\n", i, strerror(errno));
		if (ioctl(control, LOOP_CTL_REMOVE, i) && errno != ENODEV)
			failed = printf("removal of %d: %s\n", i,
					strerror(errno));
	}
	return failed;
}

int main(int argc, char **argv)
{
	int i, status, failed = 0;
	char path[256];
	time_t end;

	if (argc != 5)
		return 2;
	control = open("/dev/" LOOPLT_CONTROL, O_RDWR | O_CLOEXEC);
	for (i = 0; i < FILES; i++) {
		snprintf(path, sizeof(path), "%s/%d.img", argv[1], i);
		files[i] = open(path, O_RDWR | O_CLOEXEC);
		if (control < 0 || files[i] < 0) {
			perror(path);
			return 2;
		}
	}
	tally = mmap(NULL, sizeof(*tally), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	end = time(NULL) + atoi(argv[4]);
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (i = 0; i < atoi(argv[3]); i++) {
		seed = atoi(argv[2]) + i;
		if (!fork())
			run(end);
	}
	while (wait(&status) > 0)
		failed |= status;
	for (i = 0; i < OPS; i++) {
		printf("%-15s %8lu made %8lu done\n", calls[i].name,
		       tally->made[i], tally->done[i]);
		failed |= !tally->done[i];
	}
	failed |= clean_up();
	return failed || tally->bad;
}
