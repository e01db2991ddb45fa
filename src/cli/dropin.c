// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt dropin - take the place of the stock loop driver, or give it back.
 *
 * That is one file for modprobe, which redirects every way to the stock module
 * to ours.  What was written by somebody else is not touched.  When it takes
 * effect depends on what is loaded, so that is said each time.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

#define CONF "/etc/modprobe.d/looplt-dropin.conf"

static const char wanted[] =
	"# Written by 'looplt dropin enable'; 'looplt dropin disable' removes it.\n"
	"alias loop looplt\n"
	"alias block-major-7-* looplt\n"
	"alias char-major-10-237 looplt\n"
	"alias devname:loop-control looplt\n"
	"options looplt dropin=1\n";

enum conf { CONF_NONE, CONF_OURS, CONF_CHANGED };

/* Who has /dev/loop<N> now. */
enum driver { DRIVER_NONE, DRIVER_LOOPLT, DRIVER_STOCK, DRIVER_BUILT_IN };

static bool exists(const char *file)
{
	char path[PATH_MAX];

	return !access(path_of(path, "%s", file), F_OK);
}

static enum conf find_conf(void)
{
	char path[PATH_MAX];
	enum conf conf;
	char *text;

	text = path_read(path_of(path, CONF));
	if (!text)
		return exists(CONF) ? CONF_CHANGED : CONF_NONE;
	/* path_read() takes the last newline. */
	conf = strlen(text) == strlen(wanted) - 1 && !strncmp(text, wanted, strlen(text)) ?
		CONF_OURS : CONF_CHANGED;
	free(text);
	return conf;
}

static bool has_major(void)
{
	char path[PATH_MAX];

	return path_lists(path_of(path, "/proc/devices"), "  7 loop\n");
}

/* A driver that is built in, but was kept from starting, is none. */
static enum driver find_driver(void)
{
	if (!has_major())
		return DRIVER_NONE;
	if (strcmp(device_prefix(), LOOPLT_NAME) != 0)
		return DRIVER_LOOPLT;
	/* What is built in has no state. */
	return exists("/sys/module/loop/initstate") ? DRIVER_STOCK : DRIVER_BUILT_IN;
}

/*
 * initramfs-tools takes our file into the initramfs, but looks for drivers only
 * where the kernel's own are; dracut asks modprobe, and so finds ours.
 */
static void say_initramfs(bool enabled)
{
	static const char list[] = "/etc/initramfs-tools/modules";

	if (exists("/usr/sbin/update-initramfs"))
		message("if the initramfs uses loop disks: %s looplt %s %s; update-initramfs -u",
			enabled ? "add" : "remove", enabled ? "to" : "from", list);
	else if (exists("/usr/bin/dracut"))
		message("if the initramfs uses loop disks: dracut -f");
}

static void say_enabled(void)
{
	switch (find_driver()) {
	case DRIVER_LOOPLT:
		message("looplt is the loop driver");
		break;
	case DRIVER_STOCK:
		message("the stock driver is loaded: looplt takes its place at the next boot,");
		message("or now: losetup -D; rmmod loop; modprobe looplt");
		break;
	default:
		if (module_loaded())
			message("looplt is loaded side by side: rmmod looplt; modprobe looplt");
		else
			message("looplt is loaded as soon as somebody wants a loop disk");
	}
	say_initramfs(true);
}

static void say_disabled(void)
{
	if (find_driver() == DRIVER_LOOPLT)
		message("looplt is the loop driver until it is unloaded: losetup -D; rmmod looplt");
	say_initramfs(false);
}

/* A whole file or none: modprobe reads only what ends in ".conf". */
static int write_conf(void)
{
	char path[PATH_MAX], new[PATH_MAX];
	bool written;
	FILE *f;

	f = fopen(path_of(new, CONF ".new"), "we");
	if (!f)
		return refuse(CONF ": cannot write: %s", strerror(errno));
	fputs(wanted, f);
	written = !fflush(f) && !fchmod(fileno(f), 0644) && !fsync(fileno(f));
	written = !fclose(f) && written;
	if (written && !rename(new, path_of(path, CONF)))
		return CLI_DONE;
	refuse(CONF ": cannot write: %s", strerror(errno));
	unlink(new);
	return CLI_REFUSED;
}

/* With the file in place and these unmet, there would be no loop driver. */
static int check_enable(void)
{
	if (!module_listed("modules.dep", "/" LOOPLT_NAME ".ko")) {
		message("looplt is not installed for this kernel: nothing could take the place");
		return refuse("install it first: make install, or make dkms-install");
	}
	if (find_driver() == DRIVER_BUILT_IN) {
		message("the stock loop driver is built into this kernel");
		return refuse("boot with initcall_blacklist=loop_init first");
	}
	return CLI_DONE;
}

static int enable(void)
{
	int err;

	switch (find_conf()) {
	case CONF_CHANGED:
		return refuse(CONF " is not as looplt writes it: left alone");
	case CONF_OURS:
		message("already enabled");
		break;
	default:
		err = check_enable();
		if (!err)
			err = write_conf();
		if (err)
			return err;
	}
	say_enabled();
	return CLI_DONE;
}

static int disable(void)
{
	char path[PATH_MAX];

	switch (find_conf()) {
	case CONF_CHANGED:
		return refuse(CONF " is not as looplt writes it: left alone");
	case CONF_NONE:
		message("not enabled");
		break;
	default:
		if (unlink(path_of(path, CONF)))
			return refuse(CONF ": cannot remove: %s", strerror(errno));
	}
	say_disabled();
	return CLI_DONE;
}

static int status(void)
{
	static const char * const confs[] = {
		[CONF_NONE]	= "no",
		[CONF_OURS]	= "yes",
		[CONF_CHANGED]	= "changed by somebody",
	};
	static const char * const drivers[] = {
		[DRIVER_NONE]		= "none loaded",
		[DRIVER_LOOPLT]		= "looplt",
		[DRIVER_STOCK]		= "stock",
		[DRIVER_BUILT_IN]	= "stock, built in",
	};

	printf("enabled  %s\n", confs[find_conf()]);
	printf("driver   %s\n", drivers[find_driver()]);
	return CLI_DONE;
}

int cmd_dropin(int argc, char **argv)
{
	static const struct option none[] = { { 0 } };
	const char *word;

	if (getopt_long(argc, argv, "", none, NULL) != -1)
		return CLI_USAGE;
	word = optind == argc - 1 ? argv[optind] : "";
	if (!strcmp(word, "enable"))
		return enable();
	if (!strcmp(word, "disable"))
		return disable();
	if (!strcmp(word, "status"))
		return status();
	return usage_error("dropin takes enable, disable or status");
}
