/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * These are sequences of instructions with the clocks that they take on a Pentium, worked out
 * by hand from Intel's manuals (AP-500, AP-526). All data is in the cache unless a case says
 * otherwise.
 */
#include "records.inc"

/* Pairing */

	/* Both instructions execute in one clock. */
	begin two_moves
	expect clocks, 1
	expect v-pipe, 1
	movl	%ebx, %eax
	movl	%edx, %ecx
	end

	/* Two instructions pair, and one is left over. */
	begin three_moves
	expect clocks, 2
	expect v-pipe, 1
	movl	%ebx, %eax
	movl	%edx, %ecx
	movl	%ebx, %esi
	end

	/* The second instruction reads the register that the first one writes. */
	begin read_after_write
	expect clocks, 2
	expect v-pipe, 0
	movl	%ebx, %eax
	movl	%eax, %ecx
	end

	begin write_after_write
	expect clocks, 2
	expect v-pipe, 0
	movl	$1, %eax
	movl	$2, %eax
	end

	begin write_after_read
	expect clocks, 1
	expect v-pipe, 1
	movl	%eax, %ebx
	movl	$2, %eax
	end

	/* For pairing, parts of a register count as the whole register. */
	begin halves_of_one_register
	expect clocks, 2
	expect v-pipe, 0
	movb	%bl, %al
	movb	$0, %ah
	end

	/* Both instructions write the flags, which does not prevent pairing. */
	begin both_write_flags
	expect clocks, 1
	expect v-pipe, 1
	shrl	$4, %eax
	incl	%ebx
	end

	/* The branch may read flags that its partner writes. */
	begin compare_and_branch
	expect clocks, 1
	expect v-pipe, 1
	cmpl	$2, %eax
	ja	1f
1:	end

	/* A branch is never the first of a pair. */
	begin branch_is_not_first
	expect clocks, 2
	expect v-pipe, 0
	jz	1f
1:	movl	%eax, %ebx
	end

	/* A shift is never the second of a pair, so the addition goes alone. */
	begin shift_is_not_second
	expect clocks, 2
	expect v-pipe, 1
	addl	%eax, %ebx
	shrl	$4, %ecx
	incl	%edx
	end

	begin carry_is_not_second
	expect clocks, 2
	expect v-pipe, 0
	addl	%eax, %ebx
	adcl	%ecx, %edx
	end

	begin carry_is_first
	expect clocks, 1
	expect v-pipe, 1
	adcl	%ecx, %edx
	addl	%eax, %ebx
	end

	begin pushes
	expect clocks, 1
	expect v-pipe, 1
	w	0x1004
	pushl	%eax
	w	0x1000
	pushl	%ebx
	end

	begin push_and_call
	expect clocks, 1
	expect v-pipe, 1
	w	0x1004
	pushl	%eax
	w	0x1000
	flow	TAKEN
	call	1f
1:	end

	begin pops
	expect clocks, 1
	expect v-pipe, 1
	r	0x1000
	popl	%eax
	r	0x1004
	popl	%ebx
	end

	/* The first instruction writes ESP, and the second one reads it for an address. */
	begin push_and_pop
	expect clocks, 2
	expect v-pipe, 0
	w	0x1000
	pushl	%eax
	r	0x1000
	popl	%ebx
	end

	begin displacement_and_immediate
	expect clocks, 2
	expect v-pipe, 0
	w	0x1000
	movl	$0, 8(%esi)
	movl	%eax, %ebx
	end

	/* On the Pentium with MMX, such an instruction may be the first of a pair. */
	begin displacement_and_immediate_mmx, 1
	expect clocks, 1
	expect v-pipe, 1
	w	0x1000
	movl	$0, 8(%esi)
	movl	%eax, %ebx
	end

	begin no_displacement
	expect clocks, 1
	expect v-pipe, 1
	w	0x1000
	movl	$0, (%esi)
	movl	%eax, %ebx
	end

	/* If its length is not known yet, the first instruction of a pair must have one byte. */
	begin first_time
	expect clocks, 2
	expect v-pipe, 0
	flow	FIRST_TIME
	movl	%eax, %ebx
	flow	FIRST_TIME
	movl	%ecx, %edx
	end

	begin first_time_one_byte
	expect clocks, 1
	expect v-pipe, 1
	flow	FIRST_TIME
	incl	%eax
	flow	FIRST_TIME
	movl	%ecx, %edx
	end

	begin first_time_mmx, 1
	expect clocks, 1
	expect v-pipe, 1
	flow	FIRST_TIME
	movl	%eax, %ebx
	flow	FIRST_TIME
	movl	%ecx, %edx
	end

	/* The instruction has 8 bytes, which is too long to pair on the Pentium with MMX. */
	begin eight_bytes_mmx, 1
	expect clocks, 2
	expect v-pipe, 0
	w	0x1000
	movl	$0x12345678, 8(%esp)
	movl	%ecx, %edx
	end

	begin seven_bytes_mmx, 1
	expect clocks, 1
	expect v-pipe, 1
	w	0x1000
	movl	$0x12345678, 8(%esi)
	movl	%ecx, %edx
	end

/* The instructions of these pairs run in parallel for a part of their clocks only. */

	/* Both load in the first clock, and add in the second one. */
	begin load_and_load
	expect clocks, 2
	expect v-pipe, 1
	r	0x1000
	addl	(%esi), %eax
	r	0x1004
	addl	(%edi), %ebx
	end

	/*
	 * The U pipe runs alone for 2 clocks. Then it stores while the V pipe loads, and the V
	 * pipe adds in the last clock.
	 */
	begin change_and_load
	expect clocks, 4
	expect v-pipe, 1
	r	0x1000
	w	0x1000
	addl	%eax, (%esi)
	r	0x1004
	addl	(%edi), %ebx
	end

	begin change_and_change
	expect clocks, 5
	expect v-pipe, 1
	r	0x1000
	w	0x1000
	addl	%eax, (%esi)
	r	0x1004
	w	0x1004
	addl	%ebx, (%edi)
	end

	begin load_and_change
	expect clocks, 3
	expect v-pipe, 1
	r	0x1000
	addl	(%esi), %eax
	r	0x1004
	w	0x1004
	addl	%ebx, (%edi)
	end

	/* Bits 2 to 4 of both addresses are the same. */
	begin bank_conflict
	expect clocks, 2
	expect v-pipe, 1
	expect bank-conflicts, 1
	expect both-pipes, 1
	r	0x1000
	movl	(%esi), %eax
	r	0x1040
	movl	(%edi), %ebx
	end

	begin no_bank_conflict
	expect clocks, 1
	expect bank-conflicts, 0
	expect both-pipes, 1
	r	0x1000
	movl	(%esi), %eax
	r	0x1044
	movl	(%edi), %ebx
	end

/* These are interlocks of addresses (AGI). */

	begin agi
	expect clocks, 3
	expect agi, 1
	addl	$4, %ebx
	r	0x1000
	movl	(%ebx), %eax
	end

	begin agi_of_lea
	expect clocks, 3
	expect agi, 1
	incl	%esi
	leal	(%ebx,%esi,4), %eax
	end

	/* The instruction between them fills the clock. */
	begin no_agi
	expect clocks, 4
	expect agi, 0
	addl	$4, %ebx
	cld
	r	0x1000
	movl	(%ebx), %eax
	end

	/*
	 * Both instructions of a pair write registers that the next pair needs. Both waits take
	 * the same clock.
	 */
	begin agi_of_a_pair
	expect clocks, 3
	expect v-pipe, 2
	expect agi, 2
	addl	$4, %esi
	addl	$4, %edi
	r	0x1000
	movl	(%esi), %eax
	r	0x1004
	movl	(%edi), %ebx
	end

	/* Only the second instruction waits, but its pair takes a clock longer. */
	begin agi_in_v
	expect clocks, 3
	expect v-pipe, 2
	expect agi, 1
	incl	%ecx
	incl	%edi
	movl	%ebx, %eax
	r	0x1004
	movl	(%edi), %ebx
	end

	begin agi_of_esp
	expect clocks, 3
	expect agi, 1
	addl	$4, %esp
	r	0x1000
	popl	%esi
	end

	/* PUSH, POP and CALL do not make the next address wait for ESP. */
	begin no_agi_of_the_stack
	expect clocks, 2
	expect agi, 0
	w	0x1000
	pushl	%edi
	r	0x1000
	movl	(%esp), %ebx
	end

	begin agi_of_return_with_arguments
	expect clocks, 5
	expect agi, 1
	r	0x1000
	flow	TAKEN
	ret	$8
	r	0x100c
	popl	%eax
	end

/* Prefixes */

	/* Each prefix takes a clock to decode, in the U pipe. */
	begin prefix
	expect clocks, 2
	expect prefix, 1
	movw	%bx, %ax
	end

	begin two_prefixes
	expect clocks, 3
	expect prefix, 2
	r	0x1000, 2
	movw	%fs:(%esi), %ax
	end

	/*
	 * An instruction with a prefix does not go into the V pipe, and its clock of decoding
	 * is not hidden.
	 */
	begin prefix_is_not_second
	expect clocks, 3
	expect v-pipe, 0
	movl	%ebx, %eax
	movw	%dx, %cx
	end

	/* A multiplication of 9 clocks hides the decoding. */
	begin hidden_prefix
	expect clocks, 10
	expect prefix, 0
	mull	%ebx
	movw	%cx, %si
	end

	/* The first Pentium takes 0F for a prefix: 1 + 3 clocks. The Pentium with MMX does not. */
	begin prefix_0f
	expect clocks, 4
	expect prefix, 1
	movzbl	%bl, %eax
	end

	begin prefix_0f_mmx, 1
	expect clocks, 3
	expect prefix, 0
	movzbl	%bl, %eax
	end

	/* A conditional branch is not delayed by its 0F. */
	begin near_branch
	expect clocks, 1
	expect v-pipe, 1
	expect prefix, 0
	cmpl	$2, %eax
	.byte	0x0f, 0x84
	.long	0
	end

	/*
	 * On the Pentium with MMX, decoding takes two clocks, and the instruction may be the
	 * second of a pair.
	 */
	begin prefix_mmx, 1
	expect clocks, 3
	expect v-pipe, 1
	expect prefix, 2
	movl	%ebx, %eax
	movw	%dx, %cx
	end

/* Branches */

	begin predicted
	expect clocks, 1
	flow	TAKEN
	jmp	1f
1:	end

	begin mispredicted_in_u
	expect clocks, 4
	expect branch, 3
	flow	TAKEN | MISPREDICTED
	jz	1f
1:	end

	begin mispredicted_in_v
	expect clocks, 5
	expect branch, 4
	cmpl	$2, %eax
	flow	TAKEN | MISPREDICTED
	jz	1f
1:	end

	begin mispredicted_call
	expect clocks, 4
	expect branch, 3
	w	0x1000
	flow	TAKEN | MISPREDICTED
	call	1f
1:	end

	begin mispredicted_return
	expect clocks, 5
	expect branch, 3
	r	0x1000
	flow	TAKEN | MISPREDICTED
	ret
	end

	begin mispredicted_in_v_mmx, 1
	expect clocks, 6
	cmpl	$2, %eax
	flow	TAKEN | MISPREDICTED
	jz	1f
1:	end

/*
 * These are cases of memory. A bus clock is 3/2 of the processor's clock. A line from memory
 * takes 10 + 3 * 3 bus clocks. Its first part takes 10, which are 15 clocks of the processor.
 */

	begin misaligned
	expect clocks, 4
	expect misaligned, 3
	r	0x1001
	movl	(%esi), %eax
	end

	/* The instruction takes 3 clocks, and the misaligned read and write take 3 more each. */
	begin misaligned_change
	expect clocks, 9
	expect misaligned, 6
	r	0x1001
	w	0x1001
	incl	(%esi)
	end

	/* 2 bytes within 4 are not misaligned. */
	begin not_misaligned
	expect clocks, 2
	expect misaligned, 0
	r	0x1001, 2
	movw	(%esi), %ax
	end

	begin read_miss
	expect clocks, 16
	expect read, 15
	expect bus, 29
	r	0x1000, 4, MISS
	movl	(%esi), %eax
	end

	/* The bus is busy until clock 29, and the second line comes 15 clocks later. */
	begin two_read_misses
	expect clocks, 45
	expect read, 43
	expect bus, 58
	r	0x1000, 4, MISS
	movl	(%esi), %eax
	r	0x1020, 4, MISS
	movl	4(%edi), %eax
	end

	/*
	 * From the second-level cache, a line takes 3 + 3 * 1 bus clocks. Its first part takes
	 * 3, which are 5 clocks. In all, the reads take 15 + 1 clocks, then the time until 29 +
	 * 5, and 1.
	 */
	begin second_level_hit
	expect clocks, 35
	expect read, 33
	expect bus, 38
	r	0x1000, 4, MISS
	movl	(%esi), %eax
	r	0x1000, 4, MISS
	movl	4(%edi), %eax
	end

	/* Each pipe has a write buffer. The write to the bus takes 5 clocks. */
	begin write_buffer
	expect clocks, 1
	expect write-buffer, 0
	w	0x1000, 4, MISS
	movl	%eax, (%esi)
	end

	/*
	 * Instructions with displacement and immediate operand all go through the U pipe, which
	 * has one buffer.
	 */
	begin write_buffer_overrun
	expect clocks, 6
	expect write-buffer, 4
	w	0x1000, 4, MISS
	movl	$1, 4(%esi)
	w	0x1004, 4, MISS
	movl	$2, 8(%esi)
	end

	/*
	 * The writes of a pair use both buffers. The second pair waits until 5 for the U pipe's
	 * buffer, and until 10 for that of the V pipe.
	 */
	begin write_buffers_of_both_pipes
	expect clocks, 11
	expect v-pipe, 2
	expect write-buffer, 9
	w	0x1000, 4, MISS
	movl	%eax, (%esi)
	w	0x1004, 4, MISS
	movl	%eax, 4(%esi)
	w	0x1008, 4, MISS
	movl	%eax, 8(%esi)
	w	0x100c, 4, MISS
	movl	%eax, 12(%esi)
	end

	/* On the Pentium with MMX, four writes, in two pairs, do not wait. */
	begin write_buffers_mmx, 1
	expect clocks, 2
	expect write-buffer, 0
	w	0x1000, 4, MISS
	movl	%eax, (%esi)
	w	0x1004, 4, MISS
	movl	%eax, 4(%esi)
	w	0x1008, 4, MISS
	movl	%eax, 8(%esi)
	w	0x100c, 4, MISS
	movl	%eax, 12(%esi)
	end

	/* A write that hits waits until the buffers are empty, for 5 - 1 clocks, and takes 1. */
	begin write_after_buffered_write
	expect clocks, 6
	expect write-owned, 4
	w	0x1000, 4, MISS
	movl	$1, 4(%esi)
	w	0x2004
	movl	$2, 8(%esi)
	end

	/*
	 * A read miss does not overtake the buffered write. The bus is free at 5, and the line
	 * comes 15 later.
	 */
	begin read_after_buffered_write
	expect clocks, 21
	expect read, 19
	w	0x1000, 4, MISS
	movl	$1, 4(%esi)
	r	0x2004, 4, MISS
	movl	8(%esi), %eax
	end

	/* The walk reads two entries, a clock each. */
	begin walk
	expect clocks, 3
	expect walk, 2
	r	0x1000, 4, WALK
	movl	(%esi), %eax
	end

	begin code_miss
	expect clocks, 16
	expect code, 15
	flow	CODE_MISS
	movl	%ebx, %eax
	end

	/* The first instruction goes alone, because the code of its partner has not arrived. */
	begin alone
	expect clocks, 17
	expect v-pipe, 0
	expect alone, 1
	movl	%ebx, %eax
	flow	CODE_MISS
	movl	%edx, %ecx
	end

	/*
	 * A complete pair does not wait for more code, and a taken branch does not wait for a
	 * partner.
	 */
	begin not_alone
	expect v-pipe, 2
	expect alone, 0
	movl	%ebx, %eax
	movl	%edx, %ecx
	flow	CODE_MISS
	movl	%ebx, %eax
	flow	TAKEN
	jmp	1f
1:	flow	CODE_MISS
	movl	%edx, %ecx
	end

/* x87 */

	/*
	 * Each addition needs the result of the one before: 3 + 3 clocks. The last one overlaps
	 * the following code, because an integer instruction continues after 1 clock.
	 */
	begin dependent_additions
	expect clocks, 7
	expect x87, 4
	expect flops, 3
	fadd	%st(1), %st
	fadd	%st(1), %st
	fadd	%st(1), %st
	end

	/* The additions write different registers, so one begins in each clock. */
	begin independent_additions
	expect clocks, 3
	expect x87, 0
	fadd	%st, %st(1)
	fadd	%st, %st(2)
	fadd	%st, %st(3)
	end

	/* The multiplier accepts one multiplication every two clocks. */
	begin independent_multiplications
	expect clocks, 5
	expect x87, 2
	fmul	%st, %st(1)
	fmul	%st, %st(2)
	fmul	%st, %st(3)
	end

	/*
	 * The store needs the sum one clock early: 1 for the sum, a wait of 3, and 2 for the
	 * store.
	 */
	begin store_of_a_sum
	expect clocks, 6
	expect x87, 3
	fadd	%st(1), %st
	w	0x1000
	fstps	(%esi)
	end

	/* An exchange pairs with an addition and takes no clock. */
	begin exchange
	expect clocks, 3
	expect v-pipe, 2
	expect x87, 0
	fadd	%st, %st(2)
	fxch	%st(1)
	fadd	%st, %st(3)
	fxch	%st(1)
	fadd	%st, %st(4)
	end

	/* An integer instruction after an exchange waits for one clock. */
	begin exchange_before_integer
	expect clocks, 3
	expect v-pipe, 1
	expect x87, 1
	fadd	%st, %st(2)
	fxch	%st(1)
	movl	%eax, %ebx
	end

	/*
	 * An exchanged register still waits for its own result: the first FADD takes clocks 0
	 * to 3, and the second one begins at 3.
	 */
	begin exchanged_operand
	expect clocks, 4
	expect v-pipe, 1
	expect x87, 2
	fadd	%st(2), %st
	fxch	%st(1)
	fadd	%st, %st(1)
	end

	/* During a division, integer instructions can use the pipes for 38 clocks. */
	begin division_beside_integers
	expect clocks, 4
	expect x87, 0
	expect flops, 1
	fdiv	%st(1), %st
	cld
	movl	%eax, %ebx
	end

	/* The next x87 instruction begins 2 clocks before the end of the division, at 37. */
	begin division_before_addition
	expect clocks, 38
	expect x87, 36
	fdiv	%st, %st(1)
	fadd	%st, %st(2)
	end

	begin load_and_add
	expect clocks, 2
	expect flops, 1
	r	0x1000
	flds	(%esi)
	r	0x1004
	fadds	4(%esi)
	end

	/* An integer is loaded in 3 clocks, 1 of them in the pipe. The next instruction takes 1. */
	begin load_of_an_integer
	expect clocks, 4
	expect x87, 2
	r	0x1000
	fildl	(%esi)
	fchs
	end

	begin wait_for_division
	expect clocks, 38
	fdiv	%st, %st(1)
	fwait
	end

/* MMX */

	begin mmx_pair, 1
	expect clocks, 1
	expect v-pipe, 1
	expect mmx-u, 1
	expect mmx-v, 1
	paddb	%mm0, %mm1
	pxor	%mm2, %mm3
	end

	begin mmx_dependent, 1
	expect clocks, 2
	expect v-pipe, 0
	paddb	%mm0, %mm1
	pxor	%mm1, %mm3
	end

	begin mmx_one_multiplier, 1
	expect clocks, 2
	expect v-pipe, 0
	pmullw	%mm0, %mm1
	pmullw	%mm2, %mm3
	end

	begin mmx_one_shifter, 1
	expect clocks, 2
	expect v-pipe, 0
	psllw	$1, %mm1
	punpcklbw %mm2, %mm3
	end

	begin mmx_multiply_and_shift, 1
	expect clocks, 1
	expect v-pipe, 1
	pmullw	%mm0, %mm1
	psllw	$1, %mm3
	end

	/* The product is available after 3 clocks. */
	begin mmx_product, 1
	expect clocks, 4
	expect mmx, 2
	pmullw	%mm0, %mm1
	paddw	%mm1, %mm2
	end

	/* A store waits one clock longer for its operand. */
	begin mmx_store, 1
	expect clocks, 3
	expect mmx-store, 1
	paddb	%mm0, %mm1
	w	0x1000, 8
	movq	%mm1, (%esi)
	end

	begin mmx_memory_is_first, 1
	expect clocks, 1
	expect v-pipe, 1
	r	0x1000, 8
	paddb	(%esi), %mm1
	paddb	%mm2, %mm3
	end

	begin mmx_memory_is_not_second, 1
	expect clocks, 2
	expect v-pipe, 0
	paddb	%mm2, %mm3
	r	0x1000, 8
	paddb	(%esi), %mm1
	end

	begin mmx_beside_integer, 1
	expect clocks, 1
	expect v-pipe, 1
	addl	%eax, %ebx
	paddb	%mm2, %mm3
	end

	begin mmx_memory_not_beside_integer, 1
	expect clocks, 2
	expect v-pipe, 0
	r	0x1000, 8
	paddb	(%esi), %mm1
	addl	%eax, %ebx
	end

	/* Only the first x87 instruction has the penalty: 1 + 1 + 58 + 2 + 2. */
	begin x87_after_mmx, 1
	expect clocks, 64
	expect switch-stall, 58
	expect switches, 1
	expect emms, 1
	paddb	%mm2, %mm3
	emms
	fldz
	fldz
	end

	/* The clocks are 1 + 38 + 1, and the last two instructions pair. */
	begin mmx_after_x87, 1
	expect clocks, 41
	expect switch-stall, 38
	expect switches, 1
	expect saturating, 2
	fchs
	paddsb	%mm0, %mm1
	packsswb %mm2, %mm3
	pxor	%mm4, %mm5
	end

/* These are strings: the clocks of the instruction, and of each iteration. */

	begin one_move
	expect clocks, 4
	r	0x1000
	w	0x2004
	movsl
	end

/*
 * This is program 1 of Safford's section 5.5.1, a loop of 100 rounds. Its branch is
 * mispredicted in the first and in the last round. INCL and DECL pair in each round, and so do
 * the moves at the start. Safford expects about 100 instructions in the V pipe, and measures
 * 96.5. The clocks are 2 + 100 * 2 + 2 * 3 + 1 + 3.
 */
	begin program_1
	expect v-pipe, 101
	expect branch, 6
	expect clocks, 212
	w	0x1000
	pushl	%ebp
	movl	%esp, %ebp
	movl	$99, %eax
	incl	%edx
	decl	%eax
	flow	TAKEN | MISPREDICTED
	jns	1f
	.rept	98
	incl	%edx
	decl	%eax
	flow	TAKEN
	jns	1f
	.endr
	incl	%edx
	decl	%eax
	flow	MISPREDICTED
	jns	1f
1:	xorl	%eax, %eax
	r	0x1000
	leave
	end
