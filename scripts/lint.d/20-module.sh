# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Rules for the kernel code and its probes.

rule kernel_version 'kernels are told apart by probes, never by version'
lint_kernel_version()
{
	search '\b(LINUX_VERSION_CODE|KERNEL_VERSION|EXTRA_CFLAGS)\b' \
		'src/*' 'scripts/probes/*' Makefile Kbuild
}

rule compat_only 'only src/compat.h knows the results of probes'
lint_compat_only()
{
	search 'LOOPLT_HAVE_' 'src/*' 'include/*' 'tests/*' |
		{ grep -vE '^(src/compat\.h|src/generated/|tests/lint/)' || true; }
}

rule probes 'each probe is used in src/compat.h or required, and exists'
lint_probes()
{
	local name used

	used=$({ grep -oE 'LOOPLT_HAVE_\w+' src/compat.h || true; } | sort -u)
	select_files 'scripts/probes/[a-z]*.c' | while read -r probe; do
		name=$(basename "$probe" .c)
		if [[ $name == need_* ]]; then
			grep -qE ":.* $name( |\$)" scripts/probes/required ||
				echo "$probe: scripts/probes/required does not name it"
		elif ! grep -qx "LOOPLT_HAVE_${name^^}" <<< "$used"; then
			echo "$probe: src/compat.h does not use it"
		fi
		if ! sed -n 2p "$probe" |
		   grep -qE '^/\* (since|before|[0-9.]+ to) [0-9.]*'; then
			echo "$probe: line 2 does not say since which kernel"
		fi
	done
	for name in $used; do
		name=${name#LOOPLT_HAVE_}
		if [[ ! -f scripts/probes/${name,,}.c ]]; then
			echo "src/compat.h: LOOPLT_HAVE_$name has no probe"
		fi
	done
	[[ ! -e scripts/probes/required ]] ||
		sed '/^#/d; s/.*://' scripts/probes/required | tr -s ' ' '\n' |
		while read -r name; do
			[[ -z $name || -f scripts/probes/$name.c ]] ||
				echo "scripts/probes/required: there is no $name"
		done
}

# Prints C text with strings emptied and comments blanked, lines kept.
strip_comments()
{
	awk '
	FNR == 1 { inside = 0 }
	{
		line = $0
		gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
		out = ""
		while (line != "") {
			if (inside) {
				n = index(line, "*/")
				if (!n)
					break
				line = substr(line, n + 2)
				inside = 0
				continue
			}
			n = index(line, "/*")
			s = index(line, "//")
			if (!n || (s && s < n)) {
				out = out line
				break
			}
			out = out substr(line, 1, n - 1)
			line = substr(line, n + 2)
			inside = 1
		}
		print out
	}' "$1"
}

rule comment_style 'comments are /* */ after the first line'
lint_comment_style()
{
	local f

	select_files 'src/*.[ch]' 'scripts/probes/*.c' 'include/*.h' |
	while read -r f; do
		strip_comments "$f" | awk -v f="$f" '
			NR > 1 && index($0, "//") { print f ":" NR ": " $0 }'
	done
}

rule labels 'goto labels name the undo they start with'
lint_labels()
{
	search '^[[:space:]]*(err|error|fail|failed|out|exit)[[:space:]]*:([^:]|$)' \
		'src/*.c'
}

rule objects 'src/Kbuild lists exactly src/*.c'
lint_objects()
{
	local only

	only=$(comm -3 \
		<(select_files 'src/*.c' | { grep -vE '^src/.*/' || true; } |
			sed 's,^src/,,; s,\.c$,.o,' | sort) \
		<(sed -nE 's/^looplt-\S+ *\+?[:=]?= *//p' src/Kbuild |
			tr -s ' \t' '\n' | sort))
	sed -nE 's/^(\S+)$/\1: has a source, is not in src\/Kbuild/p
		s/^\t(\S+)$/\1: is in src\/Kbuild, has no source/p' <<< "$only"
}

# From the line of the opening brace to that of the closing one.
rule function_length 'no function over 60 lines that does not say why'
lint_function_length()
{
	local f

	select_files 'src/*.[ch]' | while read -r f; do
		awk -v f="$f" '
		/^\/\* long: ./ { reason = 1 }
		/^[[:alpha:]_].*\(/ { head = $0; at = NR }
		/^{/ { start = NR }
		/^}/ {
			if (start && NR - start - 1 > 60 && !reason)
				print f ":" at ": " NR - start - 1 " lines: " head
			start = reason = 0
		}' "$f"
	done
}

rule version 'header, dkms.conf, packages and man page name one version'
lint_version()
{
	local f want got

	want=$(sed -nE 's/^#define LOOPLT_VERSION\s+"(.*)"/\1/p' \
		include/uapi/looplt.h)
	[[ -n $want ]] || echo "include/uapi/looplt.h: no LOOPLT_VERSION"
	got=$(sed -nE 's/^PACKAGE_VERSION="?([^"]*)"?$/\1/p' dkms.conf)
	[[ $got == "$want" ]] || echo "dkms.conf: version '$got', not '$want'"
	[[ ! -f debian/changelog ]] || head -n 1 debian/changelog |
		grep -qF "looplt ($want)" ||
		echo "debian/changelog: the first version is not $want"
	[[ ! -f packaging/looplt.spec ]] ||
		grep -qE "^Version: +${want//./\\.}$" packaging/looplt.spec ||
		echo "packaging/looplt.spec: the version is not $want"
	select_files 'src/cli/*.[1-8]' | while read -r f; do
		if ! grep -qE "^\.(TH|Os) .*\b${want//./\\.}\b" "$f"; then
			echo "$f: the .TH line does not say $want"
		fi
	done
}
