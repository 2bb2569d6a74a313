// SPDX-License-Identifier: GPL-2.0-only
/*
 * operands: test that instructions access exactly the bytes of their operand in memory, and
 * that an instruction that faults does not change anything.
 *
 * Each form of forms.h is executed
 *
 *  - with its operand in the last and in the first bytes of a mapping, where it must not fault,
 *  - at addresses that are not aligned, where it must fault only if the form says so,
 *  - with a part of its operand in a page that is missing or cannot be written, where it must
 *    fault, and leave memory, registers and flags as they are.
 *
 * Sizes and alignments are those of Intel's and AMD's manuals. Real processors pass the test,
 * too; each executes the forms that it has.
 */
#include <cpuid.h>
#include <err.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "../../../guest/lib/check.h"
#include "operands.h"

#define PAGE	   4096
#define ALL_ACCESS (PROT_READ | PROT_WRITE)
#define RF	   0x10000
/* In a page fault's error code, this bit says that the access was a write. */
#define WRITE	   2

enum exception { NO_EXCEPTION, GENERAL_PROTECTION = 13, PAGE_FAULT = 14 };

/* The handler has seen this exception. */
static struct {
	enum exception exception;
	unsigned char *address;
	unsigned long flags;
	unsigned long error;
} fault;

static const struct form forms[] = {
#include "forms-table.h"
};

/* Operands are in this page, between two others. */
static unsigned char *page;
static unsigned char pattern[PAGE];
static _Alignas(64) unsigned char other[PAGE], stack[16 * PAGE];
/* This instruction may fault, and this state must remain if it does. */
static const void *at;
static struct state expected;
static unsigned int nr_bad;

static void __attribute__((format(printf, 3, 4)))
report(const struct form *form, const char *where, const char *format, ...)
{
	char text[100];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (!nr_bad++)
		check(false, "%s: %s: %s", form->text, where, text);
}

static bool is_there(enum group group)
{
	unsigned int a, b, c = 0, d = 0, b7 = 0, c7 = 0, d7;

	__get_cpuid(1, &a, &b, &c, &d);
	if (__get_cpuid_max(0, NULL) >= 7)
		__cpuid_count(7, 0, a, b7, c7, d7);
	switch (group) {
	case BASE:
		return true;
	case MMX:
		return d & bit_MMX;
	case CX16:
		return c & bit_CMPXCHG16B;
	case SSSE3:
		return c & bit_SSSE3;
	case SSE41:
		return c & bit_SSE4_1;
	case SSE42:
		return (c & bit_SSE4_2) && (c & bit_POPCNT);
	case AES:
		return c & bit_AES;
	case PCLMUL:
		return c & bit_PCLMUL;
	case MOVBE:
		return c & bit_MOVBE;
	case XSAVE:
		return c & bit_OSXSAVE;
	case AVX:
		return (c & bit_AVX) && (c & bit_OSXSAVE);
	case F16C:
		return c & bit_F16C;
	case FMA:
		return c & bit_FMA;
	case AVX2:
		return b7 & bit_AVX2;
	case BMI:
		return (b7 & bit_BMI) && (b7 & bit_BMI2);
	case ADX:
		return b7 & bit_ADX;
	case NO_UMIP:
		return !(c7 & (1 << 2));
	}
	return false;
}

static void handler(int sig, siginfo_t *info, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;

	if (fault.exception || (uintptr_t)registers[REG_IP] != (uintptr_t)at) {
		printf("signal %d at %#lx\n", sig,
		       (unsigned long)registers[REG_IP]);
		_exit(2);
	}
	fault.exception = (enum exception)registers[REG_TRAPNO];
	fault.error = (unsigned long)registers[REG_ERR];
	fault.flags = (unsigned long)registers[REG_EFL];
	fault.address = info->si_addr;
	registers[REG_IP] = (greg_t)runner_end;
}

static void protect(int below, int own, int above)
{
	if (mprotect(page - PAGE, PAGE, below) || mprotect(page, PAGE, own) ||
	    mprotect(page + PAGE, PAGE, above))
		err(2, "mprotect");
}

static uint16_t segment_cs(void)
{
	uint16_t value;

	__asm__("mov %%cs, %0" : "=r"(value));
	return value;
}

static uint16_t segment_ss(void)
{
	uint16_t value;

	__asm__("mov %%ss, %0" : "=r"(value));
	return value;
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static void put(unsigned char *to, uint64_t value, size_t size)
{
	memcpy(to, &value, size);
}

/* Write the frame from which IRET or far RET returns. @size: bytes of each word */
static void put_frame(unsigned char *to, size_t size, unsigned int words)
{
	uint64_t frame[] = { (uintptr_t)runner_end, segment_cs(), 0x246,
			     (uintptr_t)stack + sizeof(stack) / 4,
			     segment_ss() };

	for (unsigned int i = 0; i < words; i++)
		put(to + i * size, frame[i], size);
}

/*
 * Give the operand a value that the form accepts: a state of the x87 or of vectors, an address
 * to go to, or a selector.
 */
static void put_value(const struct form *form, unsigned char *operand)
{
	const char *text = form->text;
	uintptr_t end = (uintptr_t)runner_end;

	if (strstr(text, "xrstor")) {
		memset(operand, 0, form->size);
		put(operand + 24, 0x1f80, 4);
	} else if (strstr(text, "fldenv") || strstr(text, "frstor")) {
		memset(operand, 0, form->size);
		put(operand, 0x37f, 2);
	} else if (begins(text, "ldmxcsr")) {
		put(operand, 0x1f80, 4);
	} else if (begins(text, "ljmp") || begins(text, "lcall *(%" EDI)) {
		put(operand, end, 4);
		put(operand + 4, segment_cs(), 2);
	} else if (begins(text, "lret")) {
		put_frame(operand, form->size / 2, 2);
	} else if (begins(text, "iret")) {
		put_frame(operand, form->size / IRET_WORDS, IRET_WORDS);
	} else if (begins(text, "ret") || begins(text, "jmp") ||
		   begins(text, "call *(%" EDI)) {
		put(operand, end, form->size);
	} else if (begins(text, "popf")) {
		put(operand, 0x246, form->size);
	} else if (begins(text, "lds") || begins(text, "les") ||
		   begins(text, "pop %") || begins(text, "mov (")) {
		put(operand, 0, form->size);
		put(operand + form->size -
			    (begins(text, "pop") ? form->size : 2),
		    segment_ss(), 2);
	} else if (begins(text, "bound")) {
		memset(operand, 0, form->size / 2);
		memset(operand + form->size / 2, 0x7f, form->size / 2);
	}
}

/* Fill memory with a pattern, and give the operand a value. */
static void fill(const struct form *form, unsigned char *operand)
{
	protect(ALL_ACCESS, ALL_ACCESS, ALL_ACCESS);
	for (unsigned char *to = page - PAGE; to <= page + PAGE; to += PAGE)
		memcpy(to, pattern, PAGE);
	put_value(form, operand);
	put(other + PAGE / 2, (uintptr_t)runner_end, 4);
	put(other + PAGE / 2 + 4, segment_cs(), 2);
}

#ifdef __x86_64__
/*
 * Set the vectors to numbers, some of which become inexact in a conversion, and to masks and
 * indices: see forms.py.
 */
static void set_vectors(struct state *state)
{
	static const uint32_t numbers[8] = { 0x3fc00001, 0xbf800000, 0x40000000,
					     0x3f800000, 0x40400000, 0xc0800000,
					     0x3f800000, 0x40a00000 };
	static const uint32_t masks[8][8] = {
		{ -1U, -1U, -1U, -1U, -1U, -1U, -1U, -1U },
		{ -1U, -1U, -1U, -1U },
		{ 0, 0, 0, 0, -1U, -1U, -1U, -1U },
		{ 0 },
		{ -1U, 0x7fffffff },
		{ 0, 0, 4, 0, 8, 0, 12, 0 },
		{ 0, 4, 8, 12, 16, 20, 24, 28 },
		{ 0, 0, 8, 0, 16, 0, 24, 0 },
	};

	for (unsigned int i = 0; i < 16; i++) {
		memcpy(state->ymm[i], i < 8 ? numbers : masks[i - 8], 32);
		memcpy(state->x87 + 160 + (size_t)16 * i,
		       i < 8 ? numbers : masks[i - 8], 16);
	}
}

/* Set an x87 and MXCSR without exceptions, and numbers in ST(0) and ST(2). */
static void set_x87(struct state *state)
{
	unsigned char *x87 = state->x87;

	put(x87, 0x37f, 2);
	/* TOP is 7, and only register 7 is valid. */
	put(x87 + 2, 7 << 11, 2);
	put(x87 + 4, 1 << 7, 1);
	put(x87 + X87_MXCSR, 0x1f80, 4);
	put(x87 + 32, 0xc000000000000001, 8);
	put(x87 + 40, 0x3fff, 2);
	put(x87 + 64, UINT64_MAX, 8);
	set_vectors(state);
}
#else
/* Set the same in the form of FRSTOR. */
static void set_x87(struct state *state)
{
	unsigned char *x87 = state->x87;

	put(x87, 0x37f, 2);
	put(x87 + 4, 7 << 11, 2);
	put(x87 + 8, 0x3fff, 2);
	put(x87 + 28, 0xc000000000000001, 8);
	put(x87 + 36, 0x3fff, 2);
	put(x87 + 48, UINT64_MAX, 8);
}
#endif

static void set_registers(const struct form *form, const unsigned char *operand)
{
	uintptr_t *gpr = runner_before.gpr;

	memset(&runner_before, 0, sizeof(runner_before));
	memset(&runner_after, 0, sizeof(runner_after));
	for (unsigned int i = 0; i < NR_REGISTERS; i++)
		gpr[i] = (uintptr_t)0x0101010101010101 * (i + 1);
	/* These give a small quotient, a count, and the number of a bit. */
	gpr[AX] = 2;
	gpr[CX] = 2;
	gpr[DX] = 0;
	gpr[SI] = (uintptr_t)other + PAGE / 2;
	gpr[DI] = (uintptr_t)other + PAGE / 4;
	gpr[BX] = (uintptr_t)other + PAGE / 4;
	gpr[BP] = (uintptr_t)stack + sizeof(stack) / 2;
	gpr[SP] = (uintptr_t)stack + sizeof(stack) / 4;
	gpr[form->base] =
		(uintptr_t)operand + (form->kind & PUSH ? form->size : 0);
	/* XLAT adds AL to the address. */
	gpr[form->base] -= form->base == BX ? gpr[AX] : 0;
	runner_before.flags = 0x246;
	set_x87(&runner_before);
}

static bool is_same(const struct form *form, const char *where,
		    const char *what, const void *before, const void *after,
		    size_t size)
{
	const unsigned char *x = before, *y = after;

	for (size_t i = 0; i < size; i++) {
		if (x[i] != y[i]) {
			report(form, where, "byte %zu of %s was %#x and is %#x",
			       i, what, x[i], y[i]);
			return false;
		}
	}
	return true;
}

/* Compare the state before and after a fault. */
static void compare_states(const struct form *form, const char *where)
{
	const struct state *before = &expected, *after = &runner_after;

	if (form->kind & PARTIAL)
		return;
	if ((before->flags ^ after->flags) & ~(uintptr_t)RF)
		report(form, where, "flags are %#" PRIxPTR, after->flags);
	is_same(form, where, "registers", before->gpr, after->gpr,
		sizeof(before->gpr));
	is_same(form, where, "the x87's control", before->x87, after->x87,
		X87_CONTROL);
	is_same(form, where, "MXCSR", before->x87 + X87_MXCSR,
		after->x87 + X87_MXCSR, X87_MXCSR_SIZE);
	is_same(form, where, "x87 and vectors", before->x87 + X87_REGISTERS,
		after->x87 + X87_REGISTERS, X87_REGISTERS_SIZE);
	if (runner_has_avx)
		is_same(form, where, "YMM", before->ymm, after->ymm,
			sizeof(before->ymm));
}

static void execute(const struct form *form, unsigned int way,
		    unsigned char *operand)
{
	const struct code *code = &runner_codes[form - forms][way];

	memset(&fault, 0, sizeof(fault));
	set_registers(form, operand);
	at = NULL;
	runner_code = runner_nothing[way];
	runner_run();
	expected = runner_after;
	at = code->at;
	runner_code = code->begin;
	runner_run();
}

/* Only the page of the operand is accessible. */
static void check_success(const struct form *form, const char *where,
			  unsigned char *operand, int own)
{
	static unsigned char copy[PAGE];
	size_t from = (size_t)(operand - page), to = from + form->size;

	memcpy(copy, page, PAGE);
	protect(PROT_NONE, own, PROT_NONE);
	execute(form, PLAIN, operand);
	protect(ALL_ACCESS, ALL_ACCESS, ALL_ACCESS);
	if (fault.exception) {
		report(form, where, "exception %d at byte %td", fault.exception,
		       fault.address - operand);
		return;
	}
	if (!(form->kind & (STORE | PUSH)))
		from = to = PAGE;
	is_same(form, where, "memory below", copy, page, from);
	is_same(form, where, "memory above", copy + to, page + to, PAGE - to);
}

static void check_exception(const struct form *form, const char *where,
			    unsigned char *operand)
{
	unsigned char *first = operand < page ? operand : page + PAGE;
	bool is_write = form->kind & (STORE | PUSH);

	if (fault.exception != PAGE_FAULT) {
		report(form, where, "exception %d instead of a page fault",
		       fault.exception);
		return;
	}
	if (!(form->kind & ANY_ORDER)
		    ? fault.address != first
		    : (fault.address < page) != (operand < page))
		report(form, where, "the page fault is at byte %td",
		       fault.address - operand);
	if (!(fault.error & WRITE) == is_write)
		report(form, where, "the page fault's error code is %#lx",
		       fault.error);
	if (!(fault.flags & RF))
		report(form, where, "RF is clear");
}

/* Some bytes of the operand are in the page below or above, which cannot be accessed. */
static void check_fault(const struct form *form, const char *where,
			unsigned int way, unsigned char *operand, int below,
			int above)
{
	static unsigned char copy[3 * PAGE];

	fill(form, operand);
	memcpy(copy, page - PAGE, sizeof(copy));
	protect(below, ALL_ACCESS, above);
	execute(form, way, operand);
	protect(ALL_ACCESS, ALL_ACCESS, ALL_ACCESS);
	check_exception(form, where, operand);
	if (!(form->kind & STORES_FIRST))
		is_same(form, where, "memory", copy, page - PAGE, sizeof(copy));
	compare_states(form, where);
}

static void check_parts(const struct form *form)
{
	unsigned int step = form->alignment;

	/* A state has too many bytes to test each. */
	if (form->size > 32 && step < 16)
		step = form->size / 7;
	for (unsigned int part = step; part < form->size; part += step) {
		unsigned char *high = page + PAGE - part, *low = page - part;

		check_fault(form, "end is missing", PLAIN, high, PROT_READ,
			    PROT_NONE);
		check_fault(form, "beginning is missing", PLAIN, low, PROT_NONE,
			    PROT_READ);
		if (!(form->kind & (STORE | PUSH)))
			continue;
		check_fault(form, "end is not writable", PLAIN, high, PROT_READ,
			    PROT_READ);
		check_fault(form, "beginning is not writable", PLAIN, low,
			    PROT_READ, PROT_READ);
	}
	/* After each of these instructions, the emulator keeps the flags in another way. */
	for (unsigned int way = 0; way < (form->base == BX ? 1 : NR_WAYS);
	     way++) {
		check_fault(form, runner_ways[way], way, page + PAGE, PROT_READ,
			    PROT_NONE);
		if (form->kind & (STORE | PUSH))
			check_fault(form, runner_ways[way], way, page + PAGE,
				    PROT_READ, PROT_READ);
	}
}

static void check_alignment(const struct form *form)
{
	for (unsigned int offset = 1; offset < 16; offset++) {
		unsigned char *operand = page + 64 + offset;

		fill(form, operand);
		if (offset % form->alignment == 0) {
			check_success(form, "aligned to 1", operand,
				      ALL_ACCESS);
			continue;
		}
		execute(form, PLAIN, operand);
		if (fault.exception != GENERAL_PROTECTION)
			report(form, "not aligned",
			       "exception %d instead of #GP", fault.exception);
		is_same(form, "not aligned", "memory", pattern, page, 64);
		compare_states(form, "not aligned");
	}
}

static void check_form(const struct form *form)
{
	unsigned char *end = page + PAGE - form->size;

	nr_bad = 0;
	if (form->size) {
		fill(form, end);
		check_success(form, "end of a page", end, ALL_ACCESS);
		fill(form, page);
		check_success(form, "beginning of a page", page, ALL_ACCESS);
		if (!(form->kind & (STORE | PUSH)))
			check_success(form, "only readable", page, PROT_READ);
		check_parts(form);
		check_alignment(form);
	} else {
		/* The mask does not select any byte. */
		fill(form, page);
		execute(form, PLAIN, page);
		check_success(form, "nowhere", page + PAGE, PROT_NONE);
	}
	if (!nr_bad)
		check(true, "%s", form->text);
}

static void begin(void)
{
	static unsigned char signal_stack[65536];
	stack_t alternative = { .ss_sp = signal_stack,
				.ss_size = sizeof(signal_stack) };
	struct sigaction action = { .sa_sigaction = handler,
				    .sa_flags = SA_SIGINFO | SA_ONSTACK };
	static const int signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE };

	if (sigaltstack(&alternative, NULL))
		err(2, "sigaltstack");
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (sigaction(signals[i], &action, NULL))
			err(2, "sigaction");
	page = mmap(NULL, (size_t)3 * PAGE, ALL_ACCESS,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		err(2, "mmap");
	page += PAGE;
	/* Each 4 and each 8 bytes are a positive number, and not a NaN. */
	for (unsigned int i = 0; i < PAGE; i++)
		pattern[i] = i % 8 == 7	  ? 0x3f
			     : i % 8 == 3 ? 0x3e
					  : i % 251 & 0x7f;
	runner_has_avx = is_there(AVX);
}

int main(void)
{
	begin();
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (is_there(forms[i].group))
			check_form(&forms[i]);
	return check_status();
}
