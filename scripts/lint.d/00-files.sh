# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Which files a rule looks at.  Names are relative to the tree.
# shellcheck disable=SC2154	# lint sets root

# Left out: what git ignores, and links, whose targets are in the list.
list_files()
{
	local f all

	if [[ $(git_tree rev-parse --show-toplevel) == "$root" ]]; then
		all=$(git_tree ls-files --cached --others --exclude-standard)
	else
		all=$(find . -name .git -prune -o -type f -printf '%P\n')
	fi
	files=()
	while read -r f; do
		if [[ -f $f && ! -L $f ]]; then
			files+=("$f")
		fi
	done < <(sort -u <<< "$all")
}

# A checkout may belong to somebody else than who runs this.
git_tree()
{
	git -c safe.directory='*' -C "$root" "$@" 2> /dev/null || true
}

# select_files GLOB...: those of the tree's files that match; * spans slashes.
select_files()
{
	local f glob

	for f in "${files[@]}"; do
		for glob in "$@"; do
			# shellcheck disable=SC2053
			if [[ $f == $glob ]]; then
				echo "$f"
				break
			fi
		done
	done
}

# search REGEX GLOB...: lines that match, as file:line:text.
search()
{
	local regex=$1 list

	shift
	mapfile -t list < <(select_files "$@")
	((${#list[@]})) || return 0
	grep -nHIE -e "$regex" -- "${list[@]}" || (($? == 1))
}

# Scripts by their first line; -l: also the parts that scripts source.
shell_scripts()
{
	local f first

	for f in "${files[@]}"; do
		first=
		IFS= read -r first < "$f" 2> /dev/null || true
		if [[ $first =~ ^#!.*[/\ ](ba|da)?sh( |$) ]]; then
			echo "$f"
		elif [[ ${1-} == -l && $first == '# shellcheck shell='* ]]; then
			echo "$f"
		fi
	done
}
