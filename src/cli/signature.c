// SPDX-License-Identifier: GPL-2.0-only
/*
 * looplt CLI - module signatures: does the kernel want one, has the module
 * one, and which certificate would have to be enrolled.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

bool signature_enforced(void)
{
	char path[PATH_MAX];
	char *enforce, *lockdown;
	bool yes;

	enforce = path_read(path_of(path, "/sys/module/module/parameters/sig_enforce"));
	lockdown = path_read(path_of(path, "/sys/kernel/security/lockdown"));
	yes = (enforce && *enforce == 'Y') ||
	      (lockdown && (strstr(lockdown, "[integrity]") ||
			    strstr(lockdown, "[confidentiality]")));
	free(enforce);
	free(lockdown);
	return yes;
}

char *signature_signer(void)
{
	const char *const argv[] = { "modinfo", "-F", "signer", LOOPLT_NAME, NULL };
	char signer[256];

	if (program_run(argv, signer, sizeof(signer)))
		return NULL;
	signer[strcspn(signer, "\n")] = '\0';
	return *signer ? need_memory(strdup(signer)) : NULL;
}

/* The value of "mok_certificate=..." in DKMS's own configuration. */
static char *configured(const char *path)
{
	static const char key[] = "mok_certificate=";
	char *text = path_read(path), *value = NULL, *rest = text, *line;

	while ((line = strsep(&rest, "\n"))) {
		line += strspn(line, " \t");
		if (strncmp(line, key, sizeof(key) - 1) != 0)
			continue;
		line += sizeof(key) - 1;
		line += strspn(line, "\"'");
		line[strcspn(line, "\"' \t")] = '\0';
		free(value);
		value = need_memory(strdup(line));
	}
	free(text);
	return value;
}

char *signature_certificate(void)
{
	static const char ubuntu[] = "/var/lib/shim-signed/mok/MOK.der";
	static const char dkms[] = "/var/lib/dkms/mok.pub";
	char path[PATH_MAX];
	char *found;

	found = configured(path_of(path, "/etc/dkms/framework.conf"));
	if (found)
		return found;
	path_of(path, "%s", ubuntu);
	return need_memory(strdup(access(path, F_OK) ? dkms : ubuntu));
}

static void explain_unsigned(void)
{
	static const char sources[] = "/usr/src/" LOOPLT_NAME "-" LOOPLT_VERSION;
	char path[PATH_MAX];

	message("the kernel takes signed modules only (Secure Boot), and this one is not");
	if (!access(path_of(path, "%s", sources), F_OK))
		message("sign it: make -C %s sign", sources);
	else
		message("sign it: make sign, and make install");
}

void signature_explain(void)
{
	char *signer = signature_signer(), *certificate = signature_certificate();

	if (signer)
		message("the kernel does not know who signed the module, '%s' (Secure Boot)",
			signer);
	else
		explain_unsigned();
	message("enrol the key: mokutil --import %s, reboot, and confirm", certificate);
	free(signer);
	free(certificate);
}
