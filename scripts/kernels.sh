# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The kernels looplt is tested on, and the Debian suite each comes from.

kernel_suite()
{
	case $1 in
	5.10) echo bullseye ;;
	6.1) echo bookworm ;;
	6.12) echo trixie ;;
	7.2) echo sid ;;
	7.3) echo experimental ;;
	*)
		echo "looplt: unknown kernel '$1'; known: $(kernel_all)" >&2
		return 1
		;;
	esac
}

kernel_all()
{
	echo 5.10 6.1 6.12 7.2 7.3
}

kernel_cache()
{
	echo "${LOOPLT_CACHE:-$HOME/.cache/looplt}/$1"
}

# kernel_slow KERNEL: by what all limits of time are to be multiplied.
kernel_slow()
{
	case $1 in
	*-debug) echo 5 ;;
	*) echo 1 ;;
	esac
}
