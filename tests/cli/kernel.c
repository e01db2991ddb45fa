// SPDX-License-Identifier: GPL-2.0-only
/*
 * A kernel for the CLI's unit tests: linked in with --wrap, it answers for the
 * control node what the test asks for, and writes down what it was asked.
 *
 *   $LOOPLT_SYSROOT/calls	what was asked, a line each
 *   $LOOPLT_SYSROOT/info/N	what INFO says of disk N: lines "key value"
 *   LOOPLT_ATTACH		"ok", or the name of an errno
 *   LOOPLT_DETACH		the same, or "deferred"; "a,b": one call each
 *   LOOPLT_MKNOD, LOOPLT_EUID	what those calls give
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "../../src/cli/cli.h"

int __real_ioctl(int fd, unsigned long request, void *arg);
uid_t __real_geteuid(void);

int __wrap_ioctl(int fd, unsigned long request, ...);
uid_t __wrap_geteuid(void);
int __wrap_mknod(const char *path, mode_t mode, dev_t devno);
int __wrap___xmknod(int version, const char *path, mode_t mode, dev_t *devno);

static int errno_by_name(const char *name)
{
	static const struct {
		const char *name;
		int number;
	} errnos[] = {
		{ "ok", 0 }, { "deferred", 0 }, { "EPERM", EPERM }, { "EINTR", EINTR },
		{ "EBADF", EBADF }, { "EBUSY", EBUSY }, { "EEXIST", EEXIST },
		{ "ENODEV", ENODEV }, { "EINVAL", EINVAL }, { "ETXTBSY", ETXTBSY },
		{ "EFBIG", EFBIG }, { "ENOSPC", ENOSPC }, { "ENXIO", ENXIO },
		{ "ENOTTY", ENOTTY }, { "EOVERFLOW", EOVERFLOW }, { "E2BIG", E2BIG },
		{ "ESTALE", ESTALE }, { "ETIMEDOUT", ETIMEDOUT }, { "EIO", EIO },
	};

	for (size_t i = 0; i < sizeof(errnos) / sizeof(*errnos); i++) {
		if (!strcmp(errnos[i].name, name))
			return errnos[i].number;
	}
	fprintf(stderr, "unit test: unknown errno %s\n", name);
	abort();
}

/* The next answer from a variable; its last one is repeated. */
static const char *answer(const char *variable, unsigned int call)
{
	static char text[256];
	const char *value = getenv(variable);
	char *rest = text, *word = NULL, *next;

	snprintf(text, sizeof(text), "%s", value ? value : "ok");
	do {
		next = strsep(&rest, ",");
		word = next ? next : word;
	} while (next && call--);
	return word;
}

static void record(const char *format, ...) PRINTF_LIKE(1, 2);

static void record(const char *format, ...)
{
	char path[PATH_MAX];
	va_list args;
	FILE *f;

	f = fopen(path_of(path, "/calls"), "ae");
	if (!f)
		abort();
	va_start(args, format);
	vfprintf(f, format, args);
	va_end(args);
	fputc('\n', f);
	fclose(f);
}

static int result(int err)
{
	errno = err;
	return err ? -1 : 0;
}

static int do_attach(struct looplt_attach *a)
{
	static unsigned int calls;
	const int err = errno_by_name(answer("LOOPLT_ATTACH", calls++));

	record("attach size=%u index=%d flags=%#x block=%u io=%s offset=%llu limit=%llu ref=%s tag=%s",
	       a->size == sizeof(*a), a->index, a->flags, a->block_size,
	       io_mode_name(a->io_mode), (unsigned long long)a->offset,
	       (unsigned long long)a->sizelimit, a->file_name, a->tag);
	if (err)
		return result(err);
	a->index = a->index < 0 ? 3 : a->index;
	a->block_size = a->block_size ? a->block_size : 512;
	a->io_mode = a->io_mode ? a->io_mode : LOOPLT_IO_DIRECT;
	a->diskseq = 77;
	a->major = 240;
	a->minor = 16 * (unsigned int)a->index;
	return 0;
}

static int do_detach(struct looplt_detach *d)
{
	static unsigned int calls;
	const char *word = answer("LOOPLT_DETACH", calls++);
	const int err = errno_by_name(word);

	record("detach index=%d flags=%#x timeout=%s diskseq=%llu clean=%d", d->index, d->flags,
	       d->timeout_ms ? "yes" : "no", (unsigned long long)d->diskseq,
	       !d->result && !d->openers && !d->reserved);
	d->result = !err && !strcmp(word, "ok") ? LOOPLT_DETACH_DONE : LOOPLT_DETACH_DEFERRED;
	d->openers = d->result == LOOPLT_DETACH_DONE ? 0 : 1;
	return result(err);
}

static void set_info(struct looplt_info *i, const char *key, const char *value)
{
	const unsigned long number = strtoul(value, NULL, 0);
	struct stat st;

	if (!strcmp(key, "state"))
		i->state = (__u32)number;
	else if (!strcmp(key, "flags"))
		i->flags = (__u32)number;
	else if (!strcmp(key, "openers"))
		i->openers = (__u32)number;
	else if (!strcmp(key, "diskseq"))
		i->diskseq = number;
	else if (!strcmp(key, "capacity"))
		i->capacity = number;
	else if (!strcmp(key, "block"))
		i->block_size = (__u32)number;
	else if (!strcmp(key, "dev"))
		i->backing_dev = number;
	else if (!strcmp(key, "mode"))
		io_mode_parse(value, &i->io_mode);
	else if (!strcmp(key, "ref"))
		snprintf(i->file_name, sizeof(i->file_name), "%.63s", value);
	else if (!strcmp(key, "tag"))
		snprintf(i->tag, sizeof(i->tag), "%.63s", value);
	else if (!strcmp(key, "file") && !stat(value, &st)) {
		i->backing_dev = st.st_dev;
		i->backing_ino = st.st_ino;
	}
}

static int do_info(struct looplt_info *i)
{
	char path[PATH_MAX], key[32], value[PATH_MAX];
	FILE *f;

	f = fopen(path_of(path, "/info/%d", i->index), "re");
	if (!f)
		return result(ENODEV);
	i->major = 240;
	i->minor = 16 * (unsigned int)i->index;
	while (fscanf(f, "%31s %4095[^\n]", key, value) == 2)
		set_info(i, key, value);
	fclose(f);
	return 0;
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	switch (request) {
	case LOOPLT_CTL_ATTACH:
		return do_attach(arg);
	case LOOPLT_CTL_DETACH:
		return do_detach(arg);
	case LOOPLT_CTL_INFO:
		return do_info(arg);
	default:
		return __real_ioctl(fd, request, arg);
	}
}

uid_t __wrap_geteuid(void)
{
	const char *uid = getenv("LOOPLT_EUID");

	return uid ? (uid_t)strtoul(uid, NULL, 10) : __real_geteuid();
}

/* Makes a file: a device node takes rights that a test need not have. */
int __wrap_mknod(const char *path, mode_t mode, dev_t devno)
{
	const int err = errno_by_name(answer("LOOPLT_MKNOD", 0));
	FILE *f;

	record("mknod %s %o %u:%u", strrchr(path, '/') + 1, mode, major(devno), minor(devno));
	if (err)
		return result(err);
	f = fopen(path, "we");
	if (!f)
		return -1;
	return fclose(f);
}

/* What mknod() is before glibc 2.33. */
int __wrap___xmknod(int version, const char *path, mode_t mode, dev_t *devno)
{
	(void)version;
	return __wrap_mknod(path, mode, *devno);
}
