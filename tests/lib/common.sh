# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What every test sources.  Exit status: 0 pass, 1 fail, 4 skip.
#
# A function that makes a thing also registers its undo; undos run last first.
# So such a function sets a T_ variable and is never called inside $(...):
# a subshell would lose the undo.

set -euo pipefail

T_TMP=$(mktemp -d /tmp/test.XXXXXX)
T_DIR=$T_TMP
t_undo=()
t_ended=

t_at_exit()
{
	t_undo+=("$(printf '%q ' "$@")")
}

t_cleanup()
{
	local rc=$? i

	trap - EXIT
	set +e
	for ((i = ${#t_undo[@]} - 1; i >= 0; i--)); do
		eval "${t_undo[i]}" || { echo "undo failed: ${t_undo[i]}"; rc=1; }
	done
	rm -rf --one-file-system "$T_TMP"
	# A script that ends without saying so has not tested all it should.
	[[ $rc != 0 || $t_ended ]] || { echo "ended without t_pass"; rc=1; }
	exit "$rc"
}
trap t_cleanup EXIT
trap 'exit 1' TERM INT HUP
trap 'echo "failed: line $LINENO: $BASH_COMMAND" >&2' ERR
set -E

t_pass()
{
	t_ended=1
	exit 0
}

t_fail()
{
	echo "failed: $*"
	exit 1
}

t_skip()
{
	echo "skip: $*"
	exit 4
}

# t_backing FS [MKFS-OPTION...]: a file system on a scratch disk becomes T_DIR.
t_backing()
{
	local fs=$1

	shift
	T_DIR=$T_TMP/backing
	mkdir -p "$T_DIR"
	case $fs in
	tmpfs) mount -t tmpfs "$@" tmpfs "$T_DIR" ;;
	ext4)
		# T_SIZE: smaller than the disk.
		mkfs.ext4 -q -F "$@" "$T_DISK1" ${T_SIZE:+"$T_SIZE"}
		mount -t ext4 "$T_DISK1" "$T_DIR"
		;;
	*)
		"mkfs.$fs" -q -f "$@" "$T_DISK1" > /dev/null 2>&1
		mount -t "$fs" "$T_DISK1" "$T_DIR"
		;;
	esac
	t_at_exit umount "$T_DIR"
}

# t_image SIZE: a sparse file, T_IMG, in T_DIR.
t_image()
{
	T_IMG=$(mktemp "$T_DIR/img.XXXXXX")
	t_at_exit rm -f "$T_IMG"
	truncate --size="$1" "$T_IMG"
}

t_detach()
{
	local dev=$1

	[[ ! -e /sys/block/${dev##*/} ]] || looplt detach --wait=30 "$dev"
}

# t_attach [OPTION...] FILE: with looplt; sets T_DEV and T_ID.
t_attach()
{
	T_DEV=$(looplt attach "$@")
	# shellcheck disable=SC2034 # for tests
	T_ID=${T_DEV#/dev/looplt}
	t_at_exit t_detach "$T_DEV"
	udevadm settle
}

# t_stock_attach [OPTION...] FILE: with the stock driver, as a control.
t_stock_attach()
{
	modprobe loop
	T_DEV=$(losetup --find --show "$@")
	t_at_exit losetup -d "$T_DEV"
	udevadm settle
}

# t_mount DEV [OPTION...]: on T_MNT.
t_mount()
{
	local dev=$1

	shift
	T_MNT=$(mktemp -d "$T_TMP/mnt.XXXXXX")
	mount "$@" "$dev" "$T_MNT"
	t_at_exit t_umount "$T_MNT"
}

t_umount()
{
	! mountpoint -q "$1" || umount "$1"
}

# t_fails TEXT COMMAND...: it must fail, and say TEXT.
t_fails()
{
	local text=$1 out status=0

	shift
	out=$("$@" 2>&1) || status=$?
	((status)) || t_fail "succeeded: $*"
	# Killed, or not found: it did not refuse.
	((status < 126)) || t_fail "status $status: $* says '$out'"
	grep -qi -- "$text" <<< "$out" || t_fail "$* says '$out', not '$text'"
}

# t_equal GOT WANTED WHAT
t_equal()
{
	[[ $1 == "$2" ]] || t_fail "$3: '$1', should be '$2'"
}

# t_sys ATTRIBUTE [DEV]: of the looplt/ group in sysfs.
t_sys()
{
	local dev=${2:-$T_DEV}

	cat "/sys/block/${dev#/dev/}/looplt/$1"
}

t_drop_caches()
{
	sync
	echo 3 > /proc/sys/vm/drop_caches
}

# t_wait SECONDS COMMAND...: until it succeeds.
t_wait()
{
	local i

	for ((i = $1 * 10 * T_SLOW; i > 0; i--)); do
		! "${@:2}" > /dev/null 2>&1 || return 0
		sleep 0.1
	done
	t_fail "not within $1 s: ${*:2}"
}
