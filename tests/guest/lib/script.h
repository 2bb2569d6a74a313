/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares scripts. The user-mode instructions of a process that runs a script are known
 * exactly, whichever system calls it makes.
 *
 * Such a process executes only the few pieces of code in script-32.S or script-64.S, in the order
 * in which the script has their addresses. The stack pointer walks along the script. Each piece
 * takes its arguments with POP, and continues with the next piece by RET. A script is only read,
 * so any number of processes can run the same script. A new process or thread whose stack is a
 * script begins to run that script. All scripts, and all data that they write, are in memory that
 * all processes share.
 *
 * The functions below append to a script and add up its cost. So the cost is known before the
 * script runs. Tests compare it with the counts of a program, of its children or of its threads.
 */
#ifndef SCRIPT_H
#define SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/types.h>

/* These are a word of a script, and an argument of a system call. */
typedef uintptr_t script_word;

/* Instructions and branches in user mode. */
struct cost {
	uint64_t instructions;
	uint64_t branches;
};

static inline struct cost cost_add(struct cost a, struct cost b)
{
	a.instructions += b.instructions;
	a.branches += b.branches;
	return a;
}

/**
 * struct script - the code that a process executes
 * @cost: the counts when the next piece begins
 * @counts: whether the next piece will be counted
 * @start: the first word of the script
 * @word: the part that is being written; jumps link the parts
 * @length: the number of words in @word
 */
struct script {
	struct cost cost;
	bool counts;
	script_word *start;
	script_word *word;
	unsigned int length;
};

/* Return zeroed memory that all processes share, until shared_free(). */
void *shared(size_t size);
void shared_free(void);

/* Return a script whose process does not count yet. */
struct script script_new(void);

/* Add a system call. Arguments that are not given are zero. */
#define script_call(s, ...) \
	script_call_(s, (const script_word[7]){ __VA_ARGS__ })
void script_call_(struct script *s, const script_word call[7]);

/* Convert a pointer to an argument of a system call. */
#define P(pointer) ((script_word)(pointer))

/*
 * Execute CPUID with the given values of EAX, ECX, EBX, EDX, ESI and EDI. Returns the address of
 * EAX in the script. The other values follow, each SCRIPT_STEP words after the previous value.
 * The script can use the resulting EAX like the result of a system call.
 */
#define script_cpuid(s, ...) \
	script_cpuid_(s, (const script_word[6]){ __VA_ARGS__ })
uint32_t *script_cpuid_(struct script *s, const script_word registers[6]);
#define SCRIPT_STEP (sizeof(script_word) / sizeof(uint32_t))

/* Add the caller's own piece, which takes no arguments and ends with RET. */
void script_piece(struct script *s, const char *piece, struct cost cost);

/* Add n rounds of a loop; n is at least 1. */
void script_rounds(struct script *s, unsigned int n);

/* Write the result of the previous system call to @to. */
void script_save(struct script *s, uint32_t *to);

/* Load argument @n of the next system call from @from. The first argument has number 0. */
void script_load(struct script *s, unsigned int n, const uint32_t *from);

/* Like script_load(), with an address that the driver has returned. */
void script_load_address(struct script *s, unsigned int n, const __u64 *from);

/* Copy a word. */
void script_copy(struct script *s, const uint32_t *from, uint32_t *to);

/*
 * Make a system call that creates a process on the same stack, like fork(2). The new
 * process continues with @child, which counts if @s does. @call is as in script_call().
 */
#define script_fork(s, child, ...) \
	script_fork_(s, child, (const script_word[7]){ __VA_ARGS__ })
void script_fork_(struct script *s, struct script *child,
		  const script_word call[7]);

/*
 * Call clone(2) to create a process or thread whose stack is @child. It counts if @s does.
 * CLONE_PARENT_SETTID and CLONE_CHILD_CLEARTID write to @tid.
 */
void script_clone(struct script *s, struct script *child, uint32_t flags,
		  uint32_t *tid);

/* Like script_clone(), with clone3(2). */
void script_clone3(struct script *s, struct script *child, uint32_t flags,
		   uint32_t *tid);

/*
 * script_thread() creates a thread. script_join() waits until the thread has exited. Both use the
 * two words of @pair.
 */
void script_thread(struct script *s, struct script *child, uint32_t *pair);
void script_join(struct script *s, uint32_t *pair);

/* Wait for any one child. */
void script_wait(struct script *s);

/*
 * Wait at a gate, which is a pipe: read one byte from @fd, its end for reading. Each byte that is
 * written to the pipe lets one process pass.
 */
void script_gate(struct script *s, int fd);

/*
 * Sleep at a gate where another process starts or stops the count. After the gate the process
 * counts if @counts is set. Returns the cost of the script up to the gate.
 */
struct cost script_gate_then(struct script *s, int fd, bool counts);

/*
 * Continue with @to if the word is zero when the process reaches this point. The cost of @s is
 * the cost of the other case, in which the word is not zero.
 */
void script_branch(struct script *s, const uint32_t *word,
		   const struct script *to);

/* End the script by continuing with @to. */
void script_go(struct script *s, const struct script *to);

/* Call VPMC_START: the count begins at zero, or continues with VPMC_START_RESUME. */
struct vpmc_start;
void script_start(struct script *s, int fd, struct vpmc_start *start);

struct vpmc_stop;
void script_stop(struct script *s, int fd, struct vpmc_stop *stop);

/* Call VPMC_READ. Returns the cost of the script that the read must return. */
struct vpmc_read;
struct cost script_read(struct script *s, int fd, struct vpmc_read *read);

/*
 * script_system_start() calls VPMC_SYSTEM_START. From then on, the code of all scripts is counted.
 * script_system_read() calls VPMC_SYSTEM_READ, and returns the count of this script that the read
 * must show.
 */
void script_system_start(struct script *s, int fd, struct vpmc_start *start);
struct vpmc_system_read;
struct cost script_system_read(struct script *s, int fd,
			       struct vpmc_system_read *read);

/* Add the last piece: exit(2) of the thread. */
void script_exit(struct script *s, int status);

/* Add a signal to the thread itself, which survives it. */
void script_raise(struct script *s, int signal);

/*
 * script_handle() lets this process handle a signal with code that a script may execute.
 * script_raise_handled() lets a script send such a signal to its own thread.
 */
void script_handle(int signal);
void script_raise_handled(struct script *s, int signal);

/* Add the last piece: send a signal to the thread itself that ends the thread. */
void script_kill(struct script *s, int signal);

/* Add the last piece: jump to an address without code, so that the kernel sends SIGSEGV. */
void script_crash(struct script *s);

/* Add the last piece: a system call that never returns. */
#define script_last(s, ...) \
	script_last_(s, (const script_word[7]){ __VA_ARGS__ })
void script_last_(struct script *s, const script_word call[7]);

/*
 * Add the last piece: execve(2) of the program exactly-N in the current directory, with its cost. N
 * is at least 8.
 */
void script_exec_exactly(struct script *s, const char *path, unsigned int n);

/*
 * Add the last piece: return from script_run(). The script of a thread must not contain this piece.
 */
void script_back(struct script *s);

/* Run a script that ends with script_back(). */
void script_run(struct script *s);

#endif /* SCRIPT_H */
