// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt CLI - writing JSON.
 *
 * File names are bytes: what is not UTF-8 is written as U+FFFD, so that any
 * reader takes the output.
 */
#include "cli.h"

/* Length of the UTF-8 sequence at s, or 0 if it is none. */
static int utf8_length(const unsigned char *s)
{
	int i, n;

	if (s[0] < 0x80)
		return 1;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	n = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	for (i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	}
	/* Too long a form, surrogates, beyond U+10FFFF. */
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return n;
}

static void json_text(FILE *out, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	int n;

	fputc('"', out);
	for (; *s; s += n) {
		n = utf8_length(s);
		if (!n) {
			fputs("\\ufffd", out);
			n = 1;
		} else if (*s == '"' || *s == '\\') {
			fprintf(out, "\\%c", *s);
		} else if (*s < 0x20 || *s == 0x7f) {
			fprintf(out, "\\u%04x", *s);
		} else {
			fwrite(s, 1, (size_t)n, out);
		}
	}
	fputc('"', out);
}

static void json_key(struct json *j, const char *key)
{
	fputs(j->first ? "\n" : ",\n", j->out);
	for (int i = 0; i < j->depth; i++)
		fputs("   ", j->out);
	j->first = false;
	if (key) {
		json_text(j->out, key);
		fputc(':', j->out);
	}
}

void json_open(struct json *j, const char *key, char bracket)
{
	if (j->depth)
		json_key(j, key);
	fputc(bracket, j->out);
	j->depth++;
	j->first = true;
}

void json_close(struct json *j, char bracket)
{
	j->depth--;
	fputc('\n', j->out);
	for (int i = 0; i < j->depth; i++)
		fputs("   ", j->out);
	fputc(bracket, j->out);
	j->first = false;
	if (!j->depth)
		fputc('\n', j->out);
}

void json_string(struct json *j, const char *key, const char *value)
{
	json_key(j, key);
	json_text(j->out, value);
}

void json_number(struct json *j, const char *key, uint64_t value)
{
	json_key(j, key);
	fprintf(j->out, "%llu", (unsigned long long)value);
}

void json_bool(struct json *j, const char *key, bool value)
{
	json_key(j, key);
	fputs(value ? "true" : "false", j->out);
}

void json_null(struct json *j, const char *key)
{
	json_key(j, key);
	fputs("null", j->out);
}
