// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt attach - bind a file to a disk, in one call.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

enum {
	OPT_SIZELIMIT = 256, OPT_IO, OPT_DIRECT, OPT_AUTOCLEAR, OPT_EXCLUSIVE,
	OPT_SHARED, OPT_TAG, OPT_REF, OPT_KEEP, OPT_JSON,
};

static const struct option options[] = {
	{ "offset", required_argument, NULL, 'o' },
	{ "sizelimit", required_argument, NULL, OPT_SIZELIMIT },
	{ "sector-size", required_argument, NULL, 'b' },
	{ "partscan", no_argument, NULL, 'P' },
	{ "read-only", no_argument, NULL, 'r' },
	{ "index", required_argument, NULL, 'n' },
	{ "io", required_argument, NULL, OPT_IO },
	{ "direct-io", optional_argument, NULL, OPT_DIRECT },
	{ "autoclear", no_argument, NULL, OPT_AUTOCLEAR },
	{ "exclusive", no_argument, NULL, OPT_EXCLUSIVE },
	{ "shared", no_argument, NULL, OPT_SHARED },
	{ "tag", required_argument, NULL, OPT_TAG },
	{ "loop-ref", required_argument, NULL, OPT_REF },
	{ "keep", no_argument, NULL, OPT_KEEP },
	{ "json", no_argument, NULL, OPT_JSON },
	{ NULL, 0, NULL, 0 },
};

static int set_io(struct looplt_attach *a, const char *value)
{
	if (io_mode_parse(value, &a->io_mode))
		return CLI_DONE;
	return usage_error("--io is auto, direct, buffered or uncached, not '%s'", value);
}

static int set_direct(struct looplt_attach *a, const char *value)
{
	if (!value || !strcmp(value, "on"))
		a->io_mode = LOOPLT_IO_DIRECT;
	else if (!strcmp(value, "off"))
		a->io_mode = LOOPLT_IO_BUFFERED;
	else
		return usage_error("--direct-io is on or off, not '%s'", value);
	return CLI_DONE;
}

static int set_text(char *to, const char *option, const char *value)
{
	if (strlen(value) >= LOOPLT_NAME_SIZE)
		return usage_error("%s: at most %d bytes", option, LOOPLT_NAME_SIZE - 1);
	memcpy(to, value, strlen(value) + 1);
	return CLI_DONE;
}

static int set_bytes(__u64 *to, const char *option, const char *value)
{
	uint64_t bytes;

	if (!parse_size(value, &bytes))
		return usage_error("%s: '%s' is not a size", option, value);
	*to = bytes;
	return CLI_DONE;
}

static int set_sector(__u32 *to, const char *value)
{
	uint64_t bytes;

	if (!parse_size(value, &bytes) || !bytes || bytes > UINT_MAX)
		return usage_error("--sector-size: '%s' is not a size of a sector", value);
	*to = (__u32)bytes;
	return CLI_DONE;
}

static int set_index(__s32 *to, const char *value)
{
	int index;

	if (!device_parse(value, &index))
		return usage_error("--index: '%s' is not the number of a disk", value);
	*to = index;
	return CLI_DONE;
}

static int set_option(struct attach *r, int opt, const char *value)
{
	struct looplt_attach *a = &r->a;

	switch (opt) {
	case 'o':
		return set_bytes(&a->offset, "--offset", value);
	case OPT_SIZELIMIT:
		return set_bytes(&a->sizelimit, "--sizelimit", value);
	case 'b':
		return set_sector(&a->block_size, value);
	case 'n':
		return set_index(&a->index, value);
	case OPT_IO:
		return set_io(a, value);
	case OPT_DIRECT:
		return set_direct(a, value);
	case OPT_TAG:
		return set_text(a->tag, "--tag", value);
	case OPT_REF:
		r->ref = true;
		return set_text(a->file_name, "--loop-ref", value);
	case OPT_KEEP:
		a->flags &= ~LOOPLT_ATTACH_REMOVE;
		return CLI_DONE;
	case OPT_JSON:
		r->json = true;
		return CLI_DONE;
	case 'P':
		a->flags |= LOOPLT_ATTACH_PARTSCAN;
		return CLI_DONE;
	case 'r':
		a->flags |= LOOPLT_ATTACH_READ_ONLY;
		return CLI_DONE;
	case OPT_AUTOCLEAR:
		a->flags |= LOOPLT_ATTACH_AUTOCLEAR;
		return CLI_DONE;
	case OPT_EXCLUSIVE:
		a->flags |= LOOPLT_ATTACH_EXCLUSIVE;
		return CLI_DONE;
	case OPT_SHARED:
		a->flags |= LOOPLT_ATTACH_SHARED;
		return CLI_DONE;
	default:
		return CLI_USAGE;
	}
}

int attach_option(struct attach *r, const char *name, const char *value)
{
	for (const struct option *o = options; o->name; o++) {
		if (strcmp(name, o->name) != 0)
			continue;
		if (value ? o->has_arg == no_argument : o->has_arg == required_argument)
			return usage_error("%s: %s", name, value ? "takes no value" :
					   "a value is missing");
		return set_option(r, o->val, value);
	}
	return usage_error("unknown option '%s'", name);
}

/* Falls back to reading where writing is not allowed, and says so. */
static int open_file(struct looplt_attach *a, const char *path)
{
	int fd;

	if (a->flags & LOOPLT_ATTACH_READ_ONLY)
		return open(path, O_RDONLY | O_CLOEXEC);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd >= 0 || (errno != EROFS && errno != EACCES && errno != EPERM))
		return fd;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		message("%s: not writable, attaching read-only", path);
		a->flags |= LOOPLT_ATTACH_READ_ONLY;
	}
	return fd;
}

/* As losetup: the whole path, or as much of it as there is room for. */
static void name_file(struct looplt_attach *a, const char *path)
{
	char *real = realpath(path, NULL);

	snprintf(a->file_name, sizeof(a->file_name), "%s", real ? real : path);
	free(real);
}

static void warn_of_size(const struct looplt_attach *a, const char *path)
{
	uint64_t bytes;
	struct stat st;

	if (fstat(a->fd, &st) || !S_ISREG(st.st_mode) || !a->block_size)
		return;
	bytes = (uint64_t)st.st_size > a->offset ? (uint64_t)st.st_size - a->offset : 0;
	if (a->sizelimit && a->sizelimit < bytes)
		bytes = a->sizelimit;
	if (bytes < a->block_size)
		message("%s: not one whole sector at offset %llu: the disk is empty",
			path, (unsigned long long)a->offset);
	else if (bytes % a->block_size)
		message("%s: the last %llu bytes are no whole sector, and are not shown",
			path, (unsigned long long)(bytes % a->block_size));
}

static void print_json(const struct looplt_attach *a, const char *node)
{
	struct json j = { .out = stdout };
	char devno[32];

	snprintf(devno, sizeof(devno), "%u:%u", a->major, a->minor);
	json_open(&j, NULL, '{');
	json_string(&j, "name", node);
	json_number(&j, "index", (uint64_t)a->index);
	json_string(&j, "maj:min", devno);
	json_number(&j, "diskseq", a->diskseq);
	json_string(&j, "io-mode", io_mode_name(a->io_mode));
	json_bool(&j, "ro", a->flags & LOOPLT_ATTACH_READ_ONLY);
	json_number(&j, "log-sec", a->block_size);
	json_close(&j, '}');
}

/* What was refused leaves nothing behind. */
static int undo(const struct looplt_attach *a, int control)
{
	struct looplt_detach d = { .index = a->index, .diskseq = a->diskseq };

	control_detach(control, &d);
	return CLI_REFUSED;
}

int attach_open(struct attach *r, const char *path)
{
	r->a.fd = open_file(&r->a, path);
	if (r->a.fd < 0)
		return refuse("%s: %s", path, strerror(errno));
	if (!r->ref)
		name_file(&r->a, path);
	return CLI_DONE;
}

int attach_bind(struct attach *r, int control, const char *path)
{
	char node[DEVICE_NODE_SIZE];

	if (control_attach(control, &r->a))
		return explain_attach(errno, &r->a, control, path);
	device_node(node, r->a.index);
	if (node_ensure(node, r->a.major, r->a.minor))
		return undo(&r->a, control);
	warn_of_size(&r->a, path);
	return CLI_DONE;
}

static int attach_and_print(struct attach *r, int control, const char *path)
{
	char node[DEVICE_NODE_SIZE];
	const int err = attach_bind(r, control, path);

	if (err)
		return err;
	device_node(node, r->a.index);
	if (r->json)
		print_json(&r->a, node);
	else
		puts(node);
	return CLI_DONE;
}

static int open_and_attach(struct attach *r, const char *path)
{
	int control, err;

	err = attach_open(r, path);
	if (err)
		return err;
	control = control_need();
	if (control >= 0) {
		err = attach_and_print(r, control, path);
		close(control);
	}
	close(r->a.fd);
	return control < 0 ? CLI_REFUSED : err;
}

int cmd_attach(int argc, char **argv)
{
	const unsigned int both = LOOPLT_ATTACH_EXCLUSIVE | LOOPLT_ATTACH_SHARED;
	struct attach r = { .a = { .index = -1, .flags = LOOPLT_ATTACH_REMOVE } };
	int opt, err;

	while ((opt = getopt_long(argc, argv, "o:b:n:Pr", options, NULL)) != -1) {
		err = set_option(&r, opt, optarg);
		if (err)
			return err;
	}
	if ((r.a.flags & both) == both)
		return usage_error("--exclusive and --shared exclude each other");
	if (optind != argc - 1)
		return usage_error("attach takes one file");
	return open_and_attach(&r, argv[optind]);
}
