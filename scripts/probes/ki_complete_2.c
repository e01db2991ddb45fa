// SPDX-License-Identifier: GPL-2.0-only
/* since 5.16: ki_complete has two arguments (6b19b766e8f0) */
#include <linux/fs.h>

void looplt_probe(struct kiocb *iocb, void (*fn)(struct kiocb *iocb, long ret));
void looplt_probe(struct kiocb *iocb, void (*fn)(struct kiocb *iocb, long ret))
{
	iocb->ki_complete = fn;
}
