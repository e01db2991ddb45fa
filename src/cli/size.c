// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt CLI - numbers and sizes.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const char units[] = "KMGTPE";

/* K, KiB: powers of 1024; KB: powers of 1000. */
static bool parse_suffix(const char *text, uint64_t *factor)
{
	const char *unit;
	unsigned int base;

	*factor = 1;
	if (!*text)
		return true;
	unit = strchr(units, toupper((unsigned char)*text));
	if (!unit)
		return false;
	if (!text[1] || !strcasecmp(text + 1, "iB"))
		base = 1024;
	else if (!strcasecmp(text + 1, "B"))
		base = 1000;
	else
		return false;
	for (const char *u = units; u <= unit; u++)
		*factor *= base;
	return true;
}

bool parse_size(const char *text, uint64_t *bytes)
{
	unsigned long long number;
	uint64_t factor;
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	number = strtoull(text, &end, 0);
	if (errno || !parse_suffix(end, &factor))
		return false;
	return !__builtin_mul_overflow(number, factor, bytes);
}

bool parse_number(const char *text, unsigned long max, unsigned long *number)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*number = strtoul(text, &end, 10);
	return !errno && !*end && *number <= max;
}

bool parse_devno(const char *text, unsigned int *major_nr, unsigned int *minor_nr)
{
	char *end;

	*major_nr = (unsigned int)strtoul(text, &end, 10);
	if (end == text || *end != ':')
		return false;
	*minor_nr = (unsigned int)strtoul(end + 1, NULL, 10);
	return true;
}

void format_size(char *text, uint64_t bytes)
{
	uint64_t tenths = bytes * 10;
	const char *unit = "B";

	/* Rounded to the nearest tenth; whole numbers have none. */
	if (bytes >= 1024) {
		for (unit = units; bytes >> 20; unit++)
			bytes >>= 10;
		tenths = (bytes * 10 + 512) >> 10;
	}
	if (tenths % 10)
		snprintf(text, 16, "%u.%u%c", (unsigned int)(tenths / 10),
			 (unsigned int)(tenths % 10), *unit);
	else
		snprintf(text, 16, "%u%c", (unsigned int)(tenths / 10), *unit);
}
