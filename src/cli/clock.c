// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt CLI - waiting.
 */
#include <time.h>

#include "cli.h"

uint64_t clock_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Between two looks at something that will change soon. */
void clock_pause(void)
{
	const struct timespec pause = { .tv_nsec = 20L * 1000 * 1000 };

	nanosleep(&pause, NULL);
}
