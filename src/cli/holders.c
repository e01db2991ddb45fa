// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt CLI - who has a disk open.
 *
 * The kernel counts openers; names are known to /proc and sysfs only: mounts,
 * here and in other mount namespaces, swap, disks stacked on top, processes.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "cli.h"

struct holders {
	int index;
	FILE *out;
	bool any;
	bool mounted_here;
	int pid;		/* whose mounts are looked at; 0: ours */
	ino_t *seen;		/* mount namespaces */
	size_t nr_seen;
};

static void add(struct holders *h, const char *format, ...) PRINTF_LIKE(2, 3);

static void add(struct holders *h, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = text_format(format, args);
	va_end(args);
	fprintf(h->out, "%s%s", h->any ? "; " : "", text);
	h->any = true;
	free(text);
}

static char *process_name(int pid)
{
	char path[PATH_MAX];
	char *name = path_read(path_of(path, "/proc/%d/comm", pid));

	return name ? name : need_memory(strdup("?"));
}

static void add_mount(void *data, const char *dir)
{
	struct holders *h = data;
	char *name;

	if (!h->pid) {
		add(h, "mounted on %s", dir);
		return;
	}
	name = process_name(h->pid);
	add(h, "mounted on %s for pid %d (%s)", dir, h->pid, name);
	free(name);
}

static void add_swaps(struct holders *h)
{
	char path[PATH_MAX], name[PATH_MAX];
	FILE *f;

	f = fopen(path_of(path, "/proc/swaps"), "re");
	if (!f)
		return;
	while (fgets(name, sizeof(name), f)) {
		name[strcspn(name, " \t\n")] = '\0';
		if (!strncmp(name, "/dev/", 5) && device_includes(h->index, name + 5))
			add(h, "swap on %s", name);
	}
	fclose(f);
}

/* Disks made by device mapper, md, bcache. */
static void add_stacked(struct holders *h, const char *part)
{
	char path[PATH_MAX];
	struct dirent *d;
	DIR *dir;

	dir = opendir(path_of(path, "/sys/block/%s/%s/holders", device_name(h->index), part));
	if (!dir)
		return;
	while ((d = readdir(dir))) {
		if (d->d_name[0] != '.')
			add(h, "used by %s", d->d_name);
	}
	closedir(dir);
}

static void add_all_stacked(struct holders *h)
{
	struct dirent **parts;
	int n = device_partitions(h->index, &parts);

	add_stacked(h, ".");
	for (int i = 0; i < n; i++) {
		add_stacked(h, parts[i]->d_name);
		free(parts[i]);
	}
	if (n >= 0)
		free(parts);
}

/* Loop devices, the stock driver's and ours, have no entry in holders/. */
static void add_loops(struct holders *h)
{
	char path[PATH_MAX];
	struct dirent *d;
	char *file;
	DIR *dir;

	dir = opendir(path_of(path, "/sys/block"));
	if (!dir)
		return;
	while ((d = readdir(dir))) {
		if (strncmp(d->d_name, "loop", 4) != 0)
			continue;
		file = path_read(path_of(path, "/sys/block/%s/loop/backing_file", d->d_name));
		if (file && !strncmp(file, "/dev/", 5) && device_includes(h->index, file + 5))
			add(h, "used by %s", d->d_name);
		free(file);
	}
	closedir(dir);
}

static bool has_open(int index, int pid)
{
	char path[PATH_MAX];
	struct dirent *d;
	struct stat st;
	bool found = false;
	DIR *dir;

	dir = opendir(path_of(path, "/proc/%d/fd", pid));
	if (!dir)
		return false;
	while (!found && (d = readdir(dir))) {
		found = !fstatat(dirfd(dir), d->d_name, &st, 0) &&
			S_ISBLK(st.st_mode) &&
			device_includes_devno(index, major(st.st_rdev), minor(st.st_rdev));
	}
	closedir(dir);
	return found;
}

/* True once for each mount namespace. */
static bool is_new_namespace(struct holders *h, const char *pid)
{
	char path[PATH_MAX];
	struct stat st;

	if (stat(path_of(path, "/proc/%s/ns/mnt", pid), &st))
		return false;
	for (size_t i = 0; i < h->nr_seen; i++) {
		if (h->seen[i] == st.st_ino)
			return false;
	}
	h->seen = need_memory(realloc(h->seen, (h->nr_seen + 1) * sizeof(*h->seen)));
	h->seen[h->nr_seen++] = st.st_ino;
	return true;
}

static void add_process(struct holders *h, const char *dir)
{
	const int pid = (int)strtol(dir, NULL, 10);
	char *name;

	/* Ours, once unmounted, go from the namespaces that copied them. */
	if (!h->mounted_here && is_new_namespace(h, dir)) {
		h->pid = pid;
		mounts_each(h->index, pid, add_mount, h);
	}
	if (!has_open(h->index, pid))
		return;
	name = process_name(pid);
	add(h, "pid %d (%s)", pid, name);
	free(name);
}

static void add_processes(struct holders *h)
{
	char path[PATH_MAX];
	struct dirent *d;
	DIR *dir;

	dir = opendir(path_of(path, "/proc"));
	if (!dir)
		return;
	while ((d = readdir(dir))) {
		if (isdigit((unsigned char)d->d_name[0]))
			add_process(h, d->d_name);
	}
	closedir(dir);
}

char *holders_describe(int index)
{
	struct holders h = { .index = index };
	char *text = NULL;
	size_t size;

	h.out = need_memory(open_memstream(&text, &size));
	is_new_namespace(&h, "self");
	mounts_each(index, 0, add_mount, &h);
	h.mounted_here = h.any;
	add_swaps(&h);
	add_all_stacked(&h);
	add_loops(&h);
	add_processes(&h);
	if (!h.any)
		add(&h, geteuid() ? "somebody (root can see who)" : "the kernel");
	fclose(h.out);
	free(h.seen);
	return need_memory(text);
}
