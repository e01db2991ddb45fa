# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# detach: honest about what became of it.
# shellcheck disable=SC2154	# all.sh sets tmp, lib.sh the rest

t_detach_done()
{
	disk 3
	info 3 diskseq 9
	gives 0 '' detach /dev/looplt3
	asked 'detach index=3 flags=0 timeout=no diskseq=9 clean=1'
	gives 0 '' detach looplt3
	gives 0 '' detach 3
	gives 0 '' detach --wait=5 3
	asked 'flags=0x1 timeout=yes'
	prints ''
}

t_detach_is_idempotent()
{
	local errno

	gives 0 '3: already detached' detach 3
	not_asked detach
	disk 3
	info 3 state 0
	gives 0 '3: already detached' detach 3
	info 3
	for errno in ENODEV ENXIO ESTALE; do
		LOOPLT_DETACH=$errno gives 0 'looplt3: already detached' detach 3
	done
	LOOPLT_DETACH=EIO gives 1 'looplt3: cannot detach: Input/output' detach 3
}

t_detach_deferred()
{
	disk 3
	info 3 diskseq 9
	export LOOPLT_DETACH=deferred
	gives 0 'looplt3: detach deferred, in use by: ' detach 3
	info 3 state 2
	gives 0 'looplt3: detach already deferred, in use by: ' detach 3
	gives 1 'looplt3: still attached, in use by: ' detach --wait=0 3
}

t_detach_waits()
{
	disk 3
	info 3 diskseq 9
	LOOPLT_DETACH=ETIMEDOUT gives 1 'looplt3: still attached, in use by: ' \
		detach --wait=1 3
	# The second call is for the same attachment, with a clean argument.
	LOOPLT_DETACH=ETIMEDOUT,ok gives 0 'looplt3: waiting, in use by: ' detach --wait 3
	(($(grep -c 'flags=0x1 timeout=.* diskseq=9 clean=1' calls) >= 2))
	asked 'flags=0x1 timeout=no'
	rm calls
	LOOPLT_DETACH=EINTR,EINTR,ok gives 0 '' detach --wait=60 3
	(($(grep -c clean=1 calls) == 3))
}

t_detach_names_holders()
{
	disk 3
	mkdir sys/block/looplt3/{looplt3p2,looplt3p2/holders,holders/dm-0}
	touch sys/block/looplt3/looplt3p2/holders/md7
	ln -s ../../block/looplt3/looplt3p1 sys/dev/block/259:1
	disk 33 loop/backing_file=/dev/looplt3p1
	info 3
	mkdir -p sys/block/loop0/loop
	echo /dev/looplt3 > sys/block/loop0/loop/backing_file
	mounted 240:48 '/mnt/a\040b'
	mounted 259:1 /mnt/part
	mounted 0:42 /mnt/btrfs btrfs /dev/looplt3p2
	mounted 240:528 /mnt/other
	mounted 0:43 /mnt/more btrfs /dev/looplt33
	printf '%s\n' 'Filename Type' '/dev/looplt3p5 partition 1 0 -2' \
		'/dev/looplt33 partition 1 0 -2' > proc/swaps
	LOOPLT_DETACH=deferred gives 0 '?*' detach 3
	for text in 'mounted on /mnt/a b;' 'mounted on /mnt/part;' \
		'mounted on /mnt/btrfs;' 'swap on /dev/looplt3p5;' 'used by dm-0' \
		'used by md7' 'used by loop0' 'used by looplt33'; do
		[[ $err == *"$text"* ]] || fail "no '$text'"
	done
	for text in /mnt/other /mnt/more 'swap on /dev/looplt33' ' the kernel'; do
		[[ $err != *"$text"* ]] || fail "'$text'"
	done
}

# Mounts that only another mount namespace has.
t_detach_names_other_namespaces()
{
	disk 3
	info 3
	mkdir -p proc/{self,70,71,72}/ns
	touch proc/self/ns/mnt proc/71/ns/mnt
	ln proc/self/ns/mnt proc/70/ns/mnt
	ln proc/71/ns/mnt proc/72/ns/mnt
	mounted 240:48 /mnt/there
	mv proc/self/mountinfo proc/71
	cp proc/71/mountinfo proc/70
	cp proc/71/mountinfo proc/72
	touch proc/self/mountinfo
	echo daemon > proc/71/comm
	echo daemon > proc/72/comm
	LOOPLT_DETACH=deferred gives 0 'mounted on /mnt/there for pid 7[12] (daemon)' \
		detach 3
	(($(grep -o 'mounted on' <<< "$err" | wc -l) == 1)) || fail "each once"
	# What is mounted here goes with ours: copies are no news.
	mounted 240:48 /mnt/here
	LOOPLT_DETACH=deferred gives 0 'mounted on /mnt/here' detach 3
	[[ $err != *'for pid'* ]] || fail "copies are named"
}

t_detach_by_file()
{
	local n

	ln -s image link
	for n in 1 2 3 4; do
		disk $n
	done
	# The same number on another file system.
	info 4 file "$PWD/image" dev 12
	info 1 file "$PWD/image"
	info 2 file "$PWD/calls"
	info 3 file "$PWD/image" diskseq 5
	gives 0 '' detach link
	asked 'detach index=1 '
	asked 'detach index=3 flags=0 timeout=no diskseq=5'
	not_asked 'detach index=2'
	not_asked 'detach index=4'
	gives 0 'etc/group: already detached' detach etc/group
	gives 1 'none: No such file' detach none
	# One that cannot be is no reason to leave the others.
	rm calls
	gives 1 'none: No such file' detach none 2
	asked 'detach index=2'
}

t_detach_all()
{
	disk 1
	disk 2
	disk 10
	info 1
	info 2 state 0
	info 10
	gives 0 '' detach --all
	asked 'detach index=1 '
	asked 'detach index=10 '
	not_asked 'detach index=2'
	LOOPLT_DETACH=ok,EIO gives 1 'looplt10: cannot detach' detach -a
}

t_detach_without_the_module()
{
	rm -r dev/looplt-control sys/module/looplt
	printf '#!/bin/sh\ntouch loaded\n' > sbin/modprobe
	chmod +x sbin/modprobe
	LOOPLT_EUID=0 gives 0 '3: already detached' detach 3
	[[ ! -e loaded ]] || fail "the module was loaded"
}
