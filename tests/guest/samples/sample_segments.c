// SPDX-License-Identifier: GPL-2.0-only
/*
 * sample_segments [virtual]: test that samples have linear addresses where the code segment has a
 * base, with machine --exact-pmi: in a segment of the local descriptor table or, with "virtual",
 * in virtual 8086 mode. Callers in such a segment have linear addresses, too.
 */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <asm/ldt.h>
#include <asm/vm86.h>

#include "rings.h"

/* This is SYS_vm86, which only 32-bit headers have. */
#define ENTER_VM86 166

#define RING_SIZE  (1 << 20)
#define ITERATIONS 300
#define ROUNDS	   499
#define PERIOD	   1009

/*
 * The far call enters entry 0 of the table, whose base is segment_begin. The frame pointer is 0
 * there, so segment_next is the only caller.
 */
extern const char segment_call[], segment_back[], segment_begin[],
	segment_next[], segment_inner[], segment_pushed[], segment_framed[],
	segment_loop[], segment_jump[], segment_pop[], segment_popped[],
	segment_end[];
__asm__(".data\n"
	"segment_far: .long 0\n"
	".short 7\n"
	".balign 4\n"
	"segment_saved: .long 0\n"
	".skip 256\n"
	"segment_stack:\n"
	".text\n"
	".globl segment_call, segment_back, segment_begin, segment_next\n"
	".globl segment_inner, segment_pushed, segment_framed, segment_loop\n"
	".globl segment_jump, segment_pop, segment_popped, segment_end\n"
	"segment_call: movl %esp, segment_saved\n"
	"movl $segment_stack, %esp\n"
	"xorl %ebp, %ebp\n"
	"lcall *segment_far\n"
	"segment_back: movl segment_saved, %esp\n"
	"ret\n"
	"segment_begin: call segment_inner\n"
	"segment_next: lret\n"
	"segment_inner: pushl %ebp\n"
	"segment_pushed: movl %esp, %ebp\n"
	"segment_framed: movl $499, %ecx\n"
	"segment_loop: subl $1, %ecx\n"
	"segment_jump: jnz segment_loop\n"
	"segment_pop: popl %ebp\n"
	"segment_popped: ret\n"
	"segment_end:\n");

/* The code of virtual 8086 mode is at this offset in a segment of real mode. HLT leaves it. */
#define REAL_SEGMENT 0x2000
#define REAL_OFFSET  0x10
#define REAL	     ((uintptr_t)REAL_SEGMENT * 16 + REAL_OFFSET)
static const uint8_t real_code[] = {
	0xb9, ROUNDS & 0xff, ROUNDS >> 8, /* mov $499, %cx */
	0x49,				  /* dec %cx */
	0x75, 0xfd,			  /* jnz to the previous one */
	0xf4,				  /* hlt */
};

static struct vm86plus_struct real;
static const uint32_t real_begin = REAL_OFFSET;
static bool is_virtual;

/*
 * These are the addresses that are executed next after each instruction. 0 stands for an address
 * that is not checked, because its segment has the base 0.
 */
#define MOST (ITERATIONS * 1100)
static uintptr_t after[MOST];
static unsigned int nr_after;

static void step(uintptr_t next)
{
	after[nr_after++] = next;
}

static void steps(unsigned int nr)
{
	while (nr--)
		step(0);
}

static void trace_loop(uintptr_t loop, uintptr_t jump, uintptr_t end)
{
	unsigned int i;

	step(loop);
	for (i = 1; i <= ROUNDS; i++) {
		step(jump);
		step(i < ROUNDS ? loop : end);
	}
}

static void trace_segment(void)
{
	step((uintptr_t)segment_call);
	steps(3);
	step((uintptr_t)segment_begin);
	step((uintptr_t)segment_inner);
	step((uintptr_t)segment_pushed);
	step((uintptr_t)segment_framed);
	trace_loop((uintptr_t)segment_loop, (uintptr_t)segment_jump,
		   (uintptr_t)segment_pop);
	step((uintptr_t)segment_popped);
	step((uintptr_t)segment_next);
	step((uintptr_t)segment_back);
	steps(1);
}

/* Follow the code from the return from VPMC_START on. */
static void trace(void)
{
	unsigned int i;

	for (i = 0; i < ITERATIONS; i++)
		trace_segment();
}

static uint32_t callers;
static unsigned int nr_samples, nr_checked, wrong;

/* Return whether a sample at @at has the right callers. */
static bool are_callers_right(const uint64_t *record, uintptr_t at)
{
	const struct vpmc_long_sample *s = (const void *)record;

	if (!callers)
		return !(*record & VPMC_WHERE_OTHER);
	if (at >= REAL && at < REAL + sizeof(real_code))
		return !s->nr_callers && s->end == VPMC_CHAIN_UNKNOWN;
	if (at >= (uintptr_t)segment_framed && at < (uintptr_t)segment_popped)
		return s->nr_callers == 1 && s->end == VPMC_CHAIN_OUTERMOST &&
		       s->caller[0] == (uintptr_t)segment_next;
	return !s->nr_callers && s->end == VPMC_CHAIN_OUTERMOST;
}

/*
 * Return an address if it is in the code of virtual 8086 mode, REAL if it is lower, which would be
 * an offset, and 0 otherwise. The place in the loop is not worked out, because a long script also
 * jumps from part to part.
 */
static uintptr_t in_real_code(uint64_t address)
{
	if (address < REAL)
		return REAL;
	return address < REAL + sizeof(real_code) ? (uintptr_t)address : 0;
}

static void take(const uint64_t *record, uint32_t size)
{
	const struct vpmc_sample s = sample_of(record);
	uintptr_t want;
	unsigned int nth;

	(void)size;
	if (!s.pid)
		return;
	nth = ++nr_samples * PERIOD - 1;
	want = is_virtual	? in_real_code(sample_address(&s))
	       : nth < nr_after ? after[nth]
				: 0;
	if (!want)
		return;
	nr_checked++;
	if (sample_address(&s) == want && !(s.where & VPMC_WHERE_LATE) &&
	    are_callers_right(record, want))
		return;
	if (wrong++ < 8)
		check(false, "number %u: %#llx, want %#lx", nth + 1,
		      (unsigned long long)s.where, (unsigned long)want);
}

/* Let entry 0 of the local descriptor table be code that begins at segment_begin. */
static void make_segment(void)
{
	const struct user_desc desc = {
		.base_addr = (uintptr_t)segment_begin,
		.limit = 0xfffff,
		.seg_32bit = 1,
		.contents = MODIFY_LDT_CONTENTS_CODE,
		.limit_in_pages = 1,
	};

	if (syscall(SYS_modify_ldt, 1, &desc, sizeof(desc)))
		err(2, "modify_ldt");
}

static void make_real_code(void)
{
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): this mode reaches only the first MB */
	void *const place = (void *)(REAL - REAL_OFFSET);
	void *at =
		mmap(place, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (at != place)
		err(2, "memory below 1 MB");
	memcpy((char *)at + REAL_OFFSET, real_code, sizeof(real_code));
	real.regs.cs = REAL_SEGMENT;
	real.regs.ss = REAL_SEGMENT;
	real.regs.esp = 4096;
}

/* Return a script that starts on a handle and executes all iterations. */
static struct script iterate(int fd)
{
	struct vpmc_start *start =
		start_arg(FIRST, VPMC_START_COLLECT | VPMC_START_RECORDS);
	struct script s = script_new();
	unsigned int i;

	start->nr_events = 1;
	start->event[0].period = PERIOD;
	script_start(&s, fd, start);
	for (i = 0; i < ITERATIONS; i++) {
		if (!is_virtual) {
			script_piece(&s, segment_call,
				     (struct cost){ 13 + 2 * ROUNDS,
						    5 + ROUNDS });
			continue;
		}
		script_copy(&s, &real_begin, (uint32_t *)&real.regs.eip);
		script_call(&s, ENTER_VM86, VM86_ENTER, P(&real));
		s.cost = cost_add(s.cost,
				  (struct cost){ 1 + 2 * ROUNDS, ROUNDS });
	}
	script_exit(&s, 0);
	return s;
}

static void test(uint32_t max_callers)
{
	struct rings r = rings_new_with((struct vpmc_samples){
		.ring_size = RING_SIZE, .callers = max_callers });
	struct script s = iterate(r.fd);

	callers = max_callers;
	nr_samples = 0;
	nr_checked = 0;
	wrong = 0;
	if (!child_fork())
		script_run(&s);
	until_gone(&r);
	rings_read(&r, take);
	check(nr_samples == s.cost.instructions / PERIOD && !r.lost,
	      "a process leaves %u samples", nr_samples);
	check(!wrong && nr_checked > nr_samples / 4 * 3,
	      "%u addresses with up to %u callers: %u are wrong", nr_checked,
	      callers, wrong);
	rings_free(&r);
}

int main(int argc, char **argv)
{
	is_virtual = argc > 1 && !strcmp(argv[1], "virtual");
	if (is_virtual)
		make_real_code();
	else
		make_segment();
	trace();
	test(0);
	test(4);
	return check_status();
}
