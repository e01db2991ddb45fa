// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt stat - what /sys/block/looplt<N>/looplt/ says, all of it.
 *
 * It has one value in each file; a newer module may have more of them.
 */
#include <dirent.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static int is_attr(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

static void print_attr(struct json *j, const char *name, const char *value)
{
	const size_t digits = strspn(value, "0123456789");
	char *safe;

	if (!j->out) {
		safe = text_safe(value);
		printf("  %-20s %s\n", name, *safe ? safe : "-");
		free(safe);
	} else if (digits && !value[digits] && digits < 20) {
		json_number(j, name, strtoull(value, NULL, 10));
	} else {
		json_string(j, name, *value ? value : NULL);
	}
}

static void print_attrs(struct json *j, int index, struct dirent **attrs, int n)
{
	char name[NAME_MAX + 8];
	char *value;

	for (int i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "looplt/%s", attrs[i]->d_name);
		value = device_attr(index, name);
		if (value)
			print_attr(j, attrs[i]->d_name, value);
		free(value);
		free(attrs[i]);
	}
	free(attrs);
}

static int print_disk(struct json *j, int index)
{
	char path[PATH_MAX], node[DEVICE_NODE_SIZE];
	struct dirent **attrs;
	int n;

	path_of(path, "/sys/block/%s/looplt", device_name(index));
	n = scandir(path, &attrs, is_attr, alphasort);
	if (n < 0)
		return refuse("%s: no such disk", device_name(index));

	device_node(node, index);
	if (j->out) {
		json_open(j, NULL, '{');
		json_string(j, "name", node);
	} else {
		puts(node);
	}
	print_attrs(j, index, attrs, n);
	if (j->out)
		json_close(j, '}');
	return CLI_DONE;
}

static int print_all(struct json *j)
{
	int n, *all;

	n = device_all(&all);
	/* One that has gone meanwhile is not missed. */
	for (int i = 0; i < n; i++) {
		if (device_exists(all[i]))
			print_disk(j, all[i]);
	}
	free(all);
	return n < 0 ? refuse("cannot read /sys/block") : CLI_DONE;
}

static int print_disks(struct json *j, char **operands, int n)
{
	int err, worst = CLI_DONE, index;

	for (int i = 0; i < n; i++) {
		err = operand_disk(operands[i], &index);
		if (!err)
			err = print_disk(j, index);
		if (err > worst)
			worst = err;
	}
	return worst;
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
	if (optind < argc)
		err = print_disks(&j, argv + optind, argc - optind);
	else
		err = print_all(&j);
	if (j.out) {
		json_close(&j, ']');
		json_close(&j, '}');
	}
	return err;
}
