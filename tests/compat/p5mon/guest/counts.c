// SPDX-License-Identifier: GPL-2.0-only
/*
 * This program tests the functions of libp5mon on a Pentium. Each check prints a line that
 * begins with "ok" or "FAIL". Counts of loops are exact: the cost of a pair of reads is
 * subtracted.
 */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libp5mon.h"

#define MAX ((1ULL << 40) - 1)

static void check(const char *rule, int good)
{
	printf("%s %s\n", good ? "ok  " : "FAIL", rule);
}

/* Execute 1 + 2 * @rounds instructions. @rounds of them are branches. */
static inline void loop(unsigned int rounds)
{
	__asm__ __volatile__("movl %1, %0; 1: decl %0; jnz 1b"
			     : "=&r"(rounds)
			     : "r"(rounds)
			     : "cc");
}

static CNT_CONFIG config_of(CNT_CTRL control, CNT_CLR clr)
{
	return (CNT_CONFIG){ .event0 = instructions_executed,
			     .event1 = branches,
			     .ctrl0 = control,
			     .ctrl1 = control,
			     .clr = clr };
}

/* The first call brings code and data into memory, so only the second call is measured. */
static void count_loop(unsigned int rounds, ULONG difference[2])
{
	ULONG from[3], to[3];

	p5mon_read(from);
	loop(rounds);
	p5mon_read(to);
	difference[0] = to[0] - from[0];
	difference[1] = to[1] - from[1];
}

static void check_loops(void)
{
	CNT_CONFIG config = config_of(evt_user, clr_0_1);
	ULONG least[2], more[2];

	check("a configuration of two events is accepted",
	      !p5mon_config(&config));
	count_loop(1, least);
	count_loop(1001, more);
	check("a loop's instructions are counted exactly",
	      more[0] - least[0] == 2000);
	check("its branches are counted exactly", more[1] - least[1] == 1000);
}

static void check_clocks(void)
{
	CNT_CONFIG config = config_of(clk_user, clr_0_1);
	ULONG least[2], more[2];

	p5mon_config(&config);
	count_loop(1, least);
	count_loop(1001, more);
	/* An instruction takes one clock in the emulator. */
	check("clock cycles are counted", more[0] - least[0] == 2000);
	config = config_of(evt_user, clr_0_1);
	config.event0 = count_clocks;
	p5mon_config(&config);
	count_loop(1, least);
	count_loop(1001, more);
	check("the event count_clocks counts them, too",
	      more[0] - least[0] == 2000 && more[1] - least[1] == 1000);
}

static void check_values(void)
{
	CNT_CONFIG config = config_of(evt_user, init_0_clr_1);
	ULONG now[3], then[3];

	config.init0 = MAX - 99;
	p5mon_config(&config);
	loop(1000000);
	p5mon_read(now);
	check("a preset counter goes on from its value, and wraps at 40 bits",
	      now[0] > 2000000 - 100 && now[0] < 2010000);
	check("the other one is cleared",
	      now[1] >= 1000000 && now[1] < 1010000);
	config = config_of(evt_disable, clr_none);
	p5mon_config(&config);
	p5mon_read(now);
	loop(1000);
	p5mon_read(then);
	check("a disabled counter keeps its value",
	      !memcmp(now, then, sizeof(now)) && now[0] > 2000000 - 100);
	check("CESR says that it is disabled", !now[2]);
	config = config_of(evt_user, clr_0);
	p5mon_config(&config);
	p5mon_read(now);
	check("one counter is cleared, and the other goes on",
	      now[0] < 10000 && now[1] >= then[1] && now[1] < then[1] + 10000);
	p5mon_clear();
	p5mon_read(now);
	check("p5mon_clear() clears both", now[0] < 10000 && now[1] < 10000);
	check("and leaves CESR as it is", now[2] == 0x00920096);
}

static void check_kernel(void)
{
	CNT_CONFIG config = config_of(evt_kernel, clr_0_1);
	ULONG now[3];

	config.ctrl1 = evt_user;
	config.event1 = instructions_executed;
	p5mon_config(&config);
	loop(1000000);
	getppid();
	p5mon_read(now);
	check("one event is counted in both modes apart",
	      now[0] > 0 && now[0] < 1000000 && now[1] >= 2000000);
}

static void check_child(void)
{
	CNT_CONFIG config = config_of(evt_user, clr_0_1);
	ULONG now[3];
	int status;
	pid_t pid;

	p5mon_config(&config);
	pid = fork();
	if (!pid) {
		execl("exactly-1000000", "exactly-1000000", NULL);
		_exit(1);
	}
	waitpid(pid, &status, 0);
	p5mon_read(now);
	check("a process that was waited for is counted",
	      !status && now[0] >= 1000000 && now[0] < 1100000);
}

/* Check which counts a program reads if another program counts it. */
static int be_reader(void)
{
	ULONG now[3], then[3];
	CNT_CONFIG config;

	if (p5mon_init() || p5mon_read(now) || p5mon_read(then))
		return 1;
	p5mon_gen_config(now[2], &config);
	check("counters that are inherited can be read",
	      now[0] > 0 && then[0] > now[0]);
	check("and CESR says what they count",
	      config.event0 == instructions_executed &&
		      config.ctrl0 == evt_user && config.event1 == branches);
	return 0;
}

int main(int argc, char **argv)
{
	ULONG now[3];

	(void)argv;
	setlinebuf(stdout);
	if (argc > 1)
		return be_reader();
	check("the counters open", !p5mon_init());
	check("and read 0 before they count",
	      !p5mon_read(now) && !now[0] && !now[1] && !now[2]);
	check_loops();
	check_clocks();
	check_values();
	check_kernel();
	check_child();
	check("they close", !p5mon_close());
	return 0;
}
