#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run_test.sh TMA - `tma run` on the C model: the notation, every error with its place, faults, waits that do not end,
# files, what the host executes, reports, exit codes; the programs in PTX text of the examples.
set -u

tma=$(realpath "$1") programs=host/examples/ptx
. host/tests/checks.sh

# STATUS OUTPUT ERROR ARGUMENT..: with the program $dir/p.ptx as standard input.
gives() {
	local status=$1 output=$2 error=$3
	shift 3
	"$tma" run "$@" <"$dir/p.ptx" >"$dir/out" 2>"$dir/error"
	[ $? -eq "$status" ] && diff <(printf '%s' "$output") "$dir/out" && diff <(printf '%s' "$error") "$dir/error"
}
wrong() { # LINE ARGUMENT..
	check "tma run ${*:2}" gives 2 '' "$1"$'\n' "${@:2}"
}
# STATUS PROGRAM 'LINE:COLUMN: MESSAGE' [CARET LINE]: what is said first, and below it the line and the caret.
says() {
	local status=$1 place=${3%%: *} line
	printf '%s\n' "$2" >"$dir/p.ptx"
	"$tma" run --quiet --limit 2000 ${config:+--config "$config"} "$dir/p.ptx" >"$dir/out" 2>"$dir/error"
	[ $? -eq "$status" ] || { cat "$dir/error"; return 1; }
	line=$(sed -n "${place%%:*}p" "$dir/p.ptx")
	diff <(printf 'tma run: %s:%s\n    %s\n' "$dir/p.ptx" "$3" "$line") <(head -2 "$dir/error") &&
		sed -n 3p "$dir/error" | grep -q '^ *[[:space:]]*\^~*$' && [ ! -s "$dir/out" ] || return 1
	[ $# -lt 4 ] || diff <(printf '%s\n' "    $4") <(sed -n 3p "$dir/error")
}
bad() { # PROGRAM MESSAGE [CARET LINE]: status 2
	check "$1" says 2 "$@"
}
fails() { # PROGRAM MESSAGE [CARET LINE]: status 1
	check "$1" says 1 "$@"
}
good() { # NAME PROGRAM ARGUMENT..: all compares are equal, and nothing is said
	printf '%s\n' "$2" >"$dir/p.ptx"
	check "$1" quiet "${@:3}"
}
quiet() {
	"$tma" run --quiet "$@" "$dir/p.ptx" >"$dir/out" 2>"$dir/error" && [ ! -s "$dir/out" ] && [ ! -s "$dir/error" ] ||
		{ cat "$dir/error" "$dir/out"; return 1; }
}

# ---- Arguments

: >"$dir/p.ptx"
wrong 'tma run: b.ptx: one program at a time; see tma run --help' a.ptx b.ptx
wrong 'tma run: --wrong: there is no such option; see tma run --help' --wrong
wrong 'tma run: --limit: needs a value; see tma run --help' --limit
wrong 'tma run: --limit 0: must be a number from 1 to 18446744073709551615' --limit 0
wrong 'tma run: --trace-text: not together with --json' --json --trace-text
wrong "tma run: $dir/none: No such file or directory" "$dir/none"
wrong "tma run: $dir: Is a directory" "$dir"
wrong 'tma run: --backend model --config huge: tma_open: config = "huge": the back end "model" has no such configuration' --config huge
printf 'a\0b' >"$dir/p.ptx"
wrong 'tma run: -: is no text: it has a zero byte'
help() { "$tma" run --help >"$dir/out" && diff "$dir/out" <("$tma" help run) && head -1 "$dir/out" | grep -q '^usage: tma run'; }
check '--help' help
: >"$dir/p.ptx"
check 'an empty program' gives 0 '' '' --quiet
full() { ! "$tma" run "$dir/p.ptx" >/dev/full 2>"$dir/error" && grep -q 'standard output: No space left on device$' "$dir/error"; }
check 'a full disk' full

# ---- Notation

bad 'cp.async.bulk.commit_group' '2:1: the text ends here, expected an operand or ";"'
bad $'\tcp.async.bulk.wait_group n;' '1:27: n is not declared' $'\t                         ^'
bad '.target sm_80' '1:9: there is no target sm_80; there are sm_90, sm_90a, sm_100, sm_100a, sm_100f, sm_103a, sm_110a, sm_120a and engine' '        ^~~~~'
bad $'.target sm_90\ntma.signal;' '2:1: tma.signal is no PTX, but of the target engine'
bad '.address_size 32' '1:15: .address_size must be a number from 64 to 64'
bad '.entry k;' '1:1: there is no such directive; there are .target, .global, .const, .param, .shared, .multimem, .tensormap, .reg, .thread, .wait, .set, .compare and .dump' '^~~~~~'
bytes() { # none of the text's own bytes in what is said
	printf '.global .b8 \033[m;\n' >"$dir/p.ptx"
	gives 2 '' $'tma run: -:1:13: expected a name, not the byte 0x1b\n    .global .b8 ?[m;\n                ^\n'
}
check 'a byte that is no character' bytes
bad '.global .b8' '2:1: the program ends here, expected a name'
bad '.global x;' '1:9: expected a type, as .b8 or .f32'
bad '.global .b9 x;' '1:9: there is no type .b9; there are .b8 to .b64, .u8 to .u64, .s8 to .s64, .f16, .bf16, .f32, .f64, and .pred of registers' '        ^~~'
bad '.global .pred x;' '1:15: only registers are predicates'
bad $'.global .b8 x;\n.shared .b8 y, x;' '2:16: x is declared in line 1 already'
bad '.global .b8 a23456789012345678901234567890123456789012345678;' '1:13: a name has at most 47 characters'
bad '.global .b8 x[0];' '1:15: the size must be a number from 1 to 4294967296'
bad '.global .b8 x[65536][65537];' '1:13: a variable has at most 2^32 elements'
bad '.global .b8 x[4294967296][4294967296];' '1:13: a variable has at most 2^32 elements'
bad '.global .b8 x[];' '1:13: [] takes the size of a file or a list behind ='
bad '.global .b8 x[4' '2:1: the program ends here, expected "]"'
bad '.global .b8 x' '2:1: the program ends here, expected ";"'
bad '.global .b8 x = 256;' '1:17: the number does not fit its type' '                ^~~'
bad '.global .s8 x = -129;' '1:17: the number does not fit its type'
bad '.global .s8 x = -18446744073709551615;' '1:17: the number does not fit its type'
bad '.global .s64 x = -9223372036854775809;' '1:18: the number does not fit its type'
bad '.global .u8 x = -1;' '1:17: the number does not fit its type'
bad '.global .u8 x = 1.5;' '1:17: elements of this type are whole numbers'
bad '.global .u32 x = 2E3;' '1:18: elements of this type are whole numbers'
bad '.global .u64 x = 18446744073709551616;' '1:18: the number has more than 64 bits'
bad '.global .u8 x = 1x;' '1:17: this is no number: something follows its digits'
bad '.global .u8 x = ;' '1:17: expected a variable, not ";"'
bad '.global .u8 x = y;' '1:17: y is not declared'
bad '.global .u8 x[2] = {1, 2, 3};' '1:20: the list has 3 numbers, more than the 2 elements there'
bad '.global .u8 x = ramp(1);' '1:23: expected ",", not ")"'
bad '.global .u8 x = ramp(1, 2, 0);' '1:28: the period must be a number from 1 to 4294967295'
bad '.global .u8 x = random(y);' '1:24: expected a number, not "y"'
bad '.global .u8 x = file(y);' '1:22: expected the name of a file in quotes, not "y"'
bad '.global .u8 x = file("y);' '1:22: the quote is not closed in its line'
bad '.global .u8 x = file("y.npy", 4);' '1:30: of an array of NumPy no bytes are left out'
bad '.global .align 3 .b8 x;' '1:9: .align must be a power of two'
bad '.global .at 0 .b8 x;' '1:9: only shared variables have a place, .at'
bad '.reg .b64 x = {1};' '1:15: a register holds a number or the address of a variable'
bad '.reg .b64 x, y = x;' '1:18: x is a register, and bytes come from a variable'
bad '.reg .b8 %r<0>;' '1:13: the number of registers must be a number from 1 to 1024'
bad $'.reg .b8 %r<4>;\n.reg .b8 %r3;' '2:10: %r3 is declared in line 1 already'
bad '.thread 16;' '1:9: a thread must be a number from 0 to 15'
bad $'.thread 1 .cta 1;\n.thread 1 .cta 0;' '2:1: thread 1 is in CTA 1 already'
bad '.wait 3;' '1:7: there is no thread 3 above'
bad '.set x = 1;' '1:6: x is not declared'
bad $'.global .b8 x;\n.set x@0 = 1;' '2:6: @ names the CTA of a shared variable or the port of a multimem object, and x is neither'
bad $'.global .b8 x[4];\n.compare x+5 = 1;' '2:10: x has 4 bytes, and +5 is behind them'
bad $'.global .b16 x[4];\n.compare x+4[3] = 1;' '2:10: x has 8 bytes, and 3 elements from +4 on leave them'
bad $'.global .b16 x[4];\n.global .b8 y[7];\n.compare x = y;' '3:14: y has 7 bytes from there on, and 8 are asked for'
bad $'.reg .b32 x;\n.dump x, "y";' '2:7: a register is not dumped to a file'
bad $'.reg .b32 x;\n.dump x;' '2:7: x has no value in thread 0'
bad $'.reg .b32 x;\n.shared .b8 s[16];\nmbarrier.inval.shared.b64 [x];' '3:28: x has no value'

# ---- Tensor maps

tensor='.global .align 128 .f16 t[64][64];'
bad "$tensor"$'\n.tensormap m = t;' '2:16: a tensor map is tiled(..), im2col(..), im2col_w(..) or im2col_w_128(..)'
bad "$tensor"$'\n.tensormap m = tiled(t, dims={64, 64});' '2:16: box is missing'
bad "$tensor"$'\n.tensormap m = tiled(t, box={64});' '2:16: dims is missing'
bad "$tensor"$'\n.tensormap m = tiled(t, dims={64, 64}, box={64});' '2:16: box must have 2 numbers, for so many dimensions are there to it'
bad "$tensor"$'\n.tensormap m = tiled(t, dims={64, 64}, box={64, 8}, swizzle=256B);' '2:61: swizzle must be one of none, 32B, 64B, 128B, 128B_atom_32B, 128B_atom_32B_flip_8B, 128B_atom_64B, 96B'
bad "$tensor"$'\n.tensormap m = tiled(t, dims={64, 64}, box={64, 8}, pixels=3);' '2:53: a map of kind tiled has no pixels'
bad "$tensor"$'\n.tensormap m = tiled(t, dims={64, 64}, dims={64, 8});' '2:40: dims is there already'
bad "$tensor"$'\n.tensormap m = tiled(t, dims={1, 2, 3, 4, 5, 6}, box={64, 8});' '2:30: dims has at most 5 numbers'
bad "$tensor"$'\n.tensormap m = tiled(t, dims={64, -64}, box={64, 8});' '2:35: dims has whole numbers, 0 or more'
bad "$tensor"$'\n.tensormap m = tiled(t, dims={64, 64}, box={64, 512});' '2:16: boxDim[1] must be 1 to 256' '               ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~'
bad "$tensor"$'\n.tensormap m = tiled(t, dims={64, 64}, box={64, 8}, swizzle=64B);' '2:16: boxDim[0] times the element size must be at most the span of the swizzle'
bad "$tensor"$'\n.tensormap m = tiled(t+8, dims={64, 64}, box={64, 8});' '2:16: globalAddress must be a multiple of 16 bytes'
bad $'.shared .b8 s[64];\n.tensormap m = tiled(s, dims={64}, box={64});' '2:22: a tensor lies in global memory, and s does not'
bad "$tensor"$'\n.global .b8 m[64] = tiled(t, dims={64, 64}, box={64, 8});' '2:21: a tensor map has 128 bytes'

# ---- Memory and threads

bad '.shared .b8 x[65537];' '1:13: x does not fit: it would end at 65537, and the shared memory of a CTA has 65536 bytes'
bad $'.shared .b8 x[65536];\n.shared .b64 y;' '2:14: y does not fit: it would end at 65544, and the shared memory of a CTA has 65536 bytes'
bad $'.shared .at 64 .b8 x[16];\n.shared .at 72 .b64 y;' '2:21: y, at 72 with 8 bytes, overlaps x, at 64 with 16'
bad '.shared .at 4 .b64 x;' '1:20: x: .at must be a multiple of 8'
bad '.global .b8 x[2147483648];' '1:13: x: tma_memory_alloc: 2147483648 bytes: 0 of 1073741824 are taken'
bad $'.thread 9;\n' '1:1: there is no thread 9: the engine has queues 0 to 7'
bad $'.thread 1 .cta 4;' '1:1: there is no CTA 4: the engine has CTAs 0 to 3'
config=small
bad $'.thread 2;\n' '1:1: there is no thread 2: the engine has queues 0 to 1'
bad $'.multimem .b8 x, y;\n' '1:18: y: tma_multimem_open: all 1 multimem windows are taken'
config=
bad $'.shared .b8 x;\n.set x@4 = 0;' '2:6: there is no CTA 4: the engine has 4'
bad $'.multimem .b8 x;\n.set x@2 = 0;' '2:6: there is no port 2: the engine has 2'

# ---- Files

python3 - "$dir" <<'END'
import struct, sys
def npy(name, descr, shape, data, fortran=False, version=1):
    header = repr({'descr': descr, 'fortran_order': fortran, 'shape': shape})
    prefix = b'\x93NUMPY' + bytes([version, 0])
    size = (len(header) + 1 + 10 + 63) // 64 * 64 - (10 if version == 1 else 12)
    header = header.ljust(size - 1) + '\n'
    prefix += struct.pack('<H' if version == 1 else '<I', size)
    open(sys.argv[1] + '/' + name, 'wb').write(prefix + header.encode() + data)
words = struct.pack('<8I', *range(10, 18))
npy('u4.npy', '<u4', (2, 4), words)
npy('v2.npy', '<u4', (8,), words, version=2)
npy('scalar.npy', '<u4', (), words[:4])
npy('fortran.npy', '<u4', (2, 4), words, True)
npy('flat.npy', '<u4', (8,), words, True)
npy('big.npy', '>u4', (8,), words)
npy('short.npy', '<u4', (8,), words[:31])
npy('empty.npy', '<u4', (0,), b'')
npy('wide.npy', '<u4', (4294967296, 4294967296), b'')
npy('record.npy', [('a', '<u4')], (8,), words)
npy('v4.npy', '<u4', (8,), words, version=4)
open(sys.argv[1] + '/none.npy', 'wb').write(b'nothing')
open(sys.argv[1] + '/cut.npy', 'wb').write(open(sys.argv[1] + '/u4.npy', 'rb').read()[:40])
open(sys.argv[1] + '/raw.bin', 'wb').write(b'1234' + words)
END
bad '.global .u32 x[8] = file("gone.npy");' "1:21: $dir/gone.npy: No such file or directory"
bad '.global .u32 x[] = file(".");' "1:20: $dir/.: must be a regular file"
bad '.global .u32 x[9] = file("u4.npy");' "1:21: $dir/u4.npy: it has 8 elements, and 9 are asked for"
bad '.global .s32 x[8] = file("u4.npy");' "1:21: $dir/u4.npy: its elements are '<u4', those of a .s32 are '<i4'"
bad '.global .b64 x[8] = file("u4.npy");' "1:21: $dir/u4.npy: its elements are '<u4', those of a .b64 are '<u8'"
bad '.global .u32 x[8] = file("big.npy");' "1:21: $dir/big.npy: its elements are '>u4', those of a .u32 are '<u4'"
bad '.global .u32 x[8] = file("fortran.npy");' "1:21: $dir/fortran.npy: its order is that of Fortran; a variable has that of C"
bad '.global .u32 x[8] = file("short.npy");' "1:21: $dir/short.npy: it has 159 bytes, and 32 from 128 on are asked for"
bad '.global .u32 x[] = file("empty.npy");' "1:20: $dir/empty.npy: it has no element"
bad '.global .u32 x[] = file("wide.npy");' "1:20: $dir/wide.npy: it has more than 2^32 elements"
bad '.global .u32 x[8] = file("record.npy");' "1:21: $dir/record.npy: its elements are records"
bad '.global .u32 x[8] = file("v4.npy");' "1:21: $dir/v4.npy: it is of an unknown version of the format of NumPy"
bad '.global .u32 x[8] = file("none.npy");' "1:21: $dir/none.npy: it is no array of NumPy"
bad '.global .u32 x[8] = file("cut.npy");' "1:21: $dir/cut.npy: it ends within its header"
bad '.global .u32 x[10] = file("raw.bin");' "1:22: $dir/raw.bin: it has 36 bytes, and 40 from 0 on are asked for"
bad '.global .u32 x[8] = file("raw.bin", 8);' "1:21: $dir/raw.bin: it has 36 bytes, and 32 from 8 on are asked for"
bad '.global .u32 x[] = file("raw.bin", 36);' "1:20: $dir/raw.bin: it has no element"
bad $'.global .u32 x;\n.dump x, "/none/x.npy";' '2:1: /none/x.npy: No such file or directory'
good 'files' '.global .u32 a[2][4] = file("u4.npy"), b[] = file("v2.npy"), c[] = file("raw.bin", 4), d = file("scalar.npy");
.global .b32 e[] = file("flat.npy");
.compare a = ramp(10, 1);
.compare b = a;
.compare c = file("raw.bin", 4);
.compare d = 10;
.compare e = a;'
dumps() {
	printf '.global .u32 x[3] = {1, 2, 3};\n.global .f16 h = 1.5;\n.global .s8 s[2] = {-1, 5};\n%s\n' \
		'.dump x, "x.npy"; .dump h, "h.npy"; .dump s, "s.npy"; .dump x, "x.bin"; .dump x, "x.txt"; .dump x+4; .dump h; .dump s;' >"$dir/p.ptx"
	mkdir -p "$dir/to" && gives 0 $'x+4[0]: 2 3\nh[0]: 1.5\ns[0]: -1 5\n' '' --quiet --output "$dir/to" || return 1
	printf '\1\0\0\0\2\0\0\0\3\0\0\0' | cmp - "$dir/to/x.bin" && diff <(echo 'x[0]: 1 2 3') "$dir/to/x.txt" || return 1
	[ "$(head -c 128 "$dir/to/x.npy" | tail -c 118 | tr -d ' \n')" = "{'descr':'<u4','fortran_order':False,'shape':(3,),}" ] &&
		tail -c 12 "$dir/to/x.npy" | cmp - "$dir/to/x.bin" && grep -aq "'<f2'" "$dir/to/h.npy" && grep -aq "'|i1'" "$dir/to/s.npy"
}
check 'dumps' dumps
reads_back() {
	printf '.global .u32 x[3] = file("to/x.npy");\n.compare x = {1, 2, 3};\n' >"$dir/p.ptx"
	quiet
}
check 'a dump is read' reads_back

# ---- Values

good 'words that are names' '.global .u8 ramp[2] = {1, 2}, file[2] = ramp, x[2] = ramp (3, 4), random = 5, tiled = random;
.compare file = ramp;
.compare x = {3, 7};
.compare tiled = 5;'
good 'numbers' '.global .u8 a[4] = ramp(250, 3);
.compare a = {250, 253, 0, 3};
.global .s16 b[6] = ramp(-1, 1, 3);
.compare b = {-1, 0, 1, -1, 0, 1};
.global .f32 c[2] = {1e3, -0.5};
.global .b32 d[2] = {0x447A0000, 0xBF000000};
.compare c = d;
.global .f64 e = 0.1;
.global .b64 f = 0x3FB999999999999A;
.compare e = f;
.global .f16 g[7] = {1, 65504, 65520, 5.9604644775390625e-8, 1.00048828125, 1.00146484375, -0.000061035};
.global .b16 h[7] = {0x3C00, 0x7BFF, 0x7C00, 1, 0x3C00, 0x3C02, 0x8400};
.compare g = h;
.global .bf16 i[3] = {1, 3.3895313892515355e38, -1e39};
.global .b16 j[3] = {0x3F80, 0x7F7F, 0xFF80};
.compare i = j;
.global .u64 k = 18446744073709551615;
.compare k = 0xFFFFFFFFFFFFFFFF;
.global .b64 r[2] = random(1);
.compare r[1] = 0x910A2DEC89025CC1;'
fails $'.global .f16 x[4] = 1;\n.compare x = {1, 1, 2, 1};' '2:1: element 2 of x is 1, not 2; 1 of 4 differ'
fails $'.shared .s8 x[4] = -1;\n.compare x@3+1 = 0;' '2:1: element 0 of x@3+1 is -1, not 0; 3 of 3 differ'
fails $'.multimem .u8 x[4];\n.set x@1+2[1] = 7;\n.compare x = 0;' '3:1: element 2 of x@1 is 7, not 0; 1 of 4 differ'
fails $'.reg .b32 x = 5;\n.compare x = 6;' '2:1: x is 0x5, not 0x6'
good 'an address in a small register' '.global .b8 g[16]; .reg .b32 a = g, b; .reg .b64 c = g;
.set b = g;
.compare a = g;
.compare b = g;
.compare c = g;
.set a = g;
.compare a = g;'

# ---- Registers, guards, answers

shared='.shared .align 128 .b8 s[256]; .shared .b64 bar; .global .b8 g[256] = ramp(0, 1); .reg .pred p, q; .reg .b64 st, rd; .reg .b32 r;'
good 'answers' "$shared
mbarrier.init.shared::cta.b64 [bar], 2;
mbarrier.arrive.shared::cta.b64 st, [bar];
mbarrier.test_wait.shared::cta.b64 p, [bar], st;
.compare p = 0;
@p mbarrier.inval.shared::cta.b64 [bar];
@!p mbarrier.arrive.shared::cta.b64 _, [bar];
mbarrier.test_wait.shared::cta.b64 q, [bar], st;
.compare q = 1;
mbarrier.arrive.noComplete.shared::cta.b64 rd, [bar], 1;
mbarrier.pending_count.b64 r, rd;
.compare r = 2;"
good 'registers are of a thread' '.shared .b8 x[16];
.reg .b32 a = x, b;
.thread 1 .cta 2;
.compare a = x@2;
.set b = 5;
.thread 0;
.set b = 6;
.thread 1;
.compare b = 5;
.compare a = 0x2000000;'
fails "$shared"$'\nmbarrier.init.shared::cta.b64 [bar], 0;' '2:1: fault: queue 0, command 0 (MBARRIER_INIT, tag 0x0): COUNT_RANGE: an mbarrier count must be 1 to 2^20-1, and 1 with EXPECT_TX; count = 0 (F10); PTX: mbarrier.init.shared::cta.b64 [0x100], 0;' '^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~'
fails "$shared"$'\nmbarrier.init.shared::cta.b64 [bar], 1;\nmbarrier.try_wait.parity.shared::cta.b64 p, [bar], 0;\n.compare p = 1;' \
	'3:1: thread 0 does not go on: queue 0: command 1 (MBARRIER_TRY_WAIT, tag 0x0) waits: try_wait on barrier CTA 0 offset 0x100: phase 0, 1 arrival missing, 0 bytes missing; PTX: mbarrier.try_wait.parity.shared::cta.b64 _, [0x100], 0, 0xffffffff; // tma: record'
fails "$shared"$'\nmbarrier.init.shared::cta.b64 [bar], 1;\nmbarrier.try_wait.parity.shared::cta.b64 p, [bar], 0;\n.set s = 1;' \
	'3:1: thread 0 does not go on: queue 0: command 1 (MBARRIER_TRY_WAIT, tag 0x0) waits: try_wait on barrier CTA 0 offset 0x100: phase 0, 1 arrival missing, 0 bytes missing; PTX: mbarrier.try_wait.parity.shared::cta.b64 _, [0x100], 0, 0xffffffff; // tma: record'
fails $'.global .b8 g[16];\n.shared .align 16 .b8 s[16];\ncp.async.ca.shared.global [s], [g+8192], 4;\ncp.async.wait_all;' \
	'3:1: fault: queue 0, command 0 (CP_ASYNC, tag 0x0): READ_DECERR: a read answered DECERR; address = 0x100002000 (architecture, Faults); PTX: cp.async.ca.shared::cta.global [0x0], [0x100002000], 4;'

good '.set comes behind what the thread waits for' "$shared
mbarrier.init.shared::cta.b64 [bar], 1;
mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 256;
cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [s], [g], 256, [bar];
mbarrier.try_wait.parity.shared::cta.b64 p, [bar], 0;
.set s[16] = 9;
.compare s[16] = 9;
.compare s+16[240] = g+16;" --seed 2

# ---- On the host

good 'mapa, getctarank, cache policies' '.shared .align 128 .b8 s[16];
.reg .b32 a, r; .reg .b64 b, pol;
mapa.shared::cluster.u32 a, s, 3;
.compare a = s@3;
getctarank.shared::cluster.u32 r, a;
.compare r = 3;
.set b = s@2;
mapa.u64 b, b, 1;
.compare b = s@1;
createpolicy.fractional.L2::evict_first.b64 pol, 0.5;
.compare pol = 0x12F0000000000000;
createpolicy.cvt.L2.b64 pol, 0x1234;
.compare pol = 0x1234;'
fails $'.shared .b8 s;\n.reg .b32 a;\nmapa.shared::cluster.u32 a, s, 4;' '3:1: the cluster has no CTA of that rank'
fails $'.global .b8 g;\n.reg .b64 a = g;\nmapa.u64 a, a, 0;' '3:1: only shared addresses are of a CTA, and this one is of global memory'
fails $'.global .b8 g[64];\ntensormap.replace.tile.rank.global.b1024.b32 [g], 1;' '2:1: no variable in global memory holds 128 bytes from this address on'
fails $'.global .align 128 .f16 t[64][64];\n.tensormap m = tiled(t, dims={64, 64}, box={64, 8});\ntensormap.replace.tile.rank.global.b1024.b32 [m], 5;' '3:1: rank must be 0 to 4: the rank less one'
good 'a tensor map that is replaced in shared memory' '.global .align 128 .u16 t[16][64] = ramp(0, 1), u[16][64] = ramp(5000, 1);
.tensormap m = tiled(t, dims={64, 16}, box={64, 1});
.shared .align 128 .u16 x[64]; .shared .align 128 .b8 copy[128]; .shared .b64 bar; .reg .pred p; .reg .b64 tm = m;
.set copy = m;
mbarrier.init.shared::cta.b64 [bar], 1;
mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 128;
cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [x], [m, {0, 3}], [bar];
mbarrier.try_wait.parity.shared::cta.b64 p, [bar], 0;
.compare x = t+384;
.reg .b64 other = u;
tensormap.replace.tile.global_address.shared::cta.b1024.b64 [copy], other;
.tensormap spare = tiled(t, dims={64, 16}, box={64, 1});
tensormap.replace.tile.fill_mode.b1024.b32 [spare], 0;
tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [m], [copy], 128;
fence.proxy.tensormap::generic.acquire.gpu [m], 128;
mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 128;
cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [x], [m, {0, 3}], [bar];
mbarrier.try_wait.parity.shared::cta.b64 p, [bar], 1;
.compare x = u+384;' --seed 7
# Late copies: without the fence in the middle thread 1 would read what thread 0 has not stored yet.
fenced='.global .b32 g[64]; .shared .align 128 .b32 s[64] = 5; .shared .b64 bar; .reg .pred p;
mbarrier.init.shared::cta.b64 [bar], 1;
cp.async.bulk.global.shared::cta.bulk_group [g], [s], 256;
FENCE
.set g = 6;
.compare g = 6;'
good 'a fence waits for copies' "${fenced/FENCE/fence.proxy.async;}" --seed 5
late() { # some seed shows that without the fence the store comes later
	printf '%s\n' "${fenced/FENCE/}" >"$dir/p.ptx"
	for seed in 1 2 3 4 5 6 7 8; do
		"$tma" run --quiet --seed $seed "$dir/p.ptx" 2>/dev/null || return 0
	done
	return 1
}
check 'without it they are late' late
good 'hints' '.global .b8 g[256]; .tensormap m = tiled(g, dims={256}, box={16});
.reg .b64 a = g, tm = m;
prefetch.global.L2 [a];
applypriority.global.L2::evict_normal [a], 128;
prefetch.tensormap [tm];'

# ---- Reports

printf '.global .b8 g[64] = ramp(0, 1);\n.shared .align 16 .b8 s[64];\n.reg .pred p = 0;\n.thread 1;\ncp.async.ca.shared.global [s], [g], 16;\n%s\n' \
	'@p cp.async.wait_all; cp.async.wait_all; fence.proxy.async; prefetch.global.L2 [g]; .compare s[16] = g;' >"$dir/p.ptx"
trace='    5  1:0          cp.async.ca.shared.global [s], [g], 16;
    6  guarded off  @p cp.async.wait_all;
    6  1:1          cp.async.wait_all;
    6  host         fence.proxy.async;
    6  hint         prefetch.global.L2 [g];
'
report='instructions                2 by the engine, 1 by the host, 1 hints, 1 guarded off
copies name                16 bytes
COMMANDS                    2
pass: - on model default, 1 of 1 compares equal
'
check 'report' gives 0 "$report" ''
check '--trace-text' gives 0 "$trace$report" '' --trace-text
check '--quiet' gives 0 '' '' --quiet
check 'rings' gives 0 '' '' --quiet --rings
as_json() {
	printf '.compare s[16] = 1;\ncp.async.ca.shared.global [s], [g], 3;\n' >>"$dir/p.ptx"
	! "$tma" run --json "$dir/p.ptx" >"$dir/out" 2>"$dir/error" && python3 -c '
import json, sys
j = json.load(open(sys.argv[1]))
assert (j["backend"], j["config"], j["result"]) == ("model", "default", "fail")
assert (j["commands"], j["host"], j["hints"], j["guarded_off"], j["bytes"]) == (3, 1, 1, 1, 19)
assert [c["equal"] for c in j["compares"]] == [True, False] and [c["line"] for c in j["compares"]] == [6, 7]
assert j["compares"][1]["difference"] == "element 0 of s is 0x00, not 0x01; 15 of 16 differ"
assert j["fault"]["line"] == 8 and "CP_SIZE" in j["fault"]["text"] and j["fault"]["ptx"].startswith("cp.async.ca")
assert j["counters"]["COMMANDS"] == 2 and j["counters"]["FAULTS"] == 1 and j["bounds"]["ports"] == 2' "$dir/out"
}
check '--json' as_json

# ---- Time lines

wrong "tma run: $dir/none/x.json: No such file or directory" --trace "$dir/none/x.json"
trace_full() { ! "$tma" run --quiet --trace /dev/full "$programs/pipeline.ptx" 2>"$dir/error" && grep -qx 'tma run: /dev/full: No space left on device' "$dir/error"; }
check 'a full disk for a time line' trace_full
trace_of_nothing() { # what cannot be laid out leaves a time line without an event, and whole
	printf '.shared .b8 x[1000000000];\n' >"$dir/p.ptx"
	! "$tma" run --quiet --trace "$dir/t.json" "$dir/p.ptx" 2>/dev/null && python3 -m json.tool "$dir/t.json" >/dev/null
}
check 'a time line of nothing' trace_of_nothing
traced() {
	"$tma" run --json --trace "$dir/t.json" "${@:2}" "$programs/$1.ptx" >"$dir/r.json" &&
		python3 host/tests/run_trace.py "$dir/t.json" "$dir/r.json"
}
for program in pipeline gemm doc_bulk; do
	check "--trace, $program" traced $program
	check "--trace, $program, late" traced $program --seed 3
done

# ---- docs/ptx-programs.md shows what is

awk -v dir="$dir" '/^```/ { inside = !inside; number += inside; next } inside { print >(dir "/block." number) }' docs/ptx-programs.md
shown() { # BLOCK STATUS SED: what copy.ptx, so changed, prints or is told
	sed "$3" "$dir/block.1" >"$dir/copy.ptx"
	(cd "$dir" && "$tma" run --quiet copy.ptx >out 2>error)
	[ $? -eq "$2" ] && diff "$dir/block.$1" "$dir/error"
}
prints() {
	cp "$dir/block.1" "$dir/copy.ptx"
	(cd "$dir" && { echo '$ tma run copy.ptx' && "$tma" run copy.ptx; } >out) && diff "$dir/block.2" "$dir/out"
}
check 'docs, the program' prints
check 'docs, an error' shown 4 2 '1i.target sm_90
s/\[source\], 256/[source], 250/'
check 'docs, a wait' shown 5 1 's/_, \[bar\], 256/_, [bar], 512/'

# ---- The examples, on every shape, with late copies too

example() { "$tma" run --quiet "${@:2}" "$programs/$1.ptx" >"$dir/out" 2>"$dir/error" && [ ! -s "$dir/error" ]; }
for program in pipeline gemm convolution allreduce histogram doc_bulk doc_multimem doc_tensor; do
	for config in small default max; do
		check "$program, $config" example $program --config $config
		check "$program, $config, late" example $program --config $config --seed "${SEED:-1}"
	done
	check "$program, rings" example $program --rings
done

# Every example of the documentation's pages that ptxas takes, as it stands in the table of its verdicts.
documented() {
	local missing=0 row
	while IFS= read -r row; do
		cat "$programs"/doc_*.ptx | grep -Fxq "$row" || { echo "not there: $row"; missing=1; }
	done < <(xz -dc hw_tests/vectors/ptx_syntax.tsv.xz | awk -F '\t' '
		$5 ~ /^doc-/ && ($3 == "accept" || $1 ~ /^multimem/) { print $1 }' | sort -u)
	return $missing
}
check 'every example of the documentation' documented

# ---- tma bench

bench_wrong() { # LINE ARGUMENT..
	"$tma" bench "${@:2}" >"$dir/out" 2>"$dir/error"
	[ $? -eq 2 ] && [ ! -s "$dir/out" ] && diff <(echo "$1") "$dir/error"
}
check 'bench, no program' bench_wrong 'tma bench: PROGRAM.ptx: is missing; see tma bench --help'
check 'bench, an option' bench_wrong 'tma bench: --wrong: there is no such option; see tma bench --help' --wrong
check 'bench, --repeat' bench_wrong 'tma bench: --repeat 0: must be a number from 1 to 1000000' --repeat 0 x
check 'bench, a file' bench_wrong "tma bench: $dir/none: No such file or directory" "$dir/none"
bench_help() { "$tma" bench --help >"$dir/out" && diff "$dir/out" <("$tma" help bench); }
check 'bench, --help' bench_help
bench_fails() {
	printf '.global .b8 x;\n.compare x = 1;\n' >"$dir/p.ptx"
	"$tma" bench "$dir/p.ptx" >"$dir/out" 2>"$dir/error"
	[ $? -eq 1 ] && [ ! -s "$dir/out" ] && head -1 "$dir/error" | grep -q 'p.ptx:2:1: element 0 of x is 0x00, not 0x01; 1 of 1 differ$'
}
check 'bench, a difference' bench_fails
bench_rows() {
	"$tma" bench --repeat 3 "$programs"/*.ptx >"$dir/out" 2>"$dir/error" && [ ! -s "$dir/error" ] || return 1
	grep -qx "$programs/gemm.ptx, 3 times: 56 commands, 81920 bytes" "$dir/out" &&
		[ "$(grep -c '^  a second  *[1-9][0-9]* commands, [1-9][0-9]* bytes$' "$dir/out")" -eq 8 ] && ! grep -q cycles "$dir/out"
}
check 'bench' bench_rows
bench_json() {
	"$tma" bench --json --repeat 2 "$programs"/{pipeline,gemm}.ptx | python3 -c '
import json, sys
pipeline, gemm = json.load(sys.stdin)
assert (pipeline["commands"], pipeline["bytes"], pipeline["repetitions"]) == (69, 8192, 2)
assert gemm["backend"] == "model" and gemm["nanoseconds_of_all"] > 0 and "cycles_least" not in gemm'
}
check 'bench, --json' bench_json

count_checks
