// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt-losetup - loop disks, by name: ours, and those of the stock driver.
 *
 * sysfs is open to everybody, and has what both drivers have in common.  What
 * it has not takes a call on the disk, and so the right to open it.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "losetup.h"

static char *loop_attr(const char *name, const char *attr)
{
	char path[PATH_MAX];

	return path_read(path_of(path, "/sys/block/%s/%s", name, attr));
}

static uint64_t loop_number(const char *name, const char *attr)
{
	char *text = loop_attr(name, attr);
	uint64_t number = text ? strtoull(text, NULL, 10) : 0;

	free(text);
	return number;
}

static dev_t loop_devno(const char *name)
{
	char *text = loop_attr(name, "dev");
	unsigned int major_nr, minor_nr;
	dev_t devno = 0;

	if (text && parse_devno(text, &major_nr, &minor_nr))
		devno = makedev(major_nr, minor_nr);
	free(text);
	return devno;
}

int loop_open(const char *node, int flags)
{
	char path[PATH_MAX];

	return open(path_of(path, "%s", node), flags | O_CLOEXEC);
}

static bool loop_ask(struct loop *l)
{
	const int fd = loop_open(l->node, O_RDONLY);
	struct loop_info64 info;
	bool asked = false;

	if (fd < 0)
		return false;
	if (!ioctl(fd, LOOP_GET_STATUS64, &info)) {
		l->back_dev = info.lo_device;
		l->back_ino = info.lo_inode;
		snprintf(l->ref, sizeof(l->ref), "%.63s", (const char *)info.lo_file_name);
		asked = true;
	}
	close(fd);
	return asked;
}

const char *loop_name(const struct loop *l)
{
	return strrchr(l->node, '/') + 1;
}

/* "loop3", "/dev/loop3": the node, whether it is there or not. */
bool loop_named(struct loop *l, const char *text)
{
	memset(l, 0, sizeof(*l));
	if (snprintf(l->node, sizeof(l->node), "%s%s", *text == '/' ? "" : "/dev/",
		     text) >= (int)sizeof(l->node))
		return false;
	return *loop_name(l);
}

bool loop_fill(struct loop *l)
{
	const char *name = loop_name(l);

	l->devno = loop_devno(name);
	l->read_only = loop_number(name, "ro");
	l->block_size = loop_number(name, "queue/logical_block_size");
	l->file = loop_attr(name, "loop/backing_file");
	if (!l->file)
		return false;
	l->offset = loop_number(name, "loop/offset");
	l->sizelimit = loop_number(name, "loop/sizelimit");
	l->autoclear = loop_number(name, "loop/autoclear");
	l->partscan = loop_number(name, "loop/partscan");
	l->dio = loop_number(name, "loop/dio");
	l->asked = loop_ask(l);
	return true;
}

void loop_free(struct loop *l)
{
	free(l->file);
	l->file = NULL;
}

static int is_loop(const struct dirent *d)
{
	return !strncmp(d->d_name, "loop", 4);
}

int loop_all(struct loop **loops)
{
	struct dirent **names;
	char path[PATH_MAX];
	int n, found = 0;

	n = scandir(path_of(path, "/sys/block"), &names, is_loop, versionsort);
	*loops = need_memory(calloc(n > 0 ? (size_t)n : 1, sizeof(**loops)));
	for (int i = 0; i < n; i++) {
		struct loop *l = &(*loops)[found];

		found += loop_named(l, names[i]->d_name) && loop_fill(l);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	return found;
}

void loop_free_all(struct loop *loops, int n)
{
	for (int i = 0; i < n; i++)
		loop_free(&loops[i]);
	free(loops);
}

/* By the inode; a path is enough for those who may not ask. */
bool loop_shows(const struct loop *l, const char *file)
{
	struct stat st;
	char *real;
	bool same;

	if (l->asked && !stat(file, &st))
		return l->back_ino == st.st_ino && l->back_dev == st.st_dev;
	real = realpath(file, NULL);
	same = !strcmp(l->file, real ? real : file);
	free(real);
	return same;
}
