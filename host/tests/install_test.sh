#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# install_test.sh MAKE BUILD - the library installed into a folder of its own, and programs in C, C++ and Python that
# know nothing of this tree: built against it by pkg-config, shared and static, run on the model and on the engine.
set -u

make=$1 build=$2 source=$PWD/host/tests/install
. host/tests/checks.sh
work=$dir
unset LIBDIR INCLUDEDIR BINDIR MANDIR DOCDIR TMA_BACKEND_PATH LD_LIBRARY_PATH PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
prefix=$work/prefix lib=$work/prefix/lib stage=$work/stage
export PKG_CONFIG_LIBDIR=$lib/pkgconfig

run_make() { # TARGET.. VARIABLE=VALUE..
	"$make" --no-print-directory BUILD="$build" "$@"
}

# What is there, and nothing else.
headers='tma.h tma_abi.h tma_backend.h tma_backend_rtl.h tma_command.h tma_map.h tma_model.h tma_print.h tma_ptx.h tma_regs.h tma_shell.h tma_tables.h tma_version.h tma_wait.h tma_watch.h'
examples='allreduce.c convolution.c cp_async.c fault.c first.c gemm.cpp histogram.c pipeline.c ring.c tensor.c threads.c'
version=$(sed -n 's/^#define TMA_VERSION_M.* \([0-9]*\)$/\1/p' host/include/tma_version.h | paste -sd.)
version=$version.$(sed -n 's/^#define TMA_VERSION_PATCH \([0-9]*\)$/\1/p' host/include/tma_version.h)
holds() { # FOLDER
	diff <({
		printf 'include/tramway/%s\n' $headers
		printf '%s\n' bin/tma share/man/man1/tma{,-bench,-check,-info,-map,-run,-selftest}.1
		printf 'lib/%s\n' libtma.a libtma.so libtma.so.0 "libtma.so.$version" libtma_rtl.so pkgconfig/tramway.pc
		printf 'share/doc/tramway/examples/%s\n' Makefile README.md $examples ptx/{allreduce,convolution,doc_bulk,doc_multimem,doc_tensor,gemm,histogram,pipeline}.ptx
	} | LC_ALL=C sort) <(cd "$1" && find . ! -type d | sed 's|^\./||' | LC_ALL=C sort)
}
gone() { [ -d "$1" ] && [ -z "$(find "$1" ! -type d)" ] && [ ! -e "$1/include/tramway" ] && [ ! -e "$1/share/doc/tramway" ]; }

check 'install with PREFIX' run_make install install-rtl PREFIX="$prefix" DESTDIR=
check 'what PREFIX holds' holds "$prefix"
check 'install with DESTDIR' run_make install install-rtl PREFIX=/opt/tramway DESTDIR="$stage"
check 'what DESTDIR holds' holds "$stage/opt/tramway"
check 'DESTDIR is in no file' bash -c '! grep -rq "$1" "$1"' - "$stage"
check 'the changelog names the version' grep -Eq "^## .*\b${version%.*}\b" CHANGELOG.md

# Every header by itself, as C and as C++.
parses() { # COMPILER.. HEADER
	printf '#include <%s>\nextern int not_empty;\n' "${*: -1}" |
		"${@:1:$#-1}" -pedantic -Wall -Wextra -Werror -fsyntax-only $(pkg-config --cflags tramway) -
}
for header in $headers; do
	check "$header as C" parses gcc -std=c11 -Wshadow -xc "$header"
	check "$header as C++" parses g++ -std=c++17 -Wshadow -xc++ "$header"
done

# Nothing but tma_ leaves a library; the version of the symbols is no symbol. What is looked at is not empty.
names() { nm -g --defined-only "$@" | awk 'NF == 3 && !($2 == "A" && $3 == "TMA_0") { sub(/@.*/, "", $3); print $3 }'; }
only_tma() { [ -n "$(names "$@")" ] && ! names "$@" | grep -v '^tma_'; }
check 'names of libtma.a' only_tma "$lib/libtma.a"
check 'names of libtma.so' only_tma -D "$lib/libtma.so"
check 'names of libtma_rtl.so' only_tma -D "$lib/libtma_rtl.so"
check 'the two libraries offer the same' diff <(names "$lib/libtma.a" | sort) <(names -D "$lib/libtma.so" | sort)
check 'a name of its own is seen' eval "! only_tma $build/libtma_host.a"
check 'the engine offers one name' test "$(names -D "$lib/libtma_rtl.so")" = tma_backend_rtl

# Every function that a header declares is there.
declared() {
	printf '#include <%s>\n' $headers | gcc -E -P -I"$prefix/include/tramway" -xc - | tr '\n' ' ' |
		sed ':again; s/{[^{}]*}/;/g; t again; s/;/;\n/g' | grep -v 'static' | grep -o '\btma_[a-z0-9_]*(.*);' | sed 's/(.*//' | sort -u
}
check 'what headers declare is there' diff <(declared) <(names -D "$lib/libtma.so" | sort -u)

needs() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }
# Each thread's last error needs the loader, which is a part of libc.
check 'libtma.so needs libc alone' test "$(needs "$lib/libtma.so" | grep -v '^ld-linux')" = libc.so.6
check 'its name has the version' eval "readelf -d $lib/libtma.so | grep -q 'SONAME.*\[libtma.so.0\]'"
check 'libtma.so has no text relocations' eval "! readelf -d $lib/libtma.so | grep -q TEXTREL"
check 'pkg-config has the version' test "$(pkg-config --modversion tramway)" = "$version"

# Programs, built outside of the tree.
cp "$source"/hello.* "$work" && cd "$work" || exit 1
warn='-Wall -Wextra -Wshadow -pedantic -Werror'
check 'C, shared' gcc -std=c11 $warn hello.c $(pkg-config --cflags --libs tramway) -Wl,-rpath,"$lib" -o c-shared
check 'C, static' gcc -std=c11 $warn hello.c $(pkg-config --cflags tramway) "$lib/libtma.a" -o c-static
check 'C++, shared' g++ -std=c++17 $warn hello.cpp $(pkg-config --cflags --libs tramway) -Wl,-rpath,"$lib" -o cpp-shared
check 'C++, static' g++ -std=c++17 $warn hello.cpp $(pkg-config --cflags tramway) "$lib/libtma.a" -o cpp-static
check 'C, with rtl' gcc -std=c11 $warn -DHELLO_LINKED hello.c $(pkg-config --cflags --libs tramway) -ltma_rtl -Wl,-rpath,"$lib" -o c-linked
check 'C, from DESTDIR' env PKG_CONFIG_LIBDIR="$stage/opt/tramway/lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$stage" \
	bash -c 'gcc hello.c $(pkg-config --cflags --libs tramway) -o c-staged'
check 'pkg-config, from DESTDIR' test "$(PKG_CONFIG_LIBDIR=$stage/opt/tramway/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$stage \
	pkg-config --cflags --libs tramway | xargs)" = "-I$stage/opt/tramway/include/tramway -L$stage/opt/tramway/lib -ltma"

says() { # TEXT COMMAND..: on standard output, and nothing else anywhere
	"${@:2}" >out 2>error
	local status=$?
	diff <(echo "$1") out && [ ! -s error ] && [ $status -eq 0 ] || { cat out error; return 1; }
}
for how in shared static; do
	# Beside the library there is the engine; a program that holds the library is told where.
	rtl=(env)
	[ $how = shared ] || rtl=(env TMA_BACKEND_PATH="$lib")
	check "C, $how, model" says "$version model: hello from C" ./c-$how model
	check "C, $how, rtl" says "$version rtl, clocked: hello from C" "${rtl[@]}" ./c-$how rtl
	check "C++, $how, model" says 'SIGNAL 42' ./cpp-$how model
	check "C++, $how, rtl" says 'SIGNAL 42' "${rtl[@]}" ./cpp-$how rtl
done
check 'C, from DESTDIR, model' says "$version model: hello from C" env LD_LIBRARY_PATH="$stage/opt/tramway/lib" ./c-staged
check 'C, static, rtl where the system has it' says "$version rtl, clocked: hello from C" env LD_LIBRARY_PATH="$lib" ./c-static rtl
check 'C, with rtl: it runs' says "$version rtl, clocked: hello from C" env TMA_BACKEND_PATH=none ./c-linked rtl
check 'Python, model' says 'tag 42' python3 hello.py "$lib/libtma.so.0" model
check 'Python, rtl' says 'tag 42' python3 hello.py "$lib/libtma.so.0" rtl
# The command line tool, which is a program like these.
first_line() { [ "$("${@:2}" | head -1)" = "$1" ]; }
check 'tma needs libtma and libc' test "$(needs "$prefix/bin/tma" | xargs)" = 'libtma.so.0 libc.so.6'
check 'tma, version' first_line "tma $version" "$prefix/bin/tma" --version
check 'tma, model' first_line "library             $version" "$prefix/bin/tma" info
check 'tma, rtl' first_line '  "backend": "rtl",' bash -c '"$0" info --backend rtl --json | sed 1,2d' "$prefix/bin/tma"
check 'tma, selftest' "$prefix/bin/tma" selftest --quick
check 'tma, from DESTDIR' env LD_LIBRARY_PATH="$stage/opt/tramway/lib" "$stage/opt/tramway/bin/tma" info
if command -v cmake >/dev/null; then
	mkdir cmake && mv hello.c cmake
	printf '%s\n' 'cmake_minimum_required(VERSION 3.7)' 'project(hello C)' 'add_executable(hello hello.c)' >cmake/CMakeLists.txt
	sed -n '/^```cmake$/,/^```$/{/^```/d;p}' "$OLDPWD/docs/programmers-guide.md" >>cmake/CMakeLists.txt
	check 'CMake, with what the guide says' bash -c 'cmake -S cmake -B cmake/build && cmake --build cmake/build'
	check 'CMake, rtl' says "$version rtl, clocked: hello from C" cmake/build/hello rtl
fi

# TEXT COMMAND..: TMA_EBACKEND, and standard error has this text.
lacks() {
	"${@:2}" >out 2>error
	[ $? -eq 5 ] && [ ! -s out ] && grep -qF -- "$1" error && grep -q '^hello: TMA_EBACKEND: tma_open: ' error ||
		{ cat out error; return 1; }
}
mkdir empty wrong old
echo 'int tma_nothing;' | gcc -shared -xc -o wrong/libtma_rtl.so -
echo '#include <stddef.h>
#include <stdint.h>
const struct { const char *name; size_t size; uint32_t version; char rest[500]; } tma_backend_rtl = { "rtl", 16, 9, "" };' |
	gcc -shared -fPIC -xc -o old/libtma_rtl.so -
check 'rtl is not in the folder named' lacks "$work/empty/libtma_rtl.so: cannot open" env TMA_BACKEND_PATH="$work/empty" ./c-shared rtl
check 'rtl is no back end' lacks "wrong/libtma_rtl.so: undefined symbol: tma_backend_rtl" env TMA_BACKEND_PATH=wrong ./c-shared rtl
check 'rtl is of another version' lacks "old/libtma_rtl.so: is for version 9 of tma_backend.h" env TMA_BACKEND_PATH=old ./c-shared rtl
check 'rtl of another version is linked' lacks 'tma_open: back end "rtl" is for version 9 of tma_backend.h' env LD_LIBRARY_PATH=old ./c-linked rtl
check 'no name of a back end' lacks '"../rtl" is no name' ./c-shared ../rtl
rm "$lib/libtma_rtl.so"
check 'rtl is not beside the library' lacks "$lib/libtma_rtl.so: cannot open" ./c-shared rtl
check 'nor where the system has its libraries' lacks '	libtma_rtl.so: cannot open' ./c-shared rtl
check 'the model is there all the same' says "$version model: hello from C" ./c-shared

cd "$OLDPWD" || exit 1
check 'uninstall with PREFIX' run_make uninstall PREFIX="$prefix" DESTDIR=
check 'PREFIX is empty' gone "$prefix"
check 'uninstall with DESTDIR' run_make uninstall PREFIX=/opt/tramway DESTDIR="$stage"
check 'DESTDIR is empty' gone "$stage"

count_checks
