/* SPDX-License-Identifier: GPL-2.0-only */
/* Types that operands.c shares with runner.S and with the files that forms.py writes. */
#ifndef OPERANDS_H
#define OPERANDS_H

#include <stdint.h>

#include "forms.h"

/* Registers in the order of their numbers */
enum { AX, CX, DX, BX, SP, BP, SI, DI };

#ifdef __x86_64__
#define NR_REGISTERS	   16
#define X87_SIZE	   512
#define X87_CONTROL	   6
#define X87_MXCSR	   24
#define X87_MXCSR_SIZE	   4
#define X87_REGISTERS	   32
#define X87_REGISTERS_SIZE 384
#define IRET_WORDS	   5
#define REG_IP		   REG_RIP
#define EDI		   "rdi"
#else
/* A Pentium has FNSAVE but no FXSAVE. */
#define NR_REGISTERS	   8
#define X87_SIZE	   108
#define X87_CONTROL	   10
#define X87_MXCSR	   0
#define X87_MXCSR_SIZE	   0
#define X87_REGISTERS	   28
#define X87_REGISTERS_SIZE 80
#define IRET_WORDS	   3
#define REG_IP		   REG_EIP
#define EDI		   "edi"
#endif

/*
 * struct state - the registers that an instruction may change
 * @gpr: the general registers
 * @flags: EFLAGS
 * @x87: as FXSAVE or FNSAVE stores it, with the vectors' lower halves
 * @ymm: the vectors, if the processor has AVX
 */
struct state {
	uintptr_t gpr[NR_REGISTERS];
	uintptr_t flags;
	_Alignas(64) unsigned char x87[X87_SIZE];
	_Alignas(64) unsigned char ymm[16][32];
};

/* A form needs a feature that not all processors have. */
enum group {
	BASE,
	MMX,
	CX16,
	SSSE3,
	SSE41,
	SSE42,
	AES,
	PCLMUL,
	MOVBE,
	XSAVE,
	AVX,
	F16C,
	FMA,
	AVX2,
	BMI,
	ADX,
	NO_UMIP
};

/* A form loads or stores its operand. The operand of a PUSH is below the stack pointer. */
enum kind {
	LOAD = 0,
	STORE = 1,
	PUSH = 2,
	/* Parts are accessed in no order that all processors have. */
	ANY_ORDER = 4,
	/* Registers change as far as it comes. */
	PARTIAL = 8,
	/* A part is stored, and only then another one faults. */
	STORES_FIRST = 16
};

/* The first way to execute a form: with nothing before */
enum { PLAIN };

/*
 * struct form - an instruction
 * @text: in the assembler's words
 * @group: which processors have it
 * @kind: a set of enum kind
 * @base: the register with the operand's address
 * @size: the operand's bytes that it accesses
 * @alignment: what the operand's address must be a multiple of
 */
struct form {
	const char *text;
	enum group group;
	unsigned int kind;
	unsigned int base;
	unsigned int size;
	unsigned int alignment;
};

/*
 * struct code - a form as forms.py has it assembled, in one way
 * @begin: where it begins, perhaps with instructions that change the flags and BX
 * @at: the instruction itself
 */
struct code {
	const void *begin;
	const void *at;
};

/* By form and way; by way, without a form; the names of the ways */
extern const struct code runner_codes[][NR_WAYS];
extern const void *const runner_nothing[NR_WAYS];
extern const char *const runner_ways[NR_WAYS];

/* runner.S loads and stores these. */
extern struct state runner_before, runner_after;
extern uintptr_t runner_has_avx;
extern const void *runner_code;

/* Load the state, execute the code, which ends at runner_end, and store the state. */
void runner_run(void);
extern const char runner_end[];

#endif /* OPERANDS_H */
