// SPDX-License-Identifier: GPL-2.0-only
/*
 * wc FILE: print the numbers of lines, words and characters of a file. Region 0 is the whole
 * program, from main() on; wc_loop.S has the other regions.
 */
#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "libp5mon.h"

void count_text(void);
void p5mon_asm_begreg_0(void);
void p5mon_asm_endreg_0(void);

/* The loop in wc_loop.S uses these variables. */
int left;
const char *next;
unsigned int lines;
unsigned int words;
unsigned char class[256];

static char text[200000];

static void classify(void)
{
	int c;

	for (c = 0; c < 256; c++)
		class[c] = isspace(c) != 0;
}

int main(int argc, char **argv)
{
	int fd;

	p5mon_asm_init();
	p5mon_asm_begreg_0();
	fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;
	left = (int)read(fd, text, sizeof(text));
	if (left < 0)
		return 1;
	classify();
	next = text;
	count_text();
	printf("%u %u %td\n", lines, words, next - text);
	p5mon_asm_endreg_0();
	return 0;
}
