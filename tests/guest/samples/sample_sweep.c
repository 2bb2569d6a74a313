// SPDX-License-Identifier: GPL-2.0-only
/*
 * sample_sweep OPERATION FIRST END STEP: test samples of kernel mode at any instruction of an
 * operation, with machine --exact-pmi. A counter overflows at the instructions FIRST, FIRST + STEP
 * and so on after the beginning of the operation.
 *
 * Two counters count the same event. The first counter leaves samples, and the second counter is
 * only read. In each run, the number of samples matches the first count. The first count only
 * lacks the events that happen while the driver writes to the counter.
 */
#include <err.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "adversary.h"
#include "privileged_programs.h"
#include "rings.h"

#define RING_SIZE 65536
#define RAISED	  "/tmp/raised"
#define PERIOD	  VPMC_MIN_PERIOD_KERNEL
/*
 * A counter may miss at most this many events at each write, and it has this many writes without
 * samples. If the interrupt comes just before the write, the events of the interrupt are also
 * missed. This happens in fewer than one of FEW runs.
 */
#define MISSED	  100
#define LOADS	  4
#define INTERRUPT 4000
#define FEW	  20

static struct rings rings;
static struct vpmc_read *probe;
static void *code;

/* A sweep of this function has one instruction more. */
extern const char sweep_nop[];
__asm__(".text\n.globl sweep_nop\nsweep_nop: nop\nret\n");

static void op_read(struct script *s)
{
	script_read(s, rings.fd, probe);
}

/* Let a start count the same instructions on two counters. The first counter leaves samples. */
static void count_twice(struct vpmc_start *start)
{
	start->nr_events = 2;
	start->event[1] = start->event[0];
	start->event[1].counter = 1;
	start->event[0].modes = start->event[1].modes =
		VPMC_MODE_USER | VPMC_MODE_KERNEL;
	start->event[0].period = PERIOD;
}

static void op_stop(struct script *s)
{
	struct vpmc_start *resume = start_arg(FIRST, VPMC_START_RESUME);

	script_stop(s, rings.fd, stop_arg());
	count_twice(resume);
	script_start(s, rings.fd, resume);
}

static void op_fork(struct script *s)
{
	struct script child = script_new();

	script_fork(s, &child, SYS_fork);
	script_exit(&child, 0);
	script_wait(s);
}

static void op_switch(struct script *s)
{
	struct script child = script_new();

	script_fork(s, &child, SYS_fork);
	script_call(&child, SYS_sched_yield);
	script_rounds(&child, 10);
	script_call(&child, SYS_sched_yield);
	script_exit(&child, 0);
	script_call(s, SYS_sched_yield);
	script_call(s, SYS_sched_yield);
	script_wait(s);
}

static void op_yield(struct script *s)
{
	struct timespec *ts = shared(sizeof(*ts));

	*ts = (struct timespec){ 0, 1 };
	script_call(s, SYS_nanosleep, P(ts));
}

static void op_protect(struct script *s)
{
	script_call(s, SYS_mprotect, P(code), 4096, PROT_READ | PROT_EXEC);
}

/* Both counters leave samples, the second counter a little later. */
static uint32_t other_period;

static void op_pair(struct script *s)
{
	script_rounds(s, PERIOD);
}

/* The clock ticks when a system call has begun. */
static void op_tick(struct script *s)
{
	*script_interrupt(s, IRQ_TIMER, EVERYTHING) = 1;
	script_call(s, SYS_getppid);
	script_interrupt_end(s, shared(sizeof(uint32_t)));
}

static void op_exit(struct script *s)
{
	script_exit(s, 0);
}

/* The program gains rights, and its samples are for the superuser. */
static void op_exec(struct script *s)
{
	script_call(s, SYS_setuid, NOBODY);
	script_exec_exactly(s, RAISED, 1000);
}

static const struct {
	const char *name;
	void (*add)(struct script *s);
} operations[] = {
	{ "read", op_read },   { "stop", op_stop },
	{ "fork", op_fork },   { "switch", op_switch },
	{ "sleep", op_yield }, { "protect", op_protect },
	{ "exit", op_exit },   { "pair", op_pair },
	{ "exec", op_exec },   { "tick", op_tick },
};

static unsigned int nr_samples, in_driver, late;
static struct range driver;
static uint64_t address;

static void take(const uint64_t *record, uint32_t size)
{
	const struct vpmc_sample *s = (const struct vpmc_sample *)record;

	(void)size;
	if (*record & VPMC_WHERE_OTHER)
		return;
	nr_samples++;
	late += !!(s->where & VPMC_WHERE_LATE);
	address = sample_address(s);
	in_driver += s->where & VPMC_WHERE_KERNEL &&
		     (uint32_t)address >= driver.low &&
		     (uint32_t)address <= driver.high;
}

static struct vpmc_start *sampled(void)
{
	struct vpmc_start *start =
		start_arg(FIRST, VPMC_START_COLLECT | VPMC_START_RECORDS);

	count_twice(start);
	start->event[1].period = other_period;
	return start;
}

static uint64_t most_missed;
static unsigned int interrupted;

/*
 * Compare the two counts of a thread. They must not differ by more than the documented
 * difference.
 */
static bool counts_fit(const struct vpmc_record *record, int shift)
{
	uint64_t missed, most;

	/* Also, the counters do not begin at the same instruction. */
	missed = record->count[1] > record->count[0]
			 ? record->count[1] - record->count[0]
			 : record->count[0] - record->count[1];
	if (missed > most_missed)
		most_missed = missed;
	most = MISSED * (LOADS + record->count[0] / PERIOD);
	interrupted += missed > most;
	if (missed <= most + INTERRUPT)
		return true;
	return check(false, "shift %d: thread %d counts %llu of %llu", shift,
		     record->tid, (unsigned long long)record->count[0],
		     (unsigned long long)record->count[1]);
}

/*
 * Take the records. Returns the number of samples that the records stand for. Clears *@ok if a
 * record is wrong.
 */
static uint64_t take_records(int shift, bool *ok)
{
	struct vpmc_record record;
	uint64_t want = 0;

	for (;;) {
		record = (struct vpmc_record){ .size = sizeof(record) };
		if (request(rings.fd, VPMC_RECORD, &record))
			return want;
		want += record.count[0] / PERIOD;
		if (other_period)
			want += record.count[1] / other_period;
		else if (!counts_fit(&record, shift))
			*ok = false;
	}
}

static bool run_once(void (*add)(struct script *s), unsigned int instructions,
		     int shift)
{
	struct script s;
	bool ok = true;
	uint64_t want;

	rings = rings_new(RING_SIZE);
	s = script_new();
	other_period = add == op_pair ? PERIOD + (uint32_t)shift : 0;
	script_start(&s, rings.fd, sampled());
	script_rounds(&s, instructions / 2);
	if (instructions % 2)
		script_piece(&s, sweep_nop, (struct cost){ 2, 1 });
	add(&s);
	script_rounds(&s, 1000);
	script_exit(&s, 0);
	if (!child_fork())
		script_run(&s);
	until_gone(&rings);
	nr_samples = 0;
	rings_read(&rings, take);
	want = take_records(shift, &ok);
	if (nr_samples != want)
		ok = check(
			false,
			"shift %d: %u samples, want %llu, the last one at %#llx",
			shift, nr_samples, (unsigned long long)want,
			(unsigned long long)address);
	rings_free(&rings);
	shared_free();
	return ok;
}

int main(int argc, char **argv)
{
	int shift;
	unsigned int i, bad = 0, runs = 0, n;
	struct script s;

	if (argc != 5)
		errx(2, "usage: sample_sweep OPERATION FIRST END STEP");
	driver = driver_text();
	for (i = 0; strcmp(operations[i].name, argv[1]) != 0; i++)
		;
	make_program(&kinds[0], "./exactly-1000", RAISED);
	code = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	rings = rings_new(RING_SIZE);
	/* This is the count from the start to a read. */
	s = script_new();
	probe = read_arg(VPMC_SCOPE_SELF);
	script_start(&s, rings.fd, sampled());
	script_read(&s, rings.fd, probe);
	script_exit(&s, 0);
	if (!child_fork())
		script_run(&s);
	until_gone(&rings);
	rings_free(&rings);
	n = PERIOD - (unsigned int)probe->count[0];
	for (shift = (int)strtol(argv[2], NULL, 10);
	     shift < (int)strtol(argv[3], NULL, 10) && bad < 5;
	     shift += (int)strtol(argv[4], NULL, 10)) {
		runs++;
		probe = read_arg(VPMC_SCOPE_SELF);
		bad += !run_once(operations[i].add, n - (unsigned int)shift,
				 shift);
	}
	check(!bad && interrupted * FEW <= runs,
	      "%s: overflows at %u instructions, %u in the driver, %u late, %llu missed, %u more",
	      argv[1], runs, in_driver, late, (unsigned long long)most_missed,
	      interrupted);
	check(in_driver, "some overflows are in the driver");
	return check_status();
}
