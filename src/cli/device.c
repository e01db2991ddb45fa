// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt CLI - disks by name and number, and what sysfs says of them.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

#define SYS_DISK "/sys/block/" LOOPLT_NAME "%d"

static const char *skip(const char *text, const char *prefix)
{
	const size_t n = strlen(prefix);

	return strncmp(text, prefix, n) ? NULL : text + n;
}

/* "/dev/looplt3", "looplt3" or "3". */
bool device_parse(const char *text, int *index)
{
	const char *digits = skip(text, "/dev/" LOOPLT_NAME);
	unsigned long number;

	if (!digits)
		digits = skip(text, LOOPLT_NAME);
	if (!digits)
		digits = text;
	/* No other spelling of the same number. */
	if (digits[0] == '0' && digits[1])
		return false;
	/* A minor has 20 bits. */
	if (!parse_number(digits, (1UL << 20) - 1, &number))
		return false;
	*index = (int)number;
	return true;
}

bool device_includes(int index, const char *name)
{
	char disk[DEVICE_NODE_SIZE];
	const char *part;

	snprintf(disk, sizeof(disk), LOOPLT_NAME "%d", index);
	part = skip(name, disk);
	return part && (!*part || (part[0] == 'p' && isdigit((unsigned char)part[1])));
}

bool device_includes_devno(int index, unsigned int major_nr, unsigned int minor_nr)
{
	char path[PATH_MAX];
	char *name;
	bool is_part;

	name = path_link(path_of(path, "/sys/dev/block/%u:%u", major_nr, minor_nr));
	is_part = name && device_includes(index, name);
	free(name);
	return is_part;
}

void device_node(char *node, int index)
{
	snprintf(node, DEVICE_NODE_SIZE, "/dev/" LOOPLT_NAME "%d", index);
}

char *device_attr(int index, const char *attr)
{
	char path[PATH_MAX];

	return path_read(path_of(path, SYS_DISK "/%s", index, attr));
}

bool device_exists(int index)
{
	char path[PATH_MAX];

	return !access(path_of(path, SYS_DISK, index), F_OK);
}

static int compare_int(const void *a, const void *b)
{
	const int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

int device_all(int **indexes)
{
	int n = 0, space = 0, *all = NULL, index;
	char path[PATH_MAX];
	struct dirent *d;
	DIR *dir;

	*indexes = NULL;
	dir = opendir(path_of(path, "/sys/block"));
	if (!dir)
		return -1;
	while ((d = readdir(dir))) {
		if (!skip(d->d_name, LOOPLT_NAME) || !device_parse(d->d_name, &index))
			continue;
		if (n == space) {
			space = space ? 2 * space : 16;
			all = need_memory(realloc(all, (size_t)space * sizeof(*all)));
		}
		all[n++] = index;
	}
	closedir(dir);
	if (n)
		qsort(all, (size_t)n, sizeof(*all), compare_int);
	*indexes = all;
	return n;
}

static int is_partition(const struct dirent *d)
{
	const char *number = skip(d->d_name, LOOPLT_NAME);

	return number && strchr(number, 'p');
}

int device_partitions(int index, struct dirent ***partitions)
{
	char path[PATH_MAX];

	return scandir(path_of(path, SYS_DISK, index), partitions, is_partition, versionsort);
}
