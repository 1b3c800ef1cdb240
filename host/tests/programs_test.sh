#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# programs_test.sh MAKE BUILD PROGRAMS BACKEND.. - the examples as a user has them: installed, copied out of the tree,
# built by pkg-config and by their own Makefile. PROGRAMS, those that take a back end, run on each one, and do not say
# that all is right where something is wrong.
set -u

make=$1 build=$(realpath "$2") programs=$3
shift 3
. host/tests/checks.sh
work=$dir
unset LIBDIR INCLUDEDIR DOCDIR TMA_BACKEND_PATH LD_LIBRARY_PATH PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
prefix=$work/prefix
export PKG_CONFIG_LIBDIR=$prefix/lib/pkgconfig

check 'install' "$make" --no-print-directory BUILD="$build" install PREFIX="$prefix" DESTDIR=
cp -r "$prefix/share/doc/tramway/examples" "$work/made" && cp -r "$work/made" "$work/built" && cd "$work/built" || exit 1
# A user's make has not begun inside of another one.
unset MAKEFLAGS MFLAGS MAKELEVEL
export LD_LIBRARY_PATH=$prefix/lib

# NAME [SOURCE]: one program, with every warning an error.
warn='-Wall -Wextra -Wshadow -pedantic -Werror'
compile() {
	local source=${2:-$1.c}
	case $source in
	*.cpp) c++ -std=c++17 $warn "$source" $(pkg-config --cflags --libs tramway) -o "$1" ;;
	*) cc -std=c11 $warn "$source" $(pkg-config --cflags --libs tramway) -pthread -o "$1" ;;
	esac
}
for source in *.c *.cpp; do
	check "$source builds" compile "${source%.*}" "$source"
done
check 'make builds the same' "$make" -C ../made
check 'make leaves none out' diff <(ls *.c *.cpp | sed 's/\.[a-z]*$//' | sort) \
	<(find ../made -type f -perm -u+x -printf '%f\n' | sort)

# The last line that a program prints when all is right.
last_line() { # PROGRAM CONFIG
	local ctas
	case $2 in small) ctas=2 ;; default) ctas=4 ;; max) ctas=16 ;; esac
	case $1 in
	pipeline) echo 'pipeline: 24 chunks of 2048 bytes, all right' ;;
	gemm) echo "gemm: $((16 * ctas))x256 * 256x32 on $ctas CTAs, $((512 * ctas)) elements, all right" ;;
	convolution) echo 'convolution: 28x28x8 * 3x3, stride 1, padding 0: 5408 outputs, all right' ;;
	threads) echo 'threads: 2 x 24 blocks, 8 faults mended, 1 wait cancelled, all right' ;;
	cp_async) echo 'cp_async: 16 rows, 126 words and 130 zeros, all right' ;;
	esac
}
right() { # PROGRAM BACKEND CONFIG SEED
	"./$1" "$2" "$3" "$4" >out 2>error
	local status=$?
	diff <(last_line "$1" "$3") <(tail -n 1 out) && [ $status -eq 0 ] && [ ! -s error ] || { cat out error; return 1; }
}

for backend in "$@"; do
	case $backend in
	model) configs='small default max' seeds='0 1 2 3' ;;
	rtl) configs='small default' seeds='0 1' ;;
	*) configs=small seeds=0 ;;
	esac
	# Back ends that are not in the library: as they were built.
	[ "$backend" = model ] || export TMA_BACKEND_PATH=$build
	for program in $programs; do
		for config in $configs; do
			for seed in $seeds; do
				check "$program, $backend, $config, seed $seed" right $program $backend $config $seed
			done
		done
	done
done
unset TMA_BACKEND_PATH

# Without arguments: on the model, in the shape of `default`.
plain() { ./"$1" >out 2>error && diff <(last_line "$1" default) <(tail -n 1 out) && [ ! -s error ]; }
# PROGRAM TEXT ARGUMENT..: it fails, and says TEXT instead of the last line.
says() {
	"./$1" "${@:3}" >out 2>error
	[ $? -eq 1 ] && [ "$(tail -n 1 out)" != "$(last_line "$1" small)" ] && grep -q "^$1: .*$2" error || { cat out error; return 1; }
}
for program in $programs; do
	check "$program without arguments" plain $program
	check "$program, no such back end" says $program 'back end "nothing" cannot be loaded' nothing
	check "$program, no such configuration" says $program 'config = "nothing"' model nothing
done
run_by_make() {
	"$make" -C ../made run BACKEND=model CONFIG=small >out 2>error && [ ! -s error ] || return 1
	for program in $programs; do
		grep -qxF "$(last_line $program small)" out || return 1
	done
}
check 'make run' run_by_make

# PROGRAM SED TEXT: with this mistake in it, the program sees that the result is wrong, or the engine does.
mistake() {
	local source=$1.c
	[ -e "$source" ] || source=$1.cpp
	mkdir -p wrong && sed "$2" "$source" >"wrong/$source" && ! cmp -s "$source" "wrong/$source" &&
		compile "wrong/$1" "wrong/$source" && (cd wrong && says "$1" "$3" model small)
}
while IFS='|' read -r program edit text; do
	[[ " $programs " != *" $program "* ]] || check "$program with $edit" mistake "$program" "$edit" "$text"
done <<'END'
pipeline|s/destination, output(n)/destination, input(n)/|word 0 is
pipeline|s/^#define CHUNK_BYTES .*/#define CHUNK_BYTES 2040u/|SIZE_GRANULE: the size must be a multiple of 16 bytes
gemm|s/return address ^ .*/return address;/|row 0, column 1 is
gemm|s/1u << g.ctas()/1u/|tma_wait: queue 0: .* waits: try_wait on barrier 
gemm|s/a_place = 1024/a_place = 1000/|DST_MISALIGNED
convolution|s/{ l->pad - (FILTER - 1), /{ l->pad, /|output 28 of filter 0 is
convolution|s/(uint32_t)l->stride, (uint32_t)l->stride, 1 }/1, 1, 1 }/|output 1 of filter 0 is
cp_async|s/bytes - at : 0/bytes - at : size/|row 0, word 0 is
cp_async|s/(c++, BARRIER, 1)/(c++, BARRIER, 2)/|tma_wait: queue 0: .* waits: try_wait on barrier 
threads|s/global_address += 8/global_address += 16/|a careless worker's blocks differ
END

count_checks
