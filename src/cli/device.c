// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt CLI - disks by name and number, and what sysfs says of them.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

static const char *skip(const char *text, const char *prefix)
{
	const size_t n = strlen(prefix);

	return strncmp(text, prefix, n) ? NULL : text + n;
}

const char *device_prefix(void)
{
	static const char *prefix;
	char path[PATH_MAX];
	const int err = errno;
	char *dropin;

	if (prefix)
		return prefix;
	dropin = path_read(path_of(path, "/sys/module/" LOOPLT_NAME "/parameters/dropin"));
	/* Not loaded: it may be in a moment. */
	if (dropin)
		prefix = *dropin == 'Y' ? "loop" : LOOPLT_NAME;
	free(dropin);
	/* Callers are about to say what went wrong. */
	errno = err;
	return prefix ? prefix : LOOPLT_NAME;
}

const char *device_name(int index)
{
	static char name[DEVICE_NODE_SIZE - sizeof("/dev/")];

	snprintf(name, sizeof(name), "%s%d", device_prefix(), index);
	return name;
}

/* "/dev/looplt3", "looplt3" or "3". */
bool device_parse(const char *text, int *index)
{
	const char *name = skip(text, "/dev/");
	const char *digits = skip(name ? name : text, device_prefix());
	unsigned long number;

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
	const char *part = skip(name, device_name(index));

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
	snprintf(node, DEVICE_NODE_SIZE, "/dev/%s", device_name(index));
}

char *device_attr(int index, const char *attr)
{
	char path[PATH_MAX];

	return path_read(path_of(path, "/sys/block/%s/%s", device_name(index), attr));
}

bool device_exists(int index)
{
	char path[PATH_MAX];

	return !access(path_of(path, "/sys/block/%s", device_name(index)), F_OK);
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
		if (!skip(d->d_name, device_prefix()) || !device_parse(d->d_name, &index))
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
	const char *number = skip(d->d_name, device_prefix());

	return number && isdigit((unsigned char)*number) && strchr(number, 'p');
}

int device_partitions(int index, struct dirent ***partitions)
{
	char path[PATH_MAX];

	return scandir(path_of(path, "/sys/block/%s", device_name(index)), partitions,
		       is_partition, versionsort);
}
