# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The module and its node: loaded if need be, and what is said if not.
# shellcheck disable=SC2154	# all.sh sets tmp, lib.sh the rest

unload()
{
	rm -rf dev/looplt-control sys/module/looplt
}

# modprobe STATUS TEXT: one that says so and ends so.
modprobe()
{
	printf '#!/bin/sh\necho "$*" > ran\necho "%s" >&2\nexit %d\n' "$2" "$1" \
		> sbin/modprobe
	chmod +x sbin/modprobe
}

t_module_is_loaded()
{
	unload
	modprobe 0 ''
	echo 'touch dev/looplt-control; mkdir sys/module/looplt' > commands
	sed -i '2r commands' sbin/modprobe
	LOOPLT_EUID=0 gives 0 'made it' attach image
	prints /dev/looplt3
	[[ $(< ran) == looplt ]]
}

t_module_is_not_loaded_for_users()
{
	unload
	modprobe 0 ''
	LOOPLT_EUID=1000 gives 1 'as root: modprobe looplt' attach image
	[[ ! -e ran ]]
}

t_module_explains()
{
	export LOOPLT_EUID=0
	unload
	gives 1 'no modprobe here' attach image
	modprobe 1 'modprobe: FATAL: Module looplt not found in directory /lib/modules/x'
	gives 1 "not installed for this kernel, $(uname -r)" attach image
	modprobe 1 "ERROR: could not insert 'looplt': Key was rejected by service"
	gives 1 'enrol the key: mokutil --import /var/lib/dkms/mok.pub' attach image
	modprobe 1 "ERROR: could not insert 'looplt': Required key not available"
	gives 1 'signed modules only' attach image
	modprobe 1 "ERROR: could not insert 'looplt': Exec format error"
	gives 1 'built for another kernel' attach image
	modprobe 1 "ERROR: could not insert 'looplt': Operation not permitted"
	gives 1 'cannot load the module: ERROR: could not insert' attach image
	not_asked attach
}

# modinfo SIGNER
modinfo()
{
	printf '#!/bin/sh\n[ "$*" = "-F signer looplt" ] && echo "%s"\n' "$1" \
		> sbin/modinfo
	chmod +x sbin/modinfo
}

t_module_is_not_signed()
{
	export LOOPLT_EUID=0
	unload
	modprobe 1 "ERROR: could not insert 'looplt': Key was rejected by service"
	modinfo ''
	gives 1 'sign it: make sign, and make install' attach image
	mkdir -p "usr/src/$("$program" --version | tr ' ' -)"
	gives 1 'sign it: make -C /usr/src/looplt-*[0-9] sign' attach image
}

t_module_is_signed_with_an_unknown_key()
{
	export LOOPLT_EUID=0
	unload
	modprobe 1 "ERROR: could not insert 'looplt': Key was rejected by service"
	modinfo 'DKMS module signing key'
	gives 1 "who signed the module, 'DKMS module signing key'" attach image
	gives 1 'mokutil --import /var/lib/dkms/mok.pub, reboot' attach image
	mkdir -p var/lib/shim-signed/mok etc/dkms
	touch var/lib/shim-signed/mok/MOK.der
	gives 1 'mokutil --import /var/lib/shim-signed/mok/MOK.der,' attach image
	printf '# mok_certificate=/no\nmok_certificate="/my/own.der"\n' \
		> etc/dkms/framework.conf
	gives 1 'mokutil --import /my/own.der,' attach image
}

# Under lockdown modprobe hears nothing of keys.
t_module_is_locked_out()
{
	export LOOPLT_EUID=0
	unload
	modprobe 1 "ERROR: could not insert 'looplt': Operation not permitted"
	mkdir -p sys/kernel/security sys/module/module/parameters
	echo '[none] integrity confidentiality' > sys/kernel/security/lockdown
	echo N > sys/module/module/parameters/sig_enforce
	gives 1 'cannot load the module: ERROR' attach image
	echo 'none [integrity] confidentiality' > sys/kernel/security/lockdown
	gives 1 'signed modules only' attach image
}

t_module_without_a_node()
{
	rm dev/looplt-control
	mkdir -p sys/class/misc/looplt-control
	echo 10:121 > sys/class/misc/looplt-control/dev
	LOOPLT_EUID=0 gives 1 'mknod /dev/looplt-control c 10 121' attach image
	gives 1 'is missing (a container?)' detach 3
}

# Nothing is forbidden to root.
become_nobody()
{
	chmod 755 "$tmp"
	cp "$program" "$tmp/program"
	printf '#!/bin/sh\nexec setpriv --reuid=65534 --regid=65534 --clear-groups "%s" "$@"\n' \
		"$tmp/program" > "$tmp/nobody"
	chmod +x "$tmp/nobody"
	program=$tmp/nobody
}

t_module_names_the_group()
{
	local gid=12345

	if ((EUID)); then
		gid=$(id -g)
	else
		become_nobody
		chgrp "$gid" dev/looplt-control
	fi
	echo "people:x:$gid:" >> etc/group
	chmod 000 dev/looplt-control
	gives 1 'no permission on /dev/looplt-control: be root' attach image
	[[ $err != *group* ]] || fail "a group that has no right"
	chmod 060 dev/looplt-control
	gives 1 'be root, or in group people' attach image
}
