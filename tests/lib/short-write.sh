# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A backing file system with room for a part of a write.

# short_write_setup FS: T_IMG on a file system that has 37 blocks of 4 KiB.
short_write_setup()
{
	case $1 in
	ext4) T_SIZE=128M t_backing ext4 -m 0 -b 4096 ;;
	tmpfs) t_backing tmpfs -o size=20m ;;
	esac
	t_image 40M
	dd if=/dev/zero of="$T_DIR/fill" bs=1M status=none 2> /dev/null || true
	sync
	truncate -s "-$((37 * 4096))" "$T_DIR/fill"
	sync
}

# short_write_try DEV: write 512 KiB where there is room for less, flush, and
# say "failed" or how many of its 128 blocks can be read back.
short_write_try()
{
	local dev=$1 pattern=$T_TMP/pattern at=$((8 << 20)) good=0 i

	head -c 524288 /dev/zero | tr '\0' p > "$pattern"
	if ! dd if="$pattern" of="$dev" bs=512K seek=$at oflag=direct,seek_bytes \
		conv=notrunc,fsync status=none 2> "$T_TMP/dd.err"; then
		echo failed
		return
	fi
	blockdev --flushbufs "$dev"
	echo 3 > /proc/sys/vm/drop_caches
	for ((i = 0; i < 128; i++)); do
		cmp -s -n 4096 -i "$((at + i * 4096)):0" "$dev" "$pattern" &&
			good=$((good + 1))
	done
	echo "$good"
}
