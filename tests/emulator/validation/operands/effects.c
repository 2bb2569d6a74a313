// SPDX-License-Identifier: GPL-2.0-only
/*
 * effects: test effects of instructions other than accesses to memory: the end of a single
 * step, the control word of the x87, and CPUID.
 *
 * The expected effects are those of Intel's and AMD's manuals. Real processors pass the test,
 * too.
 */
#include <cpuid.h>
#include <err.h>
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

#include "../../../guest/lib/check.h"

#ifdef __x86_64__
#define STACK "rsp"
#else
#define STACK "esp"
#endif

static unsigned int traps;

static void count_trap(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)info;
	(void)context;
	traps++;
}

/*
 * Execute a text with TF set, and then a NOP and the POPF that clears TF, which are two more
 * steps. After the POPF that sets TF, the processor does not stop before the next instruction.
 */
#define STEPS(text)                                                          \
	({                                                                   \
		char from[64] = { 0 }, to[64] = { 0 };                       \
		void *si = from, *di = to;                                   \
                                                                             \
		traps = 0;                                                   \
		__asm__ volatile(                                            \
			"pushf\n\tpushf\n\torl $0x100, (%%" STACK ")\n\t"    \
			"mov $3, %%ecx\n\txor %%eax, %%eax\n\tpopf\n\t" text \
			"\n\tnop\n\tpopf"                                    \
			: "+S"(si), "+D"(di)                                 \
			:                                                    \
			: "eax", "ebx", "ecx", "edx", "cc", "memory");       \
		traps - 2;                                                   \
	})

static void check_steps(const char *text, unsigned int got, unsigned int want)
{
	check(got == want, "%u single steps, want %u: %s", got, want, text);
}

#define CHECK_STEPS(want, text) check_steps(text, STEPS(text), want)

/*
 * By SDM, volume 3, "Single-Step Exception Condition", a repeated instruction traps after each
 * iteration, and a move to SS and the instruction after it trap together.
 */
// NOLINTNEXTLINE(readability-function-size): each line is a block of the macro.
static void string_steps(void)
{
	CHECK_STEPS(0, "");
	CHECK_STEPS(1, "nop");
	CHECK_STEPS(2, "pause; nop");
	CHECK_STEPS(3, "rep movsb");
	CHECK_STEPS(3, "rep stosl");
	CHECK_STEPS(3, "rep lodsw");
	CHECK_STEPS(3, "repe cmpsb");
	CHECK_STEPS(1, "repne cmpsb");
	CHECK_STEPS(3, "repe scasb");
	CHECK_STEPS(1, "repne scasl");
	CHECK_STEPS(2, "xor %%ecx, %%ecx; rep movsb");
}

// NOLINTNEXTLINE(readability-function-size): each line is a block of the macro.
static void other_steps(void)
{
	CHECK_STEPS(2, "movsb; stosb");
	CHECK_STEPS(3, "mov %%ss, %%eax; mov %%eax, %%ss; nop; nop");
	CHECK_STEPS(1, "cpuid");
	CHECK_STEPS(1, "rdtsc");
	CHECK_STEPS(3, "1: loop 1b");
	CHECK_STEPS(1, "jmp 1f; 1:");
	CHECK_STEPS(2, "fninit; fnop");
}

/*
 * Return two control words: the one after FNSTENV, which masks all exceptions, and the one
 * after FLDENV.
 */
static void environment(void)
{
	uint16_t unmasked = 0x372, after, restored, status, stored;
	uint32_t environment[7];

	__asm__ volatile(
		"fninit; fldcw %[cw]; fnstenv %[env]; fnstcw %[after]; fldenv %[env];"
		"fnstcw %[restored]"
		: [env] "=m"(environment), [after] "=m"(after),
		  [restored] "=m"(restored)
		: [cw] "m"(unmasked));
	check(after == 0x37f && restored == 0x372,
	      "FNSTENV masks all exceptions, and FLDENV restores them: %#x, %#x",
	      after, restored);
	unmasked = 0x37b;
	__asm__ volatile(
		"fninit; fldcw %[cw]; fldz; fld1; fdiv %%st(1); fnstenv %[env];"
		"fnstsw %[status]; fwait; fninit"
		: [env] "=m"(environment), [status] "=m"(status)
		: [cw] "m"(unmasked));
	stored = (uint16_t)environment[1];
	check((stored & 0x8084) == 0x8084 && (status & 0x8084) == 4,
	      "an exception that it masks is pending no longer: %#x, %#x",
	      stored, status);
}

/* FADD to FSQRT round to the precision of the control word (SDM, volume 1, 8.1.5.2). */
#define X87(text, control)                                                 \
	({                                                                 \
		uint64_t significand;                                      \
		unsigned char result[10];                                  \
		uint16_t cw = control;                                     \
                                                                           \
		__asm__ volatile(                                          \
			"fninit; fldt %[b]; fldt %[a]; fldcw %[cw]; " text \
			"; fstpt %[result]; fninit"                        \
			: [result] "=m"(result)                            \
			: [a] "m"(number), [b] "m"(larger), [cw] "m"(cw)); \
		memcpy(&significand, result, sizeof(significand));         \
		significand;                                               \
	})
#define CHECK_PRECISION(text, is_rounded)                                   \
	do {                                                                \
		uint64_t full = X87(text, 0x37f), single = X87(text, 0x7f); \
                                                                            \
		check((full != single) == (is_rounded),                     \
		      "the precision control %s " text ": %#" PRIx64        \
		      ", %#" PRIx64,                                        \
		      (is_rounded) ? "rounds" : "does not round", full,     \
		      single);                                              \
	} while (0)

// NOLINTNEXTLINE(readability-function-size): each line is a block of the macro.
static void precision(void)
{
	/* These numbers are 0.88 and 4.7, and use all bits of the significand. */
	static const unsigned char number[10] = {
		0x57, 0xbe, 0x9f, 0x1a, 0x6f, 0xdd, 0x8d, 0xe2, 0xfe, 0x3f
	};
	static const unsigned char larger[10] = {
		0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x98, 0x01, 0x40
	};

	CHECK_PRECISION("fadd %%st(1)", true);
	CHECK_PRECISION("fmul %%st(1)", true);
	CHECK_PRECISION("fdiv %%st(1)", true);
	CHECK_PRECISION("fsqrt", true);
	CHECK_PRECISION("fld %%st(1)", false);
	CHECK_PRECISION("frndint", false);
	CHECK_PRECISION("fscale", false);
	CHECK_PRECISION("fprem", false);
	CHECK_PRECISION("fprem1", false);
	CHECK_PRECISION("fxtract", false);
	CHECK_PRECISION("f2xm1", false);
	CHECK_PRECISION("fyl2x", false);
	CHECK_PRECISION("fpatan", false);
	CHECK_PRECISION("fsin", false);
	CHECK_PRECISION("fcos", false);
	CHECK_PRECISION("fptan; fxch", false);
	CHECK_PRECISION("fldpi", false);
}

/*
 * For leaves beyond the highest one, Intel's processors return the highest basic leaf, and
 * AMD's return zeros.
 */
static void leaves(void)
{
	static const unsigned int beyond[] = { 0x100, 0x3fffffff, 0x80000100,
					       0xc0000000, 0xffffffff };
	unsigned int max, b, c, d, is_amd, want[4] = { 0 }, got[4];

	__cpuid(0, max, b, c, d);
	is_amd = b == signature_AMD_ebx;
	if (!is_amd)
		__cpuid_count(max, 0, want[0], want[1], want[2], want[3]);
	for (size_t i = 0; i < sizeof(beyond) / sizeof(beyond[0]); i++) {
		__cpuid_count(beyond[i], 0, got[0], got[1], got[2], got[3]);
		check(!memcmp(got, want, sizeof(got)),
		      "CPUID %#x: %#x %#x %#x %#x", beyond[i], got[0], got[1],
		      got[2], got[3]);
	}
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = count_trap,
				    .sa_flags = SA_SIGINFO };

	if (sigaction(SIGTRAP, &action, NULL))
		err(2, "sigaction");
	string_steps();
	other_steps();
	environment();
	precision();
	leaves();
	return check_status();
}
