// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt - drop-in mode: to be what programs know as the loop driver.
 *
 * What differs from side by side is here: the block major, the names of the
 * disks, disks that come into being because a node of theirs is opened, and
 * what is said when the stock driver is there already.  control.c has the
 * stock control node, main.c the stock defaults.
 */
#include "looplt.h"

#include <linux/kconfig.h>
#include <linux/kdev_t.h>
#include <linux/major.h>

#define LOOPLT_STOCK_NAME	"loop"

bool looplt_dropin;

/**
 * looplt_dropin_name() - what disks are called, without their number
 *
 * Context: any.
 */
const char *looplt_dropin_name(void)
{
	return looplt_dropin ? LOOPLT_STOCK_NAME : LOOPLT_NAME;
}

/**
 * looplt_dropin_explain() - why loading fails: there is another loop driver
 *
 * Context: module init.
 */
void looplt_dropin_explain(void)
{
	if (IS_BUILTIN(CONFIG_BLK_DEV_LOOP))
		pr_err("dropin=1, but the stock loop driver is built into this kernel: boot with initcall_blacklist=loop_init, or load looplt without dropin=1\n");
	else
		pr_err("dropin=1, but the stock loop driver is loaded: detach its disks (losetup -D) and rmmod loop, or load looplt without dropin=1\n");
}

/*
 * A node was opened that has no disk.  The kernel looks again when we are done:
 * there is nobody to give an error to.
 */
static void looplt_dropin_probe(dev_t dev)
{
	unsigned int index = MINOR(dev) >> looplt_part_shift;
	struct looplt_device *lo;

	if (index >= looplt_probe_limit)
		return;
	lo = looplt_device_create(index, true, LOOPLT_UNBOUND);
	if (!IS_ERR(lo))
		looplt_device_put(lo);
}

/**
 * looplt_dropin_register() - get the block major
 *
 * From here on the kernel may ask for disks.
 *
 * Context: module init.
 * Return: the major, or -errno; -EBUSY if the stock driver has it.
 */
int looplt_dropin_register(void)
{
	int err;

	if (!looplt_dropin)
		return register_blkdev(0, LOOPLT_NAME);
	err = looplt_compat_register_blkdev(LOOP_MAJOR, LOOPLT_STOCK_NAME,
					    looplt_dropin_probe);
	if (err == -EBUSY)
		looplt_dropin_explain();
	return err ?: LOOP_MAJOR;
}
