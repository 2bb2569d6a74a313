/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares how to control the emulator's adversary (machine --adversary). A
 * program sets by CPUID after how many kernel instructions an interrupt comes, and how
 * long the turns of processors are.
 */
#ifndef ADVERSARY_H
#define ADVERSARY_H

#include "follow.h"

/* The timer's; the one that wake.ko waits for; no interrupt, but another turn. */
enum adversary_irq { IRQ_TIMER = 0, IRQ_WAKE = 7, IRQ_NONE = 255 };

/**
 * struct range - kernel addresses, both of which are in it; of 64 bits the lower 32,
 *	in which the driver differs from the rest
 */
struct range {
	uint32_t low, high;
};

/* These are the ranges of all addresses, and of the driver's text. */
#define EVERYTHING ((struct range){ 0, UINT32_MAX })
struct range driver_text(void);

/* One function of the driver. */
struct range driver_function(const char *name);

/*
 * From here on the processor begins kernel instructions: interrupt it when it
 * has begun the n-th of those in the range. Returns where the script has n, to
 * be set before each run.
 */
uint32_t *script_interrupt(struct script *s, enum adversary_irq irq,
			   struct range range);

/*
 * No more. @left: receives how many instructions were left to go, 0 if the
 * interrupt has come.
 */
void script_interrupt_end(struct script *s, uint32_t *left);

/*
 * Turns of 1 to so many instructions, drawn from the seed; of many if @most is
 * 0. Ends the program if there is no adversary.
 */
void set_turns(uint32_t seed, uint32_t most);

/* The emulator's total of instructions that the processor has executed in the kernel. */
uint64_t kernel_instructions(void);

#endif /* ADVERSARY_H */
