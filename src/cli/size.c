// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt CLI - numbers and sizes.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* K, KiB: powers of 1024; KB: powers of 1000. */
static bool parse_suffix(const char *text, uint64_t *factor)
{
	static const char units[] = "KMGTPE";
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
