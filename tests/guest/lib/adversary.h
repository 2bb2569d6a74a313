/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares how to control the emulator's adversary (machine --adversary). With CPUID, a
 * program sets the number of kernel instructions before an interrupt, and the length of the
 * processors' turns.
 */
#ifndef ADVERSARY_H
#define ADVERSARY_H

#include "follow.h"

/*
 * These are the interrupt of the timer, the interrupt that wake.ko waits for, and a change of
 * turn instead of an interrupt.
 */
enum adversary_irq { IRQ_TIMER = 0, IRQ_WAKE = 7, IRQ_NONE = 255 };

/**
 * struct range - a range of kernel addresses
 * @low: the first address in the range
 * @high: the last address in the range
 *
 * On 64 bits these are the lower 32 bits of the addresses. They are enough to tell the driver from
 * the rest of the kernel.
 */
struct range {
	uint32_t low, high;
};

/* These are the ranges of all addresses, and of the driver's text. */
#define EVERYTHING ((struct range){ 0, UINT32_MAX })
struct range driver_text(void);

/* Return the range of one function of the driver. */
struct range driver_function(const char *name);

/*
 * From this point of the script on, count the kernel instructions in the range that the processor
 * begins, and interrupt the processor when it has begun the n-th one. Returns the address of n in
 * the script. Set n before each run.
 */
uint32_t *script_interrupt(struct script *s, enum adversary_irq irq,
			   struct range range);

/*
 * End the effect of script_interrupt(). @left receives the number of instructions that remained
 * before the interrupt, or 0 if the interrupt has come.
 */
void script_interrupt_end(struct script *s, uint32_t *left);

/*
 * Give each processor turns of random length, from 1 to @most instructions. The lengths depend on
 * the seed. If @most is 0, turns have the usual, much greater length. Ends the program if there is
 * no adversary.
 */
void set_turns(uint32_t seed, uint32_t most);

/*
 * Return the number of instructions that the processor has executed in the kernel, which the
 * emulator counts.
 */
uint64_t kernel_instructions(void);

#endif /* ADVERSARY_H */
