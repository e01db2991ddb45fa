// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt CLI - writing JSON.
 *
 * What is not UTF-8 is written as U+FFFD, so that any reader takes the output.
 */
#include "cli.h"

static void write_text(FILE *out, const char *s)
{
	int n;

	fputc('"', out);
	for (; *s; s += n) {
		n = utf8_length(s);
		if (!n) {
			fputs("\\ufffd", out);
			n = 1;
		} else if (*s == '"' || *s == '\\') {
			fprintf(out, "\\%c", *s);
		} else if (n == 1 && (*s < 0x20 || *s == 0x7f)) {
			fprintf(out, "\\u%04x", (unsigned char)*s);
		} else {
			fwrite(s, 1, (size_t)n, out);
		}
	}
	fputc('"', out);
}

static void write_line(const struct json *j)
{
	fprintf(j->out, "\n%*s", 3 * j->depth, "");
}

/* Everything is somebody's member, but for the outermost. */
static void write_key(struct json *j, const char *key)
{
	const bool join = j->joined && !j->first && !key;

	if (!j->depth)
		return;
	if (!j->first)
		fputc(',', j->out);
	j->first = false;
	if (!join)
		write_line(j);
	if (key) {
		write_text(j->out, key);
		fputs(": ", j->out);
	}
}

void json_open(struct json *j, const char *key, char bracket)
{
	write_key(j, key);
	fputc(bracket, j->out);
	j->depth++;
	j->first = true;
}

void json_close(struct json *j, char bracket)
{
	j->depth--;
	if (j->first && j->joined)
		fputc('\n', j->out);
	if (!j->first || j->joined)
		write_line(j);
	fputc(bracket, j->out);
	j->first = false;
	if (!j->depth)
		fputc('\n', j->out);
}

void json_string(struct json *j, const char *key, const char *value)
{
	write_key(j, key);
	if (value)
		write_text(j->out, value);
	else
		fputs("null", j->out);
}

void json_number(struct json *j, const char *key, uint64_t value)
{
	write_key(j, key);
	fprintf(j->out, "%llu", (unsigned long long)value);
}

void json_bool(struct json *j, const char *key, bool value)
{
	write_key(j, key);
	fputs(value ? "true" : "false", j->out);
}
