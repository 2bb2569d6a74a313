/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the intruder, a process of the highest priority. It acts on another process at
 * each instruction where the adversary interrupts that process.
 */
#ifndef INTRUDER_H
#define INTRUDER_H

#include "adversary.h"
#include "hold.h"

/**
 * struct intrusion - an action of an intruder
 * @name: its name on the command line
 * @act: function that acts on the process. @fd is attached to the process, and @other is unbound.
 *	It can fill in @seen.
 * @stops: true if the action can end the process's count
 * @renews: true if the action can change the generation
 */
struct intrusion {
	const char *name;
	void (*act)(int fd, int other, struct vpmc_read *seen);
	bool stops, renews;
};

/* Return the intrusion with this name. Ends the program if there is no such intrusion. */
const struct intrusion *intrusion_named(const char *name);

/**
 * struct intruder - an intruder
 * @intrusion: its action
 * @acts: the number of times that it has acted
 * @seen: the counts that it has read in its last action
 * @waited: the number of calls of intruder_await()
 */
struct intruder {
	const struct intrusion *intrusion;
	volatile uint32_t *acts;
	struct vpmc_read *seen;
	uint32_t waited;
};

/* Load the module that the intruder needs. The module's interrupt goes to @processor. */
void intruder_load(unsigned int processor);

/*
 * Create an intruder on a processor, which acts on the calling process and exits with it. Returns
 * when the intruder waits for the interrupt.
 */
struct intruder intruder_create(const struct intrusion *intrusion,
				unsigned int processor);

/* Wait until the intruder has acted once more. */
void intruder_await(struct intruder *i);

#endif /* INTRUDER_H */
