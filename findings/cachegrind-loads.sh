#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# cachegrind leaves out most of the loads in a straight piece of code, and adds others.
#
# Version:   valgrind 1:3.19.0-1 (Debian 12)
# Expected:  An instruction that loads is one data read each time it is executed, as the
#            counter of a processor has it. An instruction that cannot jump counts no branch.
# Seen:      100 loads of one word are 1 read, and so are 100 loads of different words,
#            if their values are not used: cachegrind counts the accesses that are left
#            when valgrind has optimised a block. 100 additions of one word are 59 reads.
#            100 locked additions to one word are 200 reads, no write, and 100 conditional
#            branches, because valgrind makes a compare-and-exchange of each, which it may
#            have to repeat. The number of instructions is right in all these cases.
# Meaning:   cachegrind's instructions can be compared with a counter to the digit. Its
#            reads, misses of reads and branches cannot, unless the program loads nothing
#            twice between two jumps and has no locked instructions.
#
# It needs apt-get with the lists of Debian 12, dpkg and a C compiler.
set -eu

VERSION=1:3.19.0-1
TIMES=100

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -q download "valgrind=$VERSION" >/dev/null 2>&1
dpkg -x valgrind_*.deb .
export VALGRIND_LIB="$work/usr/libexec/valgrind"

# FORM is the instruction, which is assembled TIMES times.
cat >program.S <<'END'
	.data
	.balign	64
words:	.fill	1024, 1, 0
	.text
	.globl	_start
_start:	mov	$words, %ebx
	.set	offset, 0
	.rept	TIMES
	FORM
	.set	offset, offset + 4
	.endr
	mov	$60, %eax
	xor	%edi, %edi
	syscall
END

# $1: how often, $2: the instruction; prints instructions, reads, writes and branches.
count() {
	cc -nostdlib -static -no-pie -DTIMES="$1" -DFORM="$2" -o program program.S
	./usr/bin/valgrind --tool=cachegrind --branch-sim=yes \
		--cachegrind-out-file=counts ./program >/dev/null 2>&1
	sed -n 's/^summary: //p' counts | cut -d' ' -f1,4,7,10
}

# $1: what it is, $2: the instruction
compare() {
	nothing=$(count 0 "$2")
	all=$(count $TIMES "$2")
	# shellcheck disable=SC2086 # eight numbers
	set -- "$1" $nothing $all
	echo "$1: instructions $(($6 - $2)), reads $(($7 - $3)), writes $(($8 - $4))," \
		"branches $(($9 - $5))"
}

{
	compare "loads of one word" "mov (%rbx), %ecx"
	compare "loads of a word each" "mov offset(%rbx), %ecx"
	compare "additions of one word" "add (%rbx), %ecx"
	compare "additions to one word" "addl \$1, (%rbx)"
	compare "locked additions to one word" "lock addl \$1, (%rbx)"
} >seen

cat >expected <<'END'
loads of one word: instructions 100, reads 1, writes 0, branches 0
loads of a word each: instructions 100, reads 1, writes 0, branches 0
additions of one word: instructions 100, reads 59, writes 0, branches 0
additions to one word: instructions 100, reads 100, writes 0, branches 0
locked additions to one word: instructions 100, reads 200, writes 0, branches 100
END
if ! cmp -s expected seen; then
	echo "expected, and seen:"
	diff expected seen || true
	exit 1
fi
sed 's/^/    /' seen
