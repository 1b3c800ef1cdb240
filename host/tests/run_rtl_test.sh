#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run_rtl_test.sh TMA CONFIG.. - programs in PTX text on the Verilated engine: the examples, also with random stalls
# and through rings; a wait that does not end.
set -u

tma=$1
shift
passed=0 failed=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

check() { # NAME COMMAND..
	if "${@:2}"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: $1"
		cat "$dir/out" "$dir/error"
	fi
}
passes() { "$tma" run --backend rtl --config "$@" >"$dir/out" 2>"$dir/error" && [ ! -s "$dir/error" ]; }
counts() { # what the bus has moved stands beside its bound
	passes "$1" host/examples/ptx/pipeline.ptx && grep -q '^cycles .*in which the engine was not idle; of what' "$dir/out" &&
		grep -q '^bus reads  *4096 bytes\( at port 0\)\?, [0-9.]* a cycle of [0-9]* that 1 port can$' "$dir/out" &&
		grep -q '^pass: host/examples/ptx/pipeline.ptx on rtl' "$dir/out"
}
traced() { # CONFIG PROGRAM [FLOWS]: as many bursts as the counters say, and arrows to them
	passes "$1" --json --trace "$dir/t.json" "host/examples/ptx/$2.ptx" "${@:4}" &&
		python3 host/tests/run_trace.py "$dir/t.json" "$dir/out" >"$dir/log" 2>"$dir/error" && grep -q " $3 flows" "$dir/log"
}
bench() { # cycles of the engine, whatever the host did between
	"$tma" bench --backend rtl --config "$1" --repeat 2 --json host/examples/ptx/pipeline.ptx >"$dir/out" 2>"$dir/error" &&
		[ ! -s "$dir/error" ] && python3 -c '
import json, sys
row, = json.load(open(sys.argv[1]))
assert 100 < row["cycles_least"] <= row["cycles_most"] < 5000, row
assert row["bytes_read_of_all"] == row["bytes_written_of_all"] == 2 * 4096, row
assert row["cycles_least"] * 2 <= row["cycles_of_all"] <= row["cycles_most"] * 2, row' "$dir/out" 2>"$dir/error"
}
stands() { # with a limit in cycles
	printf '.shared .b64 b; .reg .pred p;\nmbarrier.init.shared.b64 [b], 1;\nmbarrier.try_wait.parity.shared.b64 p, [b], 0;\n' >"$dir/p.ptx"
	"$tma" run --backend rtl --config "$1" --quiet --limit 3000 "$dir/p.ptx" >"$dir/out" 2>"$dir/error"
	[ $? -eq 1 ] && head -1 "$dir/error" | grep -q "p.ptx:3:1: thread 0 does not go on: queue 0: command 1 .* waits: try_wait on barrier"
}

for config in "$@"; do
	for program in pipeline gemm convolution allreduce histogram doc_bulk doc_multimem doc_tensor; do
		check "$program, $config" passes "$config" host/examples/ptx/$program.ptx
	done
	check "pipeline, rings, $config" passes "$config" --rings host/examples/ptx/pipeline.ptx
	check "counters, $config" counts "$config"
done
config=$1
for program in pipeline gemm doc_tensor; do
	check "$program, $config, stalls" passes "$config" --seed "${SEED:-1}" host/examples/ptx/$program.ptx
done
check "--trace, pipeline, $config" traced "$config" pipeline 16
check "--trace, allreduce, $config, stalls" traced "$config" allreduce '[1-9][0-9]*' --seed "${SEED:-1}"
check "bench, $config" bench "$config"
check 'a wait that does not end' stands "$config"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
