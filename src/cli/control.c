// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt CLI - the control node.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>

#include "cli.h"

int control_open(void)
{
	char path[PATH_MAX];

	return open(path_of(path, "/dev/" LOOPLT_CONTROL), O_RDWR | O_CLOEXEC);
}

int control_need(void)
{
	int fd = control_open();

	/* No node, or one that a module left behind. */
	if (fd < 0 && (errno == ENOENT || errno == ENODEV || errno == ENXIO)) {
		module_load();
		fd = control_open();
	}
	if (fd < 0)
		module_explain(errno);
	return fd;
}

int control_attach(int control, struct looplt_attach *a)
{
	a->size = sizeof(*a);
	return ioctl(control, LOOPLT_CTL_ATTACH, a);
}

int control_info(int control, int index, struct looplt_info *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	info->index = index;
	return ioctl(control, LOOPLT_CTL_INFO, info);
}

int control_detach(int control, struct looplt_detach *d)
{
	d->size = sizeof(*d);
	return ioctl(control, LOOPLT_CTL_DETACH, d);
}
