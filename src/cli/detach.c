// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt detach - unbind, and say truly what became of it.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

static const struct option options[] = {
	{ "wait", optional_argument, NULL, 'w' },
	{ "all", no_argument, NULL, 'a' },
	{ NULL, 0, NULL, 0 },
};

struct request {
	int control;
	bool wait;
	unsigned int timeout_ms;	/* 0: for ever */
};

static int report_holders(int index, const char *what, int status)
{
	char *holders = holders_describe(index);

	message("looplt%d: %s: %s", index, what, holders ? holders : "in use");
	free(holders);
	return status;
}

static int detach_one(const struct request *r, int index)
{
	struct looplt_detach d = {
		.index = index,
		.flags = r->wait ? LOOPLT_DETACH_WAIT : 0,
		.timeout_ms = r->timeout_ms,
	};

	if (!control_detach(r->control, &d)) {
		if (d.result == LOOPLT_DETACH_DONE)
			return CLI_DONE;
		return report_holders(index, "detach deferred", CLI_DONE);
	}
	switch (errno) {
	case ENODEV:
	case ENXIO:
		message("looplt%d: already detached", index);
		return CLI_DONE;
	case ETIMEDOUT:
		return report_holders(index, "still in use", CLI_REFUSED);
	default:
		return refuse("looplt%d: cannot detach: %s", index,
			      strerror(errno));
	}
}

static bool uses_file(const struct looplt_info *info, const struct stat *st)
{
	return !st || (info->backing_ino == st->st_ino &&
		       info->backing_dev == st->st_dev);
}

/* All attachments of a file; with st NULL, all there are. */
static int detach_matching(const struct request *r, const struct stat *st,
			   const char *path)
{
	struct looplt_info info;
	int i, n, *all, found = 0, err = CLI_DONE;

	n = device_all(&all);
	for (i = 0; i < n; i++) {
		if (control_info(r->control, all[i], &info) || !info.state ||
		    !uses_file(&info, st))
			continue;
		found++;
		if (detach_one(r, all[i]))
			err = CLI_REFUSED;
	}
	free(all);
	if (!found && path)
		message("%s: already detached", path);
	return err;
}

static int detach_operand(const struct request *r, const char *operand)
{
	struct stat st;
	int index;

	if (device_parse(operand, &index))
		return detach_one(r, index);
	if (stat(operand, &st))
		return refuse("%s: %s", operand, strerror(errno));
	return detach_matching(r, &st, operand);
}

static bool parse_wait(struct request *r, const char *value)
{
	unsigned long seconds = 0;

	if (value && !parse_number(value, UINT_MAX / 1000, &seconds))
		return false;
	r->wait = true;
	r->timeout_ms = (unsigned int)seconds * 1000;
	return true;
}

int cmd_detach(int argc, char **argv)
{
	struct request r = { 0 };
	int opt, err = CLI_DONE;
	bool all = false;

	while ((opt = getopt_long(argc, argv, "a", options, NULL)) != -1) {
		if (opt == 'a')
			all = true;
		else if (opt != 'w')
			return CLI_USAGE;
		else if (!parse_wait(&r, optarg))
			return usage_error("--wait takes seconds, not '%s'",
					   optarg);
	}
	if (all == (optind < argc))
		return usage_error("detach takes disks or files, or --all");

	r.control = control_open();
	if (r.control < 0)
		return CLI_REFUSED;
	if (all)
		err = detach_matching(&r, NULL, NULL);
	for (; optind < argc; optind++) {
		if (detach_operand(&r, argv[optind]))
			err = CLI_REFUSED;
	}
	close(r.control);
	return err;
}
