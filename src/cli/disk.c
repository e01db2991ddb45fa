// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt CLI - what there is to know about a disk.
 *
 * The kernel tells those who may open the control node.  Everybody else gets
 * from sysfs what it shows: all but the number of openers and the free text.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "cli.h"

static const char * const io_modes[] = {
	[LOOPLT_IO_AUTO]	= "auto",
	[LOOPLT_IO_DIRECT]	= "direct",
	[LOOPLT_IO_BUFFERED]	= "buffered",
	[LOOPLT_IO_UNCACHED]	= "uncached",
};

static const char * const states[] = {
	[LOOPLT_STATE_UNBOUND]		= "unbound",
	[LOOPLT_STATE_BOUND]		= "bound",
	[LOOPLT_STATE_DETACHING]	= "detaching",
};

static const char *name_of(const char * const *names, size_t n, unsigned int i)
{
	return i < n ? names[i] : "unknown";
}

static bool find_name(const char * const *names, size_t n, const char *name,
		      unsigned int *number)
{
	for (unsigned int i = 0; i < n; i++) {
		if (!strcmp(name, names[i])) {
			*number = i;
			return true;
		}
	}
	return false;
}

#define NR(_names) (sizeof(_names) / sizeof(*(_names)))

const char *io_mode_name(unsigned int mode)
{
	return name_of(io_modes, NR(io_modes), mode);
}

bool io_mode_parse(const char *name, unsigned int *mode)
{
	return find_name(io_modes, NR(io_modes), name, mode);
}

const char *state_name(unsigned int state)
{
	return name_of(states, NR(states), state);
}

static uint64_t read_number(int index, const char *attr)
{
	char *text = device_attr(index, attr);
	uint64_t number = text ? strtoull(text, NULL, 10) : 0;

	free(text);
	return number;
}

static dev_t read_devno(int index, const char *attr)
{
	char *text = device_attr(index, attr);
	unsigned int major_nr, minor_nr;
	dev_t devno = 0;

	if (text && parse_devno(text, &major_nr, &minor_nr))
		devno = makedev(major_nr, minor_nr);
	free(text);
	return devno;
}

static void read_text(char *to, size_t size, int index, const char *attr)
{
	char *text = device_attr(index, attr);

	snprintf(to, size, "%s", text ? text : "");
	free(text);
}

static void read_bound(int index, struct looplt_info *info)
{
	char mode[LOOPLT_NAME_SIZE];

	info->block_size = (__u32)read_number(index, "queue/logical_block_size");
	info->offset = read_number(index, "loop/offset");
	info->sizelimit = read_number(index, "loop/sizelimit");
	info->capacity = read_number(index, "size") * 512;
	info->diskseq = read_number(index, "diskseq");
	info->backing_dev = read_devno(index, "looplt/backing_dev");
	info->backing_ino = read_number(index, "looplt/backing_ino");
	if (read_number(index, "ro"))
		info->flags |= LOOPLT_INFO_READ_ONLY;
	if (read_number(index, "loop/autoclear"))
		info->flags |= LOOPLT_INFO_AUTOCLEAR;
	if (read_number(index, "loop/partscan"))
		info->flags |= LOOPLT_INFO_PARTSCAN;
	if (read_number(index, "looplt/exclusive"))
		info->flags |= LOOPLT_INFO_EXCLUSIVE;

	read_text(mode, sizeof(mode), index, "looplt/io_mode");
	find_name(io_modes, NR(io_modes), mode, &info->io_mode);
	read_text(info->io_mode_reason, sizeof(info->io_mode_reason), index,
		  "looplt/io_mode_reason");
	read_text(info->tag, sizeof(info->tag), index, "looplt/tag");
}

static bool read_info(int index, struct looplt_info *info)
{
	char state[LOOPLT_NAME_SIZE];
	const dev_t devno = read_devno(index, "dev");

	memset(info, 0, sizeof(*info));
	info->index = index;
	info->major = major(devno);
	info->minor = minor(devno);
	read_text(state, sizeof(state), index, "looplt/state");
	find_name(states, NR(states), state, &info->state);
	if (info->state)
		read_bound(index, info);
	return device_exists(index);
}

bool disk_info(int control, int index, struct looplt_info *info)
{
	if (control >= 0 && !control_info(control, index, info))
		return true;
	/* An old module does not know the call. */
	if (control >= 0 && errno == ENODEV)
		return false;
	return read_info(index, info);
}

/* A block device is one and the same in every /dev, its node is not. */
static bool is_same_device(int index, const struct stat *st)
{
	char *file = device_attr(index, "loop/backing_file");
	struct stat backing;
	bool same;

	same = file && !stat(file, &backing) && S_ISBLK(backing.st_mode) &&
	       backing.st_rdev == st->st_rdev;
	free(file);
	return same;
}

bool disk_uses(const struct looplt_info *info, const struct stat *st)
{
	if (!info->state)
		return false;
	if (info->backing_ino == st->st_ino && info->backing_dev == st->st_dev)
		return true;
	return S_ISBLK(st->st_mode) && is_same_device(info->index, st);
}
