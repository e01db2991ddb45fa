// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt wait - until a disk is attached, or its partitions have nodes.
 */
#include <dirent.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

static bool is_attached(int index)
{
	char *file = device_attr(index, "loop/backing_file");
	const bool attached = file;

	free(file);
	return attached;
}

/* Partitions that sysfs knows have to have their nodes. */
static bool has_partition_nodes(int index)
{
	char path[64], disk[32], node[300];
	bool missing = false;
	struct dirent *d;
	DIR *dir;

	snprintf(disk, sizeof(disk), LOOPLT_NAME "%dp", index);
	snprintf(path, sizeof(path), "/sys/block/" LOOPLT_NAME "%d", index);
	dir = opendir(path);
	if (!dir)
		return false;
	while ((d = readdir(dir))) {
		if (strncmp(d->d_name, disk, strlen(disk)))
			continue;
		snprintf(node, sizeof(node), "/dev/%s", d->d_name);
		missing = missing || access(node, F_OK);
	}
	closedir(dir);
	return !missing;
}

static bool wait_until(bool (*done)(int index), int index, unsigned long seconds)
{
	const struct timespec pause = { .tv_nsec = 20 * 1000 * 1000 };
	const time_t end = time(NULL) + (time_t)seconds;

	while (!done(index)) {
		if (time(NULL) > end)
			return false;
		nanosleep(&pause, NULL);
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
	int opt, index;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (opt == 'p')
			partitions = true;
		else if (opt != 't')
			return CLI_USAGE;
		else if (!parse_number(optarg, INT_MAX, &seconds))
			return usage_error("--timeout takes seconds, not '%s'",
					   optarg);
	}
	if (optind != argc - 1)
		return usage_error("wait takes one disk");
	if (!device_parse(argv[optind], &index))
		return usage_error("'%s' is not a looplt disk", argv[optind]);

	if (!wait_until(is_attached, index, seconds))
		return refuse("looplt%d: not attached after %lu s", index, seconds);
	if (partitions && !wait_until(has_partition_nodes, index, seconds))
		return refuse("looplt%d: no partition nodes after %lu s", index,
			      seconds);
	return CLI_DONE;
}
