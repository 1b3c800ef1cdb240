#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check_test.sh TMA - `tma check`: verdicts, reasons, carets, JSON, files, exit codes; what ptxas said for each target.
set -u

tma=$1
. host/tests/checks.sh

# STATUS OUTPUT ERROR ARGUMENT..: with standard input from $dir/in.
gives() {
	local status=$1 output=$2 error=$3
	shift 3
	"$tma" check "$@" <"$dir/in" >"$dir/out" 2>"$dir/error"
	[ $? -eq "$status" ] && diff <(printf '%s' "$output") "$dir/out" && diff <(printf '%s' "$error") "$dir/error"
}
wrong() { # LINE ARGUMENT..
	check "tma check ${*:2}" gives 2 '' "$1"$'\n' "${@:2}"
}

: >"$dir/in"
wrong 'tma check: --target: is missing; see tma check --help'
wrong 'tma check: --target sm_80: must be sm_90, sm_90a, sm_100, sm_100a, sm_100f, sm_103a, sm_110a, sm_120a or engine' --target sm_80
wrong 'tma check: --target: needs a value; see tma check --help' --target
wrong 'tma check: --wrong: there is no such option; see tma check --help' --wrong
wrong "tma check: $dir/none: No such file or directory" --target sm_90 "$dir/none"
wrong "tma check: $dir: Is a directory" --target sm_90 "$dir"
wrong 'tma check: x: --symbols reads no file' --symbols x
check 'nothing' gives 0 '' '' --target sm_90
full() { ! "$tma" check --symbols >/dev/full 2>"$dir/error" && grep -q 'standard output: No space left on device$' "$dir/error"; }
check 'a full disk' full

good='cp.async.bulk.commit_group;'
bad='cp.async.bulk.wait_group n;'
printf '%s\n\n  // a comment\n\t@!p %s\r\n' "$good" "$good" >"$dir/in"
check 'accepted' gives 0 $'accept\naccept\n' '' --target sm_90
cp "$dir/in" "$dir/good"
printf '%s\n%s\n%s' "$good" "	$bad" "$bad" >"$dir/in"
reason='reject: n must be a number (semantics 1.11)'
check 'rejected' gives 1 "accept
$reason
$reason
" '' --target sm_90
check 'explained' gives 1 "accept
$reason
    	$bad
    	                         ^
$reason
    $bad
                             ^
" '' --target sm_90 --explain
printf '\033[31m%s' "$bad" >"$dir/in"
check 'no escape sequence gets out' gives 1 "reject: expected an instruction, not the byte 0x1b
    ?[31m$bad
    ^
" '' --target sm_90 --explain
printf '%s\n%s\n%s' "$good" "	$bad" "$bad" >"$dir/in"
check 'files' gives 1 "accept
accept
accept
$reason
$reason
" '' --target sm_90 "$dir/good" -
printf 'cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.multicast::cluster [sd], [gs], size, [mb], ctaMask;\n' >"$dir/in"
check 'underlined' gives 1 'reject: cp.async.bulk.shared::cta.global does not take .multicast::cluster (semantics 1.4)
    cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.multicast::cluster [sd], [gs], size, [mb], ctaMask;
                                                                 ^~~~~~~~~~~~~~~~~~~
' '' --target sm_100a --explain
printf 'cp.async.wait_all;\0\n%1000s;\n' 0 >"$dir/in"
check 'a zero byte, a long line' gives 1 'reject: something follows the instruction
reject: expected an instruction, not "0"
' '' --target sm_90
printf 'mbarrier.inval.shared::cta.b64 [0x40]; // tma: record tag=7\n' >"$dir/in"
check 'the dialect of the engine' gives 0 $'accept\n' '' --target engine
check 'is none of PTX' gives 1 'reject: mbar must be a register or a variable: no address is a number (semantics 1.17)
' '' --target sm_120a

as_json() {
	! "$tma" check --target sm_90 --json "$dir/good" "$dir/in" >"$dir/out" && python3 -c '
import json, sys
good, same, bad = json.load(open(sys.argv[1]))
assert good["accept"] and same["accept"] and "reason" not in good and (good["line"], same["line"]) == (1, 4)
assert good["file"] == sys.argv[2] and bad["file"] == sys.argv[3] and not bad["accept"]
assert bad["section"] == "1.17" and (bad["line"], bad["column"], bad["length"]) == (1, 33, 1)
assert bad["reason"].startswith("mbar must be a register")' "$dir/out" "$dir/good" "$dir/in"
}
check '--json' as_json
none_json() { "$tma" check --target sm_90 --json </dev/null | python3 -c 'import json, sys; assert json.load(sys.stdin) == []'; }
check '--json, nothing' none_json
symbols() { "$tma" check --symbols >"$dir/out" && grep -q '^\.reg \.pred p, q, pp;$' "$dir/out" && grep -q '^\.shared \.b8 smem\[\], ' "$dir/out"; }
check '--symbols' symbols

# TARGET: each line of the table gets the verdict that ptxas gave; without what the grammar leaves out.
table() {
	xz -dc hw_tests/vectors/ptx_syntax.tsv.xz | awk -F '\t' -v target="$1" '
		$2 == target && $5 !~ /^(st\.async|red\.async|red|multimem|multimem\.cp)$/ && $1 !~ /^multimem/ { print $3 "\t" $1 }' >"$dir/rows"
	[ "$(wc -l <"$dir/rows")" -eq 1920 ] || return 1
	cut -f2 "$dir/rows" | "$tma" check --target "$1" >"$dir/out"
	[ ${PIPESTATUS[1]} -eq 1 ] && diff <(cut -f1 "$dir/rows") <(sed 's/:.*//' "$dir/out")
}
for target in sm_90 sm_90a sm_100 sm_100a sm_100f sm_103a sm_110a sm_120a; do
	check "the table, $target" table $target
done

count_checks
