// SPDX-License-Identifier: GPL-2.0-only
#include "counter.h"

#include <err.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct perf_event_attr counter_raw(uint64_t config)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_RAW,
		.size = sizeof(struct perf_event_attr),
		.config = config,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
}

struct perf_event_attr counter_instructions(void)
{
	struct perf_event_attr attr = counter_raw(PERF_COUNT_HW_INSTRUCTIONS);

	attr.type = PERF_TYPE_HARDWARE;
	return attr;
}

int counter_open(struct perf_event_attr *attr, pid_t pid)
{
	int fd = syscall(SYS_perf_event_open, attr, pid, -1, -1, 0);

	if (fd < 0)
		err(2, "perf_event_open");
	return fd;
}

uint64_t counter_read(int fd)
{
	uint64_t count;

	if (read(fd, &count, sizeof(count)) != sizeof(count))
		err(2, "read");
	return count;
}

uint64_t counter_of_program(struct perf_event_attr attr, char **argv)
{
	uint64_t count;
	int go[2], fd;
	pid_t pid;
	char byte = 0;

	if (pipe(go))
		err(2, "pipe");
	pid = fork();
	if (pid < 0)
		err(2, "fork");
	if (!pid) {
		if (personality(ADDR_NO_RANDOMIZE) < 0 ||
		    read(go[0], &byte, 1) != 1)
			_exit(126);
		close(go[0]);
		close(go[1]);
		execv(argv[0], argv);
		_exit(127);
	}
	attr.enable_on_exec = 1;
	fd = counter_open(&attr, pid);
	if (write(go[1], &byte, 1) != 1)
		err(2, "write");
	if (waitpid(pid, NULL, 0) != pid)
		err(2, "waitpid");
	count = counter_read(fd);
	close(fd);
	close(go[0]);
	close(go[1]);
	return count;
}
