#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# callgrind counts fewer instructions than cachegrind for the same program.
#
# Version:   valgrind 1:3.19.0-1 (Debian 12), both tools of it
# Expected:  Both tools count the instructions of a program of one thread, which does
#            the same in each run, with one result.
# Seen:      cachegrind counts each instruction. callgrind leaves out the basic block
#            that ends in the system call exit(2): 2 instructions and as many as stand
#            between the last jump and the call. It adds the costs of a block when the
#            next block begins, and after the last one no block begins.
# Meaning:   A comparison of a counter with callgrind must allow for the last block,
#            while one with cachegrind can ask for equal numbers.
#
# It needs apt-get with the lists of Debian 12, dpkg and a C compiler.
set -eu

VERSION=1:3.19.0-1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -q download "valgrind=$VERSION" >/dev/null 2>&1
dpkg -x valgrind_*.deb .
export VALGRIND_LIB="$work/usr/libexec/valgrind"

cat >exit.S <<'END'
	.globl _start
_start:
	jmp last
last:
	.rept NOPS
	nop
	.endr
	mov $60, %eax
	syscall
END

# $1: the tool; prints how many instructions it counts.
count() {
	./usr/bin/valgrind --tool="$1" --"$1"-out-file=/dev/null ./exit 2>&1 |
		sed -n 's/^.* I *refs: *//p' | tr -d ,
}

for nops in 0 10 30; do
	cc -nostdlib -static -DNOPS=$nops -o exit exit.S
	echo "$nops nops: cachegrind $(count cachegrind), callgrind $(count callgrind)"
done >seen

cat >expected <<'END'
0 nops: cachegrind 3, callgrind 1
10 nops: cachegrind 13, callgrind 1
30 nops: cachegrind 33, callgrind 1
END
if ! cmp -s expected seen; then
	echo "expected, and seen:"
	diff expected seen || true
	exit 1
fi
sed 's/^/    /' seen
