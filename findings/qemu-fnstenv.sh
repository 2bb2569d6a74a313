#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# FNSTENV leaves the exceptions of the x87 unmasked in QEMU.
#
# Version:   QEMU 7.2 (Debian 12, qemu-user-static 1:7.2+dfsg-7+deb12u18+b3)
# Expected:  FNSTENV stores the environment of the x87, and masks all six exceptions in
#            the control word afterwards, as Intel's manual says in the instruction's
#            description. Processors of Intel and AMD do.
# Seen:      A program unmasks all exceptions and executes FNSTENV. The control word is
#            037fh on a processor, and it is still 0340h in QEMU. FNSAVE, which initializes
#            the x87 after it has stored, does so in QEMU, too.
# Meaning:   feholdexcept(3) of glibc relies on it: after the call the exceptions of the
#            x87 that feenableexcept(3) has unmasked are masked on a processor, and not in
#            QEMU. A program can take an exception there that it does not have elsewhere, so
#            its counts differ. The emulated Pentium of this project masks them.
#
# It needs apt-get with the lists of Debian 12, dpkg, a C compiler and an x86 processor.
set -eu

VERSION=1:7.2+dfsg-7+deb12u18+b3

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -q download "qemu-user-static=$VERSION" >/dev/null 2>&1
dpkg -x qemu-user-static_*.deb .

cat >control.c <<'END'
#define _GNU_SOURCE
#include <fenv.h>
#include <stdio.h>

/* Unmask all exceptions and print the control word before and after an instruction. */
#define PRINT(instruction)                                                     \
	do {                                                                   \
		const unsigned short unmasked = 0x0340;                        \
		unsigned short before, after;                                  \
		char stored[108];                                              \
                                                                               \
		__asm__ volatile("fninit\n\tfldcw %0" : : "m"(unmasked));      \
		__asm__ volatile("fnstcw %0" : "=m"(before));                  \
		__asm__ volatile(#instruction " %0" : "=m"(stored));           \
		__asm__ volatile("fnstcw %0" : "=m"(after));                   \
		printf(#instruction ": %04x, %04x\n", before, after);          \
	} while (0)

/* Unmask one exception, and print the control word after the call that masks all. */
static void hold(void)
{
	unsigned short after;
	fenv_t stored;

	__asm__ volatile("fninit");
	feenableexcept(FE_DIVBYZERO);
	feholdexcept(&stored);
	__asm__ volatile("fnstcw %0" : "=m"(after));
	printf("feholdexcept: %04x\n", after);
}

int main(void)
{
	PRINT(fnstenv);
	PRINT(fnsave);
	hold();
	return 0;
}
END
cc -static -O1 -Wall -Wextra -o control control.c -lm
{
	echo "processor"
	./control
	echo "QEMU"
	./usr/bin/qemu-x86_64-static ./control
} >seen

cat >expected <<'END'
processor
fnstenv: 0340, 037f
fnsave: 0340, 037f
feholdexcept: 037f
QEMU
fnstenv: 0340, 0340
fnsave: 0340, 037f
feholdexcept: 037b
END
if ! cmp -s expected seen; then
	echo "expected, and seen:"
	diff expected seen || true
	exit 1
fi
sed 's/^/    /' seen
