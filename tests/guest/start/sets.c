// SPDX-License-Identifier: GPL-2.0-only
/*
 * sets ROUNDS: test that processes can start and drop the same few sets of events at the same time.
 * The sets have equal hashes.
 */
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"

static uint32_t hash(const struct vpmc_event *e, uint32_t nr)
{
	uint32_t i, h = nr;

	for (i = 0; i < nr; i++) {
		h ^= e[i].code ^ (uint32_t)e[i].counter << 16 ^
		     (uint32_t)e[i].modes << 24;
		h *= 0x61C88647u;
	}
	return h >> 26;
}

static struct vpmc_start sets[64];
static unsigned int nr_sets;

static void find_sets(uint32_t want)
{
	unsigned int a, b, c;

	for (a = 0; a < 0x29 && nr_sets < 3; a++)
		for (b = 0; b < 0x29 && nr_sets < 3; b++)
			for (c = 0; c < 2 && nr_sets < 3; c++) {
				struct vpmc_start *s = &sets[nr_sets];

				*s = (struct vpmc_start){
					.size = sizeof(*s),
					.nr_events = 2,
					.flags = VPMC_START_FORCE
				};
				s->event[0] = (struct vpmc_event)EVENT(
					any_code_here(a), counter_here(c), 1);
				s->event[1] = (struct vpmc_event)EVENT(
					any_code_here(b), counter_here(!c), 1);
				if (a != 16 && b != 16 &&
				    hash(s->event, 2) == want)
					nr_sets++;
			}
}

static _Noreturn void live(unsigned int n, unsigned int rounds)
{
	static struct vpmc_start s;
	uint32_t seed = n * 7919 + 1;
	unsigned int i, k, bad = 0;
	static struct vpmc_query q;
	int fd = open_device(), r;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (i = 0; i < rounds; i++) {
		seed = seed * 1664525 + 1013904223;
		k = (seed >> 9) % nr_sets;
		s = sets[k];
		r = request(fd, VPMC_START, &s);
		if (r) {
			check(false, "start %d", r);
			break;
		}
		q = (struct vpmc_query){ .size = sizeof(q),
					 .scope = VPMC_SCOPE_THREAD };
		if (request(fd, VPMC_QUERY, &q) || q.nr_events != 2 ||
		    memcmp(q.event, sets[k].event, 2 * sizeof(q.event[0])) != 0)
			bad++;
		if (!(seed >> 4 & 7)) {
			pid_t pid = fork();

			if (!pid) {
				s = sets[(k + 1) % nr_sets];
				_exit(!!request(open_device(), VPMC_START, &s));
			}
			waitpid(pid, &r, 0);
			bad += !!r;
		}
		if (!(seed >> 5 & 3)) {
			close(fd);
			fd = open_device();
		}
	}
	_exit(bad > 0);
}

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 500;
	unsigned int i;
	int status;

	find_sets(hash((struct vpmc_event[1]){ EVENT(any_code_here(0x16),
						     counter_here(0), 1) },
		       1));
	check(nr_sets == 3, "%u sets of one hash", nr_sets);
	for (i = 0; i < 6; i++)
		if (!fork())
			live(i, rounds);
	while (wait(&status) > 0)
		check(!status, "status %#x", status);
	return check_status();
}
