// SPDX-License-Identifier: GPL-2.0-only
/*
 * wc FILE: count lines, words and characters. Like the program of K. D. Safford's thesis,
 * section 5.6, it reads characters by a macro like getc() from a buffer of 4 KB. Region 0 is
 * all of main(), region 1 is the loop, which calls refill() for each buffer, and region 2 is
 * empty.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "libp5mon.h"

void p5mon_asm_begreg_0(void);
void p5mon_asm_endreg_0(void);
void p5mon_asm_begreg_1(void);
void p5mon_asm_endreg_1(void);
void p5mon_asm_begreg_2(void);
void p5mon_asm_endreg_2(void);

static struct {
	int fd;
	const unsigned char *next;
	const unsigned char *end;
	unsigned char buffer[4096];
} input;

static unsigned int lines;
static unsigned int words;
static unsigned int characters;

/*
 * After this, all static variables are in memory, where the compiler of the thesis kept them,
 * too.
 */
#define FORGET() __asm__ volatile("" ::: "memory")

/* Return the first character of the next buffer, or -1 after the last one. */
static __attribute__((noinline)) int refill(void)
{
	ssize_t length = read(input.fd, input.buffer, sizeof(input.buffer));

	if (length <= 0)
		return -1;
	input.next = input.buffer + 1;
	input.end = input.buffer + length;
	return input.buffer[0];
}

static inline int next_character(void)
{
	return input.next < input.end ? *input.next++ : refill();
}

static void count(void)
{
	bool in_word = false;
	int c;

	while ((c = next_character()) != -1) {
		FORGET();
		characters++;
		if (c > ' ' && c < 0177) {
			if (!in_word) {
				words++;
				in_word = true;
			}
			continue;
		}
		if (c == '\n')
			lines++;
		else if (c != ' ' && c != '\t')
			continue;
		in_word = false;
	}
}

int main(int argc, char **argv)
{
	p5mon_asm_init();
	p5mon_asm_begreg_0();
	input.fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;
	if (input.fd < 0)
		return 1;
	p5mon_asm_begreg_1();
	count();
	p5mon_asm_endreg_1();
	printf("%u %u %u\n", lines, words, characters);
	p5mon_asm_endreg_0();
	p5mon_asm_begreg_2();
	p5mon_asm_endreg_2();
	return 0;
}
