// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt attach - bind a file to a disk, in one call.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "cli.h"

enum { OPT_SIZELIMIT = 256, OPT_IO, OPT_DIRECT, OPT_AUTOCLEAR, OPT_EXCLUSIVE,
       OPT_SHARED, OPT_TAG, OPT_REF, OPT_KEEP, OPT_JSON };

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

struct request {
	struct looplt_attach a;
	const char *ref;
	bool json;
};

static int set_direct(struct looplt_attach *a, const char *value)
{
	if (!value || !strcmp(value, "on"))
		a->io_mode = LOOPLT_IO_DIRECT;
	else if (!strcmp(value, "off"))
		a->io_mode = LOOPLT_IO_BUFFERED;
	else
		return usage_error("--direct-io takes on or off, not '%s'", value);
	return CLI_DONE;
}

static int set_text(char *to, const char *option, const char *value)
{
	if (strlen(value) >= LOOPLT_NAME_SIZE)
		return usage_error("%s takes at most %d bytes", option,
				   LOOPLT_NAME_SIZE - 1);
	strcpy(to, value);
	return CLI_DONE;
}

static int set_bytes(__u64 *to, const char *option, const char *value)
{
	uint64_t bytes;

	if (!parse_size(value, &bytes))
		return usage_error("%s takes a size, not '%s'", option, value);
	*to = bytes;
	return CLI_DONE;
}

static int set_number(const char *option, const char *value, unsigned long max,
		      unsigned long *number)
{
	if (!parse_number(value, max, number))
		return usage_error("%s takes a number, not '%s'", option, value);
	return CLI_DONE;
}

static int parse_option(struct request *r, int opt, const char *value)
{
	struct looplt_attach *a = &r->a;
	unsigned long number = 0;
	int err = CLI_DONE;

	switch (opt) {
	case 'o':
		return set_bytes(&a->offset, "--offset", value);
	case OPT_SIZELIMIT:
		return set_bytes(&a->sizelimit, "--sizelimit", value);
	case 'b':
		err = set_number("--sector-size", value, UINT_MAX, &number);
		a->block_size = (__u32)number;
		return err;
	case 'n':
		err = set_number("--index", value, INT_MAX, &number);
		a->index = (__s32)number;
		return err;
	case 'P':
		a->flags |= LOOPLT_ATTACH_PARTSCAN;
		break;
	case 'r':
		a->flags |= LOOPLT_ATTACH_READ_ONLY;
		break;
	case OPT_IO:
		if (!io_mode_parse(value, &a->io_mode))
			return usage_error("--io takes auto, direct, buffered or uncached, not '%s'",
					   value);
		break;
	case OPT_DIRECT:
		return set_direct(a, value);
	case OPT_AUTOCLEAR:
		a->flags |= LOOPLT_ATTACH_AUTOCLEAR;
		break;
	case OPT_EXCLUSIVE:
		a->flags |= LOOPLT_ATTACH_EXCLUSIVE;
		break;
	case OPT_SHARED:
		a->flags |= LOOPLT_ATTACH_SHARED;
		break;
	case OPT_TAG:
		return set_text(a->tag, "--tag", value);
	case OPT_REF:
		r->ref = value;
		return set_text(a->file_name, "--loop-ref", value);
	case OPT_KEEP:
		a->flags &= ~LOOPLT_ATTACH_REMOVE;
		break;
	case OPT_JSON:
		r->json = true;
		break;
	default:
		return CLI_USAGE;
	}
	return CLI_DONE;
}

/* Falls back to reading where writing is not allowed, and says so. */
static int open_file(struct looplt_attach *a, const char *path)
{
	int fd = -1;

	if (!(a->flags & LOOPLT_ATTACH_READ_ONLY)) {
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0 && errno != EROFS && errno != EACCES &&
		    errno != EPERM)
			return fd;
		if (fd < 0) {
			message("%s: %s, attaching read-only", path,
				strerror(errno));
			a->flags |= LOOPLT_ATTACH_READ_ONLY;
		}
	}
	return fd < 0 ? open(path, O_RDONLY | O_CLOEXEC) : fd;
}

/* The disk that has the file already, or -1. */
static int find_user(int control, int fd)
{
	struct looplt_info info;
	int i, n, *all, user = -1;
	struct stat st;

	if (fstat(fd, &st))
		return -1;
	n = device_all(&all);
	for (i = 0; i < n && user < 0; i++) {
		if (!control_info(control, all[i], &info) && info.state &&
		    info.backing_ino == st.st_ino &&
		    info.backing_dev == st.st_dev)
			user = all[i];
	}
	free(all);
	return user;
}

static int explain(const struct request *r, int control, const char *path)
{
	const int err = errno;
	int user;

	switch (err) {
	case EBUSY:
		user = find_user(control, r->a.fd);
		if (user < 0)
			return refuse("%s: busy", path);
		return refuse("%s: busy: attached as looplt%d; detach that, or attach both with --shared",
			      path, user);
	case EEXIST:
		return refuse("looplt%d: in use", r->a.index);
	case ETXTBSY:
		return refuse("%s: it is swap space, or being executed", path);
	case EOVERFLOW:
		return refuse("%s: offset or sizelimit too large", path);
	case ENOSPC:
		return refuse("%s: no disk number is left", path);
	case EINVAL:
		if (r->a.io_mode == LOOPLT_IO_DIRECT)
			return refuse("%s: not a file or disk that takes direct I/O with these options; --io auto takes what there is",
				      path);
		return refuse("%s: not a regular file or block device, or a sector size that is not a power of two from 512 to the page size",
			      path);
	default:
		return refuse("%s: %s", path, strerror(err));
	}
}

/* devtmpfs makes the node; a container may have another /dev. */
static int check_node(const struct looplt_attach *a, const char *node)
{
	const dev_t devno = makedev(a->major, a->minor);
	struct stat st;

	if (!stat(node, &st) && S_ISBLK(st.st_mode) && st.st_rdev == devno)
		return CLI_DONE;
	if (!mknod(node, S_IFBLK | 0660, devno)) {
		message("%s was missing: made it (%u:%u)", node, a->major,
			a->minor);
		return CLI_DONE;
	}
	return refuse("attached, but %s is missing; make it: mknod %s b %u %u",
		      node, node, a->major, a->minor);
}

static void print_result(const struct request *r, const char *node)
{
	struct json j = { .out = stdout };
	char devno[32];

	if (!r->json) {
		puts(node);
		return;
	}
	snprintf(devno, sizeof(devno), "%u:%u", r->a.major, r->a.minor);
	json_open(&j, NULL, '{');
	json_string(&j, "name", node);
	json_number(&j, "index", (uint64_t)r->a.index);
	json_string(&j, "maj:min", devno);
	json_number(&j, "diskseq", r->a.diskseq);
	json_string(&j, "io-mode", io_mode_name(r->a.io_mode));
	json_bool(&j, "ro", r->a.flags & LOOPLT_ATTACH_READ_ONLY);
	json_close(&j, '}');
}

static int attach(struct request *r, const char *path)
{
	char node[DEVICE_PATH_SIZE];
	char *real;
	int control, err;

	r->a.fd = open_file(&r->a, path);
	if (r->a.fd < 0)
		return refuse("%s: %s", path, strerror(errno));
	if (!r->ref) {
		real = realpath(path, NULL);
		snprintf(r->a.file_name, sizeof(r->a.file_name), "%s",
			 real ? real : path);
		free(real);
	}
	control = control_open();
	if (control < 0) {
		close(r->a.fd);
		return CLI_REFUSED;
	}
	if (ioctl(control, LOOPLT_CTL_ATTACH, &r->a)) {
		err = explain(r, control, path);
	} else {
		device_path(node, r->a.index);
		err = check_node(&r->a, node);
		print_result(r, node);
	}
	close(control);
	close(r->a.fd);
	return err;
}

int cmd_attach(int argc, char **argv)
{
	struct request r = {
		.a = {
			.size = sizeof(r.a),
			.index = -1,
			.flags = LOOPLT_ATTACH_REMOVE,
		},
	};
	int opt, err;

	while ((opt = getopt_long(argc, argv, "o:b:n:Pr", options, NULL)) != -1) {
		err = parse_option(&r, opt, optarg);
		if (err)
			return err;
	}
	if (optind != argc - 1)
		return usage_error("attach takes one file");
	return attach(&r, argv[optind]);
}
