// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt list - disks, as a table or as JSON with losetup's keys.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "cli.h"

static const char * const io_modes[] = {
	[LOOPLT_IO_AUTO]	= "auto",
	[LOOPLT_IO_DIRECT]	= "direct",
	[LOOPLT_IO_BUFFERED]	= "buffered",
	[LOOPLT_IO_UNCACHED]	= "uncached",
};

const char *io_mode_name(unsigned int mode)
{
	return mode < sizeof(io_modes) / sizeof(*io_modes) ? io_modes[mode] : "?";
}

bool io_mode_parse(const char *name, unsigned int *mode)
{
	for (unsigned int i = 0; i < sizeof(io_modes) / sizeof(*io_modes); i++) {
		if (!strcmp(name, io_modes[i])) {
			*mode = i;
			return true;
		}
	}
	return false;
}

enum type { TEXT, NUMBER, FLAG };

struct row {
	struct looplt_info info;
	char *back_file;
	char *mountpoint;
};

/* Value of one column: text, or a number, as the column's type says. */
struct value {
	char text[4096];
	uint64_t number;
};

static const char * const states[] = { "unbound", "bound", "detaching" };

static void get_devno(struct value *v, unsigned int major_nr,
		      unsigned int minor_nr)
{
	snprintf(v->text, sizeof(v->text), "%u:%u", major_nr, minor_nr);
}

static void get_text(struct value *v, const char *text)
{
	snprintf(v->text, sizeof(v->text), "%s", text ? text : "");
}

#define GET(_name) static void get_##_name(struct value *v, const struct row *r)

GET(name) { device_path(v->text, r->info.index); }
GET(autoclear) { v->number = !!(r->info.flags & LOOPLT_INFO_AUTOCLEAR); }
GET(back_file) { get_text(v, r->back_file); }
GET(back_ino) { v->number = r->info.backing_ino; }
GET(back_majmin) { get_devno(v, major(r->info.backing_dev), minor(r->info.backing_dev)); }
GET(back_maj) { v->number = major(r->info.backing_dev); }
GET(back_min) { v->number = minor(r->info.backing_dev); }
GET(majmin) { get_devno(v, r->info.major, r->info.minor); }
GET(maj) { v->number = r->info.major; }
GET(min) { v->number = r->info.minor; }
GET(offset) { v->number = r->info.offset; }
GET(partscan) { v->number = !!(r->info.flags & LOOPLT_INFO_PARTSCAN); }
GET(ref) { get_text(v, r->info.file_name); }
GET(ro) { v->number = !!(r->info.flags & LOOPLT_INFO_READ_ONLY); }
GET(sizelimit) { v->number = r->info.sizelimit; }
GET(dio) { v->number = r->info.io_mode == LOOPLT_IO_DIRECT; }
GET(log_sec) { v->number = r->info.block_size; }
GET(size) { v->number = r->info.capacity; }
GET(io_mode) { get_text(v, io_mode_name(r->info.io_mode)); }
GET(io_reason) { get_text(v, r->info.io_mode_reason); }
GET(state) { get_text(v, states[r->info.state % 3]); }
GET(tag) { get_text(v, r->info.tag); }
GET(exclusive) { v->number = !!(r->info.flags & LOOPLT_INFO_EXCLUSIVE); }
GET(openers) { v->number = r->info.openers; }
GET(diskseq) { v->number = r->info.diskseq; }
GET(mountpoint) { get_text(v, r->mountpoint); }

/* losetup's columns first, with its types; then ours. */
static const struct column {
	const char *name;
	const char *key;
	enum type type;
	void (*get)(struct value *v, const struct row *r);
} columns[] = {
	{ "NAME", "name", TEXT, get_name },
	{ "AUTOCLEAR", "autoclear", FLAG, get_autoclear },
	{ "BACK-FILE", "back-file", TEXT, get_back_file },
	{ "BACK-INO", "back-ino", NUMBER, get_back_ino },
	{ "BACK-MAJ:MIN", "back-maj:min", TEXT, get_back_majmin },
	{ "BACK-MAJ", "back-maj", NUMBER, get_back_maj },
	{ "BACK-MIN", "back-min", NUMBER, get_back_min },
	{ "MAJ:MIN", "maj:min", TEXT, get_majmin },
	{ "MAJ", "maj", NUMBER, get_maj },
	{ "MIN", "min", NUMBER, get_min },
	{ "OFFSET", "offset", NUMBER, get_offset },
	{ "PARTSCAN", "partscan", FLAG, get_partscan },
	{ "REF", "ref", TEXT, get_ref },
	{ "RO", "ro", FLAG, get_ro },
	{ "SIZELIMIT", "sizelimit", NUMBER, get_sizelimit },
	{ "DIO", "dio", FLAG, get_dio },
	{ "LOG-SEC", "log-sec", NUMBER, get_log_sec },
	{ "SIZE", "size", NUMBER, get_size },
	{ "IO-MODE", "io-mode", TEXT, get_io_mode },
	{ "IO-REASON", "io-reason", TEXT, get_io_reason },
	{ "STATE", "state", TEXT, get_state },
	{ "TAG", "tag", TEXT, get_tag },
	{ "EXCLUSIVE", "exclusive", FLAG, get_exclusive },
	{ "OPENERS", "openers", NUMBER, get_openers },
	{ "DISKSEQ", "diskseq", NUMBER, get_diskseq },
	{ "MOUNTPOINT", "mountpoint", TEXT, get_mountpoint },
};

#define NR_COLUMNS (sizeof(columns) / sizeof(*columns))

static const char default_columns[] = "NAME,SIZE,IO-MODE,RO,STATE,BACK-FILE";
static const char json_columns[] =
	"NAME,SIZELIMIT,OFFSET,AUTOCLEAR,RO,BACK-FILE,DIO,LOG-SEC,"
	"SIZE,IO-MODE,IO-REASON,STATE,TAG,EXCLUSIVE,OPENERS,DISKSEQ,"
	"MAJ:MIN,BACK-INO,BACK-MAJ:MIN,PARTSCAN,REF,MOUNTPOINT";

struct selection {
	const struct column *column[NR_COLUMNS];
	size_t n;
};

static const struct column *find_column(const char *name)
{
	for (size_t i = 0; i < NR_COLUMNS; i++) {
		if (!strcasecmp(columns[i].name, name))
			return &columns[i];
	}
	return NULL;
}

static int select_columns(struct selection *s, const char *list)
{
	char *copy = strdup(list), *rest = copy, *name;
	int err = CLI_DONE;

	s->n = 0;
	while (!err && (name = strsep(&rest, ","))) {
		if (s->n == NR_COLUMNS || !(s->column[s->n] = find_column(name)))
			err = usage_error("unknown column '%s'", name);
		s->n++;
	}
	free(copy);
	return err;
}

static void select_all(struct selection *s)
{
	for (s->n = 0; s->n < NR_COLUMNS; s->n++)
		s->column[s->n] = &columns[s->n];
}

static void format_value(struct value *v, const struct column *c,
			 const struct row *r)
{
	v->text[0] = '\0';
	v->number = 0;
	c->get(v, r);
	if (c->type != TEXT)
		snprintf(v->text, sizeof(v->text), "%llu",
			 (unsigned long long)v->number);
}

static void print_table(const struct selection *s, const struct row *rows,
			size_t n, bool headings)
{
	size_t width[NR_COLUMNS] = { 0 }, i, c, len;
	struct value v;

	for (c = 0; c < s->n; c++) {
		width[c] = headings ? strlen(s->column[c]->name) : 0;
		for (i = 0; i < n; i++) {
			format_value(&v, s->column[c], &rows[i]);
			len = strlen(v.text);
			if (len > width[c])
				width[c] = len;
		}
	}
	for (i = headings ? 0 : 1; i <= n; i++) {
		for (c = 0; c < s->n; c++) {
			if (i)
				format_value(&v, s->column[c], &rows[i - 1]);
			else
				get_text(&v, s->column[c]->name);
			/* No blanks at the end of a line. */
			if (c + 1 == s->n)
				puts(v.text);
			else if (s->column[c]->type == TEXT)
				printf("%-*s ", (int)width[c], v.text);
			else
				printf("%*s ", (int)width[c], v.text);
		}
	}
}

static void print_json(const struct selection *s, const struct row *rows,
		       size_t n)
{
	struct json j = { .out = stdout };
	struct value v;

	json_open(&j, NULL, '{');
	json_open(&j, "loopdevices", '[');
	for (size_t i = 0; i < n; i++) {
		json_open(&j, NULL, '{');
		for (size_t c = 0; c < s->n; c++) {
			const struct column *col = s->column[c];

			format_value(&v, col, &rows[i]);
			if (col->type == NUMBER)
				json_number(&j, col->key, v.number);
			else if (col->type == FLAG)
				json_bool(&j, col->key, v.number);
			else if (*v.text)
				json_string(&j, col->key, v.text);
			else
				json_null(&j, col->key);
		}
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
}

static bool fill_row(struct row *r, int control, int index)
{
	if (control_info(control, index, &r->info))
		return false;
	r->back_file = device_attr(index, "loop/backing_file");
	r->mountpoint = holders_mountpoint(index);
	return true;
}

static size_t fill_rows(struct row *rows, int control, const int *indexes,
			int n)
{
	size_t filled = 0;

	/* A disk may go while we look: it is left out. */
	for (int i = 0; i < n; i++)
		filled += fill_row(&rows[filled], control, indexes[i]);
	return filled;
}

static int list(const struct selection *s, int *indexes, int n, bool json,
		bool headings)
{
	struct row *rows = calloc((size_t)n + 1, sizeof(*rows));
	int control = -1;
	size_t filled = 0;

	if (!rows)
		return refuse("out of memory");
	/* Nothing to ask about: an unloaded module is not loaded for it. */
	if (n) {
		control = control_open();
		if (control < 0) {
			free(rows);
			return CLI_REFUSED;
		}
		filled = fill_rows(rows, control, indexes, n);
		close(control);
	}
	if (json)
		print_json(s, rows, filled);
	else if (filled)
		print_table(s, rows, filled, headings);
	for (size_t i = 0; i < filled; i++) {
		free(rows[i].back_file);
		free(rows[i].mountpoint);
	}
	free(rows);
	return CLI_DONE;
}

static int parse_disks(char **names, int n, int **indexes)
{
	*indexes = calloc((size_t)n, sizeof(**indexes));
	if (!*indexes)
		return refuse("out of memory");
	for (int i = 0; i < n; i++) {
		if (!device_parse(names[i], &(*indexes)[i]))
			return usage_error("'%s' is not a looplt disk", names[i]);
		if (!device_exists((*indexes)[i]))
			return refuse("looplt%d: no such disk", (*indexes)[i]);
	}
	return CLI_DONE;
}

int cmd_list(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'J' },
		{ "noheadings", no_argument, NULL, 'n' },
		{ "output", required_argument, NULL, 'O' },
		{ "output-all", no_argument, NULL, 'A' },
		{ NULL, 0, NULL, 0 },
	};
	bool json = false, headings = true;
	const char *output = NULL;
	struct selection s = { .n = 0 };
	int *indexes = NULL;
	int opt, n, err;

	while ((opt = getopt_long(argc, argv, "JnO:", options, NULL)) != -1) {
		if (opt == 'J')
			json = true;
		else if (opt == 'n')
			headings = false;
		else if (opt == 'O')
			output = optarg;
		else if (opt == 'A')
			select_all(&s);
		else
			return CLI_USAGE;
	}
	if (!output && !s.n)
		output = json ? json_columns : default_columns;
	if (output) {
		err = select_columns(&s, output);
		if (err)
			return err;
	}

	n = argc - optind;
	err = CLI_DONE;
	if (n)
		err = parse_disks(argv + optind, n, &indexes);
	else
		n = device_all(&indexes);
	if (n < 0)
		err = refuse("cannot read /sys/block");
	if (!err)
		err = list(&s, indexes, n, json, headings);
	free(indexes);
	return err;
}
