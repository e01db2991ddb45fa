// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt CLI - where a disk is mounted.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "cli.h"

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

static bool is_source(int index, const char *source)
{
	struct stat st;

	if (!strncmp(source, "/dev/", 5) && device_includes(index, source + 5))
		return true;
	return *source == '/' && !stat(source, &st) && S_ISBLK(st.st_mode) &&
	       device_includes_devno(index, major(st.st_rdev), minor(st.st_rdev));
}

/* "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw" */
static bool parse_mount(char *line, int index, char **dir)
{
	char *field[5], *source, *rest = line;
	unsigned int major_nr, minor_nr;

	source = strstr(line, " - ");
	if (!source)
		return false;
	*source = '\0';
	source += 3;
	for (int i = 0; i < 5; i++) {
		field[i] = strsep(&rest, " ");
		if (!field[i])
			return false;
	}
	*dir = field[4];
	unescape(*dir);

	if (!parse_devno(field[2], &major_nr, &minor_nr))
		return false;
	/* btrfs has a device number of its own; the source names the disk. */
	if (major_nr)
		return device_includes_devno(index, major_nr, minor_nr);
	strsep(&source, " ");
	source = strsep(&source, " ");
	if (!source)
		return false;
	unescape(source);
	return is_source(index, source);
}

void mounts_each(int index, int pid, void (*found)(void *data, const char *dir),
		 void *data)
{
	char path[PATH_MAX];
	char *line = NULL, *dir;
	size_t space = 0;
	FILE *f;

	if (pid)
		path_of(path, "/proc/%d/mountinfo", pid);
	else
		path_of(path, "/proc/self/mountinfo");
	f = fopen(path, "re");
	if (!f)
		return;
	while (getline(&line, &space, f) > 0) {
		if (parse_mount(line, index, &dir))
			found(data, dir);
	}
	free(line);
	fclose(f);
}
