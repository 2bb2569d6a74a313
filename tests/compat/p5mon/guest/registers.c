// SPDX-License-Identifier: GPL-2.0-only
/*
 * This program tests that the begin and the end of a region keep every register, every flag and
 * the contents of the x87. Each check prints a line that begins with "ok" or "FAIL".
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "libp5mon.h"

/* These flags are carry, parity, auxiliary carry, zero, sign, direction and overflow. */
#define FLAGS 0xcd5

struct registers {
	uint32_t flags, edi, esi, ebp, esp, ebx, edx, ecx, eax;
};

/* registers_call.S defines this function. */
void call_with(void (*stub)(void), uint32_t flags, struct registers *before,
	       struct registers *after);

void p5mon_asm_begreg_7(void);
void p5mon_asm_endreg_7(void);

static const struct {
	const char *name;
	void (*stub)(void);
} stubs[] = {
	{ "p5mon_asm_init", p5mon_asm_init },
	{ "p5mon_asm_begreg_7", p5mon_asm_begreg_7 },
	{ "p5mon_asm_endreg_7", p5mon_asm_endreg_7 },
};

static void check(const char *name, const char *what, int good)
{
	printf("%s %s keeps %s\n", good ? "ok  " : "FAIL", name, what);
}

static void check_stub(const char *name, void (*stub)(void), uint32_t flags)
{
	struct registers before, after;

	memset(&before, 0, sizeof(before));
	memset(&after, 0, sizeof(after));
	call_with(stub, flags, &before, &after);
	check(name, "flags",
	      ((before.flags ^ after.flags) & FLAGS) == 0 &&
		      (before.flags & FLAGS) == (flags & FLAGS));
	before.flags = after.flags;
	check(name, "registers", !memcmp(&before, &after, sizeof(before)));
}

/* Eight values fill the x87's stack. */
static void check_x87(const char *name, void (*stub)(void))
{
	unsigned char before[108], after[108];

	__asm__ __volatile__("fninit; fldpi; fld1; fldpi; fld1; fldpi; fld1;"
			     "fldpi; fld1; fnsave %0; frstor %0; call *%2;"
			     "fnsave %1"
			     : "=m"(before), "=m"(after)
			     : "r"(stub)
			     : "memory");
	/* The address of the last x87 instruction may differ. */
	memset(before + 12, 0, 16);
	memset(after + 12, 0, 16);
	check(name, "the x87", !memcmp(before, after, sizeof(before)));
}

int main(void)
{
	unsigned int i;

	for (i = 0; i < sizeof(stubs) / sizeof(stubs[0]); i++) {
		check_stub(stubs[i].name, stubs[i].stub, 0);
		check_stub(stubs[i].name, stubs[i].stub, FLAGS);
		check_x87(stubs[i].name, stubs[i].stub);
	}
	return 0;
}
