// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt CLI - messages.
 */
#include <stdarg.h>

#include "cli.h"

static void vmessage(const char *format, va_list args)
{
	fputs("looplt: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
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
	fputs("Try 'looplt --help'.\n", stderr);
	return CLI_USAGE;
}
