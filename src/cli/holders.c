// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt CLI - who has a disk open.
 *
 * The kernel counts openers; names are known to /proc and sysfs only: mounts,
 * swap, disks stacked on top, and processes.
 */
#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "cli.h"

struct text {
	char *data;
	size_t size;
	FILE *out;
};

static void text_add(struct text *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void text_add(struct text *t, const char *format, ...)
{
	va_list args;

	fflush(t->out);
	if (t->size)
		fputs("; ", t->out);
	va_start(args, format);
	vfprintf(t->out, format, args);
	va_end(args);
	fflush(t->out);
}

/* Is "name" the disk, or a partition of it? */
static bool is_part_of(const char *name, int index)
{
	char disk[32];
	size_t n;

	n = (size_t)snprintf(disk, sizeof(disk), LOOPLT_NAME "%d", index);
	if (strncmp(name, disk, n))
		return false;
	return !name[n] || (name[n] == 'p' && isdigit((unsigned char)name[n + 1]));
}

static bool devno_is_part_of(unsigned int major_nr, unsigned int minor_nr,
			     int index)
{
	char link[64], target[PATH_MAX];
	const char *name;
	ssize_t n;

	snprintf(link, sizeof(link), "/sys/dev/block/%u:%u", major_nr, minor_nr);
	n = readlink(link, target, sizeof(target) - 1);
	if (n < 0)
		return false;
	target[n] = '\0';
	name = strrchr(target, '/');
	return is_part_of(name ? name + 1 : target, index);
}

/* mountinfo writes blanks and the like as \ooo. */
static void unescape(char *s)
{
	char *to = s;

	while (*s) {
		if (s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] && s[3]) {
			*to++ = (char)((s[1] - '0') * 64 + (s[2] - '0') * 8 +
				       (s[3] - '0'));
			s += 4;
		} else {
			*to++ = *s++;
		}
	}
	*to = '\0';
}

/* Calls found() for each mount until it returns false. */
static void each_mount(int index, bool (*found)(void *data, const char *dir),
		       void *data)
{
	FILE *f = fopen("/proc/self/mountinfo", "re");
	unsigned int major_nr, minor_nr;
	char *line = NULL, *dir;
	size_t space = 0;

	if (!f)
		return;
	while (getline(&line, &space, f) > 0) {
		if (sscanf(line, "%*d %*d %u:%u %*s %ms", &major_nr, &minor_nr,
			   &dir) != 3)
			continue;
		unescape(dir);
		if (devno_is_part_of(major_nr, minor_nr, index) &&
		    !found(data, dir)) {
			free(dir);
			break;
		}
		free(dir);
	}
	free(line);
	fclose(f);
}

static bool add_mount(void *data, const char *dir)
{
	text_add(data, "mounted on %s", dir);
	return true;
}

static bool first_mount(void *data, const char *dir)
{
	*(char **)data = strdup(dir);
	return false;
}

char *holders_mountpoint(int index)
{
	char *dir = NULL;

	each_mount(index, first_mount, &dir);
	return dir;
}

static void add_swaps(struct text *t, int index)
{
	FILE *f = fopen("/proc/swaps", "re");
	char name[256];

	if (!f)
		return;
	while (fscanf(f, "%255s%*[^\n]", name) == 1) {
		if (!strncmp(name, "/dev/", 5) && is_part_of(name + 5, index))
			text_add(t, "swap on %s", name);
	}
	fclose(f);
}

static void add_stacked(struct text *t, int index, const char *part)
{
	char path[PATH_MAX];
	struct dirent *d;
	DIR *dir;

	snprintf(path, sizeof(path), "/sys/block/" LOOPLT_NAME "%d/%s%sholders",
		 index, part, *part ? "/" : "");
	dir = opendir(path);
	if (!dir)
		return;
	while ((d = readdir(dir))) {
		if (d->d_name[0] != '.')
			text_add(t, "used by %s", d->d_name);
	}
	closedir(dir);
}

static void add_all_stacked(struct text *t, int index)
{
	char path[64];
	struct dirent *d;
	DIR *dir;

	add_stacked(t, index, "");
	snprintf(path, sizeof(path), "/sys/block/" LOOPLT_NAME "%d", index);
	dir = opendir(path);
	if (!dir)
		return;
	while ((d = readdir(dir))) {
		if (is_part_of(d->d_name, index))
			add_stacked(t, index, d->d_name);
	}
	closedir(dir);
}

static bool has_open(const char *pid, int index)
{
	char path[PATH_MAX];
	struct dirent *d;
	struct stat st;
	bool found = false;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%s/fd", pid);
	dir = opendir(path);
	if (!dir)
		return false;
	while (!found && (d = readdir(dir))) {
		found = !fstatat(dirfd(dir), d->d_name, &st, 0) &&
			S_ISBLK(st.st_mode) &&
			devno_is_part_of(major(st.st_rdev), minor(st.st_rdev),
					 index);
	}
	closedir(dir);
	return found;
}

static void add_process(struct text *t, const char *pid)
{
	char path[64], name[64] = "?";
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%.20s/comm", pid);
	f = fopen(path, "re");
	if (f) {
		if (fscanf(f, "%63[^\n]", name) != 1)
			strcpy(name, "?");
		fclose(f);
	}
	text_add(t, "open in process %s (%s)", pid, name);
}

static void add_processes(struct text *t, int index)
{
	DIR *dir = opendir("/proc");
	struct dirent *d;

	if (!dir)
		return;
	while ((d = readdir(dir))) {
		if (isdigit((unsigned char)d->d_name[0]) &&
		    has_open(d->d_name, index))
			add_process(t, d->d_name);
	}
	closedir(dir);
}

char *holders_describe(int index)
{
	struct text t = { 0 };

	t.out = open_memstream(&t.data, &t.size);
	if (!t.out)
		return NULL;
	each_mount(index, add_mount, &t);
	add_swaps(&t, index);
	add_all_stacked(&t, index);
	add_processes(&t, index);
	fflush(t.out);
	if (!t.size)
		text_add(&t, "open elsewhere (another mount namespace, or the kernel)");
	fclose(t.out);
	return t.data;
}
