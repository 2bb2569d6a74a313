// SPDX-License-Identifier: GPL-2.0-only
/*
 * registers mmx|p5: the emulated counters themselves, through /dev/cpu/0/msr,
 * on a kernel without the driver: which bits there are, who is counted, and
 * which instructions and values are refused.
 *
 * Source: Pentium Processor Family Developer's Manual, volume 3, chapter 26.
 */
#include <cpuid.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../bench/totals.h"
#include "check.h"

#define TSC		  0x10
#define CESR		  0x11
#define CTR(n)		  (0x12 + (n))
#define CESR_USER	  0x80
#define CESR_CLOCKS	  0x100
#define CESR_INSTRUCTIONS 0x16
#define CESR_BRANCHES	  0x12
#define COUNTER_BITS	  40

/* The leaf in which the emulator says what it counts: docs/events.md. */
#define LEAF_EVENTS	0x40000002
#define EVENTS_MAGIC	0x434d5056 /* "VPMC" */
#define EVENTS_EMULATED 0x18030448803ULL

static int msr;

/* Returns 0 or a negated errno: EIO if the processor refuses with #GP. */
static int write_msr(unsigned int number, uint64_t value)
{
	return pwrite(msr, &value, 8, number) == 8 ? 0 : -errno;
}

static uint64_t read_msr(unsigned int number)
{
	uint64_t value;

	if (pread(msr, &value, 8, number) != 8)
		err(2, "MSR %#x", number);
	return value;
}

static void test_control(void)
{
	unsigned int bit;

	check(read_msr(CESR) == 0, "CESR is 0 at first");
	for (bit = 0; bit < 64; bit++) {
		bool defined = bit < 10 || (bit >= 16 && bit < 26);
		int result = write_msr(CESR, 1ULL << bit);

		check(result == (defined ? 0 : -EIO) &&
			      read_msr(CESR) == (defined ? 1ULL << bit : 0),
		      "CESR bit %u is %s", bit,
		      defined ? "kept" : "refused and changes nothing");
		write_msr(CESR, 0);
	}
}

static void test_width(void)
{
	static const uint64_t values[] = {
		0,
		1,
		0xffffffff,
		0x100000000,
		0xffffffffff,
		0x10000000005,
		0xffffffffffffffff,
	};
	size_t i;
	int n;

	for (n = 0; n < 2; n++) {
		for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
			uint64_t want =
				values[i] & ((1ULL << COUNTER_BITS) - 1);

			check(!write_msr(CTR(n), values[i]) &&
				      read_msr(CTR(n)) == want,
			      "counter %d keeps 40 bits of %#" PRIx64, n,
			      values[i]);
		}
	}
}

/* Two instructions and one branch a round. */
static void spin(unsigned int rounds)
{
	__asm__ volatile("1: decl %0\n\tjnz 1b" : "+r"(rounds) : : "cc");
}

/* What counter n counts, from @first on, while it spins. */
static uint64_t count(int n, uint64_t control, uint64_t first,
		      unsigned int rounds)
{
	uint64_t value;

	write_msr(CTR(n), first);
	write_msr(CESR, control << 16 * n);
	spin(rounds);
	value = read_msr(CTR(n));
	write_msr(CESR, 0);
	return (value - first) & ((1ULL << COUNTER_BITS) - 1);
}

/* Called through this, it is one piece of code: only the rounds differ. */
static uint64_t (*volatile const counted)(int, uint64_t, uint64_t,
					  unsigned int) = count;

/* 1000 rounds more make so much more, and nothing else differs. */
static void check_count(int n, uint64_t control, uint64_t first, uint64_t want)
{
	uint64_t less, more;

	/* Once before, so that both meet their pages mapped. */
	counted(n, control, first, 10);
	less = counted(n, control, first, 10);
	more = counted(n, control, first, 1010);
	check(more - less == want,
	      "counter %d, control %#" PRIx64 ", from %#" PRIx64
	      ": got %" PRIu64 " want %" PRIu64,
	      n, control, first, more - less, want);
}

static void test_counting(void)
{
	uint64_t top = (1ULL << COUNTER_BITS) - 1;
	int n;

	for (n = 0; n < 2; n++) {
		check_count(n, CESR_USER | CESR_INSTRUCTIONS, 0, 2000);
		check_count(n, CESR_USER | CESR_BRANCHES, 0, 1000);
		check_count(n, CESR_USER | CESR_CLOCKS, 0, 2000);
		check_count(n, CESR_USER | CESR_INSTRUCTIONS, top - 5, 2000);
		check_count(n, CESR_INSTRUCTIONS, 7, 0);
		check_count(n, 0, 7, 0);
	}
}

static void test_rdpmc(bool mmx)
{
	/* CR4.PCE is not set: #GP with MMX. Without, no such instruction. */
	int want = mmx ? SIGSEGV : SIGILL;
	int status;
	pid_t pid = fork();

	if (pid < 0)
		err(2, "fork");
	if (!pid) {
		__asm__ volatile("rdpmc" : : "c"(0) : "eax", "edx");
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid)
		err(2, "waitpid");
	check(WIFSIGNALED(status) && WTERMSIG(status) == want,
	      "RDPMC in user mode ends with signal %d", want);
}

static void test_leaf(void)
{
	unsigned int a, b, c, d;

	__cpuid(LEAF_EVENTS, a, b, c, d);
	check(b == EVENTS_MAGIC, "CPUID announces the emulated counters");
	check(((uint64_t)d << 32 | c) == EVENTS_EMULATED,
	      "emulated events %#" PRIx64 " want %#llx", (uint64_t)d << 32 | c,
	      EVENTS_EMULATED);
}

/* A total of the emulator's; -1 if there is none of this number. */
static uint64_t total(unsigned int number)
{
	unsigned int a, b, c, d;

	__cpuid_count(LEAF_TOTALS, number, a, b, c, d);
	return b == LEAF_MAGIC ? (uint64_t)d << 32 | a : UINT64_MAX;
}

/* Instructions in user mode that reading a total and spinning takes. */
static uint64_t spin_total(unsigned int rounds)
{
	uint64_t before = total(TOTAL_USER);

	spin(rounds);
	return total(TOTAL_USER) - before;
}

static uint64_t (*volatile const spin_measured)(unsigned int) = spin_total;

static void test_totals(void)
{
	uint64_t before[NR_TOTALS], want[NR_TOTALS] = {
		[TOTAL_RDMSR_CESR] = 1,	 [TOTAL_RDMSR_CTR] = 2,
		[TOTAL_RDMSR_OTHER] = 1, [TOTAL_WRMSR_CESR] = 2,
		[TOTAL_WRMSR_CTR] = 1,
	};
	unsigned int i;

	check(total(NR_TOTALS) == UINT64_MAX, "there are %d totals", NR_TOTALS);
	check(spin_measured(1010) - spin_measured(10) == 2000,
	      "1000 rounds are 2000 instructions in the totals");
	for (i = 0; i < NR_TOTALS; i++)
		before[i] = total(i);
	read_msr(CESR);
	read_msr(CTR(0));
	read_msr(CTR(1));
	read_msr(TSC);
	write_msr(CESR, CESR_USER);
	write_msr(CESR, 0);
	write_msr(CTR(1), 0);
	for (i = TOTAL_RDMSR_CESR; i <= TOTAL_WRMSR_CTR; i++)
		check(total(i) - before[i] == want[i],
		      "total %u counts %" PRIu64 " accesses", i, want[i]);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		errx(2, "usage: registers mmx|p5");
	msr = open("/dev/cpu/0/msr", O_RDWR | O_CLOEXEC);
	if (msr < 0)
		err(2, "/dev/cpu/0/msr");
	test_control();
	test_width();
	test_counting();
	test_rdpmc(!strcmp(argv[1], "mmx"));
	test_leaf();
	test_totals();
	return check_status();
}
