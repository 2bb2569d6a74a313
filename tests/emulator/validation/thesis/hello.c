// SPDX-License-Identifier: GPL-2.0-only
/*
 * This is the program of K. D. Safford's thesis, section 5.2. It prints two lines of text, with
 * a loop of a million rounds between them. With REGIONS, region 0 is all of main(), region 1 is
 * the second printf(), and region 2 is empty, as in section 5.3.
 */
#include <stdio.h>

#ifdef REGIONS
#include "libp5mon.h"

void p5mon_asm_begreg_0(void);
void p5mon_asm_endreg_0(void);
void p5mon_asm_begreg_1(void);
void p5mon_asm_endreg_1(void);
void p5mon_asm_begreg_2(void);
void p5mon_asm_endreg_2(void);

#define INIT()	 p5mon_asm_init()
#define BEGIN(n) p5mon_asm_begreg_##n()
#define END(n)	 p5mon_asm_endreg_##n()
#else
#define INIT()
#define BEGIN(n)
#define END(n)
#endif

#ifdef __OPTIMIZE__
/* Today's compilers would compute the sum at compile time. */
#define KEEP(x) __asm__ volatile("" : "+r"(x))
#else
#define KEEP(x)
#endif

int main(void)
{
	int i;
	int j = 0;

	INIT();
	BEGIN(0);
	printf("Hello World!\n");
	for (i = 0; i < 1000000; i++) {
		j += 2;
		KEEP(j);
	}
	BEGIN(1);
	printf("j is: %d\n", j);
	END(1);
	END(0);
	BEGIN(2);
	END(2);
	return 0;
}
