// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt CLI - messages.
 */
#include <stdlib.h>

#include "cli.h"

static const char *speaker = "looplt";

void message_as(const char *name)
{
	speaker = name;
}

static void vmessage(const char *format, va_list args) PRINTF_LIKE(1, 0);

static void vmessage(const char *format, va_list args)
{
	char *text = text_format(format, args);
	char *safe = text_safe(text);

	fprintf(stderr, "%s: %s\n", speaker, safe);
	free(safe);
	free(text);
}

void message(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vmessage(format, args);
	va_end(args);
}

int refuse(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vmessage(format, args);
	va_end(args);
	return CLI_REFUSED;
}

int usage_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vmessage(format, args);
	va_end(args);
	return CLI_USAGE;
}

void *need_memory(void *p)
{
	if (p)
		return p;
	fprintf(stderr, "%s: out of memory\n", speaker);
	exit(CLI_REFUSED);
}
