# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What users are told.
# shellcheck disable=SC2154	# list_files sets files

page=src/system/looplt.4

# interface: names of calls, flags, parameters and attributes in the sources.
interface()
{
	{
		grep -hoE '\bLOOP_(SET_|GET_|CLR_|CHANGE_|CTL_|CONFIGURE)[A-Z0-9_]*\b' \
			src/*.c || true
		sed -n 's/^#define[[:space:]]\+\(LOOPLT_[A-Z_]*\)[[:space:]].*/\1/p' \
			include/uapi/looplt.h
		sed -nE -e 's/^module_param[a-z_]*\((\w+),.*/\1/p' \
			-e 's/^(static )?(DEVICE_ATTR_RO|LOOPLT_BOUND_ATTR|LOOPLT_STAT_ATTR)\(([a-z]\w+).*/\3/p' \
			src/*.c
	} | sed -E '/^LOOPLT_(.*_)?(H|SIZE|VERSION|NAME|CONTROL)$|_(FLAGS)?$/d' | sort -u
}

# The first column of the table of differences, a line for each row.
page_differences()
{
	sed -n '/^\.SH DIFFERENCES/,/^\.TE/p' "$page" | awk '
		/^T}\|T{/ { cell++ }
		/^T{/ { cell = 1; text = ""; next }
		/^T}/ { if (text) print text; text = ""; next }
		cell == 1 { text = text (text ? " " : "") $0 }'
}

readme_differences()
{
	sed -n '/^## Differences/,/^## /p' README.md | sed -n '/^| /p' |
		sed '/^| difference/d; s/^| *//; s/ *|.*//; s/\\</</g'
}

rule documented 'looplt(4) has each call, flag, parameter, attribute, difference'
lint_documented()
{
	local name text plain known

	[[ -f $page ]] || return 0
	plain=$(sed 's/\\-/-/g' "$page")
	interface | while read -r name; do
		grep -qw -- "$name" <<< "$plain" ||
			echo "$page: nothing of $name"
	done
	known=$(page_differences)
	sed -n 's/^reason: //p' tests/abi/differences.txt | while read -r text; do
		grep -qxF -- "$text" <<< "$known" ||
			echo "$page: no difference '$text'"
	done
	diff <(echo "$known") <(readme_differences) |
		sed -n 's/^</README.md lacks:/p; s/^>/README.md alone has:/p'
}
