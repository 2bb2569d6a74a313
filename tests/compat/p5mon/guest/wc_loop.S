/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This is the inner loop of a wc that keeps its counts and its place in memory:
 *
 *	void count_text(void);
 *
 * Instructions, branches, reads and writes in each round:
 *
 *				instructions	branches	reads	writes
 *	a newline		15		5		5	3
 *	a space			14		5		4	2
 *	a letter that begins
 *	a word			16		5		5	3
 *	any other letter	14		5		4	2
 *	the end			2		1		1	1
 *
 * With REGION_IN_LOOP each round is in region 1, except for the jump back, which is one
 * instruction and a branch. Without REGION_IN_LOOP, region 1 is around the loop. Region 2 is
 * empty.
 */
#include "region.inc"

#ifdef REGION_IN_LOOP
#define BEGIN_ROUND begin 1
#define END_ROUND   end 1
#define BEGIN_LOOP
#define END_LOOP
#else
#define BEGIN_ROUND
#define END_ROUND
#define BEGIN_LOOP  begin 1
#define END_LOOP    end 1
#endif

#define IS_SPACE 1

	.globl	count_text
count_text:
	pushl	%esi
	xorl	%esi, %esi
	begin	2
	end	2
	BEGIN_LOOP
1:	BEGIN_ROUND
	decl	left
	js	5f
	movl	next, %eax
	movzbl	(%eax), %edx
	incl	%eax
	movl	%eax, next
	incl	%ecx
	cmpb	$'\n', %dl
	jne	2f
	incl	lines
2:	testb	$IS_SPACE, class(%edx)
	jz	3f
	xorl	%esi, %esi
	jmp	4f
3:	testl	%esi, %esi
	jnz	4f
	movl	$1, %esi
	incl	words
4:	END_ROUND
	jmp	1b
5:	END_ROUND
	END_LOOP
	popl	%esi
	ret
