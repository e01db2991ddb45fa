#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# compare.sh KERNEL DIFFERENCES STOCK LOOPLT: two outputs of calls.  Prints what
# differs and is not listed, what is listed and does not differ, and how much
# was compared.  Status 1 if it printed any of the first two.

set -euo pipefail

awk -v kernel="$1" -v listed="$2" -v stock="$3" -v looplt="$4" '
	# Spaces around the bars are for readers.
	function part(n) { gsub(/^ +| +$/, "", f[n]); return f[n] }

	# A call that comes again in its case has another number.
	function key(name, k) {
		k = part(1) " | " part(2)
		times[name, k]++
		return times[name, k] == 1 ? k : k " (" times[name, k] ")"
	}

	function answer() {
		return part(4) == "" ? part(3) : part(3) "; " part(4)
	}

	function differs(k, line) {
		if (was[k] == now[k])
			return
		line = k " | " was[k] " | " now[k]
		if (line in known)
			seen[line] = 1
		else
			print "not listed:  " kernel " | " line, bad++ ? "" : ""
	}

	BEGIN {
		while ((getline line < listed) > 0) {
			n = split(line, f, "|")
			if (line ~ /^(#|reason:|$)/ || n < 5)
				continue
			if (part(1) != "all" && (" " part(1) " ") !~ " " kernel " ")
				continue
			known[part(2) " | " part(3) " | " part(4) " | " part(5)] = 1
		}
		while ((getline line < stock) > 0) {
			split(line, f, "|")
			k = key("stock")
			was[k] = answer()
			order[++calls] = k
		}
		while ((getline line < looplt) > 0) {
			split(line, f, "|")
			k = key("looplt")
			now[k] = answer()
			if (!(k in was)) {
				was[k] = "(not made)"
				order[++calls] = k
			}
		}
		for (i = 1; i <= calls; i++) {
			if (!(order[i] in now))
				now[order[i]] = "(not made)"
			differs(order[i])
		}
		for (line in known)
			if (!(line in seen))
				print "not there:   " kernel " | " line, bad++ ? "" : ""
		print calls " calls compared"
		exit bad || !calls
	}'
