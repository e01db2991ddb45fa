// SPDX-License-Identifier: GPL-2.0-only
/* guards the toolchain: a plain module source compiles */
#include <linux/module.h>

void looplt_probe(void);
void looplt_probe(void)
{
}
