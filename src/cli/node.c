// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt CLI - nodes in /dev.
 *
 * devtmpfs has a node as soon as there is a disk.  The /dev of a container is
 * something else, and knows nothing of disks that came later.
 */
#include <errno.h>
#include <grp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "cli.h"

/* Not getgrnam(): a static program can't ask name services. */
static char *find_group(const char *name, gid_t *gid)
{
	char path[PATH_MAX];
	char *found = NULL;
	struct group *g;
	FILE *f;

	f = fopen(path_of(path, "/etc/group"), "re");
	if (!f)
		return NULL;
	while (!found && (g = fgetgrent(f))) {
		if (name ? !strcmp(g->gr_name, name) : g->gr_gid == *gid) {
			found = need_memory(strdup(g->gr_name));
			*gid = g->gr_gid;
		}
	}
	fclose(f);
	return found;
}

char *node_group_name(gid_t gid)
{
	return find_group(NULL, &gid);
}

/* As devtmpfs and udev do: 0660, root and group disk. */
static int make_node(const char *path, dev_t devno)
{
	const mode_t mask = umask(0);
	const int err = mknod(path, S_IFBLK | 0660, devno);
	gid_t disk = 0;

	umask(mask);
	if (err)
		return -1;
	free(find_group("disk", &disk));
	/* Without the right to give it away, it stays our own. */
	if (chown(path, 0, disk))
		return chmod(path, 0600);
	return 0;
}

int node_ensure(const char *node, unsigned int major_nr, unsigned int minor_nr)
{
	const dev_t devno = makedev(major_nr, minor_nr);
	char path[PATH_MAX];
	struct stat st;

	path_of(path, "%s", node);
	if (stat(path, &st)) {
		if (!make_node(path, devno)) {
			message("%s was missing: made it (block %u:%u)", node, major_nr,
				minor_nr);
			return CLI_DONE;
		}
		return refuse("%s (block %u:%u) is missing here, and cannot be made: %s",
			      node, major_nr, minor_nr, strerror(errno));
	}
	if (S_ISBLK(st.st_mode) && st.st_rdev == devno)
		return CLI_DONE;
	return refuse("%s is something else than block %u:%u: remove it",
		      node, major_nr, minor_nr);
}
