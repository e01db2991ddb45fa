// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt-losetup - the command line of losetup 2.42, for systems whose own
 * losetup knows no disks but loop<N>.
 *
 * Options, output and exit status are losetup's; -f takes a disk of looplt.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <linux/loop.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "losetup.h"

enum {
	OPT_SIZELIMIT = 256, OPT_DIRECT, OPT_REF, OPT_SHOW, OPT_RAW, OPT_REMOVE,
	OPT_OUTPUT_ALL,
};

static const struct option options[] = {
	{ "all", no_argument, NULL, 'a' },
	{ "set-capacity", no_argument, NULL, 'c' },
	{ "detach", no_argument, NULL, 'd' },
	{ "detach-all", no_argument, NULL, 'D' },
	{ "find", no_argument, NULL, 'f' },
	{ "nooverlap", no_argument, NULL, 'L' },
	{ "associated", required_argument, NULL, 'j' },
	{ "remove", no_argument, NULL, OPT_REMOVE },
	{ "json", no_argument, NULL, 'J' },
	{ "list", no_argument, NULL, 'l' },
	{ "sector-size", required_argument, NULL, 'b' },
	{ "noheadings", no_argument, NULL, 'n' },
	{ "offset", required_argument, NULL, 'o' },
	{ "output", required_argument, NULL, 'O' },
	{ "output-all", no_argument, NULL, OPT_OUTPUT_ALL },
	{ "sizelimit", required_argument, NULL, OPT_SIZELIMIT },
	{ "loop-ref", required_argument, NULL, OPT_REF },
	{ "partscan", no_argument, NULL, 'P' },
	{ "read-only", no_argument, NULL, 'r' },
	{ "direct-io", optional_argument, NULL, OPT_DIRECT },
	{ "raw", no_argument, NULL, OPT_RAW },
	{ "show", no_argument, NULL, OPT_SHOW },
	{ "verbose", no_argument, NULL, 'v' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

/* Besides those of set_option(): what is to be done. */
enum action {
	ACTION_NONE, ACTION_LIST, ACTION_SHOW, ACTION_FREE, ACTION_ATTACH,
	ACTION_DETACH, ACTION_DETACH_ALL, ACTION_CAPACITY, ACTION_CHANGE,
	ACTION_REMOVE, ACTION_HELP, ACTION_VERSION,
};

struct losetup {
	enum action action;
	struct losetup_attach setup;
	struct losetup_list list;
	struct loop disk;
	const char *associated;
	bool find;
	bool offset;		/* given */
	bool direct;
	bool sector;
	char **operands;
	int nr_operands;
};

static int set_action(struct losetup *l, enum action action)
{
	if (l->action && l->action != action)
		return usage_error("these options exclude each other");
	l->action = action;
	return CLI_DONE;
}

/* Those that looplt attach has, too. */
static int set_attach(struct losetup *l, int opt, const char *value)
{
	struct attach *a = &l->setup.attach;

	switch (opt) {
	case 'o':
		l->offset = true;
		return attach_option(a, "offset", value);
	case 'b':
		l->sector = true;
		return attach_option(a, "sector-size", value);
	case OPT_DIRECT:
		l->direct = true;
		return attach_option(a, "direct-io", value);
	case OPT_SIZELIMIT:
		return attach_option(a, "sizelimit", value);
	case OPT_REF:
		return attach_option(a, "loop-ref", value);
	case 'P':
		return attach_option(a, "partscan", NULL);
	case 'r':
		return attach_option(a, "read-only", NULL);
	default:
		return CLI_USAGE;
	}
}

static int set_list(struct losetup_list *list, int opt, const char *value)
{
	switch (opt) {
	case 'J':
		list->json = true;
		return CLI_DONE;
	case OPT_RAW:
		list->raw = true;
		return CLI_DONE;
	case 'n':
		list->no_headings = true;
		return CLI_DONE;
	case 'O':
		list->columns = value;
		break;
	case OPT_OUTPUT_ALL:
		list->all_columns = true;
		break;
	default:
		break;
	}
	list->table = true;
	return CLI_DONE;
}

static int set_option(struct losetup *l, int opt, const char *value)
{
	switch (opt) {
	case 'a':
		return set_action(l, ACTION_LIST);
	case 'j':
		l->associated = value;
		return set_action(l, ACTION_LIST);
	case 'c':
		return set_action(l, ACTION_CAPACITY);
	case 'd':
		return set_action(l, ACTION_DETACH);
	case 'D':
		return set_action(l, ACTION_DETACH_ALL);
	case 'f':
		l->find = true;
		return set_action(l, ACTION_FREE);
	case OPT_REMOVE:
		return set_action(l, ACTION_REMOVE);
	case 'h':
		l->action = ACTION_HELP;
		return CLI_DONE;
	case 'V':
		l->action = ACTION_VERSION;
		return CLI_DONE;
	case 'L':
		l->setup.no_overlap = true;
		return CLI_DONE;
	case OPT_SHOW:
		l->setup.show = true;
		return CLI_DONE;
	case 'v':
		return CLI_DONE;	/* as in losetup, where it says nothing */
	case 'l':
	case 'J':
	case 'n':
	case 'O':
	case OPT_RAW:
	case OPT_OUTPUT_ALL:
		return set_list(&l->list, opt, value);
	default:
		return set_attach(l, opt, value);
	}
}

/* What operands without an action ask for. */
static void choose_action(struct losetup *l)
{
	if (l->action == ACTION_FREE && l->nr_operands)
		l->action = ACTION_ATTACH;
	if (l->action)
		return;
	if (!l->nr_operands && l->list.table)
		l->action = ACTION_LIST;
	else if (l->nr_operands != 1)
		l->action = ACTION_ATTACH;
	else if (l->direct || l->sector)
		l->action = ACTION_CHANGE;
	else
		l->action = ACTION_SHOW;
}

static bool has_setup_options(const struct losetup *l)
{
	const struct attach *a = &l->setup.attach;

	return a->a.sizelimit || l->setup.show ||
	       a->a.flags & (LOOPLT_ATTACH_READ_ONLY | LOOPLT_ATTACH_PARTSCAN);
}

static int check_options(const struct losetup *l)
{
	const bool clash = l->action == ACTION_CAPACITY || l->action == ACTION_DETACH_ALL ||
			   l->action == ACTION_DETACH || l->find;

	if (l->list.json && l->list.raw)
		return usage_error("--json and --raw exclude each other");
	if (l->list.table && clash)
		return usage_error("these options exclude each other");
	if (l->action != ACTION_ATTACH && has_setup_options(l))
		return usage_error("options for an attach, and no file");
	if (l->offset && l->action != ACTION_ATTACH && !l->associated)
		return usage_error("--offset makes no sense here");
	return losetup_columns_ok(&l->list) ? CLI_DONE : CLI_USAGE;
}

static int parse(struct losetup *l, int argc, char **argv)
{
	int opt, err;

	while ((opt = getopt_long(argc, argv, "ab:cdDfhj:JlLno:O:PrvV", options, NULL)) != -1) {
		err = set_option(l, opt, optarg);
		if (err)
			return err;
	}
	/* As in losetup: these ask for a table if there is nothing else. */
	if (argc == 1 || (argc == 2 && (l->list.json || l->list.raw)))
		l->list.table = true;
	l->operands = argv + optind;
	l->nr_operands = argc - optind;
	choose_action(l);
	return check_options(l);
}

static int list(const struct losetup *l)
{
	struct loop *loops;
	int n, kept = 0;

	n = loop_all(&loops);
	for (int i = 0; i < n; i++) {
		const bool wanted = !l->associated || (loop_shows(&loops[i], l->associated) &&
				    (!l->offset || loops[i].offset == l->setup.attach.a.offset));

		if (wanted)
			loops[kept++] = loops[i];
		else
			loop_free(&loops[i]);
	}
	losetup_print(&l->list, loops, kept);
	loop_free_all(loops, kept);
	return CLI_DONE;
}

static int show(const struct losetup *l, struct loop *disk)
{
	/* A table has a line for it, even so. */
	if (!loop_fill(disk) && !l->list.table)
		return refuse("%s: nothing is attached", disk->node);
	losetup_print(&l->list, disk, 1);
	loop_free(disk);
	return CLI_DONE;
}

/* One call on the disk's node. */
static int call(const struct loop *disk, const char *what, unsigned long request,
		unsigned long arg)
{
	const int fd = loop_open(disk->node, O_RDONLY);
	int err = CLI_DONE;

	if (fd < 0 || ioctl(fd, request, arg))
		err = refuse("%s: cannot %s: %s", disk->node, what, strerror(errno));
	if (fd >= 0)
		close(fd);
	return err;
}

static int change_disk(const struct losetup *l, struct loop *disk)
{
	const struct looplt_attach *a = &l->setup.attach.a;

	if (l->sector)
		return call(disk, "change the sector size", LOOP_SET_BLOCK_SIZE, a->block_size);
	return call(disk, "change to or from direct I/O", LOOP_SET_DIRECT_IO,
		    a->io_mode == LOOPLT_IO_DIRECT);
}

static int open_control(const char *name)
{
	char path[PATH_MAX];
	int index;

	if (device_parse(name, &index))
		return control_need();
	return open(path_of(path, "/dev/loop-control"), O_RDWR | O_CLOEXEC);
}

static int remove_disk(struct loop *disk)
{
	const char *name = loop_name(disk), *digits = strpbrk(name, "0123456789");
	unsigned long number;
	int control, err = CLI_DONE;

	if (!digits || !parse_number(digits, INT_MAX, &number))
		return refuse("%s: not a loop disk", disk->node);
	control = open_control(name);
	if (control < 0 || ioctl(control, LOOP_CTL_REMOVE, number))
		err = refuse("%s: cannot remove: %s", disk->node, strerror(errno));
	if (control >= 0)
		close(control);
	return err;
}

/* The next attach of that name finds it. */
static int print_free(void)
{
	const int control = control_need();
	int index;

	if (control < 0)
		return CLI_REFUSED;
	index = ioctl(control, LOOP_CTL_GET_FREE);
	close(control);
	if (index < 0)
		return refuse("cannot find a free disk: %s", strerror(errno));
	printf("/dev/%s\n", device_name(index));
	return CLI_DONE;
}

static int attach(struct losetup *l)
{
	const int n = l->nr_operands;

	if (!l->find) {
		if (n < 2)
			return usage_error(n ? "a file is missing" : "a disk is missing");
		if (!loop_named(&l->disk, l->operands[0]))
			return usage_error("%s: not a loop disk", l->operands[0]);
		l->setup.disk = l->disk.node;
	}
	if (l->find && n > 1)
		return usage_error("more than one file");
	l->setup.file = l->operands[!l->find];
	return losetup_attach(&l->setup);
}

static int act_on(const struct losetup *l, struct loop *disk)
{
	switch (l->action) {
	case ACTION_SHOW:
		return show(l, disk);
	case ACTION_CHANGE:
		return change_disk(l, disk);
	case ACTION_CAPACITY:
		return call(disk, "follow the size of the file", LOOP_SET_CAPACITY, 0);
	case ACTION_DETACH:
		return call(disk, "detach", LOOP_CLR_FD, 0);
	default:
		return remove_disk(disk);
	}
}

static int act_on_each(const struct losetup *l)
{
	struct loop disk;
	int err = CLI_DONE;

	if (!l->nr_operands)
		return usage_error("a disk is missing");
	for (int i = 0; i < l->nr_operands; i++) {
		if (!loop_named(&disk, l->operands[i]))
			err = refuse("%s: not a loop disk", l->operands[i]);
		else if (act_on(l, &disk))
			err = CLI_REFUSED;
	}
	return err;
}

static int detach_all(void)
{
	int n, err = CLI_DONE;
	struct loop *loops;

	n = loop_all(&loops);
	for (int i = 0; i < n; i++) {
		if (call(&loops[i], "detach", LOOP_CLR_FD, 0))
			err = CLI_REFUSED;
	}
	loop_free_all(loops, n);
	return err;
}

static int print_help(void)
{
	puts("usage: looplt-losetup [OPTION]... [DISK]\n"
	     "       looplt-losetup [OPTION]... -f | DISK FILE\n\n"
	     "  -a, --all                 show what is attached\n"
	     "  -l, --list                the same, as a table\n"
	     "  -j, --associated FILE     show the disks of a file\n"
	     "  -f, --find                take, or print, a free disk of looplt\n"
	     "  -d, --detach              detach disks\n"
	     "  -D, --detach-all          detach all disks, stock ones too\n"
	     "  -c, --set-capacity        follow the size of the file\n"
	     "      --remove              remove disks\n"
	     "  -o, --offset BYTES        first byte of the file to show\n"
	     "      --sizelimit BYTES     show no more than this\n"
	     "  -b, --sector-size BYTES   logical sector\n"
	     "  -P, --partscan            find the partitions\n"
	     "  -r, --read-only\n"
	     "      --direct-io[=on|off]\n"
	     "      --loop-ref TEXT       what udev makes a link of\n"
	     "  -L, --nooverlap           use again what shows the file already\n"
	     "      --show                print the disk\n"
	     "  -J, --json                -l as JSON\n"
	     "  -n, --noheadings          -l without headings\n"
	     "      --raw                 -l, not aligned\n"
	     "  -O, --output [+]COLUMNS   -l with these columns\n"
	     "      --output-all          -l with all columns\n"
	     "  -h, --help\n"
	     "  -V, --version\n\n"
	     "Columns:");
	losetup_print_columns();
	return CLI_DONE;
}

static int run(struct losetup *l)
{
	switch (l->action) {
	case ACTION_HELP:
		return print_help();
	case ACTION_VERSION:
		puts("looplt-losetup from looplt " LOOPLT_VERSION);
		return CLI_DONE;
	case ACTION_LIST:
		return list(l);
	case ACTION_FREE:
		return print_free();
	case ACTION_ATTACH:
		return attach(l);
	case ACTION_DETACH_ALL:
		return detach_all();
	default:
		return act_on_each(l);
	}
}

int losetup_main(int argc, char **argv)
{
	struct losetup l = {
		.setup.attach.a = { .index = -1, .flags = LOOPLT_ATTACH_REMOVE },
	};

	message_as("looplt-losetup");
	/* losetup knows no other failure. */
	return parse(&l, argc, argv) || run(&l) ? CLI_REFUSED : CLI_DONE;
}
