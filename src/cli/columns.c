// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt CLI - what a list can show of a disk.
 *
 * losetup's columns, with its names and types, and then ours.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "cli.h"

static void show_devno(struct value *v, unsigned int major_nr, unsigned int minor_nr)
{
	snprintf(v->buf, sizeof(v->buf), "%u:%u", major_nr, minor_nr);
	v->text = v->buf;
}

/* No text at all is no value. */
static void show_text(struct value *v, const char *text)
{
	v->text = text && *text ? text : NULL;
}

#define GET_NUMBER(_name, _number)					\
static void get_##_name(struct value *v, const struct row *r)		\
{									\
	v->number = _number;						\
}

#define GET_TEXT(_name, _text)						\
static void get_##_name(struct value *v, const struct row *r)		\
{									\
	show_text(v, _text);						\
}

static void get_name(struct value *v, const struct row *r)
{
	device_node(v->buf, r->info.index);
	v->text = v->buf;
}

static void get_majmin(struct value *v, const struct row *r)
{
	show_devno(v, r->info.major, r->info.minor);
}

static void get_back_majmin(struct value *v, const struct row *r)
{
	show_devno(v, major(r->info.backing_dev), minor(r->info.backing_dev));
}

GET_NUMBER(autoclear, !!(r->info.flags & LOOPLT_INFO_AUTOCLEAR))
GET_NUMBER(back_ino, r->info.backing_ino)
GET_NUMBER(back_maj, major(r->info.backing_dev))
GET_NUMBER(back_min, minor(r->info.backing_dev))
GET_NUMBER(maj, r->info.major)
GET_NUMBER(min, r->info.minor)
GET_NUMBER(offset, r->info.offset)
GET_NUMBER(partscan, !!(r->info.flags & LOOPLT_INFO_PARTSCAN))
GET_NUMBER(ro, !!(r->info.flags & LOOPLT_INFO_READ_ONLY))
GET_NUMBER(sizelimit, r->info.sizelimit)
GET_NUMBER(dio, r->info.io_mode == LOOPLT_IO_DIRECT)
GET_NUMBER(log_sec, r->info.block_size)
GET_NUMBER(size, r->info.capacity)
GET_NUMBER(exclusive, !!(r->info.flags & LOOPLT_INFO_EXCLUSIVE))
GET_NUMBER(openers, r->info.openers)
GET_NUMBER(diskseq, r->info.diskseq)
GET_TEXT(back_file, r->back_file)
GET_TEXT(ref, r->info.file_name)
GET_TEXT(io_mode, io_mode_name(r->info.io_mode))
GET_TEXT(io_reason, r->info.io_mode_reason)
GET_TEXT(state, state_name(r->info.state))
GET_TEXT(tag, r->info.tag)
GET_TEXT(mountpoints, r->nr_mounts ? r->mounts[0] : NULL)

const struct column columns[] = {
	{ "NAME", COLUMN_TEXT, false, get_name },
	{ "AUTOCLEAR", COLUMN_FLAG, true, get_autoclear },
	{ "BACK-FILE", COLUMN_TEXT, true, get_back_file },
	{ "BACK-INO", COLUMN_NUMBER, true, get_back_ino },
	{ "BACK-MAJ:MIN", COLUMN_TEXT, true, get_back_majmin },
	{ "BACK-MAJ", COLUMN_NUMBER, true, get_back_maj },
	{ "BACK-MIN", COLUMN_NUMBER, true, get_back_min },
	{ "MAJ:MIN", COLUMN_TEXT, false, get_majmin },
	{ "MAJ", COLUMN_NUMBER, false, get_maj },
	{ "MIN", COLUMN_NUMBER, false, get_min },
	{ "OFFSET", COLUMN_NUMBER, true, get_offset },
	{ "PARTSCAN", COLUMN_FLAG, true, get_partscan },
	{ "REF", COLUMN_TEXT, true, get_ref },
	{ "RO", COLUMN_FLAG, true, get_ro },
	{ "SIZELIMIT", COLUMN_NUMBER, true, get_sizelimit },
	{ "DIO", COLUMN_FLAG, true, get_dio },
	{ "LOG-SEC", COLUMN_NUMBER, true, get_log_sec },
	{ "SIZE", COLUMN_NUMBER, true, get_size },
	{ "IO-MODE", COLUMN_TEXT, true, get_io_mode },
	{ "IO-REASON", COLUMN_TEXT, true, get_io_reason },
	{ "STATE", COLUMN_TEXT, false, get_state },
	{ "TAG", COLUMN_TEXT, true, get_tag },
	{ "EXCLUSIVE", COLUMN_FLAG, true, get_exclusive },
	{ "OPENERS", COLUMN_NUMBER, false, get_openers },
	{ "DISKSEQ", COLUMN_NUMBER, true, get_diskseq },
	{ "MOUNTPOINTS", COLUMN_LIST, true, get_mountpoints },
};

const size_t nr_columns = sizeof(columns) / sizeof(*columns);

static void add_mount(void *data, const char *dir)
{
	struct row *r = data;

	r->mounts = need_memory(realloc(r->mounts, (r->nr_mounts + 1) * sizeof(*r->mounts)));
	r->mounts[r->nr_mounts++] = need_memory(strdup(dir));
}

bool row_fill(struct row *r, int control, int index)
{
	memset(r, 0, sizeof(*r));
	if (!disk_info(control, index, &r->info))
		return false;
	r->asked = control >= 0;
	r->back_file = device_attr(index, "loop/backing_file");
	mounts_each(index, 0, add_mount, r);
	return true;
}

void row_free(struct row *r)
{
	free(r->back_file);
	for (size_t i = 0; i < r->nr_mounts; i++)
		free(r->mounts[i]);
	free(r->mounts);
}

bool row_value(const struct row *r, const struct column *c, struct value *v)
{
	v->text = NULL;
	v->number = 0;
	if (c->bound && !r->info.state)
		return false;
	/* Not to be had from sysfs. */
	if (!r->asked && (c->get == get_openers || c->get == get_ref))
		return false;
	c->get(v, r);
	return v->text || c->type == COLUMN_NUMBER || c->type == COLUMN_FLAG;
}
