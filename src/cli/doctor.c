// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt doctor - what is in the way on this system, and what to do.
 *
 * A check looks at one thing and writes one finding.  It asks files and
 * programs, and changes nothing.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cli.h"

enum verdict { VERDICT_OK, VERDICT_NOTE, VERDICT_PROBLEM };

static const char *const verdict_names[] = { "ok", "note", "problem" };

struct finding {
	enum verdict verdict;
	char text[512];
	char advice[512];	/* empty: nothing to do */
};

struct patient {
	struct utsname kernel;
	const char *file;	/* or directory, asked about; NULL: none */
};

static void find(struct finding *f, enum verdict v, const char *format, ...)
	PRINTF_LIKE(3, 4);
static void advise(struct finding *f, const char *format, ...) PRINTF_LIKE(2, 3);

static void find(struct finding *f, enum verdict v, const char *format, ...)
{
	va_list args;

	f->verdict = v;
	va_start(args, format);
	vsnprintf(f->text, sizeof(f->text), format, args);
	va_end(args);
}

static void advise(struct finding *f, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(f->advice, sizeof(f->advice), format, args);
	va_end(args);
}

static bool exists(const char *file)
{
	char path[PATH_MAX];

	return !access(path_of(path, "%s", file), F_OK);
}

/* The first line that a program prints; false: it failed or is missing. */
static bool first_line(const char *const *argv, char *line, size_t size)
{
	const bool ok = !program_run(argv, line, size);

	line[strcspn(line, "\n")] = '\0';
	return ok && *line;
}

static bool modinfo(const char *field, char *value, size_t size)
{
	const char *const argv[] = { "modinfo", "-F", field, LOOPLT_NAME, NULL };

	return first_line(argv, value, size);
}

/* Is "6.1.0-57-amd64" that version, or a later one? */
static bool is_since(const char *version, unsigned long want_major, unsigned long want_minor)
{
	unsigned long major_nr, minor_nr = 0;
	char *end;

	major_nr = strtoul(version, &end, 10);
	if (*end == '.')
		minor_nr = strtoul(end + 1, NULL, 10);
	return major_nr > want_major || (major_nr == want_major && minor_nr >= want_minor);
}

static void check_kernel(struct finding *f, const struct patient *p)
{
	find(f, VERDICT_OK, "Linux %s", p->kernel.release);
	if (is_since(p->kernel.release, 5, 10))
		return;
	f->verdict = VERDICT_PROBLEM;
	advise(f, "looplt is for Linux 5.10 and later");
}

static void check_built(struct finding *f, const struct patient *p)
{
	char version[256], magic[256];

	if (!modinfo("vermagic", magic, sizeof(magic))) {
		find(f, module_loaded() ? VERDICT_NOTE : VERDICT_PROBLEM,
		     "the module is not installed for this kernel");
		advise(f, "with linux-headers-%s: make install, or make dkms-install",
		       p->kernel.release);
		return;
	}
	magic[strcspn(magic, " ")] = '\0';
	if (strcmp(magic, p->kernel.release) != 0) {
		find(f, VERDICT_PROBLEM, "the installed module was built for %s", magic);
		advise(f, "build it anew: make install, or dkms autoinstall");
		return;
	}
	if (!modinfo("version", version, sizeof(version)))
		strcpy(version, "?");
	find(f, VERDICT_OK, "the module is installed, version %s", version);
	if (strcmp(version, LOOPLT_VERSION) != 0) {
		f->verdict = VERDICT_PROBLEM;
		advise(f, "this program is %s: install both from one source", LOOPLT_VERSION);
	}
}

static void check_signature(struct finding *f, const struct patient *p)
{
	char *signer = signature_signer(), *certificate = signature_certificate();

	(void)p;
	if (!signature_enforced()) {
		find(f, VERDICT_OK, "the kernel takes modules without a signature");
	} else if (!signer) {
		find(f, VERDICT_PROBLEM,
		     "the kernel takes signed modules only, and the module is not");
		advise(f, "make sign; make install; mokutil --import %s; reboot", certificate);
	} else {
		/* Only a load shows whether the kernel knows the key. */
		find(f, module_loaded() ? VERDICT_OK : VERDICT_NOTE,
		     "the kernel takes signed modules only; this one is signed by '%s'", signer);
		if (!module_loaded())
			advise(f, "if it is refused: mokutil --import %s; reboot", certificate);
	}
	free(signer);
	free(certificate);
}

static void check_loaded(struct finding *f, const struct patient *p)
{
	char path[PATH_MAX];
	char *version;

	(void)p;
	if (!module_loaded()) {
		find(f, VERDICT_NOTE, "the module is not loaded");
		advise(f, "modprobe " LOOPLT_NAME " (looplt attach does it, too)");
		return;
	}
	version = path_read(path_of(path, "/sys/module/" LOOPLT_NAME "/version"));
	find(f, VERDICT_OK, "the module is loaded, version %s", version ? version : "unknown");
	if (!version || strcmp(version, LOOPLT_VERSION) != 0) {
		f->verdict = VERDICT_PROBLEM;
		advise(f, "this program is %s: detach all; rmmod looplt; modprobe looplt",
		       LOOPLT_VERSION);
	}
	free(version);
}

static void check_stock(struct finding *f, const struct patient *p)
{
	(void)p;
	if (!exists("/sys/module/loop"))
		find(f, VERDICT_OK, "the stock loop driver is not loaded");
	else if (exists("/sys/module/loop/initstate"))
		find(f, VERDICT_OK, "the stock loop driver is a module, and loaded beside looplt");
	else
		find(f, VERDICT_OK, "the stock loop driver is built in; looplt works beside it");
}

static void check_major(struct finding *f, const struct patient *p)
{
	char path[PATH_MAX];

	(void)p;
	path_of(path, "/proc/devices");
	if (!path_lists(path, "  7 "))
		find(f, VERDICT_OK, "nobody has block major 7");
	else if (!strcmp(device_prefix(), LOOPLT_NAME))
		find(f, VERDICT_OK, "the stock driver has block major 7");
	else
		find(f, VERDICT_OK, "looplt has block major 7 (drop-in mode)");
}

static void check_util_linux(struct finding *f, const struct patient *p)
{
	const char *const argv[] = { "losetup", "--version", NULL };
	const char *number;
	char said[256];

	(void)p;
	number = first_line(argv, said, sizeof(said)) ? strrchr(said, ' ') : NULL;
	if (!number) {
		find(f, VERDICT_NOTE, "there is no losetup of util-linux");
		return;
	}
	find(f, VERDICT_OK, "util-linux%s", number);
	if (is_since(number + 1, 2, 37))
		return;
	f->verdict = VERDICT_NOTE;
	advise(f, "before 2.37 losetup does not know looplt's disks: use looplt instead");
}

static void check_udev(struct finding *f, const struct patient *p)
{
	static const char *const dirs[] = {
		"/etc/udev/rules.d", "/usr/lib/udev/rules.d", "/lib/udev/rules.d",
	};
	char path[PATH_MAX];

	(void)p;
	for (size_t i = 0; i < sizeof(dirs) / sizeof(*dirs); i++) {
		if (access(path_of(path, "%s/61-looplt.rules", dirs[i]), F_OK))
			continue;
		find(f, VERDICT_OK, "udev has looplt's rules, in %s", dirs[i]);
		return;
	}
	find(f, VERDICT_NOTE, "udev has no rules for looplt: no links in /dev/disk/by-loop-ref");
	advise(f, "make install, or install looplt-utils");
}

/* Counts the disks whose node is missing; "name" is one of them. */
static int missing_nodes(char *name)
{
	char path[PATH_MAX], node[DEVICE_NODE_SIZE];
	int n, *all, missing = 0;

	n = device_all(&all);
	for (int i = 0; i < n; i++) {
		device_node(node, all[i]);
		if (!access(path_of(path, "%s", node), F_OK))
			continue;
		memcpy(name, node, sizeof(node));
		missing++;
	}
	free(all);
	return missing;
}

static void check_nodes(struct finding *f, const struct patient *p)
{
	char node[DEVICE_NODE_SIZE];
	int missing;

	(void)p;
	missing = missing_nodes(node);
	if (!module_loaded()) {
		find(f, VERDICT_OK, "no nodes are needed yet");
	} else if (!exists("/dev/" LOOPLT_CONTROL)) {
		find(f, VERDICT_PROBLEM, "/dev/" LOOPLT_CONTROL " is missing (a container?)");
		advise(f, "give it to the container; looplt attach says its number");
	} else if (missing) {
		find(f, VERDICT_PROBLEM, "%s is missing, and %d more (a container?)", node,
		     missing - 1);
		advise(f, "give the nodes to the container, with its own mknod if it may");
	} else {
		find(f, VERDICT_OK, "all nodes are in /dev");
	}
}

/* Does the file system of a file, or of a directory, take direct I/O? */
static int open_direct(const char *file)
{
	struct stat st;
	int flags = O_RDONLY;

	if (stat(file, &st))
		return -1;
	/* One without a name, that is gone when it is closed. */
	if (S_ISDIR(st.st_mode))
		flags = O_TMPFILE | O_RDWR;
	return open(file, flags | O_DIRECT | O_CLOEXEC, 0600);
}

static void check_io_mode(struct finding *f, const struct patient *p)
{
	char path[PATH_MAX];
	char *mode;
	int fd;

	mode = path_read(path_of(path, "/sys/module/" LOOPLT_NAME "/parameters/default_io"));
	if (mode && strcmp(mode, "auto") != 0) {
		find(f, VERDICT_NOTE, "the mode is %s: the module's default_io says so", mode);
	} else if (!p->file) {
		find(f, VERDICT_OK, "the mode is auto: direct I/O where the file takes it");
		advise(f, "looplt doctor DIRECTORY says which it is there");
	} else {
		fd = open_direct(p->file);
		if (fd >= 0)
			find(f, VERDICT_OK, "%s: direct: its file system takes direct I/O",
			     p->file);
		else if (errno == EINVAL)
			find(f, VERDICT_NOTE, "%s: buffered: its file system has no direct I/O",
			     p->file);
		else
			find(f, VERDICT_PROBLEM, "%s: %s", p->file, strerror(errno));
		if (fd >= 0)
			close(fd);
	}
	free(mode);
}

static const struct check {
	const char *name;
	void (*look)(struct finding *f, const struct patient *p);
} checks[] = {
	{ "kernel", check_kernel },
	{ "module", check_built },
	{ "signature", check_signature },
	{ "loaded", check_loaded },
	{ "stock-driver", check_stock },
	{ "major-7", check_major },
	{ "util-linux", check_util_linux },
	{ "udev", check_udev },
	{ "nodes", check_nodes },
	{ "io-mode", check_io_mode },
};

static void print_finding(struct json *j, const char *name, const struct finding *f)
{
	char *text;

	if (j->out) {
		json_open(j, NULL, '{');
		json_string(j, "check", name);
		json_string(j, "verdict", verdict_names[f->verdict]);
		json_string(j, "text", f->text);
		json_string(j, "advice", *f->advice ? f->advice : NULL);
		json_close(j, '}');
		return;
	}
	text = text_safe(f->text);
	printf("%-7s  %-12s  %s\n", verdict_names[f->verdict], name, text);
	free(text);
	if (*f->advice) {
		text = text_safe(f->advice);
		printf("%-7s  %-12s  -> %s\n", "", "", text);
		free(text);
	}
}

static int examine(struct json *j, const struct patient *p)
{
	enum verdict worst = VERDICT_OK;

	for (size_t i = 0; i < sizeof(checks) / sizeof(*checks); i++) {
		struct finding f = { .verdict = VERDICT_OK };

		checks[i].look(&f, p);
		print_finding(j, checks[i].name, &f);
		if (f.verdict > worst)
			worst = f.verdict;
	}
	return worst == VERDICT_PROBLEM ? CLI_REFUSED : CLI_DONE;
}

int cmd_doctor(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'J' },
		{ NULL, 0, NULL, 0 },
	};
	struct json j = { .out = NULL };
	struct patient p = { .file = NULL };
	int opt, err;

	while ((opt = getopt_long(argc, argv, "J", options, NULL)) != -1) {
		if (opt != 'J')
			return CLI_USAGE;
		j.out = stdout;
	}
	if (argc - optind > 1)
		return usage_error("one file or directory at most");
	if (optind < argc)
		p.file = argv[optind];
	uname(&p.kernel);

	if (j.out) {
		json_open(&j, NULL, '{');
		json_open(&j, "checks", '[');
	}
	err = examine(&j, &p);
	if (j.out) {
		json_close(&j, ']');
		json_close(&j, '}');
	}
	return err;
}
