// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt set, looplt resize - change an attached disk by the loop ioctls.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <linux/loop.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli.h"

struct change {
	int direct;		/* -1: leave it */
	int autoclear;		/* -1: leave it */
	bool partscan;
	unsigned long block_size;	/* 0: leave it */
};

static bool parse_switch(const char *text, int *value)
{
	if (text && strcmp(text, "on") && strcmp(text, "off"))
		return false;
	*value = !text || !strcmp(text, "on");
	return true;
}

static int open_disk(const char *text, int *index)
{
	char node[DEVICE_PATH_SIZE];
	int fd;

	if (!device_parse(text, index)) {
		usage_error("'%s' is not a looplt disk", text);
		return -1;
	}
	device_path(node, *index);
	fd = open(node, O_RDWR | O_CLOEXEC);
	if (fd < 0 && (errno == EACCES || errno == EROFS))
		fd = open(node, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		message("%s: %s", node, strerror(errno));
	return fd;
}

static int failed(int index, const char *what)
{
	switch (errno) {
	case ENXIO:
		return refuse("looplt%d: nothing is attached", index);
	case EBUSY:
		return refuse("looplt%d: cannot %s: somebody has the disk exclusively (mounted?)",
			      index, what);
	default:
		return refuse("looplt%d: cannot %s: %s", index, what,
			      strerror(errno));
	}
}

static int change_flags(int fd, int index, const struct change *c)
{
	struct loop_info64 info;

	if (c->autoclear < 0 && !c->partscan)
		return CLI_DONE;
	if (ioctl(fd, LOOP_GET_STATUS64, &info))
		return failed(index, "read its flags");
	if (c->autoclear == 0)
		info.lo_flags &= ~(__u32)LO_FLAGS_AUTOCLEAR;
	if (c->autoclear == 1)
		info.lo_flags |= LO_FLAGS_AUTOCLEAR;
	if (c->partscan)
		info.lo_flags |= LO_FLAGS_PARTSCAN;
	if (ioctl(fd, LOOP_SET_STATUS64, &info))
		return failed(index, "change its flags");
	return CLI_DONE;
}

static int apply(int fd, int index, const struct change *c)
{
	if (c->block_size && ioctl(fd, LOOP_SET_BLOCK_SIZE, c->block_size))
		return failed(index, "change the sector size");
	if (c->direct >= 0 &&
	    ioctl(fd, LOOP_SET_DIRECT_IO, (unsigned long)c->direct))
		return failed(index, "change the I/O mode");
	return change_flags(fd, index, c);
}

int cmd_set(int argc, char **argv)
{
	enum { OPT_DIRECT = 256, OPT_AUTOCLEAR };
	static const struct option options[] = {
		{ "direct-io", optional_argument, NULL, OPT_DIRECT },
		{ "autoclear", optional_argument, NULL, OPT_AUTOCLEAR },
		{ "sector-size", required_argument, NULL, 'b' },
		{ "partscan", no_argument, NULL, 'P' },
		{ NULL, 0, NULL, 0 },
	};
	struct change c = { .direct = -1, .autoclear = -1 };
	int opt, fd, index, err;
	bool good = true;

	while ((opt = getopt_long(argc, argv, "b:P", options, NULL)) != -1) {
		if (opt == OPT_DIRECT)
			good = parse_switch(optarg, &c.direct);
		else if (opt == OPT_AUTOCLEAR)
			good = parse_switch(optarg, &c.autoclear);
		else if (opt == 'b')
			good = parse_number(optarg, UINT_MAX, &c.block_size);
		else if (opt == 'P')
			c.partscan = true;
		else
			return CLI_USAGE;
		if (!good)
			return usage_error("bad value '%s'", optarg);
	}
	if (optind != argc - 1)
		return usage_error("set takes one disk");
	if (c.direct < 0 && c.autoclear < 0 && !c.partscan && !c.block_size)
		return usage_error("set what?");

	fd = open_disk(argv[optind], &index);
	if (fd < 0)
		return CLI_REFUSED;
	err = apply(fd, index, &c);
	close(fd);
	return err;
}

int cmd_resize(int argc, char **argv)
{
	int fd, index, err = CLI_DONE;

	if (argc != 2)
		return usage_error("resize takes one disk");
	fd = open_disk(argv[1], &index);
	if (fd < 0)
		return CLI_REFUSED;
	if (ioctl(fd, LOOP_SET_CAPACITY, 0))
		err = failed(index, "resize");
	close(fd);
	return err;
}
