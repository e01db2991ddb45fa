# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Rules for any text file.
# shellcheck disable=SC2154	# list_files sets files, lint sets root

rule spdx 'every file that can names its licence'
lint_spdx()
{
	local f

	for f in "${files[@]}"; do
		case $f in
		LICENSE | *.md | *.svg | *.png | *.csv | *.json | *.out | \
		.gitignore | */.gitignore | debian/changelog | \
		debian/copyright | debian/source/format | debian/*.dkms)
			continue
			;;
		esac
		if [[ -s $f ]] && ! head -n 5 "$f" |
		   grep -q 'SPDX-License-Identifier: GPL-2\.0'; then
			echo "$f: no SPDX-License-Identifier line at the top"
		fi
	done
}

rule whitespace 'no white space at line ends, a newline at file ends'
lint_whitespace()
{
	local f

	search '[[:space:]]$' '*' | cut -c 1-100
	for f in "${files[@]}"; do
		if grep -qI . "$f" && [[ -n $(tail -c 1 "$f") ]]; then
			echo "$f: no newline at the end"
		fi
	done
}

rule conflicts 'no merge conflict markers'
lint_conflicts()
{
	search '^(<{7} |={7}$|>{7} )' '*'
}

rule todo 'nothing is left to do'
lint_todo()
{
	search '\b(TO[D]O|FIX[M]E|XX[X])\b' '*'
}

# Directories that mean the same on every machine are no trace of this one.
rule machine 'no path of the machine the tree was built on'
lint_machine()
{
	local dir paths=("$root")

	dir=$(dirname "$root")
	case $dir in
	/ | /root | /home | /tmp | /var/tmp | /mnt | /srv | /opt | /usr/src | \
	/src | /build | /builds)
		;;
	*)
		paths+=("$dir")
		;;
	esac
	for dir in "${paths[@]}"; do
		printf '%s\n' "${files[@]}" | xargs -d '\n' grep -nHIP -- \
			"(?<![\w./-])\Q$dir\E(?![\w-])" || true
	done
	search '(^|[^[:alnum:]_./-])/home/[a-z]' '*'
}

rule mirrors 'no package mirror: the host knows its own'
lint_mirrors()
{
	search '[a-z0-9]\.(debian|ubuntu)\.(org|com)' '*' |
		{ grep -v '^debian/copyright:1:Format: ' || true; }
}

# What may be longer says why, near its top.
rule file_length 'no C file over 500 lines, no script over 200'
lint_file_length()
{
	local f lines

	{
		select_files '*.[ch]' | sed 's/^/500 /'
		shell_scripts -l | sed 's/^/200 /'
	} | while read -r max f; do
		lines=$(wc -l < "$f")
		if ((lines > max)) &&
		   ! head -n 30 "$f" | grep -qE '^(/\*|#| \*) long: .'; then
			echo "$f: $lines lines, more than $max, and no" \
			     "'long: reason' in its first 30"
		fi
	done
}
