/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Definitions that the known programs share.
 *
 * Every program here is a whole static executable: the kernel enters it at _start, it uses no
 * library, and it leaves by the exit system call. So each instruction that it executes in user
 * mode stands in its own file, and the numbers can be worked out by hand. The first comment of
 * the file has these lines:
 *
 *	expect:
 *	  EVENT = EXPRESSION = NUMBER
 *
 * EVENT is a code or "clocks", EXPRESSION shows where NUMBER comes from (the harness computes it
 * and compares), and either may stand alone. An event that is not mentioned counts 0, but for
 * two that follow from others: 0x28 (data read or write) is 0x00 + 0x01, and clocks, of which
 * the emulated Pentium takes one per instruction, is 0x16. "expect-no-errata:" has the numbers
 * that differ on a processor without the errata of misaligned accesses. "cpu: mmx" keeps a
 * program from processors without MMX, and "status: N" is the exit status when it is not 0.
 *
 * Nearly all programs contain these two pieces:
 *
 * int $0x80       1 instruction, 1 branch, 5 data reads (gate, code segment descriptor, SS0 and
 * ESP0 of the TSS, stack segment descriptor), 5 data writes (SS, ESP, EFLAGS, CS, EIP), 2
 * segment register loads (the privilege level changes): Safford 1997, appendix A, "any segment
 * register loaded" and "branches". All these events count in the mode that executes them. The
 * way back is the kernel's IRET. EXIT              3 instructions, of which one is int $0x80.
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
#define SYS_pipe		42
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

/* The flags that arithmetic changes. */
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
 * Where a handler without SA_SIGINFO finds the interrupted registers at its
 * first instruction: the return address and the signal's number come first.
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

/* The same with status 1: a program has found a mistake. */
	.macro	FAIL
	movl	$SYS_exit, %eax
	movl	$1, %ebx
	int	$0x80
	.endm

/* 2 instructions; the arguments are in the registers already. */
	.macro	SYSCALL nr
	movl	$\nr, %eax
	int	$0x80
	.endm

/* 6 instructions. */
	.macro	SIGACTION sig, act
	movl	$\sig, %ebx
	movl	$\act, %ecx
	xorl	%edx, %edx
	movl	$8, %esi
	SYSCALL	SYS_rt_sigaction
	.endm

/* The argument of SIGACTION has handler, flags, restorer and mask. */
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
