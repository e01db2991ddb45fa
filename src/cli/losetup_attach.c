// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt-losetup - attach a file: to a disk of ours by one call of the control
 * node, or to one of the stock driver that was named.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "losetup.h"

static bool ranges_overlap(const struct loop *l, const struct looplt_attach *a)
{
	if (a->sizelimit && a->offset + a->sizelimit <= l->offset)
		return false;
	return !l->sizelimit || a->offset < l->offset + l->sizelimit;
}

/* Who asks for it now will detach it: not the last close. */
static int clear_autoclear(const struct loop *l)
{
	const int fd = loop_open(l->node, O_RDONLY);
	struct loop_info64 info;
	int err = -1;

	if (fd < 0)
		return -1;
	if (!ioctl(fd, LOOP_GET_STATUS64, &info)) {
		info.lo_flags &= ~(__u32)LO_FLAGS_AUTOCLEAR;
		err = ioctl(fd, LOOP_SET_STATUS64, &info);
	}
	close(fd);
	return err;
}

static int use_again(const struct losetup_attach *s, const struct loop *l)
{
	if (l->read_only && !(s->attach.a.flags & LOOPLT_ATTACH_READ_ONLY))
		return refuse("%s: shows the file already, but read-only", l->node);
	if (l->autoclear && clear_autoclear(l))
		return refuse("%s: cannot keep it: %s", l->node, strerror(errno));
	if (s->show)
		puts(l->node);
	return CLI_DONE;
}

/* True: *err is the result, and nothing is to be attached. */
static bool found_overlap(const struct losetup_attach *s, int *err)
{
	const struct looplt_attach *a = &s->attach.a;
	const struct loop *hit = NULL;
	struct loop *loops;
	int n;

	n = loop_all(&loops);
	for (int i = 0; i < n && !hit; i++) {
		if (loop_shows(&loops[i], s->file) && ranges_overlap(&loops[i], a))
			hit = &loops[i];
	}
	if (hit && hit->offset == a->offset && hit->sizelimit == a->sizelimit && !s->disk)
		*err = use_again(s, hit);
	else if (hit)
		*err = refuse("%s: %s shows a part of it already", s->file, hit->node);
	loop_free_all(loops, n);
	return hit;
}

static int attach_stock(struct losetup_attach *s)
{
	const struct looplt_attach *a = &s->attach.a;
	struct loop_config config = { 0 };
	int fd, err = CLI_DONE;

	config.fd = (__u32)a->fd;
	config.block_size = a->block_size;
	config.info.lo_offset = a->offset;
	config.info.lo_sizelimit = a->sizelimit;
	memcpy(config.info.lo_file_name, a->file_name, LO_NAME_SIZE);
	if (a->flags & LOOPLT_ATTACH_READ_ONLY)
		config.info.lo_flags |= LO_FLAGS_READ_ONLY;
	if (a->flags & LOOPLT_ATTACH_PARTSCAN)
		config.info.lo_flags |= LO_FLAGS_PARTSCAN;
	if (a->io_mode == LOOPLT_IO_DIRECT)
		config.info.lo_flags |= LO_FLAGS_DIRECT_IO;

	fd = loop_open(s->disk, a->flags & LOOPLT_ATTACH_READ_ONLY ? O_RDONLY : O_RDWR);
	if (fd < 0 || ioctl(fd, LOOP_CONFIGURE, &config))
		err = refuse("%s: %s: cannot attach: %s", s->disk, s->file, strerror(errno));
	if (fd >= 0)
		close(fd);
	if (!err && s->show)
		puts(s->disk);
	return err;
}

static int attach_own(struct losetup_attach *s)
{
	const int control = control_need();
	char node[DEVICE_NODE_SIZE];
	int err;

	if (control < 0)
		return CLI_REFUSED;
	err = attach_bind(&s->attach, control, s->file);
	close(control);
	if (err || !s->show)
		return err;
	device_node(node, s->attach.a.index);
	puts(node);
	return CLI_DONE;
}

int losetup_attach(struct losetup_attach *s)
{
	int err;

	if (s->no_overlap && found_overlap(s, &err))
		return err;
	if (attach_open(&s->attach, s->file))
		return CLI_REFUSED;
	if (!s->disk || device_parse(s->disk, &s->attach.a.index))
		err = attach_own(s);
	else
		err = attach_stock(s);
	close(s->attach.a.fd);
	return err;
}
