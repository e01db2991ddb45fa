# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Writing, reading back and comparing, over a device, in several shapes.

# verify_fio DEV SIZE BLOCK: random sizes, depth 32, checksums in each block.
verify_fio()
{
	fio --name=verify --filename="$1" --ioengine=libaio --direct=1 \
		--iodepth=32 --rw=randrw --bsrange="$3-256k" \
		--blockalign="$3" --size="$2" --io_size=24m --verify=crc32c \
		--verify_fatal=1 --randseed=7 --end_fsync=1 --minimal > /dev/null
}

# verify_range FILE OFFSET SIZE DEV: the device shows just that of the file,
# and nothing outside of it was written.
verify_range()
{
	local file=$1 offset=$2 size=$3 dev=$4

	blockdev --flushbufs "$dev"
	cmp -n "$size" -i "$offset:0" "$file" "$dev"
	cmp -n "$offset" "$file" "$T_TMP/before"
	cmp -i $((offset + size)) "$file" "$T_TMP/before"
}

# verify_device MODE BLOCK OFFSET SIZE: all of it, on a new image in T_DIR.
verify_device()
{
	local mode=$1 block=$2 offset=$3 size=$4

	T_IMG=$T_DIR/verify.img
	head -c $((offset + size + 1048576)) /dev/urandom > "$T_IMG"
	cp "$T_IMG" "$T_TMP/before"
	T_DEV=$(looplt attach --io "$mode" --sector-size "$block" \
		--offset "$offset" --sizelimit "$size" "$T_IMG")
	t_equal "$(t_sys io_mode)" "$mode" "mode"
	t_equal "$(blockdev --getss "$T_DEV")" "$block" "sector size"
	t_equal "$(blockdev --getsize64 "$T_DEV")" "$size" "size"
	verify_fio "$T_DEV" "$size" "$block"
	t_drop_caches
	verify_range "$T_IMG" "$offset" "$size" "$T_DEV"
	t_equal "$(t_sys errors)" 0 "errors"
	t_equal "$(t_sys unflagged_writes)" 0 "unflagged writes"
	looplt detach --wait=30 "$T_DEV"
	rm "$T_IMG"
}
