// SPDX-License-Identifier: GPL-2.0-only
/* long: one interpreter, whose words are of no use without each other */
/*
 * calls DRIVER DIR < TABLE: make the calls of a table on a disk of DRIVER
 * ("loop" or "looplt"), with backing files from DIR, and print what each one
 * returned and what it changed:
 *
 *   case | call | result | field=value...
 *
 * Nothing in the output names the driver, so that outputs can be compared.
 * Lines of the table:
 *
 *   case NAME			a new disk; what the last case left is undone
 *   open H MODE [PARTITION]	the disk, as handle H
 *   file H NAME MODE		a backing file; "@" is the disk itself
 *   close H
 *   truncate NAME BYTES
 *   wait			until the disk is not bound, a second at most
 *   [user] [32] H CALL [ARG...]	see do_call(); H may be "ctl", the control node
 *
 * "user" gives up root's rights for the call, "32" enters the kernel the way
 * a 32-bit process does.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/blkpg.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef LOOP_CONFIGURE
#error "these headers are older than LOOP_CONFIGURE"
#endif

#define DISK_INDEX	60
#define MAX_FIELDS	24
#define MAX_WORDS	16
#define COMPAT_IOCTL	54	/* of i386 */

/* struct loop_info as a 32-bit process has it. */
struct info32 {
	int32_t number;
	uint16_t device;
	uint32_t inode;
	uint16_t rdevice;
	int32_t offset, encrypt_type, encrypt_key_size, flags;
	char name[LO_NAME_SIZE];
	unsigned char key[LO_KEY_SIZE];
	uint32_t init[2];
	char reserved[4];
};

struct field {
	char name[32];
	char value[64];
};

static const char *driver, *dir;
static char sys[64], node[64];
static int handles[256], control;
static bool as_user, as_32;
static struct field before[MAX_FIELDS];
static unsigned long long seq_before;
static void *low;	/* a page below 4 GiB */

static void die(const char *what)
{
	perror(what);
	exit(2);
}

static const char *error_name(int err)
{
	static const struct {
		int err;
		const char *name;
	} names[] = {
		{ EPERM, "EPERM" }, { ENOENT, "ENOENT" }, { EINTR, "EINTR" },
		{ EIO, "EIO" }, { ENXIO, "ENXIO" }, { EBADF, "EBADF" },
		{ EAGAIN, "EAGAIN" }, { ENOMEM, "ENOMEM" },
		{ EACCES, "EACCES" }, { EFAULT, "EFAULT" }, { EBUSY, "EBUSY" },
		{ EEXIST, "EEXIST" }, { ENODEV, "ENODEV" },
		{ EINVAL, "EINVAL" }, { ENOTTY, "ENOTTY" },
		{ ETXTBSY, "ETXTBSY" }, { ENOSPC, "ENOSPC" },
		{ EROFS, "EROFS" }, { ENOSYS, "ENOSYS" },
		{ EOVERFLOW, "EOVERFLOW" }, { EOPNOTSUPP, "EOPNOTSUPP" },
		{ ETIMEDOUT, "ETIMEDOUT" }, { ENOLCK, "ENOLCK" },
	};
	static char other[16];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].err == err)
			return names[i].name;
	snprintf(other, sizeof(other), "errno %d", err);
	return other;
}

/* The way in that a 32-bit process takes; addresses have to be low. */
static long ioctl_32(int fd, unsigned long cmd, unsigned long arg)
{
	long ret;

	__asm__ volatile("int $0x80"
			 : "=a" (ret)
			 : "a" (COMPAT_IOCTL), "b" ((long)fd), "c" (cmd),
			   "d" (arg)
			 : "memory", "r8", "r9", "r10", "r11");
	ret = (int)ret;
	if (ret < 0 && ret >= -4095) {
		errno = -ret;
		return -1;
	}
	return ret;
}

static long call(int fd, unsigned long cmd, unsigned long arg)
{
	long ret;
	int err;

	if (as_user && seteuid(65534))
		die("seteuid");
	errno = 0;
	ret = as_32 ? ioctl_32(fd, cmd, arg) : ioctl(fd, cmd, arg);
	err = errno;
	if (as_user && seteuid(0))
		die("seteuid");
	errno = err;
	return ret;
}

static void read_field(struct field *f, const char *path)
{
	const char *slash = strrchr(path, '/');
	char file[128];
	FILE *in;

	snprintf(file, sizeof(file), "%s/%s", sys, path);
	snprintf(f->name, sizeof(f->name), "%s", slash ? slash + 1 : path);
	strcpy(f->value, "-");
	in = fopen(file, "r");
	if (!in)
		return;
	if (!fgets(f->value, sizeof(f->value), in))
		strcpy(f->value, "-");
	f->value[strcspn(f->value, "\n")] = '\0';
	fclose(in);
}

/* The path is that of this run; its last part is enough. */
static void shorten(struct field *f)
{
	const char *slash = strrchr(f->value, '/');

	if (!strncmp(f->value, node, strlen(node)))
		snprintf(f->value, sizeof(f->value), "@");
	else if (slash)
		memmove(f->value, slash + 1, strlen(slash));
}

static int partitions(void)
{
	struct dirent *d;
	int n = 0;
	DIR *s = opendir(sys);

	while (s && (d = readdir(s)))
		n += !strncmp(d->d_name, node + 5, strlen(node + 5));
	if (s)
		closedir(s);
	return n;
}

/* What a call may have changed.  Returns how many fields there are. */
static int snapshot(struct field *f)
{
	static const char * const paths[] = {
		"size", "ro", "queue/logical_block_size", "loop/backing_file",
		"loop/offset", "loop/sizelimit", "loop/autoclear",
		"loop/partscan", "loop/dio",
	};
	int i, n = sizeof(paths) / sizeof(*paths);

	for (i = 0; i < n; i++) {
		read_field(&f[i], paths[i]);
		if (!strcmp(f[i].name, "backing_file"))
			shorten(&f[i]);
	}
	strcpy(f[n].name, "partitions");
	snprintf(f[n].value, sizeof(f[n].value), "%d", partitions());
	return n + 1;
}

static unsigned long long diskseq(void)
{
	struct field f;

	read_field(&f, "diskseq");
	return strtoull(f.value, NULL, 10);
}

static void print_changes(void)
{
	struct field now[MAX_FIELDS] = {};
	unsigned long long seq = diskseq();
	int i, n = snapshot(now);

	for (i = 0; i < n; i++)
		if (strcmp(now[i].value, before[i].value))
			printf(" %s=%s", now[i].name, now[i].value);
	if (seq && seq_before && seq != seq_before)
		printf(" new-diskseq");
	putchar('\n');
	memcpy(before, now, sizeof(now));
	seq_before = seq;
}

static long number(const char *s)
{
	return s ? strtoll(s, NULL, 0) : 0;
}

/* key=value among the words, or the default. */
static const char *value_of(char **words, const char *key, const char *def)
{
	size_t len = strlen(key);

	for (; *words; words++)
		if (!strncmp(*words, key, len) && (*words)[len] == '=')
			return *words + len + 1;
	return def;
}

static void fill_info64(struct loop_info64 *i, char **words)
{
	memset(i, 0, sizeof(*i));
	i->lo_offset = strtoull(value_of(words, "offset", "0"), NULL, 0);
	i->lo_sizelimit = strtoull(value_of(words, "sizelimit", "0"), NULL, 0);
	i->lo_flags = number(value_of(words, "flags", "0"));
	i->lo_encrypt_type = number(value_of(words, "encrypt", "0"));
	i->lo_encrypt_key_size = number(value_of(words, "key", "0"));
	i->lo_number = number(value_of(words, "number", "0"));
	snprintf((char *)i->lo_file_name, LO_NAME_SIZE, "%s",
		 value_of(words, "name", ""));
}

static long set_status(int fd, char **words)
{
	struct loop_info64 i;
	struct loop_info *old = low;
	struct info32 *old32 = low;

	fill_info64(&i, words);
	memset(low, 0, 4096);
	if (as_32) {
		old32->offset = i.lo_offset;
		old32->flags = i.lo_flags;
		old32->encrypt_type = i.lo_encrypt_type;
		strcpy(old32->name, (char *)i.lo_file_name);
	} else {
		old->lo_offset = i.lo_offset;
		old->lo_flags = i.lo_flags;
		old->lo_encrypt_type = i.lo_encrypt_type;
		strcpy(old->lo_name, (char *)i.lo_file_name);
	}
	return call(fd, LOOP_SET_STATUS, (unsigned long)low);
}

static long get_status(int fd, char *text)
{
	struct loop_info *old = low;
	struct info32 *old32 = low;
	long ret;

	memset(low, 0, 4096);
	ret = call(fd, LOOP_GET_STATUS, (unsigned long)low);
	if (ret)
		return ret;
	if (as_32)
		sprintf(text, " [%s offset %d flags %#x inode %d name %s]",
			old32->number == DISK_INDEX ? "own" : "wrong number",
			old32->offset, old32->flags, !!old32->inode,
			old32->name);
	else
		sprintf(text, " [%s offset %d flags %#x inode %d name %s]",
			old->lo_number == DISK_INDEX ? "own" : "wrong number",
			old->lo_offset, old->lo_flags, !!old->lo_inode,
			old->lo_name);
	return 0;
}

static long get_status64(int fd, char *text)
{
	struct loop_info64 *i = low;
	long ret;

	memset(low, 0, 4096);
	ret = call(fd, LOOP_GET_STATUS64, (unsigned long)low);
	if (!ret)
		sprintf(text,
			" [%s offset %llu limit %llu flags %#x dev %d inode %d rdev %d name %s]",
			i->lo_number == DISK_INDEX ? "own" : "wrong number",
			(unsigned long long)i->lo_offset,
			(unsigned long long)i->lo_sizelimit, i->lo_flags,
			!!i->lo_device, !!i->lo_inode, !!i->lo_rdevice,
			i->lo_file_name);
	return ret;
}

static long configure(int fd, char **words)
{
	struct loop_config *c = low;

	memset(low, 0, 4096);
	c->fd = handles[(unsigned char)words[0][0]];
	c->block_size = number(value_of(words, "block", "0"));
	fill_info64(&c->info, words + 1);
	if (number(value_of(words, "reserved", "0")))
		memset(c->__reserved, 1, sizeof(c->__reserved));
	return call(fd, LOOP_CONFIGURE, (unsigned long)low);
}

/* Add (1) or delete (2) partition 1 as BLKPG does. */
static long blkpg(int fd, int op)
{
	struct blkpg_partition p = {
		.start = 65536, .length = 65536, .pno = 1 };
	struct blkpg_ioctl_arg a = {
		.op = op, .datalen = sizeof(p), .data = &p };

	return call(fd, BLKPG, (unsigned long)&a);
}

/* The first byte of the disk, as the page cache has it now. */
static long first_byte(int fd, char *text)
{
	static char block[4096] __attribute__((aligned(4096)));
	ssize_t n = pread(fd, block, sizeof(block), 0);

	if (n > 0)
		sprintf(text, " [%#x]", (unsigned char)block[0]);
	return n;
}

/* Attributes of the queue: some more of what a binding decides. */
static long queue(char **names, char *text)
{
	struct field f;
	char path[64];

	for (; *names; names++) {
		snprintf(path, sizeof(path), "queue/%s", *names);
		read_field(&f, path);
		text += sprintf(text, " [%s]", f.value);
	}
	return 0;
}

static long do_call(int fd, char **w, char *text)
{
	static char block[4096];
	int file = w[1] ? handles[(unsigned char)w[1][0]] : -1;
	const char *c = w[0];

	if (!strcmp(c, "set-fd"))
		return call(fd, LOOP_SET_FD, file);
	if (!strcmp(c, "change-fd"))
		return call(fd, LOOP_CHANGE_FD, file);
	if (!strcmp(c, "configure"))
		return configure(fd, w + 1);
	if (!strcmp(c, "clr-fd"))
		return call(fd, LOOP_CLR_FD, 0);
	if (!strcmp(c, "status"))
		return get_status(fd, text);
	if (!strcmp(c, "status64"))
		return get_status64(fd, text);
	if (!strcmp(c, "set-status"))
		return set_status(fd, w + 1);
	if (!strcmp(c, "set-status64")) {
		fill_info64(low, w + 1);
		return call(fd, LOOP_SET_STATUS64, (unsigned long)low);
	}
	if (!strcmp(c, "capacity"))
		return call(fd, LOOP_SET_CAPACITY, 0);
	if (!strcmp(c, "direct"))
		return call(fd, LOOP_SET_DIRECT_IO, number(w[1]));
	if (!strcmp(c, "block"))
		return call(fd, LOOP_SET_BLOCK_SIZE, number(w[1]));
	if (!strcmp(c, "raw"))
		return call(fd, number(w[1]), number(w[2]));
	if (!strcmp(c, "add"))
		return call(fd, LOOP_CTL_ADD, number(w[1]));
	if (!strcmp(c, "remove"))
		return call(fd, LOOP_CTL_REMOVE, number(w[1]));
	if (!strcmp(c, "rescan"))
		return call(fd, BLKRRPART, 0);
	if (!strcmp(c, "blkpg"))
		return blkpg(fd, number(w[1]));
	if (!strcmp(c, "queue"))
		return queue(w + 1, text);
	if (!strcmp(c, "read"))
		return first_byte(fd, text);
	if (!strcmp(c, "write"))
		return pwrite(fd, block, sizeof(block), 0) < 0 ? -1 : fsync(fd);
	fprintf(stderr, "calls: unknown call %s\n", c);
	exit(2);
}

static int mode_of(const char *mode)
{
	int flags = strchr(mode, 'w') ? O_RDWR : O_RDONLY;

	if (strchr(mode, 'o'))
		flags = O_WRONLY;
	if (strchr(mode, 'x'))
		flags |= O_EXCL;
	if (strchr(mode, 'a'))
		flags |= O_APPEND;
	if (strchr(mode, 'd'))
		flags |= O_DIRECT;
	if (strchr(mode, 'p'))
		flags = O_PATH;
	return flags;
}

static void close_handle(unsigned char h)
{
	if (handles[h] >= 0)
		close(handles[h]);
	handles[h] = -1;
}

static long open_handle(char **w)
{
	unsigned char h = w[1][0];
	char path[256];

	close_handle(h);
	if (!strcmp(w[0], "open"))
		snprintf(path, sizeof(path), "%s%s", node, w[3] ?: "");
	else if (!strcmp(w[2], "@"))
		snprintf(path, sizeof(path), "%s", node);
	else if (w[2][0] == '/')
		snprintf(path, sizeof(path), "%s", w[2]);
	else
		snprintf(path, sizeof(path), "%s/%s", dir, w[2]);
	handles[h] = open(path, mode_of(strcmp(w[0], "open") ? w[3] : w[2]) |
			  O_CLOEXEC);
	return handles[h] < 0 ? -1 : 0;
}

static long wait_unbound(void)
{
	struct field f;
	int i;

	for (i = 0; i < 100; i++) {
		read_field(&f, "loop/backing_file");
		if (!strcmp(f.value, "-"))
			return 0;
		usleep(10000);
	}
	errno = ETIMEDOUT;
	return -1;
}

static long do_line(char **w, char *text)
{
	char path[256];

	if (!strcmp(w[0], "open") || !strcmp(w[0], "file"))
		return open_handle(w);
	if (!strcmp(w[0], "close")) {
		close_handle(w[1][0]);
		return 0;
	}
	if (!strcmp(w[0], "truncate")) {
		snprintf(path, sizeof(path), "%s/%s", dir, w[1]);
		return truncate(path, number(w[2]));
	}
	if (!strcmp(w[0], "wait"))
		return wait_unbound();
	as_user = !strcmp(w[0], "user");
	w += as_user;
	as_32 = !strcmp(w[0], "32");
	w += as_32;
	return do_call(!strcmp(w[0], "ctl") ? control :
		       handles[(unsigned char)w[0][0]], w + 1, text);
}

/* Undo a case: a disk that can't be removed is the next line's news. */
static void end_case(const char *name)
{
	int h, i;

	if (!name[0])
		return;
	for (h = 0; h < 256; h++)
		close_handle(h);
	h = open(node, O_RDWR);
	if (h >= 0) {
		ioctl(h, LOOP_CLR_FD, 0);
		close(h);
	}
	wait_unbound();
	for (i = 0; i < 100; i++) {
		if (!ioctl(control, LOOP_CTL_REMOVE, DISK_INDEX) ||
		    errno == ENODEV)
			return;
		usleep(10000);
	}
	printf("%s | end | removal fails with %s |\n", name,
	       error_name(errno));
}

static void begin_case(void)
{
	if (ioctl(control, LOOP_CTL_ADD, DISK_INDEX) != DISK_INDEX)
		die("LOOP_CTL_ADD");
	memset(before, 0, sizeof(before));
	snapshot(before);
	seq_before = diskseq();
}

static void run_line(const char *name, const char *line, char **words)
{
	char text[256] = "";
	long ret = do_line(words, text);

	printf("%s | %s | ", name, line);
	if (ret < 0)
		printf("%s", error_name(errno));
	else
		printf("%ld", ret);
	printf("%s |", text);
	print_changes();
	fflush(stdout);
}

int main(int argc, char **argv)
{
	char line[256], copy[256], name[64] = "", path[64];
	char *words[MAX_WORDS + 1], *save;
	int i;

	if (argc != 3)
		return 2;
	driver = argv[1];
	dir = argv[2];
	snprintf(sys, sizeof(sys), "/sys/block/%s%d", driver, DISK_INDEX);
	snprintf(node, sizeof(node), "/dev/%s%d", driver, DISK_INDEX);
	snprintf(path, sizeof(path), "/dev/%s-control", driver);
	control = open(path, O_RDWR | O_CLOEXEC);
	if (control < 0)
		die(path);
	low = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	if (low == MAP_FAILED)
		die("mmap");
	memset(handles, -1, sizeof(handles));

	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		strcpy(copy, line);
		i = 0;
		for (words[0] = strtok_r(copy, " \t", &save);
		     words[i] && i < MAX_WORDS - 1;)
			words[++i] = strtok_r(NULL, " \t", &save);
		words[i] = NULL;
		if (!words[0] || words[0][0] == '#')
			continue;
		if (!strcmp(words[0], "case")) {
			end_case(name);
			snprintf(name, sizeof(name), "%s", words[1]);
			begin_case();
		} else {
			run_line(name, line + strspn(line, " \t"), words);
		}
	}
	end_case(name);
	return 0;
}
