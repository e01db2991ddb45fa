// SPDX-License-Identifier: GPL-2.0-only
/*
 * rounds DIR PROCESSES ROUNDS: each process has DIR/<n>.img, with a partition
 * table that names one partition, and DIR/<n>.mnt.  A round attaches the image
 * with a scan, writes the file system DIR/template to the partition, mounts
 * it, writes a file, reads it back, unmounts, and detaches.  Nothing in it may
 * fail, and nothing is tried twice.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../include/uapi/looplt.h"

static int me, round_nr;

static void need(int ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "process %d, round %d: %s: %s\n", me, round_nr, what,
		strerror(errno));
	exit(1);
}

static void attach(int control, const char *image, struct looplt_attach *a)
{
	memset(a, 0, sizeof(*a));
	a->size = sizeof(*a);
	a->index = -1;
	a->flags = LOOPLT_ATTACH_PARTSCAN | LOOPLT_ATTACH_REMOVE;
	a->io_mode = round_nr % 2 ? LOOPLT_IO_BUFFERED : LOOPLT_IO_AUTO;
	a->fd = open(image, O_RDWR | O_CLOEXEC);
	need(a->fd >= 0, image);
	need(!ioctl(control, LOOPLT_CTL_ATTACH, a), "attach");
	close(a->fd);
}

static void detach(int control, const struct looplt_attach *a)
{
	struct looplt_detach d = {
		.size = sizeof(d), .index = a->index, .diskseq = a->diskseq,
		.flags = LOOPLT_DETACH_WAIT, .timeout_ms = 30000,
	};

	need(!ioctl(control, LOOPLT_CTL_DETACH, &d), "detach");
	need(d.result == LOOPLT_DETACH_DONE, "detach: not done");
}

static void make_fs(const char *node, const char *template, size_t bytes)
{
	int fd = open(node, O_WRONLY | O_CLOEXEC);

	need(fd >= 0, node);
	need(pwrite(fd, template, bytes, 0) == (ssize_t)bytes, "mkfs");
	need(!fsync(fd), "fsync of the partition");
	need(!close(fd), "close of the partition");
}

static void use_fs(const char *node, const char *mnt)
{
	char file[160], text[64], got[64] = "";
	int fd;

	need(!mount(node, mnt, "ext4", 0, ""), "mount");
	snprintf(file, sizeof(file), "%s/file", mnt);
	snprintf(text, sizeof(text), "process %d round %d", me, round_nr);
	fd = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	need(fd >= 0, "creat");
	need(pwrite(fd, text, sizeof(text), 0) == sizeof(text), "write");
	need(!fsync(fd), "fsync");
	need(pread(fd, got, sizeof(got), 0) == sizeof(got), "read");
	errno = EIO;
	need(!strcmp(text, got), "other data read than written");
	close(fd);
	need(!umount(mnt), "umount");
}

static void run(const char *dir, int rounds, const char *template, size_t bytes)
{
	char image[128], mnt[128], node[64];
	struct looplt_attach a;
	int control = open("/dev/" LOOPLT_CONTROL, O_RDWR | O_CLOEXEC);

	need(control >= 0, "open of the control node");
	snprintf(image, sizeof(image), "%s/%d.img", dir, me);
	snprintf(mnt, sizeof(mnt), "%s/%d.mnt", dir, me);
	for (round_nr = 0; round_nr < rounds; round_nr++) {
		attach(control, image, &a);
		snprintf(node, sizeof(node), "/dev/" LOOPLT_NAME "%dp1", a.index);
		make_fs(node, template, bytes);
		use_fs(node, mnt);
		detach(control, &a);
	}
	exit(0);
}

int main(int argc, char **argv)
{
	int processes, rounds, status, failed = 0, fd;
	static char template[4 << 20];
	char path[128];
	ssize_t bytes;

	if (argc != 4)
		return 2;
	processes = atoi(argv[2]);
	rounds = atoi(argv[3]);
	snprintf(path, sizeof(path), "%s/template", argv[1]);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	bytes = read(fd, template, sizeof(template));
	need(bytes > 0, path);

	for (me = 0; me < processes; me++)
		if (!fork())
			run(argv[1], rounds, template, bytes);
	while (wait(&status) > 0)
		failed += !!status;
	return failed ? 1 : 0;
}
