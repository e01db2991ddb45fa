// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt-losetup - its lists: old lines, table, raw, JSON.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "losetup.h"

#define DEFAULT_COLUMNS	"NAME,SIZELIMIT,OFFSET,AUTOCLEAR,RO,BACK-FILE,DIO,LOG-SEC"
#define MAX_COLUMNS	64

/* A cell is text of at most PATH_MAX bytes, to be freed, or NULL. */
static char *cell(const char *format, ...) PRINTF_LIKE(1, 2);

static char *cell(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = text_format(format, args);
	va_end(args);
	return text;
}

#define GET(_name, ...)							\
static char *get_##_name(const struct loop *l)				\
{									\
	return cell(__VA_ARGS__);					\
}

/* What there is only with a file. */
#define GET_BOUND(_name, ...)						\
static char *get_##_name(const struct loop *l)				\
{									\
	return l->file ? cell(__VA_ARGS__) : NULL;			\
}

/* What only the kernel knows. */
#define GET_ASKED(_name, ...)						\
static char *get_##_name(const struct loop *l)				\
{									\
	return l->asked ? cell(__VA_ARGS__) : NULL;			\
}

GET(name, "%s", l->node)
GET(autoclear, "%d", l->autoclear)
GET_BOUND(back_file, "%s", l->file)
GET_ASKED(back_ino, "%llu", (unsigned long long)l->back_ino)
GET_ASKED(back_majmin, "%u:%u", major(l->back_dev), minor(l->back_dev))
GET_ASKED(back_maj, "%u", major(l->back_dev))
GET_ASKED(back_min, "%u", minor(l->back_dev))
GET(majmin, "%u:%u", major(l->devno), minor(l->devno))
GET(maj, "%u", major(l->devno))
GET(min, "%u", minor(l->devno))
GET_BOUND(offset, "%llu", (unsigned long long)l->offset)
GET(partscan, "%d", l->partscan)
GET_ASKED(ref, "%s", l->ref)
GET(ro, "%d", l->read_only)
GET_BOUND(sizelimit, "%llu", (unsigned long long)l->sizelimit)
GET(dio, "%d", l->dio)
/* A disk that is not there has none. */
static char *get_log_sec(const struct loop *l)
{
	return l->devno ? cell("%llu", (unsigned long long)l->block_size) : NULL;
}

static const struct list_column {
	const char *name;
	enum column_type type;
	bool right;
	char *(*get)(const struct loop *l);
} list_columns[] = {
	{ "NAME", COLUMN_TEXT, false, get_name },
	{ "AUTOCLEAR", COLUMN_FLAG, true, get_autoclear },
	{ "BACK-FILE", COLUMN_TEXT, false, get_back_file },
	{ "BACK-INO", COLUMN_NUMBER, true, get_back_ino },
	{ "BACK-MAJ:MIN", COLUMN_TEXT, true, get_back_majmin },
	{ "BACK-MAJ", COLUMN_TEXT, false, get_back_maj },
	{ "BACK-MIN", COLUMN_TEXT, false, get_back_min },
	{ "MAJ:MIN", COLUMN_TEXT, true, get_majmin },
	{ "MAJ", COLUMN_NUMBER, true, get_maj },
	{ "MIN", COLUMN_NUMBER, true, get_min },
	{ "OFFSET", COLUMN_NUMBER, true, get_offset },
	{ "PARTSCAN", COLUMN_FLAG, true, get_partscan },
	{ "REF", COLUMN_TEXT, false, get_ref },
	{ "RO", COLUMN_FLAG, true, get_ro },
	{ "SIZELIMIT", COLUMN_NUMBER, true, get_sizelimit },
	{ "DIO", COLUMN_FLAG, true, get_dio },
	{ "LOG-SEC", COLUMN_NUMBER, true, get_log_sec },
};

#define NR_COLUMNS (sizeof(list_columns) / sizeof(*list_columns))

struct chosen {
	const struct list_column *column[MAX_COLUMNS];
	size_t n;
};

void losetup_print_columns(void)
{
	for (size_t i = 0; i < NR_COLUMNS; i++)
		printf("  %s\n", list_columns[i].name);
}

static const struct list_column *find_column(const char *name)
{
	for (size_t i = 0; i < NR_COLUMNS; i++) {
		if (!strcasecmp(list_columns[i].name, name))
			return &list_columns[i];
	}
	return NULL;
}

static bool add_columns(struct chosen *c, const char *names)
{
	char *copy = need_memory(strdup(names)), *rest = copy, *name;
	bool ok = true;

	while (ok && (name = strsep(&rest, ","))) {
		c->column[c->n] = find_column(name);
		ok = c->column[c->n] && c->n + 1 < MAX_COLUMNS;
		c->n += ok;
		if (!ok)
			message("unknown column '%s'", name);
	}
	free(copy);
	return ok;
}

static bool choose(struct chosen *c, const struct losetup_list *list)
{
	const char *names = list->columns;

	c->n = 0;
	if (list->all_columns) {
		for (; c->n < NR_COLUMNS; c->n++)
			c->column[c->n] = &list_columns[c->n];
		return true;
	}
	if ((!names || *names == '+') && !add_columns(c, DEFAULT_COLUMNS))
		return false;
	return !names || add_columns(c, *names == '+' ? names + 1 : names);
}

bool losetup_columns_ok(const struct losetup_list *list)
{
	struct chosen c;

	return choose(&c, list);
}

/* "/dev/loop0: [2049]:12 (/file), offset 512" */
static void print_line(const struct loop *l)
{
	char *file = text_safe(l->file);

	printf("%s: ", l->node);
	if (l->asked)
		printf("[%04llu]:%llu (%s)", (unsigned long long)l->back_dev,
		       (unsigned long long)l->back_ino, file);
	else
		printf("[]: (%s)", file);
	if (l->offset)
		printf(", offset %llu", (unsigned long long)l->offset);
	if (l->sizelimit)
		printf(", sizelimit %llu", (unsigned long long)l->sizelimit);
	putchar('\n');
	free(file);
}

static void print_json(const struct chosen *c, const struct loop *loops, int n)
{
	struct json j = { .out = stdout, .joined = true };

	json_open(&j, NULL, '{');
	json_open(&j, "loopdevices", '[');
	for (int i = 0; i < n; i++) {
		json_open(&j, NULL, '{');
		for (size_t k = 0; k < c->n; k++) {
			const struct list_column *column = c->column[k];
			char *text = column->get(&loops[i]), key[32];
			size_t at;

			for (at = 0; column->name[at]; at++)
				key[at] = (char)tolower((unsigned char)column->name[at]);
			key[at] = '\0';
			if (!text || column->type == COLUMN_TEXT)
				json_string(&j, key, text);
			else if (column->type == COLUMN_FLAG)
				json_bool(&j, key, *text == '1');
			else
				json_number(&j, key, strtoull(text, NULL, 10));
			free(text);
		}
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
}

/* Blanks would look like the end of the cell. */
static void print_raw(const char *text)
{
	for (; *text; text++) {
		if (*text == ' ' || *text == '\\' || iscntrl((unsigned char)*text))
			printf("\\x%02x", (unsigned char)*text);
		else
			putchar(*text);
	}
}

static void print_cell(const struct chosen *c, size_t k, const char *text, size_t width,
		       bool raw)
{
	const int pad = (int)(width - text_width(text));

	if (k)
		putchar(' ');
	if (raw)
		print_raw(text);
	else if (k + 1 == c->n && !*text)
		return;	/* no blanks instead of what is not there */
	else if (c->column[k]->right)
		printf("%*s%s", pad, "", text);
	else if (k + 1 < c->n)
		printf("%s%*s", text, pad, "");
	else
		fputs(text, stdout);
}

/* Colons stand below each other: "7:1  ". */
static char *align_devno(char *text)
{
	const char *colon = strchr(text, ':');
	char *aligned = cell("%.*s:%-3s", (int)(colon - text), text, colon + 1);

	free(text);
	return aligned;
}

/* Text of line i, to be freed; line 0 is the headings. */
static char *table_text(const struct losetup_list *list, const struct list_column *column,
			const struct loop *loops, int i)
{
	char *text, *safe;

	if (!i)
		return cell("%s", column->name);
	text = column->get(&loops[i - 1]);
	if (text && strstr(column->name, "MAJ:MIN") && !list->raw)
		text = align_devno(text);
	safe = text_safe(text ? text : "");
	free(text);
	return safe;
}

static void print_table(const struct losetup_list *list, const struct chosen *c,
			const struct loop *loops, int n)
{
	size_t width[MAX_COLUMNS] = { 0 }, w;
	char *text;
	int i;

	for (i = list->no_headings; i <= n; i++) {
		for (size_t k = 0; k < c->n; k++) {
			text = table_text(list, c->column[k], loops, i);
			w = text_width(text);
			width[k] = w > width[k] ? w : width[k];
			free(text);
		}
	}
	for (i = list->no_headings; i <= n; i++) {
		for (size_t k = 0; k < c->n; k++) {
			text = table_text(list, c->column[k], loops, i);
			print_cell(c, k, text, width[k], list->raw);
			free(text);
		}
		putchar('\n');
	}
}

void losetup_print(const struct losetup_list *list, const struct loop *loops, int n)
{
	struct chosen c;

	if (!list->table) {
		for (int i = 0; i < n; i++)
			print_line(&loops[i]);
		return;
	}
	choose(&c, list);
	if (list->json)
		print_json(&c, loops, n);
	else if (n)
		print_table(list, &c, loops, n);
}
