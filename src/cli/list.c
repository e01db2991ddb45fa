// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt list - disks, as a table or as JSON with losetup's keys.
 */
#include <ctype.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

#define TABLE_COLUMNS	"NAME,SIZE,IO-MODE,RO,STATE,BACK-FILE"
/* What losetup shows comes first, in its order. */
#define JSON_COLUMNS	"NAME,SIZELIMIT,OFFSET,AUTOCLEAR,RO,BACK-FILE,DIO,LOG-SEC"
#define JSON_MORE	",SIZE,IO-MODE,IO-REASON,STATE,TAG,EXCLUSIVE,OPENERS,DISKSEQ"
#define JSON_REST	",MAJ:MIN,BACK-INO,BACK-MAJ:MIN,PARTSCAN,REF,MOUNTPOINTS"

#define MAX_COLUMNS	64

struct request {
	const struct column *column[MAX_COLUMNS];
	size_t n;
	const char *output;
	bool all;
	bool json;
	bool headings;
	bool bytes;
};

struct rows {
	struct row *row;
	size_t n;
};

static const struct column *find_column(const char *name)
{
	for (size_t i = 0; i < nr_columns; i++) {
		if (!strcasecmp(columns[i].name, name))
			return &columns[i];
	}
	return NULL;
}

static int add_columns(struct request *r, const char *list)
{
	char *copy = need_memory(strdup(list)), *rest = copy, *name;
	int err = CLI_DONE;

	while (!err && (name = strsep(&rest, ","))) {
		const struct column *c = find_column(name);

		if (!c)
			err = usage_error("unknown column '%s'", name);
		else if (r->n == MAX_COLUMNS)
			err = usage_error("more than %d columns", MAX_COLUMNS);
		else
			r->column[r->n++] = c;
	}
	free(copy);
	return err;
}

/* As losetup: a list, or "+list" in addition to the usual columns. */
static int choose_columns(struct request *r)
{
	const char *list = r->output;
	int err = CLI_DONE;

	if (r->all) {
		for (; r->n < nr_columns; r->n++)
			r->column[r->n] = &columns[r->n];
		return CLI_DONE;
	}
	if (!list || *list == '+')
		err = add_columns(r, r->json ? JSON_COLUMNS JSON_MORE JSON_REST : TABLE_COLUMNS);
	if (list && !err)
		err = add_columns(r, *list == '+' ? list + 1 : list);
	return err;
}

static char *join_mounts(const struct row *r)
{
	char *text = NULL;
	size_t size;
	FILE *out = need_memory(open_memstream(&text, &size));

	for (size_t i = 0; i < r->nr_mounts; i++)
		fprintf(out, "%s%s", i ? "," : "", r->mounts[i]);
	fclose(out);
	return need_memory(text);
}

/* Text of a cell, to be freed. */
static char *format_cell(const struct request *r, const struct row *row,
			 const struct column *c)
{
	char number[32];
	char *text, *safe;
	struct value v;

	if (!row_value(row, c, &v))
		return need_memory(strdup("-"));
	if (c->type == COLUMN_LIST) {
		text = join_mounts(row);
		safe = text_safe(text);
		free(text);
		return safe;
	}
	if (c->type == COLUMN_TEXT)
		return text_safe(v.text);
	if (!r->bytes && !strcmp(c->name, "SIZE"))
		format_size(number, v.number);
	else
		snprintf(number, sizeof(number), "%llu", (unsigned long long)v.number);
	return need_memory(strdup(number));
}

static void print_cell(const struct request *r, size_t column, const char *text,
		       size_t width)
{
	const int pad = (int)(width - text_width(text));
	const enum column_type type = r->column[column]->type;

	if (column)
		putchar(' ');
	if (type == COLUMN_NUMBER || type == COLUMN_FLAG)
		printf("%*s%s", pad, "", text);
	else if (column + 1 < r->n)
		printf("%s%*s", text, pad, "");
	else
		fputs(text, stdout);	/* no blanks at the end of a line */
}

struct line {
	char *cell[MAX_COLUMNS];
};

/* Line 0 is the headings. */
static struct line *format_table(const struct request *r, const struct rows *rows)
{
	struct line *lines = need_memory(calloc(rows->n + 1, sizeof(*lines)));

	for (size_t c = 0; c < r->n; c++) {
		lines[0].cell[c] = need_memory(strdup(r->column[c]->name));
		for (size_t i = 0; i < rows->n; i++)
			lines[i + 1].cell[c] = format_cell(r, &rows->row[i], r->column[c]);
	}
	return lines;
}

static void print_table(const struct request *r, const struct rows *rows)
{
	struct line *lines = format_table(r, rows);
	size_t width[MAX_COLUMNS] = { 0 };
	size_t i, c, w;

	for (i = !r->headings; i <= rows->n; i++) {
		for (c = 0; c < r->n; c++) {
			w = text_width(lines[i].cell[c]);
			width[c] = w > width[c] ? w : width[c];
		}
	}
	for (i = !r->headings; i <= rows->n; i++) {
		for (c = 0; c < r->n; c++)
			print_cell(r, c, lines[i].cell[c], width[c]);
		putchar('\n');
	}
	for (i = 0; i <= rows->n; i++) {
		for (c = 0; c < r->n; c++)
			free(lines[i].cell[c]);
	}
	free(lines);
}

static void print_mounts(struct json *j, const char *key, const struct row *row)
{
	json_open(j, key, '[');
	for (size_t i = 0; i < row->nr_mounts; i++)
		json_string(j, NULL, row->mounts[i]);
	json_close(j, ']');
}

static void print_member(struct json *j, const struct column *c, const struct row *row)
{
	struct value v;
	char key[32];
	size_t i;

	for (i = 0; c->name[i] && i < sizeof(key) - 1; i++)
		key[i] = (char)tolower((unsigned char)c->name[i]);
	key[i] = '\0';
	if (c->type == COLUMN_LIST)
		print_mounts(j, key, row);
	else if (!row_value(row, c, &v))
		json_string(j, key, NULL);
	else if (c->type == COLUMN_NUMBER)
		json_number(j, key, v.number);
	else if (c->type == COLUMN_FLAG)
		json_bool(j, key, v.number);
	else
		json_string(j, key, v.text);
}

static void print_json(const struct request *r, const struct rows *rows)
{
	struct json j = { .out = stdout };

	json_open(&j, NULL, '{');
	json_open(&j, "loopdevices", '[');
	for (size_t i = 0; i < rows->n; i++) {
		json_open(&j, NULL, '{');
		for (size_t c = 0; c < r->n; c++)
			print_member(&j, r->column[c], &rows->row[i]);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
}

static void add_rows(struct rows *rows, int control, const int *indexes, int n)
{
	if (n <= 0)
		return;
	rows->row = need_memory(realloc(rows->row, (rows->n + (size_t)n) * sizeof(*rows->row)));
	/* A disk may go while we look: it is left out. */
	for (int i = 0; i < n; i++)
		rows->n += row_fill(&rows->row[rows->n], control, indexes[i]);
}

static int add_operand(struct rows *rows, int control, const char *text)
{
	int n, index, *indexes;

	if (device_parse(text, &index) && !device_exists(index))
		return refuse("%s: no such disk", device_name(index));
	n = operand_disks(control, text, &indexes);
	if (n < 0)
		return CLI_REFUSED;
	add_rows(rows, control, indexes, n);
	free(indexes);
	return CLI_DONE;
}

static int list(const struct request *r, char **operands, int n)
{
	/* No module is loaded for a look, and no right is needed. */
	const int control = control_open();
	struct rows rows = { .n = 0 };
	int err = CLI_DONE, all, *indexes;

	if (!n) {
		all = device_all(&indexes);
		if (all < 0)
			err = refuse("cannot read /sys/block");
		add_rows(&rows, control, indexes, all);
		free(indexes);
	}
	for (int i = 0; i < n; i++) {
		if (add_operand(&rows, control, operands[i]))
			err = CLI_REFUSED;
	}
	if (r->json)
		print_json(r, &rows);
	else if (rows.n)
		print_table(r, &rows);

	for (size_t i = 0; i < rows.n; i++)
		row_free(&rows.row[i]);
	free(rows.row);
	if (control >= 0)
		close(control);
	return err;
}

int cmd_list(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'J' },
		{ "noheadings", no_argument, NULL, 'n' },
		{ "bytes", no_argument, NULL, 'b' },
		{ "output", required_argument, NULL, 'O' },
		{ "output-all", no_argument, NULL, 'A' },
		{ NULL, 0, NULL, 0 },
	};
	struct request r = { .headings = true };
	int opt, err;

	while ((opt = getopt_long(argc, argv, "JnbO:", options, NULL)) != -1) {
		if (opt == 'J')
			r.json = true;
		else if (opt == 'n')
			r.headings = false;
		else if (opt == 'b')
			r.bytes = true;
		else if (opt == 'O')
			r.output = optarg;
		else if (opt == 'A')
			r.all = true;
		else
			return CLI_USAGE;
	}
	err = choose_columns(&r);
	return err ? err : list(&r, argv + optind, argc - optind);
}
