# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The same job on the stock driver and on looplt in drop-in mode.

# d_load stock|looplt [PARAMETER]...: the one and not the other.
d_load()
{
	local driver=$1

	shift
	d_unload
	case $driver in
	stock) modprobe loop "$@" ;;
	looplt) insmod "$T_MODULE" dropin=1 "$@" ;;
	esac
	t_at_exit losetup -D
	udevadm settle
}

d_unload()
{
	local module

	udevadm settle
	for module in looplt loop; do
		[[ ! -e /sys/module/$module ]] || rmmod "$module"
	done
}
t_at_exit d_unload

# d_compare COMMAND...: what it prints is the same with both drivers, and there
# is something.  Driver parameters: d_params.
d_params=()
d_compare()
{
	local driver

	for driver in stock looplt; do
		d_load "$driver" "${d_params[@]}"
		"$@" > "$T_OUT/$driver" 2>&1 || t_fail "$driver: $(< "$T_OUT/$driver")"
		# Extended minors, major 259, are whatever is free: those of a disk
		# just gone may not be yet.
		sed -i -E 's/\b259:[0-9]+/259:N/; s/\b103:[0-9a-f]+$/103:N/' \
			"$T_OUT/$driver"
	done
	[[ -s $T_OUT/stock ]] || t_fail "nothing to compare"
	diff "$T_OUT/stock" "$T_OUT/looplt" ||
		t_fail "not the same: '<' is the stock driver"
}

# say TITLE COMMAND...: its output and status, for d_compare.
say()
{
	local title=$1 status=0

	shift
	echo "== $title"
	"$@" || status=$?
	((!status)) || echo "status $status"
}
