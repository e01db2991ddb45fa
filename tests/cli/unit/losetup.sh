# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# looplt-losetup, as far as it goes without a kernel; tests/userland/losetup-alias
# holds it against losetup itself.
# shellcheck disable=SC2154	# all.sh sets program, top and tmp, lib.sh the rest

# alias_ STATUS TEXT ARGUMENT...: as gives, under that name.
alias_()
{
	local looplt=$program program=$tmp/looplt-losetup

	ln -sf "$looplt" "$program"
	gives "$@"
}

made='dev/looplt3 was missing'

# A disk of the stock driver.
stock()
{
	mkdir -p "sys/block/loop$1"/{loop,queue}
	echo "7:$1" > "sys/block/loop$1/dev"
	echo "$2" > "sys/block/loop$1/loop/backing_file"
	echo 512 > "sys/block/loop$1/queue/logical_block_size"
}

t_losetup_attaches()
{
	alias_ 0 "$made" -f image
	prints ''
	asked 'size=1 index=-1 flags=0x20 block=0 io=auto offset=0 limit=0'
	asked "ref=$(pwd -P | cut -c 1-40)"
	rm dev/looplt*[0-9]
	alias_ 0 "$made" --show --find image -o 4K --sizelimit 64KiB -b 4096 -P -r \
		--loop-ref r --direct-io
	prints /dev/looplt3
	asked 'index=-1 flags=0x25 block=4096 io=direct offset=4096 limit=65536 ref=r'
	alias_ 0 '?*' --show looplt5 image --direct-io=off
	prints /dev/looplt5
	asked 'index=5 flags=0x20 block=0 io=buffered'
}

t_losetup_lists_both_drivers()
{
	stock 0 /stock
	disk 12
	disk 3 loop/offset=4096 loop/sizelimit=8192
	alias_ 0 '' -a
	prints '/dev/loop0: []: (/stock)
/dev/looplt3: []: (/img), offset 4096, sizelimit 8192
/dev/looplt12: []: (/img)'
	alias_ 0 '' -n -l -O NAME,BACK-FILE,OFFSET
	prints '/dev/loop0    /stock    0
/dev/looplt3  /img   4096
/dev/looplt12 /img      0'
	alias_ 0 '' --raw -O MAJ:MIN,NAME
	prints 'MAJ:MIN NAME
7:0 /dev/loop0
240:48 /dev/looplt3
240:192 /dev/looplt12'
	alias_ 0 '' -j /stock -J -O name,maj,ref
	prints '{
   "loopdevices": [
      {
         "name": "/dev/loop0",
         "maj": 7,
         "ref": null
      }
   ]
}'
}

t_losetup_shows_safe_text()
{
	disk 3 $'loop/backing_file=/a \e[31m\\b'
	alias_ 0 '' -a
	prints '/dev/looplt3: []: (/a \x1b[31m\b)'
	alias_ 0 '' --raw -O BACK-FILE
	prints 'BACK-FILE
/a\x20\x5cx1b[31m\x5cb'
}

t_losetup_reuses()
{
	disk 4 "loop/backing_file=$(pwd -P)/image"
	touch dev/looplt4
	alias_ 0 '' -L -f --show image
	prints /dev/looplt4
	not_asked attach
	alias_ 1 'shows a part of it already' -L -f -o 512 image
	alias_ 1 'shows a part of it already' -L /dev/looplt5 image
	not_asked attach
	disk 4 loop/offset=4096 loop/sizelimit=4096 "loop/backing_file=$(pwd -P)/image"
	alias_ 0 "$made" -L -f -o 8192 image
	rm dev/looplt3
	alias_ 0 "$made" -L -f --sizelimit 4096 image
	alias_ 1 'shows a part of it already' -L -f --sizelimit 4097 image
}

t_losetup_refuses()
{
	local words

	for words in '-a -d 3' '-D -f' '-J --raw' '-c -l x' '-D -O NAME' --show -r \
		-n -d -c --remove '-o 1 -l' '-o 1 looplt3' '--sizelimit 1 looplt3' \
		'-f a b' '-O FROB' '-o x -f image' '--direct-io=maybe x' --frob \
		'-f none' looplt3; do
		# shellcheck disable=SC2086
		alias_ 1 '?*' $words
	done
	not_asked .
}

t_losetup_version_and_help()
{
	alias_ 0 '' -V
	[[ $out == 'looplt-losetup from looplt '* ]]
	alias_ 0 '' --help
	[[ $out == *$'\n  BACK-MAJ:MIN\n'* ]]
}

t_losetup_documents()
{
	local o n=0 man completion

	man=$(sed 's/\\-/-/g; s/\\f[BIRP]//g' "$top/src/cli/looplt-losetup.8")
	completion=$(tr -s '\t\n' ' ' < "$top/src/cli/looplt.bash-completion")
	alias_ 0 '' --help
	while read -r o; do
		n=$((n + 1))
		grep -qE -- "(^|[ ,])$o($|[][ ,=])" <<< "$man" || fail "man page: no $o"
		[[ $completion == *" $o "* ]] || fail "completion: no $o"
	done < <(grep -oE '^ +(-., )?--[a-z-]+' <<< "$out" | grep -oE -- '--.*')
	((n >= 24)) || fail "only $n options"
}
