// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt CLI - files of the system: /dev, /proc, /sys, modprobe.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

/* The test build, and only that, can look at another system than this one. */
static const char *root(void)
{
#ifdef LOOPLT_TEST
	const char *root = getenv("LOOPLT_SYSROOT");

	if (root)
		return root;
#endif
	return "";
}

const char *path_of(char *path, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = text_format(format, args);
	va_end(args);
	/* Nothing has a path that long. */
	if (snprintf(path, PATH_MAX, "%s%s", root(), text) >= PATH_MAX)
		*path = '\0';
	free(text);
	return path;
}

char *path_read(const char *path)
{
	char value[PATH_MAX + 64];
	ssize_t n;
	int fd;

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
	return need_memory(strdup(value));
}

bool path_lists(const char *path, const char *text)
{
	char *line = NULL;
	bool found = false;
	size_t space = 0;
	FILE *f;

	f = fopen(path, "re");
	if (!f)
		return false;
	while (!found && getline(&line, &space, f) > 0)
		found = strstr(line, text);
	free(line);
	fclose(f);
	return found;
}

char *path_link(const char *path)
{
	char target[PATH_MAX];
	const char *name;
	ssize_t n;

	n = readlink(path, target, sizeof(target) - 1);
	if (n < 0)
		return NULL;
	target[n] = '\0';
	name = strrchr(target, '/');
	return need_memory(strdup(name ? name + 1 : target));
}
