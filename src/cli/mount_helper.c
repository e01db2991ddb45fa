// SPDX-License-Identifier: GPL-2.0-only
/*
 * mount.looplt - what mount(8) runs for the types looplt, looplt.ext4, ...
 *
 * Attaches the file with autoclear, and has mount(8) mount the disk as what
 * comes after the dot.  The last umount then detaches it.  Options that begin
 * with "looplt." are those of looplt attach; all others are for mount(8).
 *
 * A disk that shows the same part of the file already is used again: two disks
 * of one file would destroy it.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"

/* As in mount(8). */
enum { MOUNT_DONE = 0, MOUNT_USAGE = 1, MOUNT_SYSTEM = 2, MOUNT_FAILED = 32 };

#define OWN_PREFIX "looplt."

struct mount {
	struct attach attach;
	const char *file;
	const char *dir;
	const char *type;	/* NULL: mount(8) finds out */
	const char *namespace;
	char *options;		/* for mount(8), or NULL */
	bool fake;
	bool verbose;
	bool no_mtab;
	bool sloppy;
	bool remount;
};

/* Ends at a comma, but not within quotes: context="a,b". */
static char *next_option(char **rest)
{
	char *option = *rest, *s;
	bool quoted = false;

	if (!option)
		return NULL;
	for (s = option; *s && (quoted || *s != ','); s++) {
		if (*s == '"')
			quoted = !quoted;
	}
	*rest = *s ? s + 1 : NULL;
	*s = '\0';
	return option;
}

static void pass_option(struct mount *m, const char *option)
{
	char *options;

	if (asprintf(&options, "%s%s%s", m->options ? m->options : "",
		     m->options ? "," : "", option) < 0)
		options = NULL;
	free(m->options);
	m->options = need_memory(options);
}

static void set_read_only(struct mount *m, const char *option)
{
	if (!strcmp(option, "ro"))
		m->attach.a.flags |= LOOPLT_ATTACH_READ_ONLY;
	else
		m->attach.a.flags &= ~LOOPLT_ATTACH_READ_ONLY;
	pass_option(m, option);
}

/* What makes no sense for a mount: it is not the caller who gets the disk. */
static bool is_refused(const char *name)
{
	return !strcmp(name, "json") || !strcmp(name, "keep") ||
	       !strcmp(name, "read-only") || !strcmp(name, "autoclear");
}

static int own_option(struct mount *m, char *name)
{
	char *value = strchr(name, '=');

	if (value)
		*value++ = '\0';
	if (is_refused(name))
		return usage_error("unknown option '" OWN_PREFIX "%s'", name);
	return attach_option(&m->attach, name, value);
}

static bool is_named(const char *option, const char *name)
{
	const size_t n = strlen(name);

	return !strncmp(option, name, n) && (!option[n] || option[n] == '=');
}

static int take_option(struct mount *m, char *option)
{
	if (!strncmp(option, OWN_PREFIX, strlen(OWN_PREFIX)))
		return own_option(m, option + strlen(OWN_PREFIX));
	/* mount(8) keeps these; they are here if it was not it who called. */
	if (is_named(option, "offset") || is_named(option, "sizelimit"))
		return own_option(m, option);
	if (is_named(option, "loop"))
		return CLI_DONE;

	if (!strcmp(option, "ro") || !strcmp(option, "rw")) {
		set_read_only(m, option);
		return CLI_DONE;
	}
	if (!strcmp(option, "remount"))
		m->remount = true;
	if (*option)
		pass_option(m, option);
	return CLI_DONE;
}

static int take_options(struct mount *m, char *list)
{
	int err = CLI_DONE;
	char *option;

	while (!err && (option = next_option(&list)))
		err = take_option(m, option);
	return err;
}

/* "looplt.ext4" is ext4, "looplt" whatever mount(8) finds. */
static int take_type(struct mount *m, const char *type)
{
	if (!strcmp(type, LOOPLT_NAME))
		return CLI_DONE;
	if (!strncmp(type, OWN_PREFIX, strlen(OWN_PREFIX)))
		type += strlen(OWN_PREFIX);
	if (!*type || !strncmp(type, LOOPLT_NAME, strlen(LOOPLT_NAME)))
		return usage_error("'%s' is not the type of a file system", type);
	m->type = type;
	return CLI_DONE;
}

static int run_mount(const struct mount *m, const char *node)
{
	const char *argv[16] = { "mount" };
	char path[PATH_MAX];
	int n = 1, status;
	pid_t pid;

	if (m->no_mtab)
		argv[n++] = "-n";
	if (m->sloppy)
		argv[n++] = "-s";
	if (m->verbose)
		argv[n++] = "-v";
	if (m->namespace) {
		argv[n++] = "-N";
		argv[n++] = m->namespace;
	}
	if (m->type) {
		argv[n++] = "-t";
		argv[n++] = m->type;
	}
	if (m->options) {
		argv[n++] = "-o";
		argv[n++] = m->options;
	}
	argv[n++] = node;
	argv[n++] = m->dir;

	pid = fork();
	if (!pid) {
		execv(path_of(path, "/bin/mount"), (char **)argv);
		execv(path_of(path, "/usr/bin/mount"), (char **)argv);
		_exit(MOUNT_SYSTEM);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || !WIFEXITED(status))
		return MOUNT_SYSTEM;
	return WEXITSTATUS(status);
}

struct search {
	const char *dir;
	bool found;
};

static void compare_dir(void *data, const char *dir)
{
	struct search *s = data;

	s->found |= !strcmp(s->dir, dir);
}

static bool is_mounted_there(int index, const char *dir)
{
	char *real = realpath(dir, NULL);
	struct search s = { .dir = real ? real : dir };

	mounts_each(index, 0, compare_dir, &s);
	free(real);
	return s.found;
}

static bool is_same(const struct looplt_info *info, const struct looplt_attach *a,
		    const struct stat *st)
{
	return info->state == LOOPLT_STATE_BOUND && disk_uses(info, st) &&
	       info->offset == a->offset && info->sizelimit == a->sizelimit;
}

/* Keeps the disk open, so that it stays.  -1: there is none. */
static int find_disk(const struct mount *m, int control, struct looplt_info *info)
{
	char path[PATH_MAX], node[DEVICE_NODE_SIZE];
	int n, *all, fd = -1;
	struct stat st;

	if (fstat(m->attach.a.fd, &st))
		return -1;
	n = device_all(&all);
	for (int i = 0; i < n && fd < 0; i++) {
		if (!disk_info(control, all[i], info) || !is_same(info, &m->attach.a, &st))
			continue;
		device_node(node, all[i]);
		fd = open(path_of(path, "%s", node), O_RDONLY | O_CLOEXEC);
		/* It may have gone before it was opened. */
		if (fd >= 0 && (!disk_info(control, all[i], info) ||
				!is_same(info, &m->attach.a, &st))) {
			close(fd);
			fd = -1;
		}
	}
	free(all);
	return fd;
}

static int mount_again(const struct mount *m, const struct looplt_info *info)
{
	const bool there = is_mounted_there(info->index, m->dir);
	char node[DEVICE_NODE_SIZE];

	device_node(node, info->index);
	if (there && !m->remount) {
		message("%s: already mounted on %s", m->file, m->dir);
		return MOUNT_DONE;
	}
	if (info->flags & LOOPLT_INFO_READ_ONLY &&
	    !(m->attach.a.flags & LOOPLT_ATTACH_READ_ONLY)) {
		message("%s: attached read-only as %s: mount it with ro, or detach that",
			m->file, device_name(info->index));
		return MOUNT_FAILED;
	}
	return run_mount(m, node);
}

static int mount_new(struct mount *m, int control)
{
	struct looplt_detach d = { .size = sizeof(d) };
	char node[DEVICE_NODE_SIZE];
	int status;

	if (m->remount) {
		message("%s: not mounted", m->file);
		return MOUNT_FAILED;
	}
	if (attach_bind(&m->attach, control, m->file))
		return MOUNT_FAILED;
	device_node(node, m->attach.a.index);
	status = run_mount(m, node);
	if (status) {
		d.index = m->attach.a.index;
		d.diskseq = m->attach.a.diskseq;
		control_detach(control, &d);
	}
	return status;
}

/* Does the process that called us have it open? */
static bool is_callers(const char *node)
{
	char dir[PATH_MAX], path[PATH_MAX], target[PATH_MAX];
	struct dirent **fds;
	bool found = false;
	ssize_t size;
	int n;

	n = scandir(path_of(dir, "/proc/%d/fd", getppid()), &fds, NULL, NULL);
	for (int i = 0; i < n; i++) {
		if (snprintf(path, sizeof(path), "%s/%s", dir, fds[i]->d_name) < PATH_MAX) {
			size = readlink(path, target, sizeof(target) - 1);
			target[size < 0 ? 0 : size] = '\0';
			found |= !strcmp(target, node);
		}
		free(fds[i]);
	}
	if (n >= 0)
		free(fds);
	return found;
}

static char *loop_attr(const char *name, const char *attr)
{
	char path[PATH_MAX];

	return path_read(path_of(path, "/sys/block/%s/loop/%s", name, attr));
}

static void loop_bytes(__u64 *bytes, const char *name, const char *attr)
{
	char *text = loop_attr(name, attr);

	if (text)
		*bytes = strtoull(text, NULL, 10);
	free(text);
}

/*
 * For loop=, offset= and sizelimit= mount(8) attaches the file to a disk of the
 * stock driver, and names that.  What is meant is the file.
 */
static void see_through(struct mount *m)
{
	const char *name = m->file + strlen("/dev/");
	char *file;

	if (strncmp(m->file, "/dev/loop", strlen("/dev/loop")) != 0 || !is_callers(m->file))
		return;
	file = loop_attr(name, "backing_file");
	if (!file)
		return;
	m->file = file;
	loop_bytes(&m->attach.a.offset, name, "offset");
	loop_bytes(&m->attach.a.sizelimit, name, "sizelimit");
}

static int mount_file(struct mount *m)
{
	struct looplt_info info;
	int control, disk, status;

	if (attach_open(&m->attach, m->file))
		return MOUNT_FAILED;
	control = control_need();
	if (control < 0) {
		close(m->attach.a.fd);
		return MOUNT_FAILED;
	}
	disk = find_disk(m, control, &info);
	if (disk >= 0) {
		status = mount_again(m, &info);
		close(disk);
	} else {
		status = mount_new(m, control);
	}
	close(control);
	close(m->attach.a.fd);
	return status;
}

static int parse(struct mount *m, int argc, char **argv)
{
	static const struct option none[] = { { NULL, 0, NULL, 0 } };
	int opt, err = CLI_DONE;

	while (!err && (opt = getopt_long(argc, argv, "fnrsvwN:o:t:", none, NULL)) != -1) {
		switch (opt) {
		case 'f':
			m->fake = true;
			break;
		case 'n':
			m->no_mtab = true;
			break;
		case 's':
			m->sloppy = true;
			break;
		case 'v':
			m->verbose = true;
			break;
		case 'r':
			set_read_only(m, "ro");
			break;
		case 'w':
			set_read_only(m, "rw");
			break;
		case 'N':
			m->namespace = optarg;
			break;
		case 'o':
			err = take_options(m, optarg);
			break;
		case 't':
			err = take_type(m, optarg);
			break;
		default:
			err = CLI_USAGE;
		}
	}
	if (!err && optind != argc - 2)
		err = usage_error("a file and a directory are wanted");
	return err;
}

/* A link to the program may have the type in its name. */
static int take_name(struct mount *m, const char *name)
{
	const char *type = strstr(name, "mount." LOOPLT_NAME ".");

	return type ? take_type(m, type + strlen("mount.")) : CLI_DONE;
}

int mount_helper(int argc, char **argv)
{
	struct mount m = {
		.attach.a = { .index = -1, .flags = LOOPLT_ATTACH_REMOVE |
						     LOOPLT_ATTACH_AUTOCLEAR },
	};
	struct stat st;
	int status;

	message_as("mount." LOOPLT_NAME);
	if (take_name(&m, argv[0]) || parse(&m, argc, argv)) {
		free(m.options);
		return MOUNT_USAGE;
	}
	m.file = argv[optind];
	m.dir = argv[optind + 1];
	see_through(&m);
	if (stat(m.file, &st)) {
		message("%s: %s", m.file, strerror(errno));
		status = MOUNT_FAILED;
	} else {
		status = m.fake ? MOUNT_DONE : mount_file(&m);
	}
	if (m.file != argv[optind])
		free((char *)m.file);
	free(m.options);
	return status;
}
