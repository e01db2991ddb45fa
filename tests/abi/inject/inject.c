// SPDX-License-Identifier: GPL-2.0-only
/*
 * inject - make one kernel function fail, once, for one program.
 *
 *   symbol	the function
 *   error	what it returns instead of doing its work
 *   comm	the name of the program
 *   nth	which call fails, from 1
 *   hits	out: how often the program has called it
 *
 * Debian's kernels have kprobes, but no fault injection.  For tests only.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/string.h>

static char *symbol = "";
module_param(symbol, charp, 0444);
static long error = -ENOMEM;
module_param(error, long, 0444);
static char *comm = "";
module_param(comm, charp, 0444);
static int nth = 1;
module_param(nth, int, 0444);
static int hits;
module_param(hits, int, 0444);

/* Stands in for the function: its caller gets what is in the register. */
static noinline notrace void inject_return(void)
{
}

static int inject_before(struct kprobe *probe, struct pt_regs *regs)
{
	if (strcmp(current->comm, comm) || ++hits != nth)
		return 0;
	regs_set_return_value(regs, error);
	instruction_pointer_set(regs, (unsigned long)inject_return);
	return 1;
}
NOKPROBE_SYMBOL(inject_before);

static struct kprobe inject_probe = {
	.pre_handler	= inject_before,
};

static int __init inject_init(void)
{
	inject_probe.symbol_name = symbol;
	return register_kprobe(&inject_probe);
}

static void __exit inject_exit(void)
{
	unregister_kprobe(&inject_probe);
}

module_init(inject_init);
module_exit(inject_exit);

MODULE_DESCRIPTION("Make a kernel function fail once, for tests");
MODULE_AUTHOR("The looplt developers");
MODULE_LICENSE("GPL");
