# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What the steps share.

set -euo pipefail

# shellcheck disable=SC2034	# steps use them
{
	dir=/srv/data
	image=/srv/image.ext4
	second=$(basename -a /lib/modules/*-cloud-amd64)
	first=${second/-cloud-/-}
}

fail()
{
	echo "failed: $*"
	exit 1
}

# built RELEASE: DKMS has the module for that kernel, and modprobe finds it.
built()
{
	dkms status -m looplt -k "$1" | grep ': installed' ||
		fail "DKMS has not installed it for $1"
	modinfo -k "$1" -n looplt | grep /updates/dkms/ ||
		fail "modprobe would not find it for $1"
}

# mounted: the image is, through looplt, and holds what was written.
mounted()
{
	findmnt -n -o SOURCE,FSTYPE "$dir" | grep '^/dev/looplt' ||
		fail "$dir is not mounted"
	looplt list -O NAME,BACK-FILE -n | grep -F "$image"
	[[ $(cat "$dir/note") == 'written before the reboot' ]] ||
		fail 'what was written is not there'
}
