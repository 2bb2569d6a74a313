// SPDX-License-Identifier: GPL-2.0-only
/* Recognize the event names of "perf list" and suggest vpmc's names for them. */
#include "events/perf_names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* perf reads at most this many hexadecimal digits. */
#define RAW_DIGITS 16

/* These are perf's aliases, and vpmc's generic names for the same events. */
static const struct {
	const char *perf;
	const char *generic;
} aliases[] = {
	{ "branch-instructions", "branches" },
	{ "cpu-cycles", "cycles" },
};

static const char varies[] =
	"perf means another event on each processor, and vpmc has no generic"
	" name for it: give the event's own name or code";
static const char software[] =
	"the kernel's software counts it, not the processor: --times shows"
	" page faults, context switches and times";
static const char tracepoint[] =
	"it is a place in the kernel's code, not an event of the processor";
static const char breakpoint[] =
	"it is a breakpoint at an address, not an event of the processor";
static const char syntax[] =
	"PMU/.../ is syntax of perf: give the event's name or code";

/* These are names of perf for which vpmc does not have the same event. */
static const struct {
	const char *name;
	const char *reason;
} refused[] = {
	{ "alignment-faults", software },
	{ "bpf-output", software },
	{ "branch-load-misses", varies },
	{ "branch-loads", varies },
	{ "bus-cycles", varies },
	{ "cgroup-switches", software },
	{ "context-switches", software },
	{ "cpu-clock", software },
	{ "cpu-migrations", software },
	{ "cs", software },
	{ "dummy", software },
	{ "duration_time", software },
	{ "emulation-faults", software },
	{ "faults", software },
	{ "idle-cycles-backend", varies },
	{ "idle-cycles-frontend", varies },
	{ "major-faults", software },
	{ "mem-loads", varies },
	{ "mem-stores", varies },
	{ "migrations", software },
	{ "minor-faults", software },
	{ "page-faults", software },
	{ "slots", varies },
	{ "stalled-cycles-backend", varies },
	{ "stalled-cycles-frontend", varies },
	{ "system_time", software },
	{ "task-clock", software },
	{ "user_time", software },
};

/* Names such as L1-dcache-load-misses, iTLB-loads and topdown-retiring begin with these texts. */
static const char *const various[] = { "L1-dcache-", "L1-icache-", "LLC-",
				       "dTLB-",	     "iTLB-",	   "node-",
				       "topdown-" };

/* These are groups of tracepoints of Linux 6.12, such as "sched" in sched:sched_switch. */
static const char *const tracepoints[] = {
	"alarmtimer",
	"avc",
	"block",
	"bpf_trace",
	"bridge",
	"btrfs",
	"capability",
	"cgroup",
	"clk",
	"compaction",
	"cpuhp",
	"csd",
	"damon",
	"dev",
	"dma",
	"dma_fence",
	"erofs",
	"error_report",
	"exceptions",
	"ext4",
	"fib",
	"fib6",
	"filelock",
	"filemap",
	"fs_dax",
	"ftrace",
	"fuse",
	"huge_memory",
	"hugetlbfs",
	"icmp",
	"initcall",
	"io_uring",
	"iocost",
	"iomap",
	"iommu",
	"ipi",
	"irq",
	"irq_matrix",
	"irq_vectors",
	"jbd2",
	"kmem",
	"ksm",
	"kvm",
	"kvmmmu",
	"kyber",
	"lock",
	"maple_tree",
	"memcg",
	"migrate",
	"mmap",
	"mmap_lock",
	"module",
	"mptcp",
	"msr",
	"napi",
	"neigh",
	"net",
	"netlink",
	"nmi",
	"notifier",
	"oom",
	"page_isolation",
	"page_pool",
	"pagemap",
	"percpu",
	"power",
	"printk",
	"probe",
	"qdisc",
	"ras",
	"raw_syscalls",
	"rcu",
	"readahead",
	"rpm",
	"rseq",
	"sched",
	"signal",
	"skb",
	"sock",
	"swiotlb",
	"syscalls",
	"task",
	"tcp",
	"thermal",
	"thp",
	"timer",
	"timer_migration",
	"timestamp",
	"tlb",
	"udp",
	"vmalloc",
	"vmscan",
	"vsyscall",
	"watchdog",
	"wbt",
	"workqueue",
	"writeback",
	"x86_fpu",
	"xdp",
	"xfs",
};

/* Return the length of a name without counter and modes. */
static size_t name_length(const char *text)
{
	return strcspn(text, "@:");
}

static bool is_name(const char *text, const char *name)
{
	const size_t length = name_length(text);

	return strlen(name) == length && !strncasecmp(text, name, length);
}

static bool begins_with(const char *text, const char *const *begins, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		if (!strncasecmp(text, begins[i], strlen(begins[i])))
			return true;
	}
	return false;
}

/*
 * Tell whether a text consists only of perf's modifiers, as in cycles:ukp. No tracepoint has such
 * a name.
 */
static bool is_modifiers(const char *text)
{
	return strspn(text, "uUkKhHgGIpPDSWbeR") == strlen(text);
}

/* Tell whether a text is GROUP:NAME. GROUP:k, for example, is an unknown event with modes. */
static bool is_tracepoint(const char *text)
{
	const size_t length = strcspn(text, ":");
	size_t i;

	if (!text[length] || is_modifiers(text + length + 1))
		return false;
	for (i = 0; i < sizeof(tracepoints) / sizeof(tracepoints[0]); i++) {
		if (strlen(tracepoints[i]) == length &&
		    !strncasecmp(text, tracepoints[i], length))
			return true;
	}
	return false;
}

/* Tell whether a text is mem:ADDRESS. mem:k is an unknown event with modes. */
static bool is_breakpoint(const char *text)
{
	return !strncasecmp(text, "mem:", 4) && isdigit((unsigned char)text[4]);
}

/* Tell whether a text is rNNN, a code in hexadecimal digits. */
static bool is_raw(const char *text)
{
	const size_t length = name_length(text);
	size_t digits = 0;

	if (tolower((unsigned char)*text) != 'r')
		return false;
	while (isxdigit((unsigned char)text[1 + digits]))
		digits++;
	return digits && digits <= RAW_DIGITS && 1 + digits == length;
}

bool translate_perf_name(const char *text, char translated[VPMC_EVENT_NAME_MAX])
{
	const char *name = NULL;
	size_t i, rest = 1;

	for (i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
		if (is_name(text, aliases[i].perf)) {
			name = aliases[i].generic;
			rest = name_length(text);
		}
	}
	if (!name && is_raw(text))
		name = "0x";
	return name && snprintf(translated, VPMC_EVENT_NAME_MAX, "%s%s", name,
				text + rest) < VPMC_EVENT_NAME_MAX;
}

const char *perf_name_refusal(const char *text)
{
	size_t i;

	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		if (is_name(text, refused[i].name))
			return refused[i].reason;
	}
	if (begins_with(text, various, sizeof(various) / sizeof(various[0])))
		return varies;
	if (is_breakpoint(text))
		return breakpoint;
	if (is_tracepoint(text))
		return tracepoint;
	return strchr(text, '/') ? syntax : NULL;
}
