# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Usage, help, version, and that the documents know every option.
# shellcheck disable=SC2154	# all.sh sets program, top and tmp, lib.sh the rest

commands=(attach detach list stat set resize wait dropin doctor)

t_usage_errors()
{
	local c

	gives 2 'a command is missing'
	gives 2 "unknown command 'frob'" frob
	gives 2 "unknown command 'frob'" help frob
	for c in "${commands[@]}"; do
		gives 2 "looplt: $c: unrecognized option '--frob'" "$c" --frob
		[[ $err == *"looplt help $c"* ]] || fail "$c: no hint"
	done
	for c in attach set resize wait; do
		gives 2 "$c takes one" "$c"
		gives 2 "$c takes one" "$c" 1 2
	done
	gives 2 'takes disks or files, or --all' detach
	gives 2 'takes disks or files, or --all' detach --all 3
	gives 2 "'x' is not a number of seconds" detach --wait=x 3
	gives 2 "'-1' is not a number of seconds" wait --timeout -1 3
	gives 2 "unknown column 'FROB'" list -O NAME,FROB
	gives 2 'nothing to change' set 3
	gives 2 "not 'maybe'" set --direct-io=maybe 3
	for c in image /dev/loop3 looplt3p1 looplt03 1048576 /dev/3 ''; do
		gives 2 "$c: not a looplt disk" resize "$c"
	done
	not_asked .
}

t_usage_attach()
{
	gives 2 'exclude each other' attach --exclusive --shared image
	gives 2 "not 'fast'" attach --io fast image
	gives 2 "not 'maybe'" attach --direct-io=maybe image
	gives 2 "--offset: '1x' is not a size" attach -o 1x image
	gives 2 "'-1' is not the number of a disk" attach -n -1 image
	gives 2 'at most 63 bytes' attach --tag "$(printf '%064d' 0)" image
	gives 2 'at most 63 bytes' attach --loop-ref "$(printf '%064d' 0)" image
	gives 2 'not a size of a sector' attach -b 0 image
	gives 2 'not a size of a sector' attach -b 8G image
	not_asked .
}

t_help()
{
	local c

	looplt --help
	((status == 0)) && [[ -z $err ]]
	for c in "${commands[@]}"; do
		[[ $out == *$'\n'"  $c "* ]] || fail "$c is missing"
	done
	(($(grep -c '^  [a-z]' <<< "$out") == ${#commands[@]}))
	for c in "${commands[@]}"; do
		looplt help "$c"
		[[ $status == 0 && $out == "usage: looplt $c "* ]] || fail "$c"
		cp "$tmp/out" help
		looplt "$c" --help
		cmp -s "$tmp/out" help || fail "$c --help differs"
	done
}

t_version()
{
	local want

	want=$(sed -n 's/^#define LOOPLT_VERSION[^"]*"\(.*\)"/\1/p' \
		"$top/include/uapi/looplt.h")
	gives 0 '' --version
	prints "looplt $want"
}

# Options of a command, as its help shows them.
options_of()
{
	looplt help "$1"
	{ grep -oE '^ +(-., )?--[a-z-]+' <<< "$out" || true; } |
		{ grep -oE -- '-[-a-zA-Z]+' || true; }
}

t_documents_know_all()
{
	local c option man completion n=0

	man=$(sed 's/\\-/-/g; s/\\f[BIRP]//g' "$top/src/cli/looplt.8")
	completion=$(tr -s '\t\n' ' ' < "$top/src/cli/looplt.bash-completion")
	for c in "${commands[@]}"; do
		[[ $man == *"looplt $c"* ]] || fail "man page: no $c"
		for option in $(options_of "$c"); do
			n=$((n + 1))
			grep -qE -- "(^|[ ,])$option($|[][ ,=])" <<< "$man" ||
				fail "man page: no $c $option"
			[[ $option == -? ]] ||
				grep -qE -- "(^|[ '])$option($|[ '=])" <<< "$completion" ||
				fail "completion: no $c $option"
		done
	done
	((n >= 30)) || fail "only $n options in the help"
}

t_completion_loads()
{
	# What bash-completion calls; here without it.
	(
		COMP_WORDS=(looplt det) COMP_CWORD=1 COMPREPLY=()
		# shellcheck source=/dev/null
		. "$top/src/cli/looplt.bash-completion"
		_looplt
		[[ ${COMPREPLY[*]} == detach ]]
		COMP_WORDS=(looplt attach --io di) COMP_CWORD=3 COMPREPLY=()
		_looplt
		[[ ${COMPREPLY[*]} == direct ]]
		COMP_WORDS=(looplt set --auto) COMP_CWORD=2 COMPREPLY=()
		_looplt
		[[ ${COMPREPLY[*]} == --autoclear ]]
	)
}

t_output_must_arrive()
{
	local err=0

	"$program" --version > /dev/full 2> "$tmp/err" || err=$?
	((err == 1))
	grep -q 'cannot write the output' "$tmp/err"
}

# tests/cli/examples runs them in a guest, which has no man page.
t_examples_are_tested()
{
	sed -n '/^\.EX$/,/^\.EE$/ { /^\.E[XE]$/d; s/\\-/-/g; p }' \
		"$top/src/cli/looplt.8" > man.txt
	sed -n '/^# begin$/,/^# end$/ { /^# /d; p }' "$top/tests/cli/examples" > tested.txt
	(($(wc -l < man.txt) > 10))
	diff man.txt tested.txt
}
