// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt CLI - the control node.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>

#include "cli.h"

#define CONTROL_PATH "/dev/" LOOPLT_CONTROL

int control_open(void)
{
	int fd = open(CONTROL_PATH, O_RDWR | O_CLOEXEC);

	/* No node, or one that a module left behind. */
	if (fd < 0 && (errno == ENOENT || errno == ENODEV || errno == ENXIO) &&
	    !module_load())
		fd = open(CONTROL_PATH, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		module_explain(errno);
	return fd;
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
