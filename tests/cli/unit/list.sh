# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# list and stat: tables, JSON, and text that must not steer a terminal.
# shellcheck disable=SC2154	# all.sh sets tmp, lib.sh the rest

t_list_table()
{
	disk 10 size=3145728 looplt/io_mode=buffered ro=1 loop/backing_file=/b
	disk 9 size=3000
	rm dev/looplt-control
	gives 0 '' list
	prints 'NAME          SIZE IO-MODE  RO STATE BACK-FILE
/dev/looplt9  1.5M direct    0 bound /img
/dev/looplt10 1.5G buffered  1 bound /b'
	gives 0 '' list -n -b -O size,name looplt9
	prints '1536000 /dev/looplt9'
	gives 0 '' list -n -O +DIO 9
	prints '/dev/looplt9 1.5M direct 0 bound /img 1'
	gives 1 'looplt4: no such disk' list 4
	gives 0 '' list --output-all
	[[ $out == 'NAME '*' MOUNTPOINTS'* ]] || fail "not all columns"
}

t_list_empty()
{
	gives 0 '' list
	prints ''
	gives 0 '' list --json
	prints '{
   "loopdevices": []
}'
	rm -r sys/module/looplt dev/looplt-control
	gives 0 '' list
}

# losetup 2.41's keys and types, then more.
t_list_json()
{
	disk 3 loop/autoclear=1 looplt/tag=web loop/offset=512 diskseq=18
	mounted 240:48 /mnt/a
	mounted 240:48 '/mnt/b\134c'
	rm dev/looplt-control
	gives 0 '' list --json
	prints '{
   "loopdevices": [
      {
         "name": "/dev/looplt3",
         "sizelimit": 0,
         "offset": 512,
         "autoclear": true,
         "ro": false,
         "back-file": "/img",
         "dio": true,
         "log-sec": 512,
         "size": 1048576,
         "io-mode": "direct",
         "io-reason": "it can",
         "state": "bound",
         "tag": "web",
         "exclusive": true,
         "openers": null,
         "diskseq": 18,
         "maj:min": "240:48",
         "back-ino": 12,
         "back-maj:min": "8:1",
         "partscan": false,
         "ref": null,
         "mountpoints": [
            "/mnt/a",
            "/mnt/b\\c"
         ]
      }
   ]
}'
}

t_list_asks_the_kernel()
{
	disk 3
	disk 4
	disk 5
	info 3 openers 2 ref /long/path mode uncached capacity 4096 tag t
	info 4 state 0 openers 0
	gives 0 '' list -n -b -O NAME,OPENERS,REF,IO-MODE,SIZE,STATE,TAG
	# What has no value is not empty; 5 went while we looked.
	prints '/dev/looplt3 2 /long/path uncached 4096 bound   t
/dev/looplt4 0 -          -           - unbound -'
	gives 0 '' list -J -O NAME,RO,OFFSET,BACK-FILE 4
	prints '{
   "loopdevices": [
      {
         "name": "/dev/looplt4",
         "ro": null,
         "offset": null,
         "back-file": null
      }
   ]
}'
}

t_list_by_file()
{
	disk 3
	disk 4
	info 3
	info 4 file "$PWD/image"
	gives 0 '' list -n -O NAME image
	prints /dev/looplt4
	gives 0 '' list etc/group
	prints ''
	gives 1 'none: No such file' list none
}

t_text_is_escaped()
{
	local name=$'/t\tn\nq"b\\e\e[31mu\xc3\xbcx\xffy\xc2\x9bz\xed\xa0\x80\x7f'

	disk 3 "loop/backing_file=$name"
	rm dev/looplt-control
	gives 0 '' list -n -O BACK-FILE
	prints '/t\x09n\x0aq"b\e\x1b[31muüx\xffy\xc2\x9bz\xed\xa0\x80\x7f'
	gives 0 '' list -J -O BACK-FILE
	[[ $out == *'"/t\u0009n\u000aq\"b\\e\u001b[31muüx\ufffdy'*'z\ufffd\ufffd\ufffd\u007f"'* ]] ||
		fail "JSON"
	gives 1 'none\\x1b\[2J: No such file' list $'none\e[2J'
}

t_stat()
{
	disk 3 looplt/reads=17 looplt/worker_pids='4 5' looplt/future=new
	rm sys/block/looplt3/looplt/{tag,exclusive,backing_dev,backing_ino}
	echo > sys/block/looplt3/looplt/io_mode_reason
	gives 0 '' stat 3
	prints '/dev/looplt3
  future               new
  io_mode              direct
  io_mode_reason       -
  reads                17
  state                bound
  worker_pids          4 5'
	gives 0 '' stat --json
	prints '{
   "loopdevices": [
      {
         "name": "/dev/looplt3",
         "future": "new",
         "io_mode": "direct",
         "io_mode_reason": null,
         "reads": 17,
         "state": "bound",
         "worker_pids": "4 5"
      }
   ]
}'
	gives 1 'looplt4: no such disk' stat 4
	gives 2 'image: not a looplt disk' stat image
}
