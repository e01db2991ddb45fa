// SPDX-License-Identifier: GPL-2.0-only
/* before 5.16: ki_complete has three arguments (6b19b766e8f0) */
#include <linux/fs.h>

void looplt_probe(struct kiocb *iocb,
		  void (*fn)(struct kiocb *iocb, long ret, long ret2));
void looplt_probe(struct kiocb *iocb,
		  void (*fn)(struct kiocb *iocb, long ret, long ret2))
{
	iocb->ki_complete = fn;
}
