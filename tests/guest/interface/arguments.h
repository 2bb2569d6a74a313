/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares tables of what each call of the driver does with its argument:
 * which errors it can return before it looks at the contents, which bytes it writes,
 * and between which values.
 */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include <linux/vpmc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAGE ((size_t)4096)

/*
 * Memory in which arguments lie: pages with different rights, all of which are
 * one file that is mapped a second time, writable, to look at them from there.
 */
#define PLACE_PAGES 7
void place_init(void);
char *place_address(size_t offset);
unsigned char *place_alias(size_t offset);

/* Whether the kernel can read, or write, @size bytes at the offset for us. */
bool place_readable(size_t offset, size_t size);
bool place_writable(size_t offset, size_t size);

/*
 * struct call - a request
 * @known: the size of its structure, and @least: the least that is accepted
 * @reads: how many bytes of it are always read
 * @must_write: what has to be writable before anything is done: bytes from the
 *	beginning, WHOLE, or the two fields of a start
 * @zero: offsets of words that must be zero, ended by 0
 * @errors: other errors that it may return, ended by 0
 */
#define WHOLE	  SIZE_MAX
#define OF_STARTS 1
struct call {
	const char *name;
	unsigned long request;
	size_t known, least, reads, must_write;
	size_t zero[4];
	int errors[8];
};

#define NR_CALLS 13
extern const struct call calls[NR_CALLS];

/* Return the error that the call must return in any state of the driver, or 0. */
int call_refuses(const struct call *call, size_t offset);

/*
 * Check what became of the bytes around the argument. @before: what they were.
 * Returns NULL or what is wrong.
 */
const char *call_answer_wrong(const struct call *call, size_t offset,
			      int result, const unsigned char *before);

/* This number of bytes before and after the structure is checked. */
#define MARGIN ((size_t)32)

#endif /* ARGUMENTS_H */
