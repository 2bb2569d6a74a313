// SPDX-License-Identifier: GPL-2.0-only
/*
 * sample_precise EVENT...: test that each precise sample has the address of the instruction of its
 * event, with machine --exact-pmi. The last event is the one that leaves samples, of loads. With a
 * processor, several processes interrupt each other.
 *
 * A loop has loads with other instructions between them. Each process executes an unknown number of
 * loads before it. But then the loads of its samples are known, except for one number.
 */
#include <err.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vpmc.h>

#include "check.h"

#define PERIOD	  1000
#define RING_SIZE (1 << 18)
#define PROCESSES 3
#define LOADS	  7
#define ROUNDS	  20000
#define EVENTS	  4

void precise_loop(const void *data);
extern const char precise_load0[], precise_load1[], precise_load2[],
	precise_load3[], precise_load4[], precise_load5[], precise_load6[],
	precise_end[];
#ifdef __x86_64__
#define DATA "%rdi"
__asm__(".text\n"
	"precise_loop: nop\n");
#else
#define DATA "%edx"
__asm__(".text\n"
	"precise_loop: movl 4(%esp), %edx\n");
#endif
__asm__(".globl precise_loop, precise_load0, precise_load1, precise_load2\n"
	".globl precise_load3, precise_load4, precise_load5, precise_load6\n"
	".globl precise_end\n"
	"	movl $20000, %ecx\n"
	"precise_load0: movl (" DATA "), %eax\n"
	"	nop\n"
	"precise_load1: movl 4(" DATA "), %eax\n"
	"	addl $1, %eax\n"
	"	nop\n"
	"precise_load2: movl (" DATA "), %eax\n"
	"precise_load3: movl (" DATA "), %eax\n"
	"	nop\n"
	"	nop\n"
	"	nop\n"
	"precise_load4: cmpl (" DATA "), %eax\n"
	"	nop\n"
	"precise_load5: addl (" DATA "), %eax\n"
	"precise_load6: movl 4(" DATA "), %eax\n"
	"	decl %ecx\n"
	"	jnz precise_load0\n"
	"precise_end: ret\n");

static const char *const load[LOADS] = {
	precise_load0, precise_load1, precise_load2, precise_load3,
	precise_load4, precise_load5, precise_load6,
};

/*
 * struct process - the samples of a process
 * @tid: its thread
 * @all: how many it has left
 * @inside: how many of them in the loop
 * @first: the load of the process's event 0 in the loop, if all samples are right
 * @wrong: how many do not fit to the first one
 * @elsewhere: how many in the loop have the address of no load
 * @late: how many in the loop are late
 */
static struct process {
	uint32_t tid;
	unsigned int all, inside, first, wrong, elsewhere, late;
} processes[PROCESSES];
static unsigned int nr_processes;

static struct process *process_of(uint32_t tid)
{
	struct process *p = processes;

	while (p < processes + nr_processes && p->tid != tid)
		p++;
	if (p == processes + PROCESSES)
		errx(2, "too many processes");
	if (p == processes + nr_processes) {
		nr_processes++;
		p->tid = tid;
	}
	return p;
}

static bool is_inside(uint64_t address)
{
	return address >= (uintptr_t)precise_load0 &&
	       address < (uintptr_t)precise_end;
}

static void take(const struct vpmc_sample_record *record, void *arg)
{
	struct process *p;
	unsigned int i = 0, first;

	(void)arg;
	if (record->kind != VPMC_SAMPLE_EVENT ||
	    record->tid == (uint32_t)getpid())
		return;
	p = process_of(record->tid);
	p->all++;
	if (!is_inside(record->address))
		return;
	while (i < LOADS && (uintptr_t)load[i] != record->address)
		i++;
	p->elsewhere += i == LOADS;
	p->late += !!record->is_late;
	/* This is i - p->all * PERIOD, modulo the loads. */
	first = (i + p->all * (LOADS - PERIOD % LOADS)) % LOADS;
	if (!p->inside++)
		p->first = first;
	p->wrong += first != p->first;
}

static void start(struct vpmc *vpmc, struct vpmc_samples_rings **rings,
		  char *const *events, unsigned int nr)
{
	struct vpmc_event_sel sel[EVENTS];
	uint32_t period[EVENTS] = { 0 };
	struct vpmc_error error;
	unsigned int i;

	period[nr - 1] = PERIOD;
	for (i = 0; i < nr; i++) {
		if (vpmc_event_parse(vpmc_pmu_of(vpmc), events[i], VPMC_USER,
				     &sel[i], &error))
			errx(2, "%s", error.text);
	}
	if (vpmc_samples_open(vpmc, period, nr, RING_SIZE, rings, &error) ||
	    vpmc_start(vpmc, sel, nr, VPMC_COLLECT, &error))
		errx(2, "%s", error.text);
}

static void run_all(void)
{
	static const uint32_t data[2];
	unsigned int i;

	for (i = 0; i < PROCESSES; i++) {
		if (!fork()) {
			precise_loop(data);
			_exit(0);
		}
	}
	while (wait(NULL) > 0)
		;
}

static void check_process(const struct process *p)
{
	check(p->inside == LOADS * ROUNDS / PERIOD,
	      "a process leaves %u samples in the loop", p->inside);
	check(!p->elsewhere, "%u are not of loads", p->elsewhere);
	check(!p->wrong, "%u are of another load than that of the event",
	      p->wrong);
	check(!p->late, "%u are late", p->late);
}

int main(int argc, char **argv)
{
	struct vpmc_samples_rings *rings;
	struct vpmc_lost_samples lost;
	struct vpmc_error error;
	struct vpmc *vpmc;
	unsigned int i;

	if (argc < 2 || argc > EVENTS + 1)
		errx(2, "give the events");
	if (vpmc_open(&vpmc, &error))
		errx(2, "%s", error.text);
	start(vpmc, &rings, argv + 1, (unsigned int)argc - 1);
	run_all();
	vpmc_stop(vpmc, &error);
	vpmc_samples_read(rings, 1, take, NULL);
	vpmc_samples_lost(rings, &lost);
	for (i = 0; i < PROCESSES; i++)
		check_process(&processes[i]);
	check(!lost.samples, "no sample is lost");
	vpmc_samples_close(rings);
	vpmc_close(vpmc);
	return check_status();
}
