// SPDX-License-Identifier: GPL-2.0-only
/*
 * misuse EVENTS MAX CALLS: call p4pm's functions in the order of the letters of CALLS, and print the
 * clocks of each result. The letters are b (begin_count), e (end_count), f (end_count_file, to
 * result.txt), l (to a file with a long name), w (write_files), i (initialize), k (fork, and go on in
 * the child only) and t (begin_count in another thread).
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "p4pm.h"

static void print(const tsc_cont *result)
{
	printf("%llu\n", result->tsc);
	fflush(stdout);
}

/* Let the child go on, and exit with its status. */
static void go_on_in_child(void)
{
	int status = 0;

	if (!fork())
		return;
	wait(&status);
	exit(WEXITSTATUS(status));
}

static void *begin(void *arg)
{
	begin_count();
	return arg;
}

static void begin_in_thread(void)
{
	pthread_t thread;

	if (!pthread_create(&thread, NULL, begin, NULL))
		pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	char result[] = "result.txt", name[300];
	const char *call;

	if (argc != 4)
		return 2;
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	initialize_med(argv[1], (int)strtol(argv[2], NULL, 10));
	for (call = argv[3]; *call; call++) {
		if (*call == 'b')
			begin_count();
		else if (*call == 'e')
			print(end_count());
		else if (*call == 'f')
			print(end_count_file(result));
		else if (*call == 'l')
			print(end_count_file(name));
		else if (*call == 'w')
			write_files();
		else if (*call == 'k')
			go_on_in_child();
		else if (*call == 't')
			begin_in_thread();
		else
			initialize(argv[1]);
	}
	return 0;
}
