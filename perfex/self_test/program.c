// SPDX-License-Identifier: GPL-2.0-only
/* Execute a program whose user-mode instructions are known exactly. */
#include "self_test/program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The linear address of the first byte of the file */
#define ADDRESS 0x08048000

/* A child of fork(2) that does not become the program exits with one of these. */
#define EXIT_UNCOUNTED 1
#define EXIT_FOREIGN   2

/* The code has the members of struct program at these offsets, as immediate operands. */
#define CODE_SIZE	     0x41
#define CODE_AT_ROUNDS	     0x01
#define CODE_AT_CHILDREN     0x0b
#define CODE_AT_CHILD_ROUNDS 0x2f

/*
 * The code of both widths has the same instructions, which are executed as often: n stands for
 * rounds, k for children and m for child_rounds. A child begins after the system call that forks
 * it.
 */
static const unsigned char code_32[CODE_SIZE] = {
	0xb9, 0,    0,	  0, 0, /* 1	mov $n, %ecx */
	0x83, 0xe9, 0x01,	/* n 1:	sub $1, %ecx */
	0x75, 0xfb,		/* n	jnz 1b */
	0xbf, 0,    0,	  0, 0, /* 1	mov $k, %edi */
	0x83, 0xef, 0x01,	/* k+1 2: sub $1, %edi */
	0x78, 0x24,		/* k+1	js 5f */
	0xb8, 0x02, 0,	  0, 0, /* k	mov $SYS_fork, %eax */
	0xcd, 0x80,		/* k	int $0x80 */
	0x85, 0xc0,		/* k k	test %eax, %eax */
	0x74, 0x0f,		/* k k	jz 3f */
	0x89, 0xc3,		/* k	mov %eax, %ebx */
	0xb8, 0x07, 0,	  0, 0, /* k	mov $SYS_waitpid, %eax */
	0x31, 0xc9,		/* k	xor %ecx, %ecx */
	0x31, 0xd2,		/* k	xor %edx, %edx */
	0xcd, 0x80,		/* k	int $0x80 */
	0xeb, 0xe1,		/* k	jmp 2b */
	0xb9, 0,    0,	  0, 0, /* k 3:	mov $m, %ecx */
	0x83, 0xe9, 0x01,	/* km 4: sub $1, %ecx */
	0x75, 0xfb,		/* km	jnz 4b */
	0xb8, 0x01, 0,	  0, 0, /* 1 k 5: mov $SYS_exit, %eax */
	0x31, 0xdb,		/* 1 k	xor %ebx, %ebx */
	0xcd, 0x80,		/* 1 k	int $0x80 */
};

static const unsigned char code_64[CODE_SIZE] = {
	0xb9, 0,    0,	  0, 0, /* 1	mov $n, %ecx */
	0x83, 0xe9, 0x01,	/* n 1:	sub $1, %ecx */
	0x75, 0xfb,		/* n	jnz 1b */
	0xbb, 0,    0,	  0, 0, /* 1	mov $k, %ebx */
	0x83, 0xeb, 0x01,	/* k+1 2: sub $1, %ebx */
	0x78, 0x24,		/* k+1	js 5f */
	0xb8, 0x39, 0,	  0, 0, /* k	mov $SYS_fork, %eax */
	0x0f, 0x05,		/* k	syscall */
	0x85, 0xc0,		/* k k	test %eax, %eax */
	0x74, 0x0f,		/* k k	jz 3f */
	0x89, 0xc7,		/* k	mov %eax, %edi */
	0xb8, 0x3d, 0,	  0, 0, /* k	mov $SYS_wait4, %eax */
	0x31, 0xf6,		/* k	xor %esi, %esi */
	0x31, 0xd2,		/* k	xor %edx, %edx */
	0x0f, 0x05,		/* k	syscall */
	0xeb, 0xe1,		/* k	jmp 2b */
	0xb9, 0,    0,	  0, 0, /* k 3:	mov $m, %ecx */
	0x83, 0xe9, 0x01,	/* km 4: sub $1, %ecx */
	0x75, 0xfb,		/* km	jnz 4b */
	0xb8, 0x3c, 0,	  0, 0, /* 1 k 5: mov $SYS_exit, %eax */
	0x31, 0xff,		/* 1 k	xor %edi, %edi */
	0x0f, 0x05,		/* 1 k	syscall */
};

uint64_t program_instructions(const struct program *program)
{
	return 2ULL * program->rounds + 12ULL * program->children + 7;
}

uint64_t children_instructions(const struct program *program)
{
	return program->children * (2ULL * program->child_rounds + 6);
}

/* A file of either width is one segment, with its code at its end. */
struct file_32 {
	Elf32_Ehdr header;
	Elf32_Phdr segment;
	unsigned char code[CODE_SIZE];
};

struct file_64 {
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	unsigned char code[CODE_SIZE];
};

#define IDENT(class)                                                    \
	{                                                               \
		ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, class, ELFDATA2LSB, \
			EV_CURRENT                                      \
	}

/* The headers of a file of 32 or 64 bits, whose code is not filled in yet. */
#define HEADERS(bits, machine)                                                \
	{                                                                     \
		.header = { .e_ident = IDENT(ELFCLASS##bits),                 \
			    .e_type = ET_EXEC,                                \
			    .e_machine = (machine),                           \
			    .e_version = EV_CURRENT,                          \
			    .e_entry = ADDRESS +                              \
				       offsetof(struct file_##bits, code),    \
			    .e_phoff = offsetof(struct file_##bits, segment), \
			    .e_ehsize = sizeof(Elf##bits##_Ehdr),             \
			    .e_phentsize = sizeof(Elf##bits##_Phdr),          \
			    .e_phnum = 1 },                                   \
		.segment = { .p_type = PT_LOAD,                               \
			     .p_vaddr = ADDRESS,                              \
			     .p_filesz = sizeof(struct file_##bits),          \
			     .p_memsz = sizeof(struct file_##bits),           \
			     .p_flags = PF_R | PF_X },                        \
	}

static const struct file_32 headers_32 = HEADERS(32, EM_386);
static const struct file_64 headers_64 = HEADERS(64, EM_X86_64);

static void write_code(unsigned char *code, const unsigned char *from,
		       const struct program *program)
{
	memcpy(code, from, CODE_SIZE);
	memcpy(code + CODE_AT_ROUNDS, &program->rounds, 4);
	memcpy(code + CODE_AT_CHILDREN, &program->children, 4);
	memcpy(code + CODE_AT_CHILD_ROUNDS, &program->child_rounds, 4);
}

/* Write the program to a file in memory. Returns its descriptor, or -1. */
static int open_program(const struct program *program)
{
	struct file_32 file_32 = headers_32;
	struct file_64 file_64 = headers_64;
	const bool is_wide = program->bits == 64;
	const void *file = is_wide ? (void *)&file_64 : (void *)&file_32;
	const size_t size = is_wide ? sizeof(file_64) : sizeof(file_32);
	const int fd = memfd_create("self-test", MFD_CLOEXEC);

	write_code(file_32.code, code_32, program);
	write_code(file_64.code, code_64, program);
	if (fd >= 0 && write(fd, file, size) == (ssize_t)size)
		return fd;
	close(fd);
	return -1;
}

/* Become the program. The count begins with its first instruction. */
static _Noreturn void execute_program(struct vpmc *vpmc, int fd,
				      const struct vpmc_event_sel *sel)
{
	static char *const none[] = { NULL };

	if (vpmc_start(vpmc, sel, 1, VPMC_AT_EXEC, NULL))
		_exit(EXIT_UNCOUNTED);
	syscall(SYS_execveat, fd, "", none, none, AT_EMPTY_PATH);
	_exit(errno == ENOEXEC ? EXIT_FOREIGN : EXIT_UNCOUNTED);
}

void start_program(struct running *running, const struct program *program,
		   const struct vpmc_event_sel *sel)
{
	const int fd = open_program(program);

	*running = (struct running){ .pid = -1 };
	if (fd < 0)
		snprintf(running->err.text, sizeof(running->err.text),
			 "the program cannot be written: %s", strerror(errno));
	else if (!vpmc_open(&running->vpmc, &running->err))
		running->pid = fork();
	if (!running->pid)
		execute_program(running->vpmc, fd, sel);
	close(fd);
}

static enum program_end read_program(struct running *running, uint64_t *self,
				     uint64_t *children)
{
	struct vpmc_counts counts;

	if (vpmc_read(running->vpmc, VPMC_SELF, &counts, &running->err))
		return PROGRAM_FAILED;
	*self = counts.count[0];
	if (vpmc_read(running->vpmc, VPMC_CHILDREN, &counts, &running->err))
		return PROGRAM_FAILED;
	*children = counts.nr ? counts.count[0] : 0;
	return PROGRAM_DONE;
}

enum program_end finish_program(struct running *running, uint64_t *self,
				uint64_t *children)
{
	enum program_end end = PROGRAM_FAILED;
	int how;

	if (running->pid > 0 && waitpid(running->pid, &how, 0) > 0) {
		snprintf(running->err.text, sizeof(running->err.text),
			 "the program ended with the status %#x",
			 (unsigned int)how);
		if (!how)
			end = read_program(running, self, children);
		else if (WIFEXITED(how) && WEXITSTATUS(how) == EXIT_FOREIGN)
			end = PROGRAM_FOREIGN;
	}
	vpmc_close(running->vpmc);
	return end;
}
