/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares types that operands.c shares with runner.S and with the files that
 * forms.py writes.
 */
#ifndef OPERANDS_H
#define OPERANDS_H

#include <stdint.h>

#include "forms.h"

/* The registers have the order of their numbers. */
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
/* A Pentium has FNSAVE but not FXSAVE. */
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
 * @x87: the state that FXSAVE or FNSAVE stores, with the lower halves of the vectors
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
	/* Processors access the parts of the operand in different orders. */
	ANY_ORDER = 4,
	/* If a part faults, registers may have changed for the parts before it. */
	PARTIAL = 8,
	/* A part may be stored before another part faults. */
	STORES_FIRST = 16
};

/* This is the first way to execute a form: without an instruction before it. */
enum { PLAIN };

/*
 * struct form - an instruction
 * @text: its text for the assembler
 * @group: the feature that it needs
 * @kind: a set of enum kind
 * @base: the register with the operand's address
 * @size: number of bytes of the operand that it accesses
 * @alignment: the address of the operand must be a multiple of this
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
 * struct code - the code of a form, executed in one way
 * @begin: start of the code; there may be instructions that change the flags and BX
 * @at: the instruction of the form
 */
struct code {
	const void *begin;
	const void *at;
};

/*
 * These are the codes of each form in each way, the codes of each way without a form, and the names
 * of the ways.
 */
extern const struct code runner_codes[][NR_WAYS];
extern const void *const runner_nothing[NR_WAYS];
extern const char *const runner_ways[NR_WAYS];

/* runner.S loads and stores these states. */
extern struct state runner_before, runner_after;
extern uintptr_t runner_has_avx;
extern const void *runner_code;

/*
 * Load the state, execute the code, and store the state. The code ends with a jump to
 * runner_end.
 */
void runner_run(void);
extern const char runner_end[];

#endif /* OPERANDS_H */
