// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt CLI - the table of commands.
 */
#include <string.h>

#include "cli.h"

/* Feeds usage text and dispatch. */
static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *args;
	const char *help;
	const char *options;
} commands[] = {
	{ "attach", cmd_attach, "[OPTION]... FILE",
	  "bind a file to a new disk, and print the disk's name",
	  "  -o, --offset BYTES        first byte of the file to show\n"
	  "      --sizelimit BYTES     show no more than this\n"
	  "  -b, --sector-size BYTES   a power of two from 512 (default) to the page size\n"
	  "  -P, --partscan            find the partitions\n"
	  "  -r, --read-only           also what happens to a file that is not writable\n"
	  "      --io MODE             auto (default), direct, buffered or uncached\n"
	  "      --direct-io[=on|off]  the same as --io direct, --io buffered\n"
	  "      --autoclear           detach at the last close after the first mount\n"
	  "      --exclusive           no other disk may write the file\n"
	  "      --shared              other disks may write the file\n"
	  "      --tag TEXT            free text to find the disk by\n"
	  "      --loop-ref TEXT       what udev makes a link of, instead of the path\n"
	  "      --keep                leave the empty disk there after a detach\n"
	  "  -n, --index N             use the disk of that number\n"
	  "      --json                print more than the name\n" },
	{ "detach", cmd_detach, "[--wait[=SEC]] DISK|FILE... | --all",
	  "unbind, or say who is in the way",
	  "      --wait[=SEC]          wait until it is done; refused if it takes longer\n"
	  "  -a, --all                 every disk\n"
	  "Without --wait, a disk in use is detached at its last close.\n" },
	{ "list", cmd_list, "[OPTION]... [DISK|FILE]...",
	  "show disks",
	  "  -J, --json                all that is known, with losetup's keys\n"
	  "  -n, --noheadings          no line of headings\n"
	  "  -b, --bytes               sizes in bytes\n"
	  "  -O, --output [+]COLUMNS   these columns, or these too\n"
	  "      --output-all          all columns\n" },
	{ "stat", cmd_stat, "[--json] [DISK]...",
	  "show I/O mode and counters",
	  "  -J, --json                as JSON\n" },
	{ "set", cmd_set, "OPTION... DISK",
	  "change an attached disk",
	  "      --direct-io[=on|off]  go past the page cache, or through it\n"
	  "  -b, --sector-size BYTES   change the logical sector\n"
	  "      --autoclear[=on|off]  detach at the last close\n"
	  "  -P, --partscan            find the partitions\n" },
	{ "resize", cmd_resize, "DISK",
	  "follow the size of the file", "" },
	{ "wait", cmd_wait, "[--partitions] [--timeout SEC] DISK",
	  "wait until a disk is attached",
	  "      --partitions          and udev is done with it and its partitions\n"
	  "      --timeout SEC         no longer than this (default: 10)\n" },
	{ "dropin", cmd_dropin, "enable | disable | status",
	  "take the place of the stock loop driver, or give it back",
	  "  enable                    from the next load on, be /dev/loop<N>\n"
	  "  disable                   undo that\n"
	  "  status                    what is set, and what holds now\n" },
	{ "doctor", cmd_doctor, "[--json] [FILE|DIRECTORY]",
	  "look for what is in the way on this system",
	  "  -J, --json                as JSON\n"
	  "With FILE or DIRECTORY, also which I/O mode it would have there.\n" },
};

static const char notes[] =
	"DISK is /dev/looplt<N>, looplt<N>, N, or a link to it; loop<N> in drop-in mode.\n"
	"BYTES may end in K, M, G (powers of 1024), or KB, MB, GB (of 1000).\n"
	"Exit status: 0 done, 1 refused, 2 usage.  More is in looplt(8).\n";

#define NR_COMMANDS (sizeof(commands) / sizeof(*commands))

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < NR_COMMANDS; i++) {
		if (!strcmp(name, commands[i].name))
			return &commands[i];
	}
	return NULL;
}

static int help_all(void)
{
	puts("usage: looplt COMMAND [ARGUMENT]...\n");
	for (size_t i = 0; i < NR_COMMANDS; i++)
		printf("  %-7s %s\n", commands[i].name, commands[i].help);
	puts("\nlooplt help COMMAND shows its options; looplt --version the version.");
	fputs(notes, stdout);
	return CLI_DONE;
}

static int help_command(const struct command *c)
{
	printf("usage: looplt %s %s\n%s\n", c->name, c->args, c->help);
	if (*c->options)
		printf("\n%s", c->options);
	printf("\n%s", notes);
	return CLI_DONE;
}

static int unknown_command(const char *name)
{
	usage_error("unknown command '%s'", name);
	fputs("Try 'looplt --help'.\n", stderr);
	return CLI_USAGE;
}

static int help(const char *name)
{
	const struct command *c;

	if (!name)
		return help_all();
	c = find_command(name);
	return c ? help_command(c) : unknown_command(name);
}

static int run_command(const struct command *c, int argc, char **argv)
{
	char title[32];
	int err;

	if (argc > 1 && !strcmp(argv[1], "--help"))
		return help_command(c);
	/* getopt_long() begins its messages with this. */
	snprintf(title, sizeof(title), "looplt: %s", c->name);
	argv[0] = title;
	err = c->run(argc, argv);
	if (err == CLI_USAGE)
		fprintf(stderr, "Try 'looplt help %s'.\n", c->name);
	return err;
}

/* What it does under another name than looplt. */
static int (*find_program(const char *path))(int argc, char **argv)
{
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;

	if (!strncmp(name, "mount." LOOPLT_NAME, strlen("mount." LOOPLT_NAME)))
		return mount_helper;
	if (!strcmp(name, LOOPLT_NAME "-losetup"))
		return losetup_main;
	return NULL;
}

static int run(int argc, char **argv)
{
	int (*program)(int argc, char **argv) = argc ? find_program(argv[0]) : NULL;
	const char *word = argc > 1 ? argv[1] : "";
	const struct command *c = find_command(word);

	if (program)
		return program(argc, argv);
	if (c)
		return run_command(c, argc - 1, argv + 1);
	if (!strcmp(word, "help") || !strcmp(word, "--help") || !strcmp(word, "-h"))
		return help(argc > 2 ? argv[2] : NULL);
	if (!strcmp(word, "--version") || !strcmp(word, "-V")) {
		puts("looplt " LOOPLT_VERSION);
		return CLI_DONE;
	}
	if (*word)
		return unknown_command(word);
	usage_error("a command is missing");
	fputs("Try 'looplt --help'.\n", stderr);
	return CLI_USAGE;
}

int main(int argc, char **argv)
{
	const int err = run(argc, argv);

	/* A full disk is not success. */
	if (fflush(stdout) || ferror(stdout))
		return refuse("cannot write the output");
	return err;
}
