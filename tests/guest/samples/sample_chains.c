// SPDX-License-Identifier: GPL-2.0-only
/*
 * sample_chains: test the callers and registers of samples, with machine --exact-pmi. The test
 * has functions with frames, arbitrary frame pointers, and system calls and switches that are
 * interrupted at any instruction of the kernel.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "rings.h"

#define RING_SIZE (1 << 20)
#define WORD	  sizeof(long)
#define PAGE	  4096UL

#ifdef __x86_64__
#define BP	 "%rbp"
#define SP	 "%rsp"
#define ENTER	 "syscall"
#define GETPID	 "39"
#define HAS_MORE true
#else
#define BP	 "%ebp"
#define SP	 "%esp"
#define ENTER	 "int $0x80"
#define GETPID	 "20"
#define HAS_MORE false
#endif

/*
 * chain_enter() calls chain_outer, and so on up to chain_inner, which has 1004 instructions. The
 * frame pointer is 0 in the first function. chain_calls() makes system calls in a function with a
 * frame.
 */
void chain_enter(void);
void chain_calls(unsigned int nr);
extern const char chain_entered[], chain_outer[], chain_outer_framed[],
	chain_outer_next[], chain_outer_popped[], chain_middle[],
	chain_middle_framed[], chain_middle_next[], chain_middle_popped[],
	chain_inner[], chain_inner_framed[], chain_inner_popped[],
	chain_inner_end[], chain_called[], chain_calls_return[],
	chain_calls_inner[], chain_calls_end[];
__asm__(".text\n"
	".globl chain_enter\n"
	"chain_enter: push " BP "\n"
	"xor %ebp, %ebp\n"
	"call chain_outer\n"
	"chain_entered: pop " BP "\n"
	"ret\n"
	"chain_outer: push " BP "\n"
	"mov " SP ", " BP "\n"
	"chain_outer_framed: call chain_middle\n"
	"chain_outer_next: pop " BP "\n"
	"chain_outer_popped: ret\n"
	"chain_middle: push " BP "\n"
	"mov " SP ", " BP "\n"
	"chain_middle_framed: call chain_inner\n"
	"chain_middle_next: pop " BP "\n"
	"chain_middle_popped: ret\n"
	"chain_inner: push " BP "\n"
	"mov " SP ", " BP "\n"
	"chain_inner_framed: movl $499, %ecx\n"
	"1: subl $1, %ecx\n"
	"jnz 1b\n"
	"pop " BP "\n"
	"chain_inner_popped: ret\n"
	"chain_inner_end:\n"
	".globl chain_calls\n"
	"chain_calls: push " BP "\n"
#ifdef __x86_64__
	"push %rbx\n"
	"movl %edi, %ebx\n"
#else
	"push %ebx\n"
	"movl 12(%esp), %ebx\n"
#endif
	"xor %ebp, %ebp\n"
	"call chain_calls_inner\n"
	"chain_calls_return:\n"
#ifdef __x86_64__
	"pop %rbx\n"
#else
	"pop %ebx\n"
#endif
	"pop " BP "\n"
	"ret\n"
	"chain_calls_inner: push " BP "\n"
	"mov " SP ", " BP "\n"
	"1: movl $" GETPID ", %eax\n" ENTER "\n"
	"chain_called: subl $1, %ebx\n"
	"jnz 1b\n"
	"pop " BP "\n"
	"ret\n"
	"chain_calls_end:\n"
	".globl chain_enter, chain_entered, chain_outer, chain_outer_framed\n"
	".globl chain_outer_next, chain_outer_popped, chain_middle\n"
	".globl chain_middle_framed, chain_middle_next, chain_middle_popped\n"
	".globl chain_inner, chain_inner_framed, chain_inner_popped\n"
	".globl chain_inner_end, chain_called, chain_calls_return\n"
	".globl chain_calls_inner, chain_calls_end\n");

/*
 * Execute a loop with a frame pointer and a stack pointer, and with @id in EDX and known numbers in
 * the other registers. The word at @sp is changed.
 */
void chain_spin(uintptr_t bp, uintptr_t sp, unsigned long id);
extern const char chain_spin_loop[], chain_spin_end[];
__asm__(".text\n"
	".globl chain_spin, chain_spin_loop, chain_spin_end\n"
#ifdef __x86_64__
	"chain_spin: push %rbp\n"
	"push %rbx\n"
	"push %r12\n"
	"push %r13\n"
	"push %r14\n"
	"push %r15\n"
	"mov %rsp, (%rsi)\n"
	"mov %rsi, %rsp\n"
	"mov %rdi, %rbp\n"
	"movabs $0x1111111111111111, %rax\n"
	"lea 1(%rax), %rbx\n"
	"lea 4(%rax), %rsi\n"
	"lea 5(%rax), %rdi\n"
	"lea 8(%rax), %r8\n"
	"lea 9(%rax), %r9\n"
	"lea 10(%rax), %r10\n"
	"lea 11(%rax), %r11\n"
	"lea 12(%rax), %r12\n"
	"lea 13(%rax), %r13\n"
	"lea 14(%rax), %r14\n"
	"lea 15(%rax), %r15\n"
	"movl $4000, %ecx\n"
	"chain_spin_loop: subl $1, %ecx\n"
	"jnz chain_spin_loop\n"
	"chain_spin_end: mov (%rsp), %rsp\n"
	"pop %r15\n"
	"pop %r14\n"
	"pop %r13\n"
	"pop %r12\n"
	"pop %rbx\n"
	"pop %rbp\n"
	"ret\n"
#else
	"chain_spin: push %ebp\n"
	"push %ebx\n"
	"push %esi\n"
	"push %edi\n"
	"mov 20(%esp), %ebp\n"
	"mov 24(%esp), %eax\n"
	"mov 28(%esp), %edx\n"
	"mov %esp, (%eax)\n"
	"mov %eax, %esp\n"
	"movl $0x11111111, %eax\n"
	"lea 1(%eax), %ebx\n"
	"lea 4(%eax), %esi\n"
	"lea 5(%eax), %edi\n"
	"movl $4000, %ecx\n"
	"chain_spin_loop: subl $1, %ecx\n"
	"jnz chain_spin_loop\n"
	"chain_spin_end: mov (%esp), %esp\n"
	"pop %edi\n"
	"pop %esi\n"
	"pop %ebx\n"
	"pop %ebp\n"
	"ret\n"
#endif
);

/* Give up the processor @nr times, with a frame pointer and a stack pointer as in chain_spin(). */
void chain_yield(uintptr_t bp, uintptr_t sp, unsigned long nr);
extern const char chain_yield_end[];
__asm__(".text\n"
	".globl chain_yield\n"
#ifdef __x86_64__
	".globl chain_yield_end\n"
	"chain_yield: push %rbp\n"
	"push %rbx\n"
	"mov %rsp, (%rsi)\n"
	"mov %rsi, %rsp\n"
	"mov %rdi, %rbp\n"
	"mov %rdx, %rbx\n"
	"1: movl $24, %eax\n"
	"syscall\n"
	"subl $1, %ebx\n"
	"jnz 1b\n"
	"mov (%rsp), %rsp\n"
	"pop %rbx\n"
	"pop %rbp\n"
	"ret\n"
	"chain_yield_end:\n"
#else
	".globl chain_yield_end\n"
	"chain_yield: push %ebp\n"
	"push %ebx\n"
	"mov 12(%esp), %ebp\n"
	"mov 16(%esp), %eax\n"
	"mov 20(%esp), %ebx\n"
	"mov %esp, (%eax)\n"
	"mov %eax, %esp\n"
	"1: movl $158, %eax\n"
	"int $0x80\n"
	"subl $1, %ebx\n"
	"jnz 1b\n"
	"mov (%esp), %esp\n"
	"pop %ebx\n"
	"pop %ebp\n"
	"ret\n"
	"chain_yield_end:\n"
#endif
);

/* This is a record in the form for the checks. */
struct long_sample {
	const struct vpmc_long_sample *s;
	const struct vpmc_registers *registers;
	uintptr_t where;
};

static bool (*checker)(const struct long_sample *sample);
static unsigned int nr_samples, nr_bad;

static void take(const uint64_t *record, uint32_t size)
{
	const struct vpmc_long_sample *s = (const void *)record;
	struct long_sample sample = { .s = s };
	size_t want = sizeof(*s) + s->nr_callers * sizeof(*s->caller);
	unsigned int i;

	if (!(*record & VPMC_WHERE_OTHER)) {
		check(false, "all samples are long");
		return;
	}
	if (change_type((const void *)record) != VPMC_CHANGE_SAMPLE)
		return;
	sample.where = (uintptr_t)(s->at & VPMC_WHERE_ADDRESS);
	if (s->flags & VPMC_SAMPLES_REGISTERS) {
		sample.registers = (const void *)&s->caller[s->nr_callers];
		want += sizeof(*sample.registers);
	}
	if (size == want && checker(&sample))
		return;
	if (nr_bad++ > 5)
		return;
	check(false, "%u of %zu bytes at %#llx, end %u, flags %u", size, want,
	      (unsigned long long)s->at, s->end, s->flags);
	for (i = 0; i < s->nr_callers; i++)
		printf("# caller %#llx\n", (unsigned long long)s->caller[i]);
}

/*
 * Run a function in a child that leaves samples, with @callers and @flags, and check them. The
 * child has no other code at the addresses of the checks.
 */
static void sample(void (*function)(void), unsigned int callers,
		   unsigned int flags, unsigned int modes, uint32_t period)
{
	struct rings r = rings_new_with((struct vpmc_samples){
		.ring_size = RING_SIZE, .callers = callers, .flags = flags });
	struct vpmc_start *start = start_arg(FIRST, VPMC_START_COLLECT);
	struct vpmc_stop *stop = stop_arg();

	start->nr_events = 1;
	start->event[0].period = period;
	start->event[0].modes = (uint16_t)modes;
	nr_samples = 0;
	nr_bad = 0;
	if (!child_fork()) {
		if (request(r.fd, VPMC_START, start))
			err(2, "start");
		function();
		request(r.fd, VPMC_STOP, stop);
		_exit(0);
	}
	until_gone(&r);
	rings_read(&r, take);
	check(!nr_bad && !r.lost && !r.hidden,
	      "%u callers, flags %u, modes %u: %u of %u samples are wrong",
	      callers, flags, modes, nr_bad, nr_samples);
	rings_free(&r);
}

/* These are the functions, and the numbers of callers of their instructions. */
static const char *const returns[] = { chain_middle_next, chain_outer_next,
				       chain_entered };
#define NR_RETURNS (sizeof(returns) / sizeof(*returns))
static const struct {
	const char *begin, *end;
	unsigned int nr;
} parts[] = {
	{ chain_outer, chain_outer_framed, 0 },
	{ chain_outer_framed, chain_outer_popped, 1 },
	{ chain_outer_popped, chain_middle, 0 },
	{ chain_middle, chain_middle_framed, 1 },
	{ chain_middle_framed, chain_middle_popped, 2 },
	{ chain_middle_popped, chain_inner, 1 },
	{ chain_inner, chain_inner_framed, 2 },
	{ chain_inner_framed, chain_inner_popped, 3 },
	{ chain_inner_popped, chain_inner_end, 2 },
};
#define NR_PARTS (sizeof(parts) / sizeof(*parts))
static unsigned int met[NR_PARTS], depth;

static bool is_frame_right(const struct long_sample *l)
{
	unsigned int i = 0, k, nr, want;

	while (i < NR_PARTS && (l->where < (uintptr_t)parts[i].begin ||
				l->where >= (uintptr_t)parts[i].end))
		i++;
	if (i == NR_PARTS)
		return true;
	nr_samples++;
	met[i]++;
	nr = parts[i].nr < depth ? parts[i].nr : depth;
	want = !depth		     ? VPMC_CHAIN_NONE
	       : parts[i].nr > depth ? VPMC_CHAIN_DEPTH
				     : VPMC_CHAIN_OUTERMOST;
	for (k = 0; k < nr && k < l->s->nr_callers; k++) {
		if (l->s->caller[k] !=
		    (uintptr_t)returns[NR_RETURNS - parts[i].nr + k])
			return false;
	}
	return l->s->nr_callers == nr && l->s->end == want &&
	       !(l->s->at & (VPMC_WHERE_KERNEL | VPMC_WHERE_LATE)) &&
	       (!l->registers ||
		(l->registers->ip == l->where && l->registers->sp % WORD == 0));
}

static void enter_often(void)
{
	unsigned int i;

	for (i = 0; i < 3000; i++)
		chain_enter();
}

static void test_frames(unsigned int callers, unsigned int flags)
{
	unsigned int i, all = 0;

	memset(met, 0, sizeof(met));
	depth = callers;
	checker = is_frame_right;
	/* The period is a prime number, so the samples are at all instructions in turn. */
	sample(enter_often, callers, flags, VPMC_MODE_USER, 1013);
	for (i = 0; i < NR_PARTS; i++)
		all += !!met[i];
	check(all == NR_PARTS, "%u of %zu parts have samples", all, NR_PARTS);
}

/* This is the stack of chain_spin(), and pages above it. */
#define STACK	      0x10000000UL
#define FRAMES	      0x20000000UL
#define FORBID	      (FRAMES + PAGE)
#define NOTHING_THERE (FRAMES + 2 * PAGE)
#define UNUSED	      (FRAMES + 3 * PAGE)
#define LONG	      (FRAMES + 4 * PAGE)
#define ONE	      0x12345UL
#define TWO	      0x23456UL
#ifdef __x86_64__
#define KERNEL	0xffff888000001000UL
#define STRANGE 0x0000800000000000UL
#define LAST	0x00007fffffffeff0UL
#else
#define KERNEL	0xc0100000UL
#define STRANGE 0xfffffff8UL
#define LAST	0xbffffff8UL
#endif

/*
 * A case has a frame pointer, the two words at its address, and the callers of a sample: ONE, and
 * then TWO.
 */
static struct hostile {
	const char *what;
	uintptr_t bp;
	uintptr_t next, caller;
	unsigned int nr, end;
} hostile[] = {
	{ "no frame", 0, 0, 0, 0, VPMC_CHAIN_OUTERMOST },
	{ "the last frame", FRAMES + 0x80, 0, ONE, 1, VPMC_CHAIN_OUTERMOST },
	{ "a second frame", FRAMES + 0x100, FRAMES + 0x100 + 2 * WORD, ONE, 2,
	  VPMC_CHAIN_OUTERMOST },
	{ "a loop", FRAMES + 0x180, FRAMES + 0x180, ONE, 1, VPMC_CHAIN_BROKEN },
	{ "a frame below", FRAMES + 0x200, FRAMES + 0x80, ONE, 1,
	  VPMC_CHAIN_BROKEN },
	{ "a frame in a frame", FRAMES + 0x280, FRAMES + 0x280 + WORD, ONE, 1,
	  VPMC_CHAIN_BROKEN },
	{ "a next frame that is not aligned", FRAMES + 0x300, FRAMES + 0x321,
	  ONE, 1, VPMC_CHAIN_BROKEN },
	{ "a next frame of the kernel", FRAMES + 0x380, KERNEL, ONE, 1,
	  VPMC_CHAIN_BROKEN },
	{ "a caller 0", FRAMES + 0x400, 0, 0, 0, VPMC_CHAIN_BROKEN },
	{ "a caller in the kernel", FRAMES + 0x480, 0, KERNEL, 0,
	  VPMC_CHAIN_BROKEN },
	{ "a frame that is not aligned", FRAMES + 1, 0, 0, 0,
	  VPMC_CHAIN_BROKEN },
	{ "a frame of the kernel", KERNEL, 0, 0, 0, VPMC_CHAIN_BROKEN },
	{ "a frame that no address has", STRANGE, 0, 0, 0, VPMC_CHAIN_BROKEN },
	{ "a frame at the end", LAST, 0, 0, 0, VPMC_CHAIN_BROKEN },
	{ "a frame below the stack", STACK + 0x100, 0, 0, 0,
	  VPMC_CHAIN_BROKEN },
	{ "a page that must not be read", FORBID, 0, 0, 0, VPMC_CHAIN_BROKEN },
	{ "half a frame there", FORBID - WORD, 0, 0, 0, VPMC_CHAIN_BROKEN },
	{ "no page", NOTHING_THERE, 0, 0, 0, VPMC_CHAIN_BROKEN },
	{ "a page that is not present", UNUSED, 0, 0, 0, VPMC_CHAIN_BROKEN },
	{ "many frames", LONG, 0, 0, VPMC_MAX_CALLERS, VPMC_CHAIN_DEPTH },
};
#define NR_HOSTILE (sizeof(hostile) / sizeof(*hostile))
static unsigned int met_hostile[NR_HOSTILE];

/*
 * Convert an address to a pointer. Addresses are numbers, because most of them are not addresses
 * of memory.
 */
static void *pointer(uintptr_t at)
{
	return (void *)at; /* NOLINT(performance-no-int-to-ptr) */
}

static void put(uintptr_t at, uintptr_t next, uintptr_t caller)
{
	volatile uintptr_t *word = pointer(at);

	word[0] = next;
	word[1] = caller;
}

static void map(uintptr_t at, size_t size, int prot)
{
	if (mmap(pointer(at), size, prot,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
		 0) != pointer(at))
		err(2, "memory at %#lx", (unsigned long)at);
}

/* Return whether a 32-bit program has the addresses of a 32-bit kernel for itself. */
static bool has_all_addresses(void)
{
	struct utsname name;

	uname(&name);
	return sizeof(long) == 4 && !strcmp(name.machine, "x86_64");
}

static void allow_for_kernel(struct hostile *h)
{
	if (has_all_addresses() && h->caller == KERNEL) {
		h->nr = 1;
		h->end = VPMC_CHAIN_OUTERMOST;
	}
}

static void make_hostile(void)
{
	unsigned int i;

	map(STACK, PAGE, PROT_READ | PROT_WRITE);
	map(FRAMES, PAGE, PROT_READ | PROT_WRITE);
	map(FORBID, PAGE, PROT_NONE);
	map(UNUSED, PAGE, PROT_READ | PROT_WRITE);
	map(LONG, PAGE, PROT_READ | PROT_WRITE);
	put(STACK + 0x100, 0, ONE);
	put(FRAMES + 0x100 + 2 * WORD, 0, TWO);
	for (i = 0; i < 200; i++)
		put(LONG + 2 * WORD * i, LONG + 2 * WORD * (i + 1),
		    i ? TWO : ONE);
	for (i = 0; i < NR_HOSTILE; i++) {
		allow_for_kernel(&hostile[i]);
		if (hostile[i].next || hostile[i].caller)
			put(hostile[i].bp, hostile[i].next, hostile[i].caller);
	}
}

#define STACK_POINTER (STACK + 0x800)

static bool are_registers(const struct vpmc_registers *r,
			  const struct hostile *h, uintptr_t ip)
{
	const uint64_t base = 0x1111111111111111 & UINTPTR_MAX;
	const __u64 *more = &r->r8;
	unsigned int i;

	for (i = 0; i < 8; i++) {
		if (more[i] != (HAS_MORE ? base + 8 + i : 0))
			return false;
	}
	return r->ax == base && r->bx == base + 1 && r->si == base + 4 &&
	       r->di == base + 5 && r->bp == h->bp && r->sp == STACK_POINTER &&
	       r->cx <= 4000 && r->ip == ip && (r->cs & 3) == 3 &&
	       (r->ss & 3) == 3 && r->flags < 1 << 20;
}

static bool is_hostile_right(const struct long_sample *l)
{
	const struct hostile *h = hostile;
	unsigned int i;

	if (l->where < (uintptr_t)chain_spin_loop ||
	    l->where >= (uintptr_t)chain_spin_end)
		return true;
	nr_samples++;
	if (!l->registers || l->registers->dx >= NR_HOSTILE)
		return false;
	h += l->registers->dx;
	met_hostile[l->registers->dx]++;
	for (i = 0; i < l->s->nr_callers && i < h->nr; i++) {
		uintptr_t want = i ? TWO : h->caller ? h->caller : ONE;

		if (l->s->caller[i] != want)
			return false;
	}
	if (l->s->nr_callers == h->nr && l->s->end == h->end &&
	    are_registers(l->registers, h, l->where))
		return true;
	if (nr_bad < 5)
		check(false, "%s has %u callers, end %u", h->what,
		      l->s->nr_callers, l->s->end);
	return false;
}

static void spin_all(void)
{
	unsigned int i;

	for (i = 0; i < NR_HOSTILE; i++)
		chain_spin(hostile[i].bp, STACK_POINTER, i);
}

static void test_hostile(void)
{
	unsigned int i, all = 0;

	make_hostile();
	checker = is_hostile_right;
	sample(spin_all, VPMC_MAX_CALLERS, VPMC_SAMPLES_REGISTERS,
	       VPMC_MODE_USER, 1000);
	for (i = 0; i < NR_HOSTILE; i++)
		all += met_hostile[i] >= 7;
	check(all == NR_HOSTILE, "%u of %zu frame pointers have samples", all,
	      NR_HOSTILE);
}

static unsigned int nr_kernel, nr_complete;
static uint64_t first_of_kernel = STRANGE;

/* User mode has no address of the kernel. A system call begins with -ENOSYS in EAX. */
static bool is_of_user_mode(const struct vpmc_registers *r)
{
	const __u64 *word = (const __u64 *)r;
	unsigned int i;

	for (i = 0; i < sizeof(*r) / sizeof(*word); i++) {
		const bool is_error =
			word == &r->ax && i == 0 &&
			(word[i] | ~(uint64_t)UINTPTR_MAX) == (uint64_t)-ENOSYS;

		if (word[i] >= first_of_kernel && !is_error)
			return false;
	}
	return (r->cs & 3) == 3 && (r->ss & 3) == 3;
}

static bool is_call_right(const struct long_sample *l)
{
	const struct vpmc_long_sample *s = l->s;

	if (l->registers && !is_of_user_mode(l->registers))
		return false;
	if (!(s->at & VPMC_WHERE_KERNEL) || !s->nr_callers ||
	    s->caller[0] != (uintptr_t)chain_called)
		return true;
	nr_samples++;
	nr_kernel++;
	if (!l->registers)
		return s->nr_callers == 1 && s->end == VPMC_CHAIN_UNKNOWN;
	/* Another process may be switched in, with --sampling. */
	if (s->end == VPMC_CHAIN_UNKNOWN)
		return s->nr_callers == 1;
	nr_complete++;
	return s->nr_callers == 2 && s->end == VPMC_CHAIN_OUTERMOST &&
	       s->caller[1] == (uintptr_t)chain_calls_return &&
	       l->registers->ip == (uintptr_t)chain_called;
}

static void call_often(void)
{
	chain_calls(400000);
}

static void test_calls(void)
{
	if (sizeof(long) == 4)
		first_of_kernel =
			has_all_addresses() ? UINT64_C(1) << 32 : 0xc0000000;
	checker = is_call_right;
	sample(call_often, VPMC_MAX_CALLERS, VPMC_SAMPLES_REGISTERS,
	       VPMC_MODE_USER | VPMC_MODE_KERNEL, 100003);
	check(nr_complete > 100, "%u of %u samples of kernel mode are complete",
	      nr_complete, nr_kernel);
}

#define FRAME (FRAMES + 0x80)

static unsigned int nr_own;

/* Return whether a sample is in a system call of chain_yield(), which has a frame. */
static bool is_in_yield(const struct long_sample *l)
{
	return l->s->at & VPMC_WHERE_KERNEL && l->s->nr_callers &&
	       l->s->caller[0] > (uintptr_t)chain_yield &&
	       l->s->caller[0] < (uintptr_t)chain_yield_end;
}

static bool is_own_memory(const struct long_sample *l)
{
	unsigned int i;

	nr_samples++;
	if (is_in_yield(l) && l->s->end == VPMC_CHAIN_BROKEN)
		return false;
	for (i = 0; i < l->s->nr_callers; i++) {
		nr_own += l->s->caller[i] == ONE;
		if (l->s->caller[i] == TWO)
			return false;
	}
	return true;
}

static void yield_often(void)
{
	chain_yield(FRAME, STACK_POINTER, 40000);
}

/*
 * Another process has other callers at the same address. A sample in a switch to this process
 * must not show them. If its memory cannot be read in a switch, the sample must say so.
 */
static void test_switches(void)
{
	pid_t other = child_fork();

	if (!other) {
		put(FRAME, 0, TWO);
		for (;;)
			yield_often();
	}
	checker = is_own_memory;
	sample(yield_often, VPMC_MAX_CALLERS, 0,
	       VPMC_MODE_USER | VPMC_MODE_KERNEL, 100003);
	check(nr_own > 100, "%u of %u samples have a caller", nr_own,
	      nr_samples);
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
}

int main(void)
{
	test_frames(VPMC_MAX_CALLERS, 0);
	test_frames(2, VPMC_SAMPLES_REGISTERS);
	test_frames(0, VPMC_SAMPLES_REGISTERS);
	test_hostile();
	test_calls();
	test_switches();
	shared_free();
	return check_status();
}
