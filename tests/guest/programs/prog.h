/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Definitions that the known programs share.
 *
 * Every program here is a static executable without libraries: it begins at _start and ends with
 * the exit system call. So its source has every instruction that it executes in user mode, and the
 * numbers of events can be worked out by hand. The first comment of the source has these lines:
 *
 *	expect:
 *	  EVENT = EXPRESSION = NUMBER
 *
 * EVENT is an event code or "clocks". EXPRESSION shows how NUMBER is made up; the harness computes
 * it and compares the two. A line may also have only the EXPRESSION or only the NUMBER. An event
 * without a line counts 0, except two that follow from others: 0x28 (data read or write) is 0x00 +
 * 0x01, and "clocks" is 0x16, because the emulated Pentium takes one clock per instruction. The
 * section "expect-no-errata:" has the numbers that differ on a processor without the errata of
 * misaligned accesses. The line "cpu: mmx" means that only processors with MMX can execute the
 * program. The line "status: N" gives an exit status other than 0.
 *
 * Above these lines, the comment says which instructions the program executes. The name of a macro
 * of this file is followed there by the number of its instructions, as in SIGACTION 6. A table has
 * instructions on the left and their events on the right. The comments leave out the events of int
 * $0x80 and the EXIT 3 at the end, which all but a few programs have.
 *
 * int $0x80 is 1 instruction, 1 branch, 5 data reads (gate, code segment descriptor, SS0 and ESP0
 * of the TSS, stack segment descriptor), 5 data writes (SS, ESP, EFLAGS, CS, EIP) and 2 segment
 * register loads (because the privilege level changes): see Safford 1997, appendix A, "any segment
 * register loaded" and "branches". All these events count in user mode, which executes the
 * instruction. The kernel returns with IRET, whose events do not count in user mode.
 */

#define SYS_exit		1
#define SYS_fork		2
#define SYS_read		3
#define SYS_write		4
#define SYS_open		5
#define SYS_waitpid		7
#define SYS_execve		11
#define SYS_getpid		20
#define SYS_kill		37
#define SYS_setitimer		104
#define SYS_iopl		110
#define SYS_sigreturn		119
#define SYS_clone		120
#define SYS_mprotect		125
#define SYS_sched_yield		158
#define SYS_nanosleep		162
#define SYS_rt_sigreturn	173
#define SYS_rt_sigaction	174
#define SYS_vfork		190
#define SYS_mmap2		192
#define SYS_set_thread_area	243
#define SYS_sched_setaffinity	241

#define PAGE			4096

#define PROT_NONE		0
#define PROT_READ		1
#define PROT_READ_WRITE		3
#define PROT_READ_EXEC		5
#define PROT_ALL		7

/* These are the flags that arithmetic changes. */
#define CF			0x001
#define PF			0x004
#define AF			0x010
#define ZF			0x040
#define SF			0x080
#define OF			0x800
#define ARITHMETIC_FLAGS	(CF | PF | AF | ZF | SF | OF)

#define SIGILL			4
#define SIGTRAP			5
#define SIGFPE			8
#define SIGKILL			9
#define SIGUSR1			10
#define SIGSEGV			11
#define SIGALRM			14

#define SA_SIGINFO		0x00000004
#define SA_RESTORER		0x04000000

/*
 * Offsets of the interrupted registers from the stack pointer at the first instruction of a handler
 * without SA_SIGINFO. The return address and the signal number lie below these registers.
 */
#define SIG_EAX			52
#define SIG_ECX			48
#define SIG_EIP			64
#define SIG_FPSTATE		84

	.macro	EXIT
	movl	$SYS_exit, %eax
	xorl	%ebx, %ebx
	int	$0x80
	.endm

/* A program that has found an error exits with status 1 in this way. */
	.macro	FAIL
	movl	$SYS_exit, %eax
	movl	$1, %ebx
	int	$0x80
	.endm

/* This takes 2 instructions. The registers must already contain the arguments. */
	.macro	SYSCALL nr
	movl	$\nr, %eax
	int	$0x80
	.endm

/* This takes 6 instructions. */
	.macro	SIGACTION sig, act
	movl	$\sig, %ebx
	movl	$\act, %ecx
	xorl	%edx, %edx
	movl	$8, %esi
	SYSCALL	SYS_rt_sigaction
	.endm

/* This is the structure that SIGACTION takes: handler, flags, restorer and mask. */
	.macro	ACTION handler, flags, restorer
	.long	\handler, \flags, \restorer, 0, 0
	.endm

/* A handler returns in this way. It takes 3 instructions, 1 of them int $0x80, 1 pop. */
	.macro	SIGRETURN
	popl	%eax
	movl	$SYS_sigreturn, %eax
	int	$0x80
	.endm

/* This takes 5 instructions, 1 of them int $0x80. */
	.macro	MPROTECT address, protection, size=PAGE
	movl	$\address, %ebx
	movl	$\size, %ecx
	movl	$\protection, %edx
	SYSCALL	SYS_mprotect
	.endm

/*
 * This handler of SIGSEGV makes the access possible. It takes 9 instructions, 2 of them int
 * $0x80, 1 pop.
 */
	.macro	PERMIT address, protection=PROT_READ_WRITE
	MPROTECT \address, \protection
	addl	$4, %esp
	SIGRETURN
	.endm

	.globl	_start
