// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt CLI - loading the module, and saying plainly what is in the way.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"

/* What modprobe said, for module_explain(). */
static char modprobe_said[1024];

bool module_loaded(void)
{
	char path[PATH_MAX];

	return !access(path_of(path, "/sys/module/" LOOPLT_NAME), F_OK);
}

static void run(const char *const *argv, int out)
{
	static char *const envp[] = { "PATH=/usr/sbin:/sbin:/usr/bin:/bin", "LC_ALL=C", NULL };
	static const char *const dirs[] = { "/sbin", "/usr/sbin" };
	char path[PATH_MAX];

	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	for (size_t i = 0; i < sizeof(dirs) / sizeof(*dirs); i++) {
		path_of(path, "%s/%s", dirs[i], argv[0]);
		execve(path, (char *const *)argv, envp);
	}
	_exit(127);
}

static void read_all(int fd, char *text, size_t size)
{
	size_t used = 0;
	ssize_t n;

	while (used < size - 1) {
		n = read(fd, text + used, size - 1 - used);
		if (n <= 0)
			break;
		used += (size_t)n;
	}
	text[used] = '\0';
}

int program_run(const char *const *argv, char *said, size_t size)
{
	int pipe_fds[2], status;
	pid_t pid;

	*said = '\0';
	if (pipe2(pipe_fds, O_CLOEXEC))
		return -1;
	pid = fork();
	if (!pid)
		run(argv, pipe_fds[1]);
	close(pipe_fds[1]);
	read_all(pipe_fds[0], said, size);
	close(pipe_fds[0]);
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return -1;
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -1;
}

int module_load(void)
{
	static const char *const argv[] = { "modprobe", LOOPLT_NAME, NULL };

	return geteuid() ? -1 : program_run(argv, modprobe_said, sizeof(modprobe_said));
}

static bool modprobe_says(const char *text)
{
	return strstr(modprobe_said, text);
}

bool module_listed(const char *list, const char *text)
{
	char path[PATH_MAX];
	struct utsname u;

	uname(&u);
	return path_lists(path_of(path, "/lib/modules/%s/%s", u.release, list), text);
}

/* Under lockdown the kernel just says that the operation is not permitted. */
static bool is_rejected(void)
{
	return modprobe_says("Key was rejected") || modprobe_says("Required key not") ||
	       (modprobe_says("Operation not permitted") && signature_enforced());
}

static void explain_not_loaded(void)
{
	struct utsname u;

	uname(&u);
	if (geteuid()) {
		message("the module is not loaded; as root: modprobe " LOOPLT_NAME);
	} else if (is_rejected()) {
		signature_explain();
	} else if (modprobe_says("not found")) {
		message("the module is not installed for this kernel, %s", u.release);
		message("build and install it: make install, or make dkms-install");
	} else if (modprobe_says("Exec format error") || modprobe_says("Invalid module format")) {
		message("the installed module was built for another kernel than %s", u.release);
		message("build it anew: make install, or dkms autoinstall");
	} else if (modprobe_says("resource busy")) {
		message("the stock loop driver is in the way of drop-in mode");
		message("looplt dropin status says more; so does the kernel's log");
	} else if (*modprobe_said) {
		message("cannot load the module: %s", strtok(modprobe_said, "\n"));
	} else {
		message("cannot load the module: no modprobe here (a container?)");
		message("load it on the host: modprobe " LOOPLT_NAME);
	}
}

/* A container has the host's /sys, but a /dev of its own. */
static void explain_no_node(void)
{
	char path[PATH_MAX];
	char *devno;
	char *minor_nr;

	devno = path_read(path_of(path, "/sys/class/misc/" LOOPLT_CONTROL "/dev"));
	minor_nr = devno ? strchr(devno, ':') : NULL;
	message("the module is loaded, but /dev/" LOOPLT_CONTROL " is missing (a container?)");
	if (minor_nr)
		message("give it to the container, or: mknod /dev/" LOOPLT_CONTROL " c 10 %s",
			minor_nr + 1);
	free(devno);
}

static void explain_permission(void)
{
	char path[PATH_MAX];
	char *group = NULL;
	struct stat st;

	if (!stat(path_of(path, "/dev/" LOOPLT_CONTROL), &st) &&
	    (st.st_mode & 0060) == 0060 && st.st_gid)
		group = node_group_name(st.st_gid);
	if (group)
		message("no permission on /dev/" LOOPLT_CONTROL ": be root, or in group %s", group);
	else
		message("no permission on /dev/" LOOPLT_CONTROL ": be root");
	free(group);
}

void module_explain(int open_errno)
{
	if (open_errno == EACCES || open_errno == EPERM)
		explain_permission();
	else if (!module_loaded())
		explain_not_loaded();
	else if (open_errno == ENOENT)
		explain_no_node();
	else
		message("/dev/" LOOPLT_CONTROL ": %s", strerror(open_errno));
}
