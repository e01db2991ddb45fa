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
} commands[] = {
	{ "attach", cmd_attach, "[options] FILE",
	  "bind a file to a disk, and print the disk" },
	{ "detach", cmd_detach, "[--wait[=SEC]] DISK|FILE... | --all",
	  "unbind, or say who is in the way" },
	{ "list", cmd_list, "[--json] [-n] [-O COLUMNS] [DISK...]",
	  "show disks" },
	{ "stat", cmd_stat, "[--json] [DISK...]",
	  "show counters and I/O mode" },
	{ "set", cmd_set, "[options] DISK",
	  "change an attached disk" },
	{ "resize", cmd_resize, "DISK",
	  "follow the size of the file" },
	{ "wait", cmd_wait, "[--partitions] [--timeout SEC] DISK",
	  "wait until a disk is attached" },
};

static const char options_help[] =
	"attach options:\n"
	"  -o, --offset BYTES        first byte of the file to show\n"
	"      --sizelimit BYTES     show no more than this\n"
	"  -b, --sector-size BYTES   512 (default), or a power of two up to the page size\n"
	"  -P, --partscan            find the partitions\n"
	"  -r, --read-only\n"
	"  -n, --index N             use looplt<N>\n"
	"      --io MODE             auto (default), direct, buffered, uncached\n"
	"      --direct-io[=on|off]  as --io direct or buffered\n"
	"      --autoclear           detach at the last close, once it was mounted\n"
	"      --exclusive, --shared may the file be attached elsewhere\n"
	"      --tag TEXT, --loop-ref TEXT\n"
	"      --keep                leave the disk there after detach\n"
	"      --json\n"
	"set options: --direct-io[=on|off] --autoclear[=on|off] -b BYTES -P\n"
	"\n"
	"DISK is /dev/looplt<N>, looplt<N> or N; BYTES takes K, M, G (or KB, MB, GB).\n"
	"Exit status: 0 done, 1 refused, 2 usage.  See looplt(8).\n";

static int help(void)
{
	puts("usage: looplt COMMAND [ARGUMENTS]\n");
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		printf("  %-7s %-42s %s\n", commands[i].name, commands[i].args,
		       commands[i].help);
	printf("\n%s", options_help);
	return CLI_DONE;
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return usage_error("a command is missing");
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
	    !strcmp(argv[1], "help"))
		return help();
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		puts("looplt " LOOPLT_VERSION);
		return CLI_DONE;
	}
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		if (!strcmp(argv[1], commands[i].name)) {
			const int err = commands[i].run(argc - 1, argv + 1);

			/* A full disk is not success. */
			if (fflush(stdout) || ferror(stdout))
				return refuse("cannot write the output");
			return err;
		}
	}
	return usage_error("unknown command '%s'", argv[1]);
}
