// SPDX-License-Identifier: GPL-2.0-only
/* guards the toolchain: an unknown function does not compile */
#include <linux/module.h>

void looplt_probe(void);
void looplt_probe(void)
{
	looplt_no_such_function();
}
