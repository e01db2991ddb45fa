# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Rules for scripts, tests, and texts that name files of the tree.
# shellcheck disable=SC2154	# list_files sets files

rule shellcheck 'shellcheck finds nothing' shellcheck
lint_shellcheck()
{
	local list

	mapfile -t list < <(shell_scripts -l)
	((${#list[@]})) || return 0
	# What a script sources is named from there or from the top.
	shellcheck -x -P SCRIPTDIR -P . -f gcc -- "${list[@]}" || true
}

# What a script sources may have set it, as tests/lib/common.sh does for tests.
# A script that must go on, like process 1 of a guest, says so: "no -e: reason".
rule strict 'scripts stop at the first error'
lint_strict()
{
	local f lib dir

	shell_scripts | while read -r f; do
		if grep -qE '^set -euo pipefail$' "$f"; then
			continue
		fi
		if head -n 1 "$f" | grep -qE '[/ ](da)?sh( |$)' &&
		   grep -qE '^set -eu?$' "$f"; then
			continue
		fi
		if grep -qE '^# no -e: .' "$f" &&
		   grep -qE '^set -uo pipefail$' "$f"; then
			continue
		fi
		dir=$(dirname "$f")
		lib=$(sed -nE '/^# shellcheck source=/ { N
			s/.*source=(.*)\n\. .*/\1/p }' "$f" | head -n 1)
		if [[ -n $lib && -f $dir/$lib ]] &&
		   grep -qE '^set -euo pipefail$' "$dir/$lib"; then
			continue
		fi
		echo "$f: no line 'set -euo pipefail'"
	done
}

rule executable 'scripts, and nothing else, may be executed'
lint_executable()
{
	local f start

	for f in "${files[@]}"; do
		start=
		IFS= read -r -n 2 start < "$f" 2> /dev/null || true
		if [[ $start == '#!' && ! -x $f ]]; then
			echo "$f: has a #! line, cannot be executed"
		elif [[ $start != '#!' && -x $f ]]; then
			echo "$f: can be executed, has no #! line"
		fi
	done
}

# Other directories hold no tests for a guest of tests/run.
tests()
{
	select_files 'tests/*/*' |
	{ grep -E '^tests/[^/]+/[^/.]+$' || true; } |
	{ grep -vE '^tests/(dkms|kbuild|lab|lib|lint|packages|vm)/' || true; }
}

rule test_headers 'each test says what it shows, what it needs, how long'
lint_test_headers()
{
	local f head

	tests | while read -r f; do
		head=$(head -n 12 "$f")
		grep -qE '^# test: +\S' <<< "$head" ||
			echo "$f: no line '# test: what it shows'"
		grep -qE '^# needs:( +\S|$)' <<< "$head" ||
			echo "$f: no line '# needs: what it cannot do without'"
		grep -qE '^# time: +(quick|slow)$' <<< "$head" ||
			echo "$f: no line '# time: quick' or '# time: slow'"
		[[ -x $f ]] || echo "$f: cannot be executed"
	done
}

rule test_list 'tests/run --list knows each test'
lint_test_list()
{
	local known

	[[ -f tests/run ]] || return 0
	known=$(bash tests/run --list | cut -d ' ' -f 1)
	tests | while read -r f; do
		grep -qxF "${f#tests/}" <<< "$known" ||
			echo "$f: tests/run --list does not show it"
	done
}

# made PATH: git ignores it, so it is there only after a build.
made()
{
	[[ -n $(git_tree check-ignore --no-index "$1" "$1/") ]]
}

# Patterns and variables are not followed.
rule named_files 'files that README, lab, Makefile and CI name exist'
lint_named_files()
{
	local f line path
	local dirs='(src|scripts|tests|include|docs|\.ci)'

	select_files README.md 'tests/lab/*' Makefile .ci/run |
	while read -r f; do
		{ grep -noP "(?<![\w./\$}-])$dirs/[][\w./*?<>{}\$-]+" "$f" ||
			true; } | sed -E 's,[/.]+$,,' |
		while IFS=: read -r line path; do
			[[ $path == *[]*?\<\>{}\$[]* || -e $path ]] ||
				made "$path" || echo "$f:$line: no file $path"
		done
	done
	[[ -f README.md ]] || return 0
	# shellcheck disable=SC2016
	# A name alone in backticks, with the ending of a source or a document.
	{ grep -noE '`[[:alnum:]_-]+\.(md|conf|c|h)`' README.md || true; } |
	tr -d '`' | while IFS=: read -r line path; do
		[[ -n $(select_files "$path" "*/$path") ]] ||
			echo "README.md:$line: no file $path"
	done
}
