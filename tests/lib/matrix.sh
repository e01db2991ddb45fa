# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Commands of one util-linux, each a function row_NAME that prints a word.  Each
# finds /dev/looplt0 there, nothing attached, and may leave it as it likes.
# "u COMMAND" runs in that release's tree; img is a file with ext4 in it.
# shellcheck disable=SC2154	# who sources this sets img, part, suite and tree

dev=/dev/looplt0
sys=/sys/block/looplt0

u()
{
	in_suite "$suite" "$@" 2> /dev/null
}

bound() { [[ -e $sys/loop/backing_file ]]; }
unbound() { ! bound; }

# soon COMMAND...: is it true before long?
soon()
{
	local i

	for ((i = 0; i < 5; i++)); do
		! "$@" || return 0
		sleep 0.1
	done
	return 1
}

# word YES NO COMMAND...
word()
{
	if "${@:3}" > /dev/null; then echo "$1"; else echo "$2"; fi
}

attr() { echo "$(< "$sys/$1")"; }

# in_use DIR: something is mounted there.
in_use() { [[ $(< /proc/self/mountinfo) == *" $tree$1 "* ]]; }

# prints WANTED COMMAND...
prints() { [[ $("${@:2}") == "$1" ]]; }

# has TEXT COMMAND...: in what it prints
has() { [[ $("${@:2}") == *"$1"* ]]; }

attach() { u losetup "$dev" "$img"; }

row_attach() { attach; word ok fails bound; }

row_show-bare-name() { attach; word ok fails u losetup looplt0; }

row_show() { attach; word ok fails has "($img)" u losetup "$dev"; }

row_list()
{
	local option n=0

	attach
	for option in -a -l -J ''; do
		# shellcheck disable=SC2086
		! has "$dev" u losetup $option || n=$((n + 1))
	done
	case $n in
	0) echo omits ;;
	4) echo ok ;;
	*) echo "$n of 4" ;;
	esac
}

row_list-columns()
{
	local line columns=NAME,SIZELIMIT,OFFSET,AUTOCLEAR,RO,DIO,LOG-SEC,BACK-FILE

	attach
	line=$(u losetup -n -l -O "$columns,MAJ:MIN" "$dev" | tr -s ' ') || true
	case $line in
	"$dev 0 0 0 0 1 512 $img $(attr dev)"*) echo ok ;;
	"$dev 0 0 0 0 1 512 $img"*) echo no-majmin ;;
	*) echo fails ;;
	esac
}

row_associated() { attach; word ok omits has "$dev" u losetup -j "$img"; }

row_set-capacity()
{
	attach
	truncate -s 9M "$img"
	u losetup -c "$dev" || true
	word ok fails prints $((9 << 11)) attr size
	truncate -s 8M "$img"
}

row_sector-size()
{
	attach
	u losetup -b 4096 "$dev" || true
	word ok fails prints 4096 attr queue/logical_block_size
}

row_direct-io()
{
	attach
	u losetup --direct-io=off "$dev" || true
	word ok fails prints 0 attr loop/dio
}

row_detach() { attach; u losetup -d "$dev"; word ok fails soon unbound; }

row_detach-all() { attach; u losetup -D; word ok omits soon unbound; }

options_right()
{
	prints "$dev" u losetup -r -o 4096 --sizelimit 65536 --show "$dev" "$img" &&
		prints 4096 attr loop/offset && prints 128 attr size &&
		prints 1 attr ro
}

row_attach-options() { word ok fails options_right; }

row_partscan()
{
	u losetup -P "$dev" "$part"
	word ok fails test -b "${dev}p1"
}

# again DISK: what shows a file that /dev/looplt0 has already.
again()
{
	case $1 in
	"$dev") echo reuses ;;
	/dev/loop[0-9]*) echo twice ;;
	*) echo fails ;;
	esac
}

row_nooverlap() { attach; again "$(u losetup -L -f --show "$img")"; }

row_loop-ref()
{
	if u losetup --loop-ref a-text "$dev" "$img"; then
		word ok fails prints a-text u losetup -n -l -O REF "$dev"
	else
		echo unknown
	fi
}

row_find()
{
	case $(u losetup -f) in
	/dev/looplt*) echo looplt ;;
	/dev/loop*) echo stock ;;
	*) echo fails ;;
	esac
}

row_attach-missing() { word ok fails u losetup /dev/looplt77 "$img"; }

row_remove()
{
	if u losetup --help | grep -q -- --remove; then
		word ok fails u losetup --remove "$dev"
	else
		echo unknown
	fi
}

row_blkid() { attach; word ok fails prints ext4 u blkid -p -s TYPE -o value "$dev"; }

row_fsck() { attach; word ok fails has "$dev" u fsck -N -l "$dev"; }

row_blockdev() { attach; word ok fails prints $((8 << 20)) u blockdev --getsize64 "$dev"; }

row_lsblk() { attach; word ok fails prints loop u lsblk -n -o TYPE "$dev"; }

row_lsblk-empty() { word shows hides has looplt0 u lsblk; }

row_looplt-losetup()
{
	prints "$dev" u looplt-losetup --show "$dev" "$img" &&
		has "$img" u looplt-losetup -a && u looplt-losetup -D
	word ok fails soon unbound
}
