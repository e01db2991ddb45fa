// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt set, looplt resize - change an attached disk by the loop ioctls.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <linux/loop.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli.h"

enum { KEEP = -1, OFF, ON };

struct change {
	int direct;
	int autoclear;
	bool partscan;
	uint64_t block_size;	/* 0: leave it */
};

static bool parse_switch(const char *text, int *value)
{
	if (!text || !strcmp(text, "on"))
		*value = ON;
	else if (!strcmp(text, "off"))
		*value = OFF;
	else
		return false;
	return true;
}

static int open_disk(int index)
{
	char path[PATH_MAX], node[DEVICE_NODE_SIZE];
	int fd;

	device_node(node, index);
	path_of(path, "%s", node);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0 && (errno == EACCES || errno == EROFS))
		fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 && (errno == ENOENT || errno == ENXIO))
		message("%s: no such disk", device_name(index));
	else if (fd < 0)
		message("%s: %s", node, strerror(errno));
	return fd;
}

static int failed(int index, const char *what, const char *if_invalid)
{
	switch (errno) {
	case ENXIO:
		return refuse("%s: nothing is attached", device_name(index));
	case EBUSY:
		return refuse("%s: cannot %s while it is mounted or held exclusively",
			      device_name(index), what);
	case EINVAL:
		if (if_invalid)
			return refuse("%s: cannot %s: %s", device_name(index), what, if_invalid);
		break;
	default:
		break;
	}
	return refuse("%s: cannot %s: %s", device_name(index), what, strerror(errno));
}

static int change_flags(int fd, int index, const struct change *c)
{
	struct loop_info64 info;

	if (c->autoclear == KEEP && !c->partscan)
		return CLI_DONE;
	if (ioctl(fd, LOOP_GET_STATUS64, &info))
		return failed(index, "read its flags", NULL);
	if (c->autoclear == OFF)
		info.lo_flags &= ~(__u32)LO_FLAGS_AUTOCLEAR;
	if (c->autoclear == ON)
		info.lo_flags |= LO_FLAGS_AUTOCLEAR;
	if (c->partscan)
		info.lo_flags |= LO_FLAGS_PARTSCAN;
	if (ioctl(fd, LOOP_SET_STATUS64, &info))
		return failed(index, "change its flags", NULL);
	return CLI_DONE;
}

static int apply(int fd, int index, const struct change *c)
{
	if (c->block_size && ioctl(fd, LOOP_SET_BLOCK_SIZE, (unsigned long)c->block_size))
		return failed(index, "change the sector size",
			      "not a power of two from 512 to the page size");
	if (c->direct != KEEP && ioctl(fd, LOOP_SET_DIRECT_IO, (unsigned long)c->direct))
		return failed(index, "use direct I/O",
			      "the file, or its offset, does not allow it");
	return change_flags(fd, index, c);
}

static int set_option(struct change *c, int opt, const char *value)
{
	switch (opt) {
	case 'd':
		if (parse_switch(value, &c->direct))
			return CLI_DONE;
		return usage_error("--direct-io is on or off, not '%s'", value);
	case 'a':
		if (parse_switch(value, &c->autoclear))
			return CLI_DONE;
		return usage_error("--autoclear is on or off, not '%s'", value);
	case 'b':
		if (parse_size(value, &c->block_size) && c->block_size &&
		    c->block_size <= UINT_MAX)
			return CLI_DONE;
		return usage_error("--sector-size: '%s' is not a size of a sector", value);
	case 'P':
		c->partscan = true;
		return CLI_DONE;
	default:
		return CLI_USAGE;
	}
}

int cmd_set(int argc, char **argv)
{
	static const struct option options[] = {
		{ "direct-io", optional_argument, NULL, 'd' },
		{ "autoclear", optional_argument, NULL, 'a' },
		{ "sector-size", required_argument, NULL, 'b' },
		{ "partscan", no_argument, NULL, 'P' },
		{ NULL, 0, NULL, 0 },
	};
	struct change c = { .direct = KEEP, .autoclear = KEEP };
	int opt, fd, index, err;

	while ((opt = getopt_long(argc, argv, "b:P", options, NULL)) != -1) {
		err = set_option(&c, opt, optarg);
		if (err)
			return err;
	}
	if (optind != argc - 1)
		return usage_error("set takes one disk");
	if (c.direct == KEEP && c.autoclear == KEEP && !c.partscan && !c.block_size)
		return usage_error("set: nothing to change");
	err = operand_disk(argv[optind], &index);
	if (err)
		return err;

	fd = open_disk(index);
	if (fd < 0)
		return CLI_REFUSED;
	err = apply(fd, index, &c);
	close(fd);
	return err;
}

int cmd_resize(int argc, char **argv)
{
	static const struct option options[] = { { NULL, 0, NULL, 0 } };
	int fd, index, err;

	if (getopt_long(argc, argv, "", options, NULL) != -1)
		return CLI_USAGE;
	if (optind != argc - 1)
		return usage_error("resize takes one disk");
	err = operand_disk(argv[optind], &index);
	if (err)
		return err;

	fd = open_disk(index);
	if (fd < 0)
		return CLI_REFUSED;
	if (ioctl(fd, LOOP_SET_CAPACITY, 0))
		err = failed(index, "resize", NULL);
	close(fd);
	return err;
}
