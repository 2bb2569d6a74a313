/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This is a complete static executable whose counts are worked out by hand. It does not use a
 * library, so this file has all instructions that it executes in user mode.
 *
 *			instructions	what
 * calls		1 + 100 * 6	200 calls, 200 returns, 100 conditional branches
 * indirect		3		a call and a return
 * jump			1		a jump
 * strings		6		20 loads, 20 stores: REP counts once, and
 *					each iteration has its own access
 * locked		3		3 loads, 3 stores, all locked
 * stack		2		a store, a load
 * exit			3		a far branch; INT loads and stores as well
 * sum			619
 * SSE (64 bits only)	1 + 50 * 7	150 loads, 100 stores, 50 conditional branches
 * sum of 64 bits	970
 *
 * A call stores its return address, and a return loads it.
 */
	.globl	_start
	.text
_start:
	movl	$100, %edi
1:	call	a
	decl	%edi
	jnz	1b

#ifdef __x86_64__
	leaq	b(%rip), %rax
	call	*%rax
#else
	leal	b, %eax
	call	*%eax
#endif
	jmp	1f
	ud2
1:
#ifdef __x86_64__
	leaq	input(%rip), %rsi
	leaq	output(%rip), %rdi
#else
	leal	input, %esi
	leal	output, %edi
#endif
	movl	$20, %ecx
	rep movsb
	xorl	%ecx, %ecx
	rep stosb

	lock incl output
	xchgl	%eax, output
	lock cmpxchg8b output

#ifdef __x86_64__
	pushq	%rax
	popq	%rcx

	movl	$50, %edi
1:	movups	input, %xmm0
	addps	input, %xmm0
	movups	%xmm0, output
	movq	%xmm0, output
	movss	input, %xmm1
	decl	%edi
	jnz	1b

	movl	$60, %eax
	xorl	%edi, %edi
	syscall
#else
	pushl	%eax
	popl	%ecx

	movl	$1, %eax
	xorl	%ebx, %ebx
	int	$0x80
#endif

a:	call	b
	ret
b:	ret

	.data
	.balign	16
input:	.fill	32, 1, 1
output:	.fill	32, 1, 0
