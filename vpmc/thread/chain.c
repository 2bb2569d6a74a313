// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file finds the callers of samples by the frame pointers of user mode. Each word that it
 * reads in user memory can be wrong, or change at any time.
 */
#include <linux/kernel.h>
#include <linux/uaccess.h>

#include <asm/ptrace.h>

#include "cpu/rings.h"
#include "thread/chain.h"
#include "thread/segment.h"
#include "thread/thread_counters.h"

/**
 * struct chain_frame - the words at a frame pointer
 * @next: the frame pointer of the caller
 * @caller: the address to which the function returns
 */
struct chain_frame {
	u64 next;
	u64 caller;
};

/**
 * struct chain - callers that are being written
 * @record: the record
 * @code: the base of the code segment
 * @stack: the base of the stack segment
 * @nr: number of callers
 * @max: the largest number of callers
 */
struct chain {
	struct vpmc_long_record *record;
	u32 code;
	u32 stack;
	u32 nr;
	u32 max;
};

/* Read a frame of two words of @word bytes. Returns false if the read would fault. */
static bool chain_read(struct chain_frame *frame, u64 at, u32 word)
{
	const void __user *from = (const void __user *)(unsigned long)at;
	u32 half[2];

	if (word == sizeof(u64))
		return !copy_from_user_nmi(frame, from, sizeof(*frame));
	if (copy_from_user_nmi(half, from, sizeof(half)))
		return false;
	frame->next = half[0];
	frame->caller = half[1];
	return true;
}

/*
 * Find the segments of @user, which has them in a program of 32 bits. Returns false if frames
 * cannot be followed. As in perf_event, virtual 8086 mode has no frames.
 */
static bool chain_find_segments(struct chain *chain, const struct vpmc_thread *t,
				const struct pt_regs *user)
{
	return !(user->flags & X86_VM_MASK) &&
	       vpmc_segment_find_base(t->task, user->cs, user->flags, &chain->code) &&
	       vpmc_segment_find_base(t->task, user->ss, user->flags, &chain->stack);
}

/*
 * Say why a frame cannot be read. In a switch, this processor uses other memory than that of @user,
 * so it cannot read the code that @user has just executed either.
 */
static enum vpmc_chain_end chain_why(const struct chain *chain, const struct pt_regs *user)
{
	u64 at = vpmc_segment_linear(chain->code, user->ip);
	u8 code;

	if (copy_from_user_nmi(&code, (const void __user *)(unsigned long)at, sizeof(code)))
		return VPMC_CHAIN_UNKNOWN;
	return VPMC_CHAIN_BROKEN;
}

/*
 * Add the callers of the function that @user executes. Each frame is at a higher address than the
 * previous frame. All callers are taken to be in the same code segment.
 */
static enum vpmc_chain_end chain_walk(struct chain *chain, struct pt_regs *user)
{
	u32 word = user_64bit_mode(user) ? sizeof(u64) : sizeof(u32);
	struct chain_frame frame = { .next = user->bp };
	u64 least = user->sp, caller, at;

	while (frame.next) {
		at = frame.next;
		if (chain->nr >= chain->max)
			return VPMC_CHAIN_DEPTH;
		if (at < least || at % word)
			return VPMC_CHAIN_BROKEN;
		if (!chain_read(&frame, vpmc_segment_linear(chain->stack, at), word))
			return chain_why(chain, user);
		caller = vpmc_segment_linear(chain->code, frame.caller);
		if (!frame.caller || caller >= TASK_SIZE_MAX)
			return VPMC_CHAIN_BROKEN;
		vpmc_rings_add(chain->record, caller);
		chain->nr++;
		least = at + 2 * word;
	}
	return VPMC_CHAIN_OUTERMOST;
}

/* Fill in the registers that only programs of 64 bits have. */
static void chain_fill_more(u64 more[8], const struct pt_regs *user)
{
#ifdef CONFIG_X86_64
	more[0] = user->r8;
	more[1] = user->r9;
	more[2] = user->r10;
	more[3] = user->r11;
	more[4] = user->r12;
	more[5] = user->r13;
	more[6] = user->r14;
	more[7] = user->r15;
#endif
}

/* Clear the upper halves for a program of 32 bits, because it does not use them. */
static void chain_write_registers(struct vpmc_long_record *record, struct pt_regs *user)
{
	bool wide = user_64bit_mode(user);
	u64 words[] = {
		user->ax, user->bx, user->cx, user->dx, user->si, user->di, user->bp, user->sp,
		0, 0, 0, 0, 0, 0, 0, 0,
		user->ip, user->flags, user->cs & 0xffff, user->ss & 0xffff
	};
	u32 i;

	static_assert(sizeof(words) == sizeof(struct vpmc_registers));
	if (wide)
		chain_fill_more(&words[8], user);
	for (i = 0; i < ARRAY_SIZE(words); i++)
		vpmc_rings_add(record, wide ? words[i] : (u32)words[i]);
}

void vpmc_chain_write(struct vpmc_long_record *record, const struct vpmc_thread *t,
		      struct pt_regs *user, u64 first)
{
	const struct vpmc_rings *r = t->events->rings;
	struct chain chain = { .record = record, .max = r->callers };
	enum vpmc_chain_end end = VPMC_CHAIN_NONE;
	u32 counts = record->at++, flags = 0;

	if (first && chain.max) {
		vpmc_rings_add(record, first);
		chain.nr++;
	}
	if (chain.max)
		end = user && chain_find_segments(&chain, t, user) ? chain_walk(&chain, user)
								   : VPMC_CHAIN_UNKNOWN;
	if (r->registers && user) {
		chain_write_registers(record, user);
		flags = VPMC_SAMPLES_REGISTERS;
	}
	record->data[counts & record->mask] = chain.nr | end << 16 | (u64)flags << 32;
}
