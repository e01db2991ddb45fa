// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt - start and stop of the module, and its parameters.
 */
#include "looplt.h"

#include <linux/bitops.h>
#include <linux/kdev_t.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>

#define LOOPLT_MAX_MINORS_PER_DISK	256U
#define LOOPLT_DEF_QUEUE_DEPTH		128U
#define LOOPLT_MAX_QUEUE_DEPTH		10240U	/* of blk-mq */
#define LOOPLT_NOT_GIVEN		UINT_MAX
#ifdef CONFIG_BLK_DEV_LOOP_MIN_COUNT
#define LOOPLT_STOCK_MAX_LOOP		CONFIG_BLK_DEV_LOOP_MIN_COUNT
#else
#define LOOPLT_STOCK_MAX_LOOP		8
#endif

unsigned int looplt_part_shift;
unsigned int looplt_queue_depth = LOOPLT_DEF_QUEUE_DEPTH;
unsigned int looplt_probe_limit = UINT_MAX;
bool looplt_local_throttle = true;
bool looplt_exclusive = true;

static unsigned int looplt_max_loop = LOOPLT_NOT_GIVEN;
static unsigned int looplt_max_part;
static unsigned int looplt_io = LOOPLT_IO_AUTO;
static bool looplt_io_given;
static bool looplt_exclusive_given;

static const char * const looplt_io_names[] = {
	[LOOPLT_IO_AUTO]	= "auto",
	[LOOPLT_IO_DIRECT]	= "direct",
	[LOOPLT_IO_BUFFERED]	= "buffered",
	[LOOPLT_IO_UNCACHED]	= "uncached",
};

/**
 * looplt_default_io() - the I/O mode of an attachment that names none
 *
 * Context: any.
 */
enum looplt_io_mode looplt_default_io(void)
{
	return READ_ONCE(looplt_io);
}

static int looplt_io_set(const char *val, const struct kernel_param *kp)
{
	int mode = sysfs_match_string(looplt_io_names, val);

	if (mode < 0)
		return mode;
	WRITE_ONCE(looplt_io, mode);
	looplt_io_given = true;
	return 0;
}

static int looplt_io_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%s\n", looplt_io_names[looplt_default_io()]);
}

static const struct kernel_param_ops looplt_io_ops = {
	.set	= looplt_io_set,
	.get	= looplt_io_get,
};

static int looplt_exclusive_set(const char *val, const struct kernel_param *kp)
{
	looplt_exclusive_given = true;
	return param_set_bool(val, kp);
}

static const struct kernel_param_ops looplt_exclusive_ops = {
	.flags	= KERNEL_PARAM_OPS_FL_NOARG,
	.set	= looplt_exclusive_set,
	.get	= param_get_bool,
};

module_param_named(dropin, looplt_dropin, bool, 0444);
MODULE_PARM_DESC(dropin, "be /dev/loop-control and /dev/loop<N>, in place of the stock driver (0)");
module_param_cb(default_io, &looplt_io_ops, NULL, 0644);
MODULE_PARM_DESC(default_io, "I/O mode unless asked for one: auto, direct, buffered or uncached (auto; drop-in: buffered)");
module_param_named(local_throttle, looplt_local_throttle, bool, 0644);
MODULE_PARM_DESC(local_throttle, "I/O threads run with PF_LOCAL_THROTTLE; off only to show what it does (1)");
module_param_cb(exclusive, &looplt_exclusive_ops, &looplt_exclusive, 0644);
MODULE_PARM_DESC(exclusive, "one writer or many readers per backing file, unless attached as shared (1; drop-in: 0)");
module_param_named(max_loop, looplt_max_loop, uint, 0444);
MODULE_PARM_DESC(max_loop, "devices made when the module is loaded; more come on demand (0; drop-in: as the stock driver, and if given, opening a node makes none beyond)");
module_param_named(max_part, looplt_max_part, uint, 0444);
MODULE_PARM_DESC(max_part, "minors for partitions per device; above 0, all devices are scanned (0)");
module_param_named(hw_queue_depth, looplt_queue_depth, uint, 0444);
MODULE_PARM_DESC(hw_queue_depth, "reads, and as many other requests, in flight per device (128)");

/* What was not asked for is as the stock driver has it. */
static void __init looplt_dropin_defaults(void)
{
	if (!looplt_io_given)
		looplt_io = LOOPLT_IO_BUFFERED;
	if (!looplt_exclusive_given)
		looplt_exclusive = false;
	if (looplt_max_loop == LOOPLT_NOT_GIVEN)
		looplt_max_loop = LOOPLT_STOCK_MAX_LOOP;
	else if (looplt_max_loop)
		looplt_probe_limit = looplt_max_loop;
}

static int __init looplt_check_parameters(void)
{
	if (looplt_dropin)
		looplt_dropin_defaults();
	else if (looplt_max_loop == LOOPLT_NOT_GIVEN)
		looplt_max_loop = 0;
	looplt_part_shift = fls(looplt_max_part);
	if (looplt_part_shift > ilog2(LOOPLT_MAX_MINORS_PER_DISK)) {
		pr_err("max_part must be below %u\n",
		       LOOPLT_MAX_MINORS_PER_DISK);
		return -EINVAL;
	}
	if (looplt_max_part)
		looplt_max_part = (1U << looplt_part_shift) - 1;
	if (looplt_max_loop > 1U << (MINORBITS - looplt_part_shift)) {
		pr_err("max_loop must be at most %u\n",
		       1U << (MINORBITS - looplt_part_shift));
		return -EINVAL;
	}
	if (!looplt_queue_depth) {
		pr_err("hw_queue_depth must be at least 1\n");
		return -EINVAL;
	}
	looplt_queue_depth = min(looplt_queue_depth, LOOPLT_MAX_QUEUE_DEPTH);
	return 0;
}

static int __init looplt_module_init(void)
{
	int err;

	err = looplt_check_parameters();
	if (err)
		return err;
	err = looplt_device_init();
	if (err)
		return err;
	err = looplt_control_init();
	if (err)
		goto err_exit_devices;
	looplt_device_create_first(looplt_max_loop);
	pr_info("version %s loaded%s\n", LOOPLT_VERSION,
		looplt_dropin ? " in place of the stock loop driver" : "");
	return 0;

err_exit_devices:
	looplt_device_exit();
	return err;
}

static void __exit looplt_module_exit(void)
{
	looplt_control_exit();
	looplt_device_exit();
}

module_init(looplt_module_init);
module_exit(looplt_module_exit);

MODULE_DESCRIPTION("Loop block devices whose threads are throttled locally");
MODULE_AUTHOR("The looplt developers");
MODULE_VERSION(LOOPLT_VERSION);
MODULE_LICENSE("GPL");
