// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt CLI - loading the module, and saying plainly what is in the way.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"

/* What modprobe said, for module_explain(). */
static char modprobe_said[1024];

static void run_modprobe(int out)
{
	char *const argv[] = { "modprobe", LOOPLT_NAME, NULL };
	char *const envp[] = { "PATH=/usr/sbin:/sbin:/usr/bin:/bin", "LC_ALL=C",
			       NULL };

	dup2(out, STDERR_FILENO);
	execve("/sbin/modprobe", argv, envp);
	execve("/usr/sbin/modprobe", argv, envp);
	_exit(127);
}

int module_load(void)
{
	size_t used = 0;
	int pipe_fds[2];
	int status;
	ssize_t n;
	pid_t pid;

	if (geteuid() || pipe2(pipe_fds, O_CLOEXEC))
		return -1;
	pid = fork();
	if (!pid)
		run_modprobe(pipe_fds[1]);
	close(pipe_fds[1]);
	while (used < sizeof(modprobe_said) - 1) {
		n = read(pipe_fds[0], modprobe_said + used,
			 sizeof(modprobe_said) - 1 - used);
		if (n <= 0)
			break;
		used += (size_t)n;
	}
	close(pipe_fds[0]);
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return -1;
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -1;
}

static void explain_not_loaded(void)
{
	struct utsname u;

	uname(&u);
	if (geteuid()) {
		message("the module is not loaded; as root: modprobe looplt");
	} else if (strstr(modprobe_said, "Key was rejected") ||
		   strstr(modprobe_said, "Required key not available")) {
		message("the kernel refuses the module's signature");
		message("enrol the key that signed it: mokutil --import /var/lib/dkms/mok.pub, then reboot");
	} else if (strstr(modprobe_said, "not found")) {
		message("the module is not installed for Linux %s", u.release);
		message("build and install it: make install, or make dkms-install");
	} else if (*modprobe_said) {
		message("cannot load the module: %s",
			strtok(modprobe_said, "\n"));
	} else {
		message("cannot load the module: no modprobe here");
	}
}

void module_explain(int open_errno)
{
	bool loaded = !access("/sys/module/" LOOPLT_NAME, F_OK);

	switch (open_errno) {
	case EACCES:
	case EPERM:
		message("no permission on /dev/" LOOPLT_CONTROL
			": be root, or in the group that owns it");
		break;
	case ENOENT:
		if (loaded) {
			message("the module is loaded, but /dev/" LOOPLT_CONTROL
				" is missing (a container's /dev?)");
			break;
		}
		/* fallthrough */
	default:
		if (!loaded)
			explain_not_loaded();
		else
			message("/dev/" LOOPLT_CONTROL ": %s",
				strerror(open_errno));
	}
}
