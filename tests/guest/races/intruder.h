/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the intruder, a process of the highest priority that acts on
 * another process wherever the adversary interrupts that process.
 */
#ifndef INTRUDER_H
#define INTRUDER_H

#include "adversary.h"
#include "hold.h"

/**
 * struct intrusion - an action of an intruder
 * @name: its name on the command line
 * @act: acts with a handle of the process and another one; may fill in @seen
 * @stops: the process's counting may end
 * @renews: and its generation
 */
struct intrusion {
	const char *name;
	void (*act)(int fd, int other, struct vpmc_read *seen);
	bool stops, renews;
};

/* Return the intrusion of that name. Ends the program if there is none. */
const struct intrusion *intrusion_named(const char *name);

/**
 * struct intruder - the process
 * @acts: how often it has acted, and @seen: what it has read the last time
 */
struct intruder {
	const struct intrusion *intrusion;
	volatile uint32_t *acts;
	struct vpmc_read *seen;
	uint32_t waited;
};

/* Load the module that it needs. */
void intruder_load(unsigned int processor);

/*
 * Create an intruder for the calling process, on a processor. It exits with that
 * process. Returns when the intruder waits for the interrupt.
 */
struct intruder intruder_create(const struct intrusion *intrusion,
				unsigned int processor);

/* Return when it has acted, once. */
void intruder_await(struct intruder *i);

#endif /* INTRUDER_H */
