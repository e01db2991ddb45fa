# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What the CLI's unit tests share.
# shellcheck disable=SC2154	# all.sh sets program and tmp

# A system with the module loaded, and no disks.
new_root()
{
	mkdir -p dev etc sbin proc/self sys/block sys/dev/block \
		sys/module/looplt info
	touch dev/looplt-control calls proc/self/mountinfo proc/swaps
	printf 'root:x:0:\ndisk:x:6:\n' > etc/group
	truncate --size=1M image
}

# disk N [ATTRIBUTE=VALUE]...: with a file bound, as sysfs shows it.
disk()
{
	local n=$1 dir=sys/block/looplt$1 word

	shift
	mkdir -p "$dir"/{loop,looplt,queue,holders}
	ln -s "../../block/looplt$n" "sys/dev/block/240:$((16 * n))"
	for word in "dev=240:$((16 * n))" size=2048 ro=0 diskseq=9 \
		queue/logical_block_size=512 loop/backing_file=/img \
		loop/offset=0 loop/sizelimit=0 loop/autoclear=0 \
		loop/partscan=0 loop/dio=1 looplt/state=bound \
		looplt/io_mode=direct looplt/io_mode_reason='it can' \
		looplt/exclusive=1 looplt/tag= looplt/backing_dev=8:1 \
		looplt/backing_ino=12 "$@"; do
		echo "${word#*=}" > "$dir/${word%%=*}"
	done
}

# info N KEY VALUE ...: what the kernel says of it.
info()
{
	local n=$1

	shift
	printf '%s %s\n' state 1 "$@" > "info/$n"
}

# mounted MAJOR:MINOR DIR [FSTYPE SOURCE]
mounted()
{
	echo "36 25 $1 / $2 rw,noatime shared:1 - ${3:-ext4} ${4:-none} rw" \
		>> proc/self/mountinfo
}

# looplt ARGUMENT...: sets out, err and status.
looplt()
{
	status=0
	"$program" "$@" > "$tmp/out" 2> "$tmp/err" || status=$?
	out=$(< "$tmp/out")
	err=$(< "$tmp/err")
}

fail()
{
	echo "$*"
	echo "status $status, stdout:"
	sed 's/^/  /' "$tmp/out"
	echo "stderr:"
	sed 's/^/  /' "$tmp/err"
	return 1
}

# gives STATUS TEXT ARGUMENT...: TEXT, a glob, is in the messages; '' is none.
gives()
{
	local want=$1 text=$2

	shift 2
	looplt "$@"
	((status == want)) || fail "looplt $*: not status $want"
	if [[ -z $text ]]; then
		[[ -z $err ]] || fail "looplt $*: says something"
	else
		# shellcheck disable=SC2053
		[[ $err == *$text* ]] || fail "looplt $*: does not say '$text'"
	fi
	# Who is refused gets no data.
	((want == 0)) || [[ -z $out ]] || fail "looplt $*: prints data"
}

prints()
{
	[[ $out == "$1" ]] || fail "does not print: $1"
}

# asked TEXT: a call of the kernel, a glob.
asked()
{
	# shellcheck disable=SC2053
	[[ $(< calls) == *$1* ]] || { cat calls; fail "did not ask: $1"; }
}

not_asked()
{
	! grep -q "^$1" calls || { cat calls; fail "asked: $1"; }
}
