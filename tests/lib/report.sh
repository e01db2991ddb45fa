# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Counting verdicts and showing them.
# shellcheck disable=SC2154	# tests/run sets no_skip and kernels

declare -A passed=() failed=() skipped=()
failures=()

report_begin()
{
	kernel=$1
	passed[$kernel]=0 failed[$kernel]=0 skipped[$kernel]=0
}

# report NAME VERDICT MS LINE...: one test; the lines say why.
report()
{
	local name=$1 verdict=$2 ms=$3

	shift 3
	# "unfit" could not be otherwise with this kernel: no failure.
	if [[ $verdict == skip && $no_skip ]]; then
		set -- "$@" 'skipped, which is a failure here'
		verdict=fail
	fi
	printf '%-5s %-6s %-40s %4d.%d s\n' "$kernel" "$verdict" "$name" \
		$((ms / 1000)) $((ms % 1000 / 100))
	case $verdict in
	pass) passed[$kernel]=$((passed[$kernel] + 1)) ;;
	skip | unfit)
		skipped[$kernel]=$((skipped[$kernel] + 1))
		set -- "${@: -1}"
		;;
	*)
		failed[$kernel]=$((failed[$kernel] + 1))
		failures+=("$kernel  $name ($verdict)")
		;;
	esac
	[[ $verdict == pass || $# == 0 ]] || printf '      %s\n' "$@"
}

# report_sum: a line for each kernel if there are several, then the sum.
report_sum()
{
	local k p=0 f=0 s=0

	((${#failures[@]} == 0)) || printf 'failed: %s\n' "${failures[@]}"
	((${#kernels[@]} == 1)) ||
		printf '%-8s %7s %7s %7s\n' kernel passed failed skipped
	for k in "${kernels[@]}"; do
		((${#kernels[@]} == 1)) ||
			printf '%-8s %7d %7d %7d\n' "$k" "${passed[$k]}" \
				"${failed[$k]}" "${skipped[$k]}"
		p=$((p + passed[$k])) f=$((f + failed[$k]))
		s=$((s + skipped[$k]))
	done
	echo "$p passed, $f failed, $s skipped"
	((f == 0))
}
