// SPDX-License-Identifier: GPL-2.0-only
#include "fake_rdpmc.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "fake_driver.h"
#include "unit.h"

struct fake_rdpmc fake_rdpmc;

#ifdef __x86_64__
#define AX REG_RAX
#define CX REG_RCX
#define DX REG_RDX
#define IP REG_RIP
#else
#define AX REG_EAX
#define CX REG_ECX
#define DX REG_EDX
#define IP REG_EIP
#endif

static const unsigned char rdpmc[] = { 0x0f, 0x33 };

/*
 * Execute RDPMC. It causes a general protection fault or, under valgrind, is an unknown
 * instruction.
 */
static void execute(int signo, siginfo_t *info, void *context)
{
	greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;
	const void *instruction;
	uint64_t value;

	(void)info;
	memcpy(&instruction, &regs[IP], sizeof(regs[IP]));
	if (memcmp(instruction, rdpmc, sizeof(rdpmc)) != 0 ||
	    (size_t)regs[CX] >= ARRAY_SIZE(fake_rdpmc.counter)) {
		/* This is a different fault. It happens again and then ends the test. */
		signal(signo, SIG_DFL);
		return;
	}
	value = fake_rdpmc.counter[regs[CX]];
	regs[AX] = (greg_t)(value & UINT32_MAX);
	regs[DX] = (greg_t)(value >> 32);
	regs[IP] += (greg_t)sizeof(rdpmc);
	fake_rdpmc.reads++;
	if (fake_rdpmc.then)
		fake_rdpmc.then();
}

void fake_rdpmc_begin(void)
{
	struct sigaction action = { .sa_sigaction = execute,
				    .sa_flags = SA_SIGINFO | SA_NODEFER };

	memset(&fake_rdpmc, 0, sizeof(fake_rdpmc));
	assert_int_equal(sigaction(SIGSEGV, &action, NULL), 0);
	assert_int_equal(sigaction(SIGILL, &action, NULL), 0);
}

void fake_take_away(struct vpmc_own_page *page)
{
	unsigned int i;

	page->sequence++;
	page->nr_counts = 0;
	for (i = 0; i < VPMC_COUNTS_MAX; i++) {
		page->count[i].high[0] = VPMC_PAGE_INVALID;
		page->count[i].high[1] = VPMC_PAGE_INVALID;
	}
}

struct vpmc_own_page *fake_page(unsigned int nr)
{
	struct vpmc_own_page *page =
		mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned int i;

	assert_true(page != MAP_FAILED);
	fake_take_away(page);
	page->size = sizeof(*page);
	page->nr_counts = nr;
	page->generation = 7;
	page->start = 21;
	for (i = 0; i < nr; i++) {
		page->count[i].counter = i;
		page->count[i].high[0] = 0;
		page->count[i].high[1] = 0;
	}
	fake->map.address = (uintptr_t)page;
	return page;
}
