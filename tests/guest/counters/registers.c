// SPDX-License-Identifier: GPL-2.0-only
/*
 * registers mmx|p5: test the emulated counters through /dev/cpu/0/msr, on a kernel without the
 * driver. Test which bits of the registers exist, which modes are counted, and which instructions
 * and values are refused.
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

#include "../../bench/totals.h"
#include "check.h"
#include "child.h"
#include "gain.h"

#define TSC		  0x10
#define CESR		  0x11
#define CTR(n)		  (0x12 + (n))
#define CESR_KERNEL	  0x40
#define CESR_USER	  0x80
#define CESR_CLOCKS	  0x100
#define CESR_INSTRUCTIONS 0x16
#define CESR_BRANCHES	  0x12
#define CESR_NOTHING	  0x02 /* an event that is not emulated */
#define COUNTER_BITS	  40

/*
 * This is the CPUID leaf in which the emulator lists the events that it counts:
 * docs/guide/events.md.
 */
#define LEAF_EVENTS	0x40000002
#define EVENTS_MAGIC	0x434d5056 /* "VPMC" */
/* These are flags of an event in EAX of that leaf. */
#define EMULATED	0x1
#define PER_INSTRUCTION 0x4 /* one clock per instruction */

static int msr;

/* Write an MSR. Returns 0 or a negated errno, which is EIO if the processor raises #GP. */
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

/* Execute two instructions and one branch in each round. */
static void spin(unsigned int rounds)
{
	__asm__ volatile("1: decl %0\n\tjnz 1b" : "+r"(rounds) : : "cc");
}

/* Set counter n to @first, and return its growth during a loop. */
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

/*
 * All calls go through this pointer, so that the compiler does not inline them. So they execute the
 * same code, and differ only in the number of rounds.
 */
static uint64_t (*volatile const counted)(int, uint64_t, uint64_t,
					  unsigned int) = count;

/*
 * Return the smallest of several counts. Other tasks that run on this processor may have added to
 * the greater ones.
 */
static uint64_t least_counted(int n, uint64_t control, uint64_t first,
			      unsigned int rounds)
{
	uint64_t least = UINT64_MAX, value;
	int i;

	for (i = 0; i < 5; i++) {
		value = counted(n, control, first, rounds);
		least = value < least ? value : least;
	}
	return least;
}

/* Check that 1000 more rounds add @want to a count. */
static void check_count(int n, uint64_t control, uint64_t first, uint64_t want)
{
	uint64_t less, more;

	less = least_counted(n, control, first, 10);
	more = least_counted(n, control, first, 1010);
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
	/*
	 * CR4.PCE is not set, so RDPMC raises #GP with MMX. Without MMX the instruction does not
	 * exist.
	 */
	int want = mmx ? SIGSEGV : SIGILL;
	int status;
	pid_t pid = child_fork();

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
	static const unsigned int emulated[] = {
		0x00, 0x01, 0x0b, 0x0f, 0x12,  0x16,
		0x1c, 0x1d, 0x27, 0x28, 0x100,
	};
	const unsigned int nr = sizeof(emulated) / sizeof(emulated[0]);
	unsigned int a, b, c, d, code, want, found = 0;

	__cpuid_count(LEAF_EVENTS, 0, a, b, c, d);
	check(b == EVENTS_MAGIC, "CPUID announces the emulated counters");
	for (code = 0; code < 0x200; code++) {
		__cpuid_count(LEAF_EVENTS, code, a, b, c, d);
		want = 0;
		if (found < nr && code == emulated[found]) {
			want = EMULATED;
			found++;
		}
		if (code == CESR_CLOCKS)
			want |= PER_INSTRUCTION;
		if (a != want)
			break;
	}
	check(code == 0x200, "event %#x is emulated: %u", code, a);
}

/* Return a total that the emulator counts, or -1 if it does not have a total of this number. */
static uint64_t total(unsigned int number)
{
	unsigned int a, b, c, d;

	__cpuid_count(LEAF_TOTALS, number, a, b, c, d);
	return b == LEAF_MAGIC ? (uint64_t)d << 32 | a : UINT64_MAX;
}

/* Return the number of user-mode instructions of a loop and of the read of a total. */
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

/* Count an event that never happens, so that counters change only by gains. */
#define USER	  (CESR_USER | CESR_NOTHING)
#define KERNEL	  (CESR_KERNEL | CESR_NOTHING)
#define USER_BOTH (USER | USER << 16)

struct gain_case {
	uint64_t cesr;
	unsigned int leaf, amount;
	int gains;	      /* mask of counters that gain */
	uint64_t first, then; /* values of these counters */
};

static void check_gain(const struct gain_case *g)
{
	uint64_t got[2];
	int n, gained;

	write_msr(CTR(0), g->first);
	write_msr(CTR(1), g->first);
	write_msr(CESR, g->cesr);
	gained = gain(g->leaf, g->amount);
	got[0] = read_msr(CTR(0));
	got[1] = read_msr(CTR(1));
	write_msr(CESR, 0);
	check(gained == g->gains,
	      "leaf %#x, amount %#x, CESR %#" PRIx64
	      ": counters %d gain, want %d",
	      g->leaf, g->amount, g->cesr, gained, g->gains);
	for (n = 0; n < 2; n++) {
		uint64_t want = g->gains & 1 << n ? g->then : g->first;

		check(got[n] == want,
		      "counter %d: got %#" PRIx64 " want %#" PRIx64, n, got[n],
		      want);
	}
}

static void test_gain(void)
{
	static const struct gain_case gains[] = {
		{ USER_BOTH, LEAF_GAIN, 0, 3, 7, 7 },
		{ USER_BOTH, LEAF_GAIN, 5, 3, 7, 12 },
		{ USER_BOTH, LEAF_GAIN_MEGA, 3, 3, 7, 0x300007 },
		/* The counter goes into the upper half, and then wraps. */
		{ USER_BOTH, LEAF_GAIN, 1, 3, 0x7fffffffff, 0x8000000000 },
		{ USER_BOTH, LEAF_GAIN, 1, 3, 0xffffffffff, 0 },
		{ USER_BOTH, LEAF_GAIN_MEGA, 0x80000, 3, 1, 0x8000000001 },
		{ USER_BOTH, LEAF_GAIN_MEGA, 0x80000, 3, 0x8000000001, 1 },
		{ USER_BOTH, LEAF_GAIN_MEGA, 0xfffff, 3, 0x100000, 0 },
		/* Every bit of an amount counts, modulo 2^40. */
		{ USER_BOTH, LEAF_GAIN, 0x3fffffff, 3, 1, 0x40000000 },
		{ USER_BOTH, LEAF_GAIN_MEGA, 0x3fffffff, 3, 1, 0xfffff00001 },
		/* Only the counters in the mask gain. */
		{ USER_BOTH, LEAF_GAIN, 5 + GAIN_NOT(0), 2, 7, 12 },
		{ USER_BOTH, LEAF_GAIN_MEGA, 5 + GAIN_NOT(1), 1, 7, 0x500007 },
		{ USER_BOTH, LEAF_GAIN, 5 + GAIN_NOT(0) + GAIN_NOT(1), 0, 7,
		  7 },
		/* Only counters that count in user mode gain. */
		{ 0, LEAF_GAIN, 5, 0, 7, 7 },
		{ KERNEL | KERNEL << 16, LEAF_GAIN, 5, 0, 7, 7 },
		{ KERNEL | USER << 16, LEAF_GAIN, 5, 2, 7, 12 },
		{ USER | KERNEL << 16, LEAF_GAIN, 5, 1, 7, 12 },
		{ CESR_KERNEL | USER_BOTH, LEAF_GAIN, 5, 3, 7, 12 },
	};
	size_t i;

	for (i = 0; i < sizeof(gains) / sizeof(gains[0]); i++)
		check_gain(&gains[i]);
}

/*
 * Let counter 1 gain @amount events. Returns its count. @sum receives the instructions in the
 * totals.
 */
static uint64_t count_gain(uint64_t control, unsigned int amount, uint64_t *sum)
{
	uint64_t before = total(TOTAL_USER), value;

	write_msr(CTR(1), 0);
	write_msr(CESR, control << 16);
	gain(LEAF_GAIN, amount);
	value = read_msr(CTR(1));
	write_msr(CESR, 0);
	*sum = total(TOTAL_USER) - before;
	return value;
}

static uint64_t (*volatile const gain_counted)(uint64_t, unsigned int,
					       uint64_t *) = count_gain;

/*
 * Check gains in a counter that also counts events. The same code gains nothing, then a thousand,
 * and then nothing again.
 */
static void check_gain_among(uint64_t control, const char *what)
{
	static const unsigned int amounts[] = { 0, 0, 1000, 0 };
	uint64_t got[4], sum[4];
	int i, tries = 10;

	/*
	 * Repeat this if another process has run, because the totals are those of the whole
	 * processor.
	 */
	do {
		for (i = 0; i < 4; i++)
			got[i] = gain_counted(control, amounts[i], &sum[i]);
	} while ((sum[2] != sum[1] || sum[3] != sum[1]) && tries--);
	check(got[2] - got[1] == 1000 && got[3] == got[1],
	      "%s: 1000 more among those that happen", what);
	check(sum[2] == sum[1] && sum[3] == sum[1],
	      "%s: nothing more in the totals", what);
}

static void test_gain_among(void)
{
	check_gain_among(CESR_USER | CESR_INSTRUCTIONS, "instructions");
	check_gain_among(CESR_USER | CESR_BRANCHES, "branches");
	check_gain_among(CESR_USER | CESR_CLOCKS, "clocks");
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
	test_gain();
	test_gain_among();
	return check_status();
}
