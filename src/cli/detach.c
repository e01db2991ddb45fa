// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt detach - unbind, and say truly what became of it.
 *
 * A disk in use is marked, and detached at its last close.  That is done for
 * those who do not wait, as losetup does it; with --wait it counts when it has
 * happened.  To ask for what is so already is never an error.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
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
	uint64_t end_ms;	/* UINT64_MAX: wait for ever */
};

/* A probe by udev takes less, and is not worth a message. */
#define QUIET_MS	1000
#define REMOVE_MS	2000

static int report_holders(int index, const char *what, int status)
{
	char *holders = holders_describe(index);

	message("%s: %s, in use by: %s", device_name(index), what, holders);
	free(holders);
	return status;
}

/*
 * One call of the kernel, until a time.  Being stopped and continued ends it
 * with EINTR: it is repeated.
 */
static int detach_until(const struct request *r, struct looplt_detach *d, uint64_t end_ms)
{
	uint64_t now, left;
	int err;

	do {
		now = clock_ms();
		left = end_ms > now ? end_ms - now : 0;
		d->flags = left ? LOOPLT_DETACH_WAIT : 0;
		d->timeout_ms = left > UINT_MAX ? 0 : (unsigned int)left;
		d->result = 0;
		d->openers = 0;
		err = control_detach(r->control, d);
	} while (err && errno == EINTR);
	return err;
}

static bool is_deferred(int err, const struct looplt_detach *d)
{
	return err ? errno == ETIMEDOUT : d->result == LOOPLT_DETACH_DEFERRED;
}

/* Says whom it waits for, if it takes long enough for somebody to wonder. */
static int detach_wait(const struct request *r, struct looplt_detach *d)
{
	uint64_t quiet_end = clock_ms() + QUIET_MS;
	int err;

	if (quiet_end > r->end_ms)
		quiet_end = r->end_ms;
	err = detach_until(r, d, quiet_end);
	if (is_deferred(err, d) && clock_ms() < r->end_ms) {
		report_holders(d->index, "waiting", CLI_DONE);
		err = detach_until(r, d, r->end_ms);
	}
	return err;
}

/* A disk that goes with its file: callers look at the list next. */
static void wait_for_removal(const struct request *r, int index)
{
	const uint64_t end_ms = clock_ms() + REMOVE_MS;
	struct looplt_info info;

	while (device_exists(index) && clock_ms() < end_ms) {
		/* Somebody else has the number now. */
		if (disk_info(r->control, index, &info) && info.state)
			return;
		clock_pause();
	}
}

static int detach_failed(int index, int err)
{
	switch (err) {
	case ENODEV:
	case ENXIO:
	case ESTALE:
		message("%s: already detached", device_name(index));
		return CLI_DONE;
	default:
		return refuse("%s: cannot detach: %s", device_name(index), strerror(err));
	}
}

/* That attachment, and not the next one of the same number. */
static int detach_disk(const struct request *r, const struct looplt_info *info)
{
	struct looplt_detach d = { .index = info->index, .diskseq = info->diskseq };
	const bool again = info->state == LOOPLT_STATE_DETACHING;
	int err;

	err = r->wait ? detach_wait(r, &d) : detach_until(r, &d, 0);
	if (is_deferred(err, &d)) {
		if (r->wait)
			return report_holders(d.index, "still attached", CLI_REFUSED);
		return report_holders(d.index, again ? "detach already deferred" :
				      "detach deferred", CLI_DONE);
	}
	if (err)
		return detach_failed(d.index, errno);
	if (info->flags & LOOPLT_INFO_REMOVE)
		wait_for_removal(r, d.index);
	return CLI_DONE;
}

/* Returns how many had something attached; *err is their worst result. */
static int detach_disks(const struct request *r, const int *indexes, int n, int *err)
{
	struct looplt_info info;
	int found = 0;

	for (int i = 0; i < n; i++) {
		if (!disk_info(r->control, indexes[i], &info) || !info.state)
			continue;
		found++;
		if (detach_disk(r, &info))
			*err = CLI_REFUSED;
	}
	return found;
}

static int detach_operand(const struct request *r, const char *text)
{
	int n, *indexes, err = CLI_DONE;

	n = operand_disks(r->control, text, &indexes);
	if (n < 0)
		return CLI_REFUSED;
	if (!detach_disks(r, indexes, n, &err))
		message("%s: already detached", text);
	free(indexes);
	return err;
}

static int detach_all(const struct request *r)
{
	int n, *indexes, err = CLI_DONE;

	n = device_all(&indexes);
	detach_disks(r, indexes, n, &err);
	free(indexes);
	return err;
}

static int detach(struct request *r, char **operands, int n)
{
	int err = CLI_DONE;

	r->control = control_open();
	if (r->control < 0 && errno == ENOENT && !module_loaded()) {
		/* Nothing can be attached; not worth loading the module. */
		for (int i = 0; i < n; i++)
			message("%s: already detached", operands[i]);
		return CLI_DONE;
	}
	if (r->control < 0) {
		module_explain(errno);
		return CLI_REFUSED;
	}
	if (!n)
		err = detach_all(r);
	for (int i = 0; i < n; i++) {
		if (detach_operand(r, operands[i]))
			err = CLI_REFUSED;
	}
	close(r->control);
	return err;
}

static bool parse_wait(struct request *r, const char *value)
{
	unsigned long seconds = 0;

	if (value && !parse_number(value, INT_MAX, &seconds))
		return false;
	r->wait = true;
	r->end_ms = value ? clock_ms() + 1000 * (uint64_t)seconds : UINT64_MAX;
	return true;
}

int cmd_detach(int argc, char **argv)
{
	struct request r = { .wait = false };
	bool all = false;
	int opt;

	while ((opt = getopt_long(argc, argv, "a", options, NULL)) != -1) {
		if (opt == 'a')
			all = true;
		else if (opt != 'w')
			return CLI_USAGE;
		else if (!parse_wait(&r, optarg))
			return usage_error("--wait: '%s' is not a number of seconds", optarg);
	}
	if (all ? optind < argc : optind == argc)
		return usage_error("detach takes disks or files, or --all");
	return detach(&r, argv + optind, argc - optind);
}
