// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt CLI - what an operand on the command line names.
 *
 * A disk by name, number or any node of it (/dev/disk/by-label/...); or the
 * disks of a file, by its inode: paths differ between mounts and change.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "cli.h"

enum meaning { IS_DISK, IS_PARTITION, IS_OTHER };

static enum meaning parse_operand(const char *text, int *index)
{
	enum meaning meaning = IS_OTHER;
	char path[PATH_MAX];
	struct stat st;
	char *name;

	if (device_parse(text, index))
		return IS_DISK;
	if (stat(text, &st) || !S_ISBLK(st.st_mode))
		return IS_OTHER;
	name = path_link(path_of(path, "/sys/dev/block/%u:%u", major(st.st_rdev),
				 minor(st.st_rdev)));
	if (name && !strncmp(name, device_prefix(), strlen(device_prefix())))
		meaning = device_parse(name, index) ? IS_DISK : IS_PARTITION;
	free(name);
	return meaning;
}

int operand_disk(const char *text, int *index)
{
	switch (parse_operand(text, index)) {
	case IS_DISK:
		return CLI_DONE;
	case IS_PARTITION:
		return refuse("%s: a partition; name the disk", text);
	default:
		return usage_error("%s: not a " LOOPLT_NAME " disk", text);
	}
}

static int disks_of_file(int control, const struct stat *st, int **indexes)
{
	struct looplt_info info;
	int n, *all, found = 0;

	n = device_all(&all);
	for (int i = 0; i < n; i++) {
		if (disk_info(control, all[i], &info) && disk_uses(&info, st))
			all[found++] = all[i];
	}
	*indexes = all;
	return found;
}

int operand_disks(int control, const char *text, int **indexes)
{
	struct stat st;
	int index;

	*indexes = NULL;
	switch (parse_operand(text, &index)) {
	case IS_DISK:
		*indexes = need_memory(malloc(sizeof(**indexes)));
		**indexes = index;
		return 1;
	case IS_PARTITION:
		message("%s: a partition; name the disk", text);
		return -1;
	default:
		break;
	}
	if (!stat(text, &st))
		return disks_of_file(control, &st, indexes);
	message("%s: %s", text, strerror(errno));
	return -1;
}
