// SPDX-License-Identifier: GPL-2.0-only
/*
 * stack ARG...: print, in decimal, where in its page the stack begins....
 *
 * If this runs instead of a program whose name is as long, with the same arguments and
 * environment, it has the same stack.
 */
#include <stdint.h>
#include <stdio.h>

#define PAGE 4096

int main(int argc, char **argv)
{
	(void)argc;
	/* argc is below argv, and ESP points to it at the start. */
	printf("%u\n", (unsigned)((uintptr_t)(argv - 1) % PAGE));
	return 0;
}
