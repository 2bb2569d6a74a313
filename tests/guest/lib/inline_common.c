// SPDX-License-Identifier: GPL-2.0-only
/* This file has the common code of programs that read counts without system calls. */
#include <err.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inline.h"

/* inline-32.S and inline-64.S contain these offsets as numbers. */
_Static_assert(offsetof(struct vpmc_page, count[1].counter) == 56, "");
_Static_assert(offsetof(struct vpmc_page, count[1].high) == 64, "");
_Static_assert(offsetof(struct inline_span, after) == 32, "");
_Static_assert(offsetof(struct inline_span, result) == 48, "");

struct vpmc_error error;

const struct vpmc_event_sel *events_of(enum events events)
{
	static __thread struct vpmc_event_sel sel[2][2];
	unsigned int i;

	for (i = 0; i < 2; i++)
		sel[events][i] = (struct vpmc_event_sel){
			code_here(i ^ (events == OTHER)), counter_here(i),
			VPMC_USER
		};
	return sel[events];
}

void must(int result, const char *what)
{
	if (result)
		check(false, "%s: %s", what, error.text);
}

bool refused(int result, enum vpmc_code want, const char *what)
{
	return check(result == (int)want && error.code == want,
		     "%s: %d want %d: %s", what, result, want, error.text);
}

struct vpmc *open_handle(void)
{
	struct vpmc *vpmc;

	if (vpmc_open(&vpmc, &error))
		errx(2, "%s", error.text);
	return vpmc;
}

struct vpmc *started(void)
{
	struct vpmc *vpmc = open_handle();

	must(vpmc_start(vpmc, events_of(FIRST), 2, 0, &error), "start");
	return vpmc;
}

struct vpmc *mapped(void)
{
	struct vpmc *vpmc = started();

	must(vpmc_map(vpmc, &error), "map");
	return vpmc;
}

static int64_t instructions(enum events events, const struct inline_counts *c)
{
	return c->count[events == OTHER];
}

static int64_t branches(enum events events, const struct inline_counts *c)
{
	return c->count[events == FIRST];
}

/* Return whether two reads differ by exactly the instructions and branches between them. */
static bool differ(enum events events, const struct inline_counts *from,
		   const struct inline_counts *to, int64_t insns, int64_t jumps)
{
	return instructions(events, to) - instructions(events, from) == insns &&
	       branches(events, to) - branches(events, from) == jumps;
}

/*
 * The first RDPMC of a read is the one of instructions for FIRST events. For OTHER events the
 * second RDPMC is the one of instructions.
 */
#define BEHIND(events) ((events) == FIRST ? 15 : 6)
#define BEFORE(events) ((events) == FIRST ? 3 : 12)

bool span_is_exact(enum events events, unsigned int n)
{
	struct vpmc_read read = { .size = sizeof(read),
				  .scope = VPMC_SCOPE_THREAD };
	const int64_t behind = BEHIND(events), before = BEFORE(events);
	static __thread int fd = -1;
	struct inline_counts called;
	struct inline_span s;

	if (fd < 0)
		fd = open_device();
	inline_span(&s, n, fd, &read);
	called = (struct inline_counts){ { (int64_t)read.count[0],
					   (int64_t)read.count[1] } };
	return !s.result && s.counts[0].count[0] >= 0 &&
	       s.counts[0].count[1] >= 0 &&
	       differ(events, &s.counts[0], &s.counts[1],
		      behind + 1 + 2 * (int64_t)n + before, n) &&
	       differ(events, &s.counts[1], &called, behind + 5, 1) &&
	       differ(events, &called, &s.after, 1 + before, 0);
}

void check_spans(enum events events, const char *what)
{
	static const unsigned int rounds[] = { 1, 2, 1000, 3000000 };
	unsigned int i;

	for (i = 0; i < sizeof(rounds) / sizeof(rounds[0]); i++)
		check(span_is_exact(events, rounds[i]), "%s: %u rounds", what,
		      rounds[i]);
}

void check_none(const char *what)
{
	struct vpmc_snapshot mark;

	check(vpmc_count(0) < 0 && vpmc_count(1) < 0 && vpmc_count(31) < 0 &&
		      vpmc_mark(&mark) < 0,
	      "%s: there is no count to read", what);
}

bool dies_of(int signo, void (*function)(void))
{
	int status;
	pid_t pid;

	pid = child_fork();
	if (!pid) {
		function();
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid)
		err(2, "waitpid");
	return WIFSIGNALED(status) && WTERMSIG(status) == signo;
}

uint64_t rdpmc(uint32_t counter)
{
	uint32_t low, high;

	__asm__ __volatile__("rdpmc" : "=a"(low), "=d"(high) : "c"(counter));
	return (uint64_t)high << 32 | low;
}

void rdpmc_0(void)
{
	rdpmc(0);
}
