// SPDX-License-Identifier: GPL-2.0-only
/*
 * stack ARG...: print, in decimal, the place in its page at which the stack begins.
 *
 * The stack is that of another program if the names are equally long, and arguments and
 * environment are the same.
 */
#include <stdint.h>
#include <stdio.h>

#define PAGE 4096

int main(int argc, char **argv)
{
	(void)argc;
	/* At the start, ESP points to argc, which is below argv. */
	printf("%u\n", (unsigned)((uintptr_t)(argv - 1) % PAGE));
	return 0;
}
