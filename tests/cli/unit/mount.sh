# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# mount.looplt: what it attaches, and what it has mount(8) do.
# shellcheck disable=SC2154	# all.sh sets program and tmp, lib.sh the rest

# helper STATUS TEXT ARGUMENT...: as gives, under that name.
helper()
{
	local looplt=$program program=$tmp/${as:-mount.looplt}

	ln -sf "$looplt" "$program"
	gives "$@"
}

# A mount(8) that writes down what it was told.
fake_mount()
{
	mkdir -p bin d
	printf '#!/bin/sh\necho "mount $*" >> %s/calls\nexit %s\n' "$PWD" \
		"${1:-0}" > bin/mount
	chmod +x bin/mount
	rm -f calls dev/looplt3
}

made='dev/looplt3 was missing'

t_mount_attaches_and_mounts()
{
	fake_mount
	helper 0 "$made" image d
	asked 'size=1 index=-1 flags=0x22 block=0 io=auto offset=0 limit=0'
	asked "ref=$(pwd -P | cut -c 1-40)"
	asked $'\nmount /dev/looplt3 d'
	not_asked detach
}

# mounts WANTED ARGUMENT...: what mount(8) is told.
mounts()
{
	local want=$1

	shift
	fake_mount
	helper 0 "$made" "$@"
	[[ $(grep '^mount ' calls) == "mount $want" ]] ||
		fail "mount $want: $(grep '^mount ' calls)"
}

t_mount_passes_options()
{
	mounts '-t ext4 -o noatime,ro /dev/looplt3 d' \
		image d -o noatime,ro -t looplt.ext4
	asked 'flags=0x23'
	mounts '-t ext4 -o ro,rw /dev/looplt3 d' image d -o ro -w -t ext4
	asked 'flags=0x22'
	mounts '-o ro /dev/looplt3 d' image d -r -t looplt
	mounts '-n -s -v -N /ns -o a="b,ro,c",d /dev/looplt3 d' \
		-nsv -N /ns image d -o 'a="b,ro,c",,d'
	asked 'flags=0x22'
	as=mount.looplt.xfs mounts '-t xfs /dev/looplt3 d' image d
	mounts '-o a,b /dev/looplt3 d' image d -o a -o b
}

t_mount_takes_its_options()
{
	mounts '-o a,b /dev/looplt3 d' image d -o \
		a,looplt.offset=4K,looplt.sizelimit=64K,loop,b,looplt.io=uncached
	asked 'block=0 io=uncached offset=4096 limit=65536'
	mounts '/dev/looplt3 d' image d -o offset=512,sizelimit=1024,loop=/dev/loop7
	asked 'io=auto offset=512 limit=1024'
	mounts '/dev/looplt3 d' image d -o \
		looplt.tag=t,looplt.sector-size=4096,looplt.shared,looplt.direct-io
	asked 'flags=0x32 block=4096 io=direct'
	asked 'tag=t'
}

t_mount_usage()
{
	local o

	fake_mount
	helper 1 'a file and a directory' image
	helper 1 'a file and a directory' image d e
	helper 1 'invalid option' image d -X
	helper 1 "type of a file system" image d -t looplt.looplt.ext4
	helper 1 "type of a file system" image d -t looplt.
	helper 1 "not a size" image d -o looplt.offset=x
	helper 1 "offset: a value is missing" image d -o offset
	helper 1 "shared: takes no value" image d -o looplt.shared=1
	for o in frob json keep autoclear read-only; do
		helper 1 "unknown option" image d -o "a,looplt.$o"
	done
	not_asked .
}

t_mount_fails()
{
	fake_mount 32
	helper 32 "$made" image d
	asked 'detach index=3 flags=0 timeout=no diskseq=77 clean=1'
	fake_mount
	helper 32 'none: No such file' none d
	LOOPLT_ATTACH=ENOSPC helper 32 'no disk number is left' image d
	helper 32 'not mounted' image d -o remount,ro
	! grep -q ^mount calls
}

t_mount_fakes()
{
	fake_mount
	helper 0 '' -f image d
	helper 32 'none: No such file' -f none d
	not_asked .
}

# One that shows the same part of the file is used again.
t_mount_shares_the_disk()
{
	fake_mount
	disk 4
	info 4 file "$PWD/image"
	touch dev/looplt4
	helper 0 '' image d
	not_asked attach
	asked 'mount /dev/looplt4 d'
	LOOPLT_ATTACH=EBUSY helper 32 'attached as looplt4' image d -o offset=512
	info 4 file "$PWD/image" flags 1
	helper 32 'read-only as looplt4' image d
	helper 0 '' image d -o ro
	info 4 file "$PWD/image" state 2
	LOOPLT_ATTACH=EBUSY helper 32 'attached as looplt4' image d
}

t_mount_is_there_already()
{
	fake_mount
	disk 4
	info 4 file "$PWD/image"
	touch dev/looplt4
	mounted 240:64 "$(realpath d)"
	helper 0 'already mounted on d' image d
	not_asked .
	helper 0 '' image d -o remount,ro
	asked 'mount -o remount,ro /dev/looplt4 d'
}

# mount(8) has attached it to a stock disk, for offset=.
t_mount_sees_through_the_callers_disk()
{
	fake_mount
	mkdir -p sys/block/loop9/loop "proc/$BASHPID/fd"
	echo "$PWD/image" > sys/block/loop9/loop/backing_file
	echo 4096 > sys/block/loop9/loop/offset
	echo 8192 > sys/block/loop9/loop/sizelimit
	helper 32 '/dev/loop9: No such file' /dev/loop9 d
	ln -s /dev/loop9 "proc/$BASHPID/fd/5"
	helper 0 "$made" /dev/loop9 d
	asked 'offset=4096 limit=8192'
	asked "mount /dev/looplt3 d"
}

# The options of attach that it takes, by its man page and by trying.
t_mount_documents()
{
	local o man

	man=$(sed 's/\\-/-/g; s/\\f[BIRP]//g' "$top/src/cli/mount.looplt.8")
	for o in $("$program" help attach | grep -oE -- '--[a-z-]+' | cut -c 3-); do
		fake_mount
		ln -sf "$program" "$tmp/mount.looplt"
		LOOPLT_ATTACH=EIO \
			"$tmp/mount.looplt" image d -o "looplt.$o" 2> err || :
		if grep -q 'unknown option' err; then
			[[ $man != *"looplt.$o"* ]] || fail "man page: looplt.$o"
		else
			[[ $man == *"looplt.$o"* ]] || fail "man page: no looplt.$o"
		fi
	done
}
