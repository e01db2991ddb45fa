// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt wait - until a disk is attached, and its partitions can be used.
 *
 * The kernel's part is done when attach returns.  What comes later is udev's:
 * links, permissions, probing.  It writes a file for each disk it is done with.
 */
#include <dirent.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

static bool is_attached(int index)
{
	char *file = device_attr(index, "loop/backing_file");
	const bool attached = file;

	free(file);
	return attached;
}

/* attr: "dev", or "looplt3p1/dev". */
static bool udev_is_done(int index, const char *attr)
{
	char path[PATH_MAX];
	char *devno;
	bool done;

	if (access(path_of(path, "/run/udev/control"), F_OK))
		return true;
	devno = device_attr(index, attr);
	done = devno && !access(path_of(path, "/run/udev/data/b%s", devno), F_OK);
	free(devno);
	return done;
}

static bool is_ready(int index)
{
	char path[PATH_MAX], attr[NAME_MAX + 5];
	struct dirent **parts;
	int n = device_partitions(index, &parts);
	bool ready = n >= 0 && udev_is_done(index, "dev");

	for (int i = 0; i < n; i++) {
		snprintf(attr, sizeof(attr), "%s/dev", parts[i]->d_name);
		ready = ready && !access(path_of(path, "/dev/%s", parts[i]->d_name), F_OK) &&
			udev_is_done(index, attr);
		free(parts[i]);
	}
	if (n >= 0)
		free(parts);
	return ready;
}

static bool wait_until(bool (*done)(int index), int index, uint64_t end_ms)
{
	while (!done(index)) {
		if (clock_ms() >= end_ms)
			return false;
		clock_pause();
	}
	return true;
}

int cmd_wait(int argc, char **argv)
{
	static const struct option options[] = {
		{ "partitions", no_argument, NULL, 'p' },
		{ "timeout", required_argument, NULL, 't' },
		{ NULL, 0, NULL, 0 },
	};
	unsigned long seconds = 10;
	bool partitions = false;
	uint64_t end_ms;
	int opt, index, err;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (opt == 'p')
			partitions = true;
		else if (opt != 't')
			return CLI_USAGE;
		else if (!parse_number(optarg, INT_MAX, &seconds))
			return usage_error("--timeout: '%s' is not a number of seconds", optarg);
	}
	if (optind != argc - 1)
		return usage_error("wait takes one disk");
	err = operand_disk(argv[optind], &index);
	if (err)
		return err;

	end_ms = clock_ms() + 1000 * (uint64_t)seconds;
	if (!wait_until(is_attached, index, end_ms))
		return refuse("%s: not attached after %lu s", device_name(index), seconds);
	if (partitions && !wait_until(is_ready, index, end_ms))
		return refuse("%s: partitions not ready after %lu s", device_name(index), seconds);
	return CLI_DONE;
}
