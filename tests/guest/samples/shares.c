// SPDX-License-Identifier: GPL-2.0-only
/*
 * shares ROUNDS [DEPTH]: execute 50, 30 and 20 per cent of the instructions in three functions.
 * With DEPTH, each process first forks two processes, which do the same with DEPTH - 1, and waits
 * for them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define PART 1000

void half(void);
void third(void);
void fifth(void);

/* Execute two instructions @n times, in a function with a frame, so that its caller is known. */
#define SPIN(n)                                                    \
	do {                                                       \
		unsigned int left = (n);                           \
		__asm__ volatile("1: dec %0\n\t"                   \
				 "jnz 1b"                          \
				 : "+r"(left)                      \
				 : "r"(__builtin_frame_address(0)) \
				 : "cc");                          \
	} while (0)

__attribute__((noinline)) void half(void)
{
	SPIN(5 * PART);
}

__attribute__((noinline)) void third(void)
{
	SPIN(3 * PART);
}

__attribute__((noinline)) void fifth(void)
{
	SPIN(2 * PART);
}

static void work(long rounds)
{
	while (rounds--) {
		half();
		third();
		fifth();
	}
}

int main(int argc, char **argv)
{
	const long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 1;
	long depth = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
	int children = 0, status = 0;

	while (depth && children < 2) {
		const pid_t pid = fork();

		if (pid < 0)
			return EXIT_FAILURE;
		if (pid) {
			children++;
			continue;
		}
		depth--;
		children = 0;
	}
	work(rounds);
	while (children--) {
		if (wait(&status) < 0 || status)
			return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}
