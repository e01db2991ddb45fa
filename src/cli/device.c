// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt CLI - disks by name and number, and what sysfs says of them.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

/* "/dev/looplt3", "looplt3" or "3". */
bool device_parse(const char *text, int *index)
{
	unsigned long number;

	if (!strncmp(text, "/dev/", 5))
		text += 5;
	if (!strncmp(text, LOOPLT_NAME, strlen(LOOPLT_NAME)))
		text += strlen(LOOPLT_NAME);
	if (!parse_number(text, 1UL << 20, &number))
		return false;
	*index = (int)number;
	return true;
}

void device_path(char *path, int index)
{
	snprintf(path, DEVICE_PATH_SIZE, "/dev/" LOOPLT_NAME "%d", index);
}

char *device_attr(int index, const char *attr)
{
	char path[256], value[4096];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/sys/block/" LOOPLT_NAME "%d/%s", index,
		 attr);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	n = read(fd, value, sizeof(value) - 1);
	close(fd);
	if (n < 0)
		return NULL;
	if (n && value[n - 1] == '\n')
		n--;
	value[n] = '\0';
	return strdup(value);
}

bool device_exists(int index)
{
	char path[256];

	snprintf(path, sizeof(path), "/sys/block/" LOOPLT_NAME "%d", index);
	return !access(path, F_OK);
}

static int compare_int(const void *a, const void *b)
{
	const int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

int device_all(int **indexes)
{
	DIR *dir = opendir("/sys/block");
	int n = 0, space = 0, *all = NULL, *more;
	struct dirent *d;

	*indexes = NULL;
	if (!dir)
		return -1;
	while ((d = readdir(dir))) {
		if (strncmp(d->d_name, LOOPLT_NAME, strlen(LOOPLT_NAME)))
			continue;
		if (n == space) {
			space = space ? 2 * space : 16;
			more = realloc(all, (size_t)space * sizeof(*all));
			if (!more)
				break;
			all = more;
		}
		if (device_parse(d->d_name, &all[n]))
			n++;
	}
	closedir(dir);
	if (n)
		qsort(all, (size_t)n, sizeof(*all), compare_int);
	*indexes = all;
	return n;
}
