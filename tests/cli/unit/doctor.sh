# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# looplt doctor: each check, healthy and not.
# shellcheck disable=SC2154	# all.sh sets tmp, lib.sh the rest

version()
{
	sed -n 's/^#define LOOPLT_VERSION[^"]*"\(.*\)"/\1/p' \
		"$top/include/uapi/looplt.h"
}

# program NAME LINE: it prints the line.
program()
{
	printf '#!/bin/sh\necho "%s"\n' "$2" > "sbin/$1"
	chmod +x "sbin/$1"
}

# module FIELD VALUE ...: what modinfo says of the installed module.
module()
{
	local list=("$@") i

	{
		echo '#!/bin/sh'
		# shellcheck disable=SC2016 # it is for the program
		echo 'case $2 in'
		for ((i = 0; i < ${#list[@]}; i += 2)); do
			echo "${list[i]}) echo '${list[i + 1]}' ;;"
		done
		echo '*) exit 1 ;;'
		echo 'esac'
	} > sbin/modinfo
	chmod +x sbin/modinfo
}

healthy()
{
	module vermagic "$(uname -r) SMP" version "$(version)"
	program losetup 'losetup from util-linux 2.38.1'
	version > sys/module/looplt/version
	mkdir -p lib/udev/rules.d
	touch lib/udev/rules.d/61-looplt.rules
	printf 'Block devices:\n259 blkext\n' > proc/devices
}

# says STATUS VERDICT CHECK TEXT [ADVICE]
says()
{
	local advice

	looplt doctor
	((status == $1)) || fail "not status $1"
	# shellcheck disable=SC2053
	[[ $(grep -E "^$2 +$3 " <<< "$out") == *$4* ]] || fail "no $2 of $3: $4"
	advice=$(grep -A1 -E "^$2 +$3 " <<< "$out" | sed -n '2s/^ *-> //p')
	# shellcheck disable=SC2053
	[[ $advice == ${5-} ]] || fail "advice of $3 is '$advice'"
}

t_doctor_is_content()
{
	healthy
	gives 0 '' doctor
	[[ $out != *problem* && $(grep -c '^ok' <<< "$out") == 10 ]] ||
		fail "not content"
	says 0 ok kernel "Linux $(uname -r)"
	says 0 ok loaded "version $(version)"
}

t_doctor_looks_at_the_module()
{
	healthy
	module vermagic '6.0.0-other SMP' version "$(version)"
	says 1 problem module 'built for 6.0.0-other' 'build it anew: *'
	module vermagic "$(uname -r) SMP" version 0.0.1
	says 1 problem module 'version 0.0.1' "this program is $(version): *"
	rm sbin/modinfo
	says 0 note module 'not installed' '*make install*'
	rm -r sys/module/looplt
	says 1 problem module 'not installed' "*linux-headers-$(uname -r): *"
	says 1 note loaded 'not loaded' 'modprobe looplt*'
	says 1 ok nodes 'needed yet'
}

t_doctor_looks_at_what_is_loaded()
{
	healthy
	echo 0.0.1 > sys/module/looplt/version
	says 1 problem loaded 'version 0.0.1' '*rmmod looplt*'
}

t_doctor_looks_at_the_signature()
{
	healthy
	mkdir -p sys/module/module/parameters
	echo Y > sys/module/module/parameters/sig_enforce
	says 1 problem signature 'and the module is not' '*mokutil --import *'
	module vermagic "$(uname -r) SMP" version "$(version)" signer 'Our CA'
	says 0 ok signature "signed by 'Our CA'"
	rm -r sys/module/looplt
	says 0 note signature "signed by 'Our CA'" '*mokutil*'
}

t_doctor_knows_the_stock_driver()
{
	healthy
	says 0 ok stock-driver 'not loaded'
	says 0 ok major-7 nobody
	mkdir -p sys/module/loop
	echo '  7 loop' >> proc/devices
	says 0 ok stock-driver 'built in'
	says 0 ok major-7 'stock driver has'
	touch sys/module/loop/initstate
	says 0 ok stock-driver 'is a module'
	mkdir -p sys/module/looplt/parameters
	echo Y > sys/module/looplt/parameters/dropin
	says 0 ok major-7 'looplt has'
}

t_doctor_looks_around()
{
	healthy
	program losetup 'losetup from util-linux 2.36.1'
	says 0 note util-linux '2.36.1' 'before 2.37 *'
	rm sbin/losetup lib/udev/rules.d/61-looplt.rules
	says 0 note util-linux 'no losetup'
	says 0 note udev 'no rules' 'make install*'
}

t_doctor_misses_nodes()
{
	healthy
	disk 3
	says 1 problem nodes '/dev/looplt3 is missing' 'give *'
	touch dev/looplt3
	says 0 ok nodes 'all nodes'
	rm dev/looplt-control
	says 1 problem nodes '/dev/looplt-control is missing' 'give *'
}

t_doctor_knows_the_mode()
{
	healthy
	mkdir -p sys/module/looplt/parameters
	echo auto > sys/module/looplt/parameters/default_io
	looplt doctor /no/such/place
	((status == 1)) || fail "not a problem"
	[[ $out == *'/no/such/place: No such file'* ]] || fail "not said"
	echo buffered > sys/module/looplt/parameters/default_io
	says 0 note io-mode "mode is buffered: the module's default_io"
	gives 2 'one file' doctor a b
	gives 2 nonsense doctor --nonsense
	gives 0 '' doctor "$tmp"
}

t_doctor_writes_json()
{
	healthy
	echo 0.0.1 > sys/module/looplt/version
	looplt doctor --json
	((status == 1)) || fail "not a problem"
	perl -MJSON::PP -e '
		local $/;
		my %c = map { $_->{check}, $_ } @{decode_json(<>)->{checks}};
		die if keys %c != 10;
		die if $c{kernel}{verdict} ne "ok" || defined $c{kernel}{advice};
		die if $c{loaded}{verdict} ne "problem" || !$c{loaded}{advice};
		' <<< "$out" || fail "not that JSON"
}
