// SPDX-License-Identifier: GPL-2.0-only
/*
 * overflow block|exact: test that each overflow of a counter causes an interrupt, and can send
 * signals. The interrupt comes at the end of the block or exactly after the instruction.
 */
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../../guest/lib/check.h"
#include "counter.h"

#define LENGTH	      10 /* instructions in a round */
#define ROUNDS	      100000ul
#define PERIOD	      (100 * LENGTH + 1)
#define SIGNAL_PERIOD 100003
#define BUFFER_PAGES  64

static volatile sig_atomic_t signals;

extern const char spin_begin[], spin_offsets[LENGTH];

/* The lengths of the instructions differ, so spin_offsets maps an address to an instruction. */
__attribute__((noinline)) static void spin(unsigned int rounds)
{
	__asm__ volatile(
		".globl spin_begin\n"
		"spin_begin:\n"
		"0: nop\n1: nop\n2: nop\n3: nop\n"
		"4: nop\n5: nop\n6: nop\n7: nop\n"
		"8: sub $1, %0\n9: jnz spin_begin\n"
		".pushsection .rodata\n"
		".globl spin_offsets\n"
		"spin_offsets: .byte 0, 1b - 0b, 2b - 0b, 3b - 0b, 4b - 0b\n"
		".byte 5b - 0b, 6b - 0b, 7b - 0b, 8b - 0b, 9b - 0b\n"
		".popsection\n"
		: "+r"(rounds)::"cc");
}

/* Return the number of the instruction in spin(), or -1. */
static int instruction_at(uint64_t ip)
{
	for (int i = 0; i < LENGTH; i++)
		if (ip == (uintptr_t)spin_begin + spin_offsets[i])
			return i;
	return -1;
}

struct samples {
	uint64_t n, lost, in_spin, first, out_of_step;
};

/* Count the samples, and those in spin() that are not STEP instructions after the sample before. */
static struct samples read_samples(struct perf_event_mmap_page *page, int step)
{
	const char *data = (const char *)page + page->data_offset;
	struct samples samples = { 0 };
	int last = -1;

	for (uint64_t at = page->data_tail; at < page->data_head;) {
		struct {
			struct perf_event_header header;
			uint64_t ip;
		} record;
		int here;

		memcpy(&record, data + at, sizeof(record));
		at += record.header.size;
		if (record.header.type != PERF_RECORD_SAMPLE) {
			samples.lost++;
			continue;
		}
		samples.n++;
		here = instruction_at(record.ip);
		if (here < 0)
			continue;
		samples.in_spin++;
		samples.first += here == 0;
		samples.out_of_step +=
			last >= 0 && here != (last + step) % LENGTH;
		last = here;
	}
	return samples;
}

static void check_samples(bool exact)
{
	size_t size = (1 + BUFFER_PAGES) * sysconf(_SC_PAGESIZE);
	struct perf_event_attr attr = counter_instructions();
	struct perf_event_mmap_page *page;
	struct samples samples;
	uint64_t count;
	int fd;

	attr.sample_period = PERIOD;
	attr.sample_type = PERF_SAMPLE_IP;
	fd = counter_open(&attr, 0);
	page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		err(2, "mmap");
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	spin(ROUNDS);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	count = counter_read(fd);
	samples = read_samples(page, exact ? PERIOD % LENGTH : 0);
	check(count > ROUNDS * LENGTH && count < ROUNDS * LENGTH + 100,
	      "%" PRIu64 " instructions", count);
	check(!samples.lost && samples.n == count / PERIOD,
	      "%" PRIu64 " samples of %d, %" PRIu64 " lost", samples.n, PERIOD,
	      samples.lost);
	check(samples.in_spin == samples.n && !samples.out_of_step,
	      "%" PRIu64 " in the loop, %" PRIu64 " where they should not be",
	      samples.in_spin, samples.out_of_step);
	check(exact || samples.first == samples.n,
	      "%" PRIu64 " behind a branch", samples.first);
	munmap(page, size);
	close(fd);
}

static void note_signal(int signal)
{
	(void)signal;
	signals++;
}

static void check_signals(void)
{
	struct perf_event_attr attr = counter_instructions();
	uint64_t count;
	int fd;

	signal(SIGRTMIN, note_signal);
	attr.sample_period = SIGNAL_PERIOD;
	attr.wakeup_events = 1;
	fd = counter_open(&attr, 0);
	if (fcntl(fd, F_SETFL, O_ASYNC) || fcntl(fd, F_SETSIG, SIGRTMIN) ||
	    fcntl(fd, F_SETOWN, getpid()))
		err(2, "fcntl");
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	spin(ROUNDS);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	count = counter_read(fd);
	check((uint64_t)signals == count / SIGNAL_PERIOD,
	      "%d signals for %" PRIu64 " instructions", (int)signals, count);
	close(fd);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		errx(2, "usage: overflow block|exact");
	check_samples(!strcmp(argv[1], "exact"));
	check_signals();
	return check_status();
}
