// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt stat - what /sys/block/looplt<N>/looplt/ says, all of it.
 */
#include <ctype.h>
#include <dirent.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static int is_attr(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

static bool is_number(const char *text)
{
	if (!*text)
		return false;
	for (; *text; text++) {
		if (!isdigit((unsigned char)*text))
			return false;
	}
	return true;
}

static void print_attr(struct json *j, const char *name, const char *value)
{
	if (!j->out)
		printf("%-20s %s\n", name, value);
	else if (is_number(value))
		json_number(j, name, strtoull(value, NULL, 10));
	else
		json_string(j, name, value);
}

static int print_disk(struct json *j, int index)
{
	char path[256], name[300], node[DEVICE_PATH_SIZE];
	struct dirent **attrs;
	char *value;
	int n;

	snprintf(path, sizeof(path), "/sys/block/" LOOPLT_NAME "%d/looplt", index);
	n = scandir(path, &attrs, is_attr, alphasort);
	if (n < 0)
		return refuse("looplt%d: no such disk", index);

	device_path(node, index);
	if (j->out) {
		json_open(j, NULL, '{');
		json_string(j, "name", node);
	} else {
		printf("%s\n", node);
	}
	for (int i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "looplt/%s", attrs[i]->d_name);
		value = device_attr(index, name);
		if (value)
			print_attr(j, attrs[i]->d_name, value);
		free(value);
		free(attrs[i]);
	}
	free(attrs);
	if (j->out)
		json_close(j, '}');
	return CLI_DONE;
}

static int print_disks(struct json *j, char **names, int n)
{
	int *all = NULL, index, err = CLI_DONE, i;
	int count = n ? n : device_all(&all);

	for (i = 0; i < count && err != CLI_USAGE; i++) {
		if (n && !device_parse(names[i], &index))
			err = usage_error("'%s' is not a looplt disk", names[i]);
		else if (print_disk(j, n ? index : all[i]))
			err = CLI_REFUSED;
	}
	free(all);
	return err;
}

int cmd_stat(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'J' },
		{ NULL, 0, NULL, 0 },
	};
	struct json j = { .out = NULL };
	int opt, err;

	while ((opt = getopt_long(argc, argv, "J", options, NULL)) != -1) {
		if (opt != 'J')
			return CLI_USAGE;
		j.out = stdout;
	}
	if (j.out) {
		json_open(&j, NULL, '{');
		json_open(&j, "loopdevices", '[');
	}
	err = print_disks(&j, argv + optind, argc - optind);
	if (j.out) {
		json_close(&j, ']');
		json_close(&j, '}');
	}
	return err;
}
