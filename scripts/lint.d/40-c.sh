# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Rules that run other people's checkers over the C code.
# shellcheck disable=SC2154	# lint sets cache and here, list_files files

# Unpacks checkpatch.pl and its word lists once per version of the package.
checkpatch_tool()
{
	local dir=$cache/checkpatch package=linux-source-6.1 want

	want=$(dpkg-query -W -f '${Version}' "$package")
	mkdir -p "$cache"
	exec 9> "$cache/checkpatch.lock"
	flock 9
	if [[ $(cat "$dir/version" 2> /dev/null) != "$want" ]]; then
		rm -rf "$dir" "$dir.new"
		mkdir -p "$dir.new"
		# Named files stop tar at the last of them, not at the end.
		tar -C "$dir.new" --strip-components=2 --occurrence=1 \
			-xJf "/usr/src/$package.tar.xz" \
			"$package/scripts/checkpatch.pl" \
			"$package/scripts/const_structs.checkpatch" \
			"$package/scripts/spelling.txt"
		echo "$want" > "$dir.new/version"
		mv "$dir.new" "$dir"
	fi
	exec 9>&-
	echo "$dir/checkpatch.pl"
}

# checkpatch_files IGNORE FILE...
checkpatch_files()
{
	local ignore=$1

	shift
	(($#)) || return 0
	perl "$checkpatch" --strict --no-tree --terse --no-summary --quiet \
		--show-types --ignore "$ignore" -f "$@" || true
}

# What is not asked of the code, and why:
#
# all	 FILE_PATH_CHANGES: there is no MAINTAINERS file to keep up.
# module ENOSYS: what the stock control node answers to an unknown call.
#	 STATIC_CONST_CHAR_ARRAY: kobject_uevent_env() wants what it warns of.
# compat its macros stand for whole functions, its types for the kernel's own.
# trace	 a tracepoint's macros are declarations; it takes them for calls.
# probes fill in a structure of operations to see its types.
# CLI	 has no kernel types and no strscpy().
rule checkpatch 'checkpatch --strict finds nothing' \
	perl xz-utils linux-source-6.1
lint_checkpatch()
{
	local checkpatch list all=FILE_PATH_CHANGES
	local module=$all,ENOSYS,STATIC_CONST_CHAR_ARRAY
	local macros=COMPLEX_MACRO,MACRO_WITH_FLOW_CONTROL,LINE_SPACING

	checkpatch=$(checkpatch_tool)
	mapfile -t list < <(select_files 'src/*.[ch]' 'include/uapi/*.h' |
		grep -vE '^src/(cli/.*|generated/.*|trace\.h|compat\.h)$')
	checkpatch_files "$module" "${list[@]}"
	mapfile -t list < <(select_files src/compat.h)
	checkpatch_files "$module,NEW_TYPEDEFS,$macros" "${list[@]}"
	mapfile -t list < <(select_files src/trace.h)
	checkpatch_files "$all,PARENTHESIS_ALIGNMENT,OPEN_ENDED_LINE" "${list[@]}"
	mapfile -t list < <(select_files 'scripts/probes/*.c')
	checkpatch_files "$all,CONST_STRUCT" "${list[@]}"
	mapfile -t list < <(select_files 'src/cli/*.[ch]')
	checkpatch_files "$all,PREFER_KERNEL_TYPES,STRCPY,STRNCPY" "${list[@]}"
}

# sparse_into DIR: the host's sparse and what it is linked with, so that it
# runs in a root file system that has none.  Prints the command.
sparse_into()
{
	local lib loader

	mkdir -p "$1/.sparse"
	cp "$(command -v sparse)" "$1/.sparse"
	for lib in $(ldd "$(command -v sparse)" | grep -oE '/[^ ]+'); do
		cp "$lib" "$1/.sparse"
		if [[ $lib == */ld-* ]]; then
			loader=${lib##*/}
		fi
	done
	lib=/mnt/.sparse
	echo "$lib/$loader --library-path $lib $lib/sparse"
}

# The module is built from scratch, as the compiler is silent about what it
# need not compile.  /mnt is a mount of our own, gone with the namespace.
rule sparse 'sparse and gcc W=1 find nothing, on 6.1' sparse util-linux
lint_sparse()
{
	local tree=$cache/6.1/build tmp log check as=(--mount)

	# Who is not root is root of the namespace.
	((EUID == 0)) || as+=(--map-root-user --pid --fork)

	"$here/fetch" 6.1 >&3 2>&1
	tmp=$(mktemp -d)
	# shellcheck disable=SC2064
	trap "rm -rf '$tmp'" EXIT
	printf '%s\n' "${files[@]}" | grep -vE '^tests/' |
		tar -cf - -T - | tar -C "$tmp" -xf -
	check=$(sparse_into "$tmp")
	log=$tmp/.log
	# shellcheck disable=SC2016
	if ! unshare "${as[@]}" bash -euc '
		mount -t proc proc "$1/proc"
		mount --bind "$2" "$1/mnt"
		exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C \
			chroot "$1" make -C /mnt -j "$4" modules W=1 C=2 \
			"CHECK=$3" "KVER=$5"
	' - "$tree" "$tmp" "$check" "$(nproc)" "$(cat "$cache/6.1/release")" \
		> "$log" 2>&1 < /dev/null; then
		echo 'make modules failed:'
		tail -n 20 "$log"
	fi
	# Paths of the module's files begin with the mount's, or are relative.
	sed -nE 's,/mnt/\.?/?,,g
		/^(\.\/)?(src|include\/uapi)\/[^ ]*: *(warning|error)/p
		/^WARNING: modpost/p' "$log" | sort -u
}

rule clang_tidy 'clang-tidy finds nothing in the CLI' clang-tidy libc6-dev
lint_clang_tidy()
{
	local list

	mapfile -t list < <(select_files 'src/cli/*.c')
	((${#list[@]})) || return 0
	clang-tidy --quiet --warnings-as-errors='*' "${list[@]}" -- \
		-std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Iinclude -Iinclude/uapi \
		-Isrc/cli 2> /dev/null || true
}

rule analyzer 'gcc -fanalyzer finds nothing in the CLI' gcc libc6-dev
lint_analyzer()
{
	select_files 'src/cli/*.c' | while read -r f; do
		gcc -fanalyzer -O0 -std=gnu11 -D_GNU_SOURCE -Wall -Wextra \
			-Iinclude -Iinclude/uapi -Isrc/cli -c -o /dev/null "$f" ||
			echo "$f: does not compile"
	done
}
