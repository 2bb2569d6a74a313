/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares tables of the driver's calls: the errors that a call can return before it
 * reads its argument, the bytes that it writes, and the range of their values.
 */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include <linux/vpmc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAGE ((size_t)4096)

/*
 * The memory for arguments consists of pages with different access rights. The pages map a file.
 * The test maps the same file a second time, readable and writable, to examine the arguments.
 */
#define PLACE_PAGES 7
void place_init(void);
char *place_address(size_t offset);
unsigned char *place_alias(size_t offset);

/* Return whether the kernel can read, or write, @size bytes at the offset for this process. */
bool place_readable(size_t offset, size_t size);
bool place_writable(size_t offset, size_t size);

/*
 * struct call - a request
 * @known: the size of its structure
 * @least: the smallest size that the driver accepts
 * @reads: the number of bytes that the driver always reads
 * @must_write: the bytes that have to be writable, or else the call changes nothing: a number of
 *	bytes from the beginning, WHOLE for all, or OF_STARTS for the two fields of a start
 * @zero: offsets of words that must be zero; 0 ends the list
 * @errors: other errors that the call may return; 0 ends the list
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

#define NR_CALLS 15
extern const struct call calls[NR_CALLS];

/* Return the error that the call must return in any state of the driver, or 0. */
int call_refuses(const struct call *call, size_t offset);

/*
 * Check the memory of the argument, and around it, after a call. @before has its bytes before the
 * call. Returns NULL, or a text that describes the error.
 */
const char *call_answer_wrong(const struct call *call, size_t offset,
			      int result, const unsigned char *before);

/* This number of bytes before and after the structure is checked. */
#define MARGIN ((size_t)32)

#endif /* ARGUMENTS_H */
