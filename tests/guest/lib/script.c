// SPDX-License-Identifier: GPL-2.0-only
/* This file builds scripts. */
#include <err.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <linux/vpmc.h>

#include "follow.h"
#include "script.h"

/* These are the pieces of code, which are in script-32.S or script-64.S. */
void script_enter(const script_word *word, script_word *back);
extern const char script_piece_back[], script_piece_call[],
	script_piece_if_zero[], script_piece_rounds[], script_piece_save[],
	script_piece_load[], script_piece_jump[], script_piece_cpuid[];
void script_piece_handler(int signal, siginfo_t *info, void *context);

#define ARENA (32UL << 20)

static char *arena;
static size_t arena_used;

void *shared(size_t size)
{
	void *start;

	if (!arena) {
		arena = mmap(NULL, ARENA, PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		if (arena == MAP_FAILED)
			err(2, "mmap");
	}
	size = (size + 15) & ~(size_t)15;
	if (size > ARENA - arena_used)
		errx(2, "no shared memory left");
	start = arena + arena_used;
	arena_used += size;
	return start;
}

void shared_free(void)
{
	if (arena)
		munmap(arena, ARENA);
	arena = NULL;
	arena_used = 0;
}

/*
 * PART is the number of words in a part of a script. JUMP is the number of words in the jump to the
 * next part.
 */
#define PART 128
#define JUMP 2

struct script script_new(void)
{
	script_word *word = shared(PART * sizeof(*word));

	return (struct script){ .start = word, .word = word };
}

static void put(struct script *s, script_word word)
{
	s->word[s->length++] = word;
}

static void pay(struct script *s, unsigned int instructions,
		unsigned int branches)
{
	if (s->counts)
		s->cost = cost_add(s->cost,
				   (struct cost){ instructions, branches });
}

/* Make sure that the next @words words of the script have consecutive addresses. */
static void need(struct script *s, unsigned int words)
{
	script_word *next;

	if (s->length + words + JUMP <= PART)
		return;
	next = shared(PART * sizeof(*next));
	put(s, P(script_piece_jump));
	put(s, P(next));
	pay(s, 2, 1);
	s->word = next;
	s->length = 0;
}

#define CALL 8 /* words of a system call */

static void put_call(struct script *s, const script_word call[7])
{
	int i;

	need(s, CALL);
	put(s, P(script_piece_call));
	for (i = 0; i < 7; i++)
		put(s, call[i]);
}

void script_last_(struct script *s, const script_word call[7])
{
	put_call(s, call);
	pay(s, 8, 1);
}

void script_call_(struct script *s, const script_word call[7])
{
	put_call(s, call);
	pay(s, 9, 2);
}

/* Return the branches of script_piece_cpuid. Only processors of 32 bits count CPUID as a branch. */
static uint64_t cpuid_branches(void)
{
	return sizeof(long) == 8 || is_p4_here() ? 1 : 2;
}

uint32_t *script_cpuid_(struct script *s, const script_word registers[6])
{
	uint32_t *words;
	int i;

	need(s, 7);
	put(s, P(script_piece_cpuid));
	words = (uint32_t *)(s->word + s->length);
	for (i = 0; i < 6; i++)
		put(s, registers[i]);
	pay(s, 8, cpuid_branches());
	return words;
}

void script_piece(struct script *s, const char *piece, struct cost cost)
{
	need(s, 1);
	put(s, P(piece));
	if (s->counts)
		s->cost = cost_add(s->cost, cost);
}

void script_rounds(struct script *s, unsigned int n)
{
	need(s, 2);
	put(s, P(script_piece_rounds));
	put(s, n);
	pay(s, 2 * n + 2, n + 1);
}

void script_save(struct script *s, uint32_t *to)
{
	need(s, 2);
	put(s, P(script_piece_save));
	put(s, P(to));
	pay(s, 3, 1);
}

#define LOAD 3 /* words of a load */

void script_copy(struct script *s, const uint32_t *from, uint32_t *to)
{
	need(s, LOAD);
	put(s, P(script_piece_load));
	put(s, P(from));
	put(s, P(to));
	pay(s, 5, 1);
}

/* Append loads of @words words from @from, which become arguments of the next system call. */
static void load_words(struct script *s, unsigned int n, const uint32_t *from,
		       size_t words)
{
	uint32_t *argument;
	size_t i;

	/*
	 * Put the loads and the call next to each other without a jump, so that the address of the
	 * call is known.
	 */
	need(s, (unsigned int)words * LOAD + CALL);
	/* The arguments follow the loads, the piece and the number of the call. */
	argument = (uint32_t *)(s->word + s->length + words * LOAD + 2 + n);
	for (i = 0; i < words; i++)
		script_copy(s, from + i, argument + i);
}

void script_load(struct script *s, unsigned int n, const uint32_t *from)
{
	load_words(s, n, from, 1);
}

void script_load_address(struct script *s, unsigned int n, const __u64 *from)
{
	load_words(s, n, (const uint32_t *)from, SCRIPT_STEP);
}

/* Let the new process count if its parent does, starting at zero. */
static void inherit(const struct script *s, struct script *child)
{
	child->counts = s->counts;
	child->cost = (struct cost){ 0, 0 };
}

void script_fork_(struct script *s, struct script *child,
		  const script_word call[7])
{
	/* Allow no jump between the call and the branch, because the child would execute it too. */
	need(s, CALL + 2);
	script_call_(s, call);
	put(s, P(script_piece_if_zero));
	put(s, P(child->start));
	inherit(s, child);
	pay(s, 4, 2);
	/* The child executes the RET of the call, and then the whole piece. */
	pay(child, 1 + 5, 1 + 2);
}

void script_clone(struct script *s, struct script *child, uint32_t flags,
		  uint32_t *tid)
{
	*tid = 0;
	/*
	 * The fourth argument on 32 bits, or the fifth on 64 bits, is for CLONE_SETTLS, which is
	 * not used.
	 */
	script_call(s, SYS_clone, flags, P(child->start), P(tid), P(tid),
		    P(tid));
	inherit(s, child);
	pay(child, 1, 1);
}

void script_clone3(struct script *s, struct script *child, uint32_t flags,
		   uint32_t *tid)
{
	struct clone_args *args = shared(sizeof(*args));

	*tid = 0;
	*args = (struct clone_args){
		.flags = flags & ~(uint32_t)CSIGNAL,
		.exit_signal = flags & CSIGNAL,
		.child_tid = P(tid),
		.parent_tid = P(tid),
		/* The stack pointer starts at the end of the stack. */
		.stack = P(child->start) - 16,
		.stack_size = 16,
	};
	script_call(s, SYS_clone3, P(args), sizeof(*args));
	inherit(s, child);
	pay(child, 1, 1);
}

void script_thread(struct script *s, struct script *child, uint32_t *pair)
{
	script_clone(s, child,
		     CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND |
			     CLONE_THREAD | CLONE_SYSVSEM |
			     CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID,
		     &pair[0]);
	script_save(s, &pair[1]);
}

/* The word has the thread's ID until the thread exits. After that, the futex does not wait. */
void script_join(struct script *s, uint32_t *pair)
{
	script_load(s, 2, &pair[1]);
	script_call(s, SYS_futex, P(&pair[0]), FUTEX_WAIT);
}

void script_wait(struct script *s)
{
	script_call(s, SYS_wait4, (uint32_t)-1, 0, __WALL);
}

void script_gate(struct script *s, int fd)
{
	script_call(s, SYS_read, (uint32_t)fd, P(shared(1)), 1);
}

struct cost script_gate_then(struct script *s, int fd, bool counts)
{
	struct cost cost;

	script_last_(s, (const script_word[7]){ SYS_read, (uint32_t)fd,
						P(shared(1)), 1 });
	cost = s->cost;
	s->counts = counts;
	pay(s, 1, 1);
	return cost;
}

void script_branch(struct script *s, const uint32_t *word,
		   const struct script *to)
{
	need(s, 5);
	put(s, P(script_piece_load));
	put(s, P(word));
	/* The loaded value stays in EAX, like a result. */
	put(s, P(shared(sizeof(*word))));
	put(s, P(script_piece_if_zero));
	put(s, P(to->start));
	pay(s, 9, 3);
}

void script_go(struct script *s, const struct script *to)
{
	need(s, 3);
	put(s, P(script_piece_jump));
	put(s, P(to->start));
	/* Used only by script_run(). */
	put(s, 0);
}

void script_start(struct script *s, int fd, struct vpmc_start *start)
{
	if (!(start->flags & VPMC_START_RESUME))
		s->cost = (struct cost){ 0, 0 };
	s->counts = false;
	script_call(s, SYS_ioctl, (uint32_t)fd, VPMC_START, P(start));
	s->counts = !(start->flags & VPMC_START_AT_EXEC);
	pay(s, 1, 1);
}

void script_stop(struct script *s, int fd, struct vpmc_stop *stop)
{
	script_last_(s, (const script_word[7]){ SYS_ioctl, (uint32_t)fd,
						VPMC_STOP, P(stop) });
	s->counts = false;
}

static struct cost read_with(struct script *s, int fd, uint32_t what, void *arg)
{
	struct cost cost;

	script_last_(s, (const script_word[7]){ SYS_ioctl, (uint32_t)fd, what,
						P(arg) });
	cost = s->cost;
	pay(s, 1, 1);
	return cost;
}

struct cost script_read(struct script *s, int fd, struct vpmc_read *read)
{
	return read_with(s, fd, VPMC_READ, read);
}

void script_system_start(struct script *s, int fd, struct vpmc_start *start)
{
	s->cost = (struct cost){ 0, 0 };
	s->counts = false;
	script_call(s, SYS_ioctl, (uint32_t)fd, VPMC_SYSTEM_START, P(start));
	s->counts = true;
	pay(s, 1, 1);
}

struct cost script_system_read(struct script *s, int fd,
			       struct vpmc_system_read *read)
{
	return read_with(s, fd, VPMC_SYSTEM_READ, read);
}

void script_exit(struct script *s, int status)
{
	script_last(s, SYS_exit, (uint32_t)status);
}

/* Load the arguments of the next tkill(2). */
static void load_self(struct script *s)
{
	uint32_t *self = shared(sizeof(*self));

	script_call(s, SYS_gettid);
	script_save(s, self);
	script_load(s, 0, self);
}

void script_raise(struct script *s, int signal)
{
	load_self(s);
	script_call(s, SYS_tkill, 0, (uint32_t)signal);
}

void script_handle(int signal)
{
	const struct sigaction action = {
		.sa_sigaction = script_piece_handler,
		.sa_flags = SA_SIGINFO | SA_ONSTACK,
	};
	const stack_t stack = { .ss_sp = shared(SIGSTKSZ),
				.ss_size = SIGSTKSZ };

	if (sigaltstack(&stack, NULL) || sigaction(signal, &action, NULL))
		err(2, "signal handler");
}

void script_raise_handled(struct script *s, int signal)
{
	script_raise(s, signal);
	pay(s, 3, 1);
}

void script_kill(struct script *s, int signal)
{
	load_self(s);
	script_last(s, SYS_tkill, 0, (uint32_t)signal);
}

void script_crash(struct script *s)
{
	need(s, 1);
	put(s, 0);
}

void script_exec_exactly(struct script *s, const char *path, unsigned int n)
{
	size_t size = strlen(path) + 1;
	char *copy = shared(size);
	script_word *argv = shared(2 * sizeof(*argv));

	memcpy(copy, path, size);
	argv[0] = P(copy);
	script_last_(s, (const script_word[7]){ SYS_execve, P(copy), P(argv),
						P(argv + 1) });
	pay(s, n, (n - 4) / 2 + 1);
}

void script_back(struct script *s)
{
	need(s, 2);
	put(s, P(script_piece_back));
	put(s, 0);
}

void script_run(struct script *s)
{
	script_enter(s->start, &s->word[s->length - 1]);
}
