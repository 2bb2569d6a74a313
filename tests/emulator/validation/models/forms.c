// SPDX-License-Identifier: GPL-2.0-only
/*
 * forms LOADS STORES: test which forms of instructions load and store. LOADS and STORES are the
 * codes of the events. The program reads the counters in user mode, so no system call is
 * counted. forms.h has the forms.
 */
#include <err.h>
#include <immintrin.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../../guest/lib/check.h"
#include "counter.h"

enum { INSTRUCTIONS, LOADS, STORES, NR_EVENTS };

struct counts {
	uint32_t of[NR_EVENTS];
};

/* These are the numbers by which RDPMC reads the counters. */
static uint32_t numbers[NR_EVENTS];

/* Forms read memory at %rsi, and write memory at %rdi. */
static _Alignas(64) unsigned char from[1024], to[1024];

#define READ(number, result) \
	"mov %k[" number "], %%ecx\n\trdpmc\n\tmov %%eax, " result "\n\t"
#define READ_AGAIN(number, first)                                 \
	"mov %k[" number "], %%ecx\n\trdpmc\n\tsub %%eax, " first \
	"\n\tneg " first "\n\t"

/* Execute TEXT with %rax = -1, %rcx = 3, %rdx = 0, and return its counts. */
#define COUNT(text)                                                                                            \
	({                                                                                                     \
		struct counts c;                                                                               \
		const void *src = from;                                                                        \
		void *dst = to;                                                                                \
                                                                                                               \
		__asm__ volatile(                                                                              \
			READ("insns", "%%r8d") READ("loads", "%%r9d") READ(                                    \
				"stores",                                                                      \
				"%%r10d") "mov $-1, %%rax\n\tmov $3, %%ecx\n\txor %%edx, %%edx\n\t" text       \
					  "\n\t" READ_AGAIN(                                                   \
						  "insns",                                                     \
						  "%%r8d") READ_AGAIN("loads",                                 \
								      "%%r9d")                                 \
						  READ_AGAIN(                                                  \
							  "stores",                                            \
							  "%%r10d") "mov %%r8d, %[c0]\n\tmov %%r9d, %[c1]\n\t" \
								    "mov %%r10d, %[c2]\n\t"                    \
			: [c0] "=m"(c.of[0]), [c1] "=m"(c.of[1]),                                              \
			  [c2] "=m"(c.of[2]), "+S"(src), "+D"(dst)                                             \
			: [insns] "r"(numbers[0]), [loads] "r"(numbers[1]),                                    \
			  [stores] "r"(numbers[2])                                                             \
			: "rax", "rcx", "rdx", "r8", "r9", "r10", "xmm0",                                      \
			  "xmm1", "xmm2", "cc", "memory");                                                     \
		c;                                                                                             \
	})

enum group { ALL, SSE41, AVX2 };

static bool is_there(enum group group)
{
	return group == ALL ||
	       (group == SSE41 && __builtin_cpu_supports("sse4.1")) ||
	       (group == AVX2 && __builtin_cpu_supports("avx2"));
}

static struct counts count_nothing(void)
{
	return COUNT("");
}

/* Define a function for each form. Its name has the number of the form's line in forms.h. */
#define NAMED(line) count_##line
#define NAME(line)  NAMED(line)
#define FORM(group, text, insns, loads, stores)   \
	static struct counts NAME(__LINE__)(void) \
	{                                         \
		return COUNT(text);               \
	}
#include "forms.h"
#undef FORM

#define FORM(group, text, insns, loads, stores) \
	{ text, NAME(__LINE__), { { insns, loads, stores } }, group },
static const struct form {
	const char *text;
	struct counts (*count)(void);
	struct counts want;
	enum group group;
} forms[] = {
#include "forms.h"
};

static void check_form(const struct form *form, struct counts empty)
{
	struct counts got = form->count();
	const uint32_t *want = form->want.of;

	for (int i = 0; i < NR_EVENTS; i++)
		got.of[i] -= empty.of[i];
	check(!memcmp(&got, &form->want, sizeof(got)),
	      "%u instructions, %u loads, %u stores, want %u, %u, %u: %s",
	      got.of[INSTRUCTIONS], got.of[LOADS], got.of[STORES],
	      want[INSTRUCTIONS], want[LOADS], want[STORES], form->text);
}

/* Start an event, which counts from then on. Return its number for RDPMC. */
static uint32_t start(struct perf_event_attr attr)
{
	struct perf_event_mmap_page *page;
	int fd;

	attr.disabled = 0;
	attr.pinned = 1;
	fd = counter_open(&attr, 0);
	page = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		err(2, "mmap");
	if (!page->index)
		errx(2, "an event has no counter");
	return page->index - 1;
}

int main(int argc, char **argv)
{
	struct counts empty;

	if (argc != 3)
		errx(2, "usage: forms LOADS STORES");
	memset(from, 1, sizeof(from));
	numbers[LOADS] = start(counter_raw(strtoull(argv[1], NULL, 0)));
	numbers[STORES] = start(counter_raw(strtoull(argv[2], NULL, 0)));
	numbers[INSTRUCTIONS] = start(counter_instructions());
	empty = count_nothing();
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (is_there(forms[i].group))
			check_form(&forms[i], empty);
	return check_status();
}
