# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# attach: what is asked of the kernel, and what is made of its answer.
# shellcheck disable=SC2154	# all.sh sets tmp, lib.sh the rest

made='/dev/looplt3 was missing: made it (block 240:48)'

t_attach_prints_the_disk()
{
	gives 0 "$made" attach image
	prints /dev/looplt3
	asked 'size=1 index=-1 flags=0x20 block=0 io=auto offset=0 limit=0'
	asked "ref=$(pwd -P | cut -c 1-40)"
	asked 'mknod looplt3 60660 240:48'
	not_asked detach
}

t_attach_json()
{
	gives 0 "$made" attach --json -r image
	prints '{
   "name": "/dev/looplt3",
   "index": 3,
   "maj:min": "240:48",
   "diskseq": 77,
   "io-mode": "direct",
   "ro": true,
   "log-sec": 512
}'
}

t_attach_options()
{
	gives 0 '?*' attach -o 4K --sizelimit 64KiB -b 4096 -P -r -n 5 --io uncached \
		--autoclear --exclusive --tag t --loop-ref r --keep image
	prints /dev/looplt5
	rm -f dev/looplt*[0-9]
	asked 'index=5 flags=0xf block=4096 io=uncached offset=4096 limit=65536 ref=r tag=t'
	gives 0 '?*' attach --direct-io image
	asked 'flags=0x20 block=0 io=direct'
	rm dev/looplt3
	gives 0 '?*' attach --direct-io=off --shared image
	asked 'flags=0x30 block=0 io=buffered'
}

# size TEXT BYTES
size()
{
	rm -f calls dev/looplt3
	gives 0 '?*' attach --offset "$1" image
	asked "offset=$2 limit"
}

t_sizes()
{
	local bad

	size 0 0
	size 512 512
	size 0x200 512
	size 1K 1024
	size 1k 1024
	size 1KiB 1024
	size 1KB 1000
	size 3M 3145728
	size 3mib 3145728
	size 3MB 3000000
	size 2G 2147483648
	size 2GB 2000000000
	size 1T 1099511627776
	size 7E 8070450532247928832
	size 18446744073709551615 18446744073709551615
	for bad in '' ' 1' 1.5K K -1 +1 1KX 1KBB 1Ki 08 16E 18446744073709551616 \
		20000P '1 K'; do
		gives 2 'not a size' attach --offset "$bad" image
	done
}

# refused ERRNO TEXT [OPTION]...
refused()
{
	local text=$2

	export LOOPLT_ATTACH=$1
	shift 2
	gives 1 "$text" attach "$@"
	not_asked mknod
}

t_attach_explains()
{
	disk 4
	info 4 file "$PWD/image"
	disk 6
	refused EBUSY 'image: busy: it is attached as looplt4' image
	refused EEXIST 'looplt5: in use' -n 5 image
	refused EBADF 'own backing' image
	refused ETXTBSY 'swapoff' image
	refused EOVERFLOW 'larger than any file' image
	refused EFBIG 'larger than any file' image
	refused ENOSPC 'no disk number is left' image
	refused EPERM 'may not open it for you' image
	refused ENOTTY 'older than this program' image
	refused E2BIG 'older than this program' image
	refused EIO 'cannot attach: Input/output error' image
	refused EINVAL 'sector size 3000: not a power of two' -b 3000 image
	refused EINVAL 'sector size 1048576: not a power' -b 1M image
	refused EINVAL 'neither a regular file nor a block device' /dev/null
	refused EINVAL 'offset 512 is not aligned' --io direct -o 512 image
	refused EINVAL 'use --io auto' --direct-io image
	refused EINVAL 'no disk of that number' -n 99 image
	refused EINVAL 'not possible with these options' image
}

t_attach_file_errors()
{
	gives 1 'none: No such file' attach none
	gives 1 'Is a directory' attach .
	not_asked attach
}

# sysfs refuses to open for writing even to root.
t_attach_falls_back_to_reading()
{
	gives 0 'uevent_seqnum: not writable, attaching read-only' \
		attach /sys/kernel/uevent_seqnum
	asked 'flags=0x21'
}

t_attach_warns_of_size()
{
	truncate --size=1000 image
	gives 0 'the last 488 bytes are no whole sector' attach image
	rm dev/looplt3
	gives 0 'the disk is empty' attach -o 4096 image
	rm dev/looplt3
	gives 0 'the last 100 bytes' attach --sizelimit 612 image
}

# A refused attach leaves nothing attached.
t_attach_without_a_node_is_undone()
{
	LOOPLT_MKNOD=EPERM gives 1 \
		'/dev/looplt3 (block 240:48) is missing here, and cannot be made: Operation not' \
		attach image
	asked 'detach index=3 flags=0 timeout=no diskseq=77 clean=1'
	rm calls
	touch dev/looplt3
	gives 1 'something else than block 240:48' attach image
	asked 'detach index=3'
}
