// SPDX-License-Identifier: GPL-2.0-only
#include "fake_system.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fake_driver.h"

struct fake_system *fake_system;
void (*fake_before_pread)(int fd, size_t size);

/* The linker prescribes these names; the prototypes are those of the wrapped functions. */
ssize_t __real_write(int fd, const void *from, size_t size);
ssize_t __wrap_write(int fd, const void *from, size_t size);
ssize_t __real_pread(int fd, void *to, size_t size, off_t at);
ssize_t __wrap_pread(int fd, void *to, size_t size, off_t at);
long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);
void *__real_reallocarray(void *memory, size_t nr, size_t size);
void *__wrap_reallocarray(void *memory, size_t nr, size_t size);
FILE *__real_open_memstream(char **text, size_t *size);
FILE *__wrap_open_memstream(char **text, size_t *size);

int fake_system_setup(void **state)
{
	if (!fake_system)
		fake_system =
			mmap(NULL, sizeof(*fake_system), PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (fake_system == MAP_FAILED)
		return -1;
	memset(fake_system, 0, sizeof(*fake_system));
	return fake_setup(state);
}

ssize_t __wrap_write(int fd, const void *from, size_t size)
{
	if (fake_system && fd == STDERR_FILENO)
		fake_system->writes++;
	return __real_write(fd, from, size);
}

ssize_t __wrap_pread(int fd, void *to, size_t size, off_t at)
{
	if (fake_before_pread)
		fake_before_pread(fd, size);
	return __real_pread(fd, to, size, at);
}

/* perfex calls syscall(2) only for pidfd_open(2), which has two arguments. */
long __wrap_syscall(long number, ...)
{
	va_list args;
	unsigned int flags;
	int id;

	va_start(args, number);
	id = va_arg(args, int);
	flags = va_arg(args, unsigned int);
	va_end(args);
	if (!fake_system || !fake_system->no_thread_fd || !flags)
		return __real_syscall(number, id, flags);
	errno = EINVAL;
	return -1;
}

void *__wrap_reallocarray(void *memory, size_t nr, size_t size)
{
	if (fake_system && fake_system->most && nr * size > fake_system->most) {
		errno = ENOMEM;
		return NULL;
	}
	if (fake_system && nr * size > fake_system->largest)
		fake_system->largest = nr * size;
	return __real_reallocarray(memory, nr, size);
}

FILE *__wrap_open_memstream(char **text, size_t *size)
{
	if (!fake_system || !fake_system->no_stream)
		return __real_open_memstream(text, size);
	errno = ENOMEM;
	return NULL;
}
