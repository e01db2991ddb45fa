// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt CLI - text from elsewhere: file names, tags, names of processes.
 *
 * They are bytes, and may have been chosen by somebody who wants to steer the
 * terminal of an administrator.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

int utf8_length(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
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

char *text_format(const char *format, va_list args)
{
	char *text;

	return need_memory(vasprintf(&text, format, args) < 0 ? NULL : text);
}

/* Controls of ASCII, and those from U+0080 to U+009F. */
static bool is_control(const char *s)
{
	const unsigned char c = (unsigned char)s[0];

	return c < 0x20 || c == 0x7f ||
	       (c == 0xc2 && (unsigned char)s[1] < 0xa0);
}

char *text_safe(const char *text)
{
	char *safe = need_memory(malloc(4 * strlen(text) + 1)), *to = safe;
	int n;

	for (; *text; text += n) {
		n = utf8_length(text);
		if (!n || is_control(text)) {
			to += sprintf(to, "\\x%02x", (unsigned char)*text);
			n = 1;
		} else {
			memcpy(to, text, (size_t)n);
			to += n;
		}
	}
	*to = '\0';
	return safe;
}

/* Columns on a terminal, near enough: wide letters count as one. */
size_t text_width(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += (*text & 0xc0) != 0x80;
	return width;
}
