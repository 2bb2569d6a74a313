/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libvpmc: hardware event counters as a property of a process.
 *
 * A program opens a handle, turns texts such as "instructions_executed:u"
 * into event selections, starts, and reads 64-bit counts:
 *
 *	struct vpmc_event_sel sel;
 *	struct vpmc_counts counts;
 *	struct vpmc_error err;
 *	struct vpmc *vpmc;
 *
 *	if (vpmc_open(&vpmc, &err) ||
 *	    vpmc_event_parse(vpmc_pmu_of(vpmc), "0x16", VPMC_USER, &sel,
 *			     &err) ||
 *	    vpmc_start(vpmc, &sel, 1, 0, &err) ||
 *	    vpmc_read(vpmc, VPMC_THREAD, &counts, &err))
 *		errx(1, "%s", err.text);
 *	printf("%llu\n", (unsigned long long)counts.count[0]);
 *	vpmc_close(vpmc);
 *
 * Errors
 *	Functions that can fail return 0 or a negative enum vpmc_code. Their
 *	last argument, which may be NULL, receives the code and one sentence
 *	that names what is at fault and what to do about it. The sentence
 *	begins in lower case and has no final stop and no newline, so that it
 *	can follow "program: ". On success *err is left as it was. After a
 *	failure nothing has changed, and output arguments are as they were, except
 *	where a function says otherwise.
 *
 * Threads
 *	Tables and functions without a handle may be used by any number of
 *	threads at once. Calls on one handle must not overlap; different
 *	handles are independent of each other. vpmc_start(), vpmc_stop(),
 *	vpmc_reset(), vpmc_signal(), vpmc_map(), vpmc_get() and VPMC_THREAD
 *	concern the thread that calls, except on a handle that vpmc_attach() has
 *	given another process or thread.
 *
 * fork and exec
 *	The handle's file descriptor is closed by execve(2). A handle that is
 *	inherited over fork(2) works in the child, and each of the two closes
 *	its own. Once vpmc_start() has succeeded on it, in whichever of the two
 *	processes, it stands for the process that started, in both, even when
 *	that process is gone.
 *
 * Structures
 *	A later version of the library may add fields to the end of a structure
 *	that it fills in. A program keeps the size that it was compiled with: the
 *	inline functions below pass it on to functions whose names end in _sized,
 *	which fill in so much, and set what they do not know to zero. So a program
 *	runs with a newer library and with an older one. Programs in languages
 *	without inline functions of C call the latter themselves. A structure that
 *	a program hands back is read up to the fields that version 0.1 has, and
 *	added to up to these. Those that are in arrays stay as they are, and so does
 *	struct vpmc_error: struct vpmc_event_sel, struct vpmc_event_info, struct
 *	vpmc_region_counts, struct vpmc_spread and struct vpmc_estimated.
 *
 * No function prints, exits, changes signal dispositions or, but for regions
 * (<vpmc_region.h>) and libpfm4 with the names that only it knows, reads the
 * environment. The header can be used from C11 and from C++.
 */
#ifndef VPMC_H
#define VPMC_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define VPMC_VERSION "0.1"

/* The most events that one call takes and one read returns. */
#define VPMC_COUNTS_MAX 32

/* What went wrong. Functions return these values; 0 is success. */
enum vpmc_code {
	VPMC_OK = 0,
	VPMC_E_ARGUMENT = -1,	   /* the library was used incorrectly */
	VPMC_E_SYNTAX = -2,	   /* the text of an event is malformed */
	VPMC_E_UNKNOWN_EVENT = -3, /* this processor has no such event */
	VPMC_E_AMBIGUOUS = -4,	/* the code means another event per counter */
	VPMC_E_NO_COUNTER = -5, /* this processor has no such counter */
	VPMC_E_WRONG_COUNTER = -6, /* the event cannot be counted on it */
	VPMC_E_COUNTER_TAKEN = -7, /* two events need the same counter */
	VPMC_E_TOO_MANY = -8,	   /* more events than counters */
	VPMC_E_NO_DEVICE = -9,	   /* no driver: kernel unpatched, not loaded */
	VPMC_E_ABI = -10,	   /* driver and library are incompatible */
	VPMC_E_UNSUPPORTED = -11,  /* not with this processor's counters */
	VPMC_E_PERMISSION = -12,   /* the caller lacks the right */
	VPMC_E_BUSY = -13,	   /* the counters are in use */
	VPMC_E_BOUND = -14,	   /* the handle stands for another process */
	VPMC_E_NOT_STARTED = -15,  /* nothing was ever counted there */
	VPMC_E_RESUME = -16,	   /* other events than those to resume */
	VPMC_E_GENERATION = -17,   /* the counts are not the ones started */
	VPMC_E_MEMORY = -18,	   /* out of memory */
	VPMC_E_SYSTEM = -19,	   /* any other error of a system call */
	VPMC_E_NO_RECORD = -20,	   /* vpmc_next_record() has no more */
	VPMC_E_NO_CPU = -21,	   /* the machine has no such processor */
	VPMC_E_NO_PROCESS = -22,   /* no such process or thread, or exited */
};

/**
 * struct vpmc_error - an error for programs and for people
 * @code: what a function returned
 * @text: one sentence, zero-terminated
 */
struct vpmc_error {
	enum vpmc_code code;
	char text[512];
};

/**
 * vpmc_strerror() - the kind of error in a few words
 * @code: an enum vpmc_code
 *
 * For callers that did not keep a struct vpmc_error, whose text says more.
 *
 * Return: a constant string, for unknown codes too.
 */
const char *vpmc_strerror(int code);

/**
 * vpmc_escape() - make a text of somebody else fit for a terminal
 * @text: any bytes, zero-terminated
 * @escaped: receives @text with \xNN in place of control characters and of what
 *	is not UTF-8, cut off where no further character fits; zero-terminated
 * @size: of @escaped, at least 1. Four times the length and one more is enough.
 *
 * The texts of errors have gone through it.
 *
 * Return: the length of @escaped.
 */
size_t vpmc_escape(const char *text, char *escaped, size_t size);

/*
 * Events. These functions need no handle and no driver.
 */

/* A family of counters: its name, its size, its events. */
struct vpmc_pmu;

/* Privilege levels in which an event is counted, as bits. */
enum vpmc_modes {
	VPMC_USER = 0x1,
	VPMC_KERNEL = 0x2, /* needs CAP_PERFMON or CAP_SYS_ADMIN */
};

/* In struct vpmc_event_sel: any free counter that can count the event. */
#define VPMC_ANY_COUNTER (-1)

/**
 * struct vpmc_event_sel - an event selected for counting
 * @code: the event's code in the processor's manual; for "clocks" on the
 *	Pentium 0x100
 * @counter: hardware counter from 0, or VPMC_ANY_COUNTER
 * @modes: enum vpmc_modes bits, at least one
 */
struct vpmc_event_sel {
	uint64_t code;
	int counter;
	unsigned int modes;
};

/**
 * struct vpmc_event_info - an event that a processor can count
 * @code: as in struct vpmc_event_sel; where one code means a different event
 *	on each counter, each of them has an entry of its own
 * @counters: bit n is set if hardware counter n can count it; bit
 *	VPMC_FIXED_COUNTERS + n, if the nth of the fixed counters can, which have
 *	the numbers behind those of all others
 * @name: lower case with underscores, unique on its processor
 * @description: one line
 */
struct vpmc_event_info {
	uint64_t code;
	uint32_t counters;
	const char *name;
	const char *description;
};

#define VPMC_FIXED_COUNTERS 24

/**
 * vpmc_pmu_find() - a family of counters by its name
 * @name: "p5" (Pentium), "p5mmx" (Pentium with MMX), "p6" (Pentium Pro, II, III),
 *	"intel" (with architectural counters) or "amd" (since the K7)
 *
 * Return: a constant object, of several that differ in the number of counters the
 * one with the most; or NULL if the library knows no such family.
 */
const struct vpmc_pmu *vpmc_pmu_find(const char *name);

/**
 * vpmc_pmu_name() - the name of a family of counters
 * @pmu: from vpmc_pmu_of() or vpmc_pmu_find()
 *
 * Return: a constant string.
 */
const char *vpmc_pmu_name(const struct vpmc_pmu *pmu);

/**
 * vpmc_event_table() - all events that a processor can count
 * @pmu: from vpmc_pmu_of() or vpmc_pmu_find()
 * @nr: receives the number of entries
 *
 * Return: a constant table: clocks, then the others in ascending order of code
 * and of counter.
 */
const struct vpmc_event_info *vpmc_event_table(const struct vpmc_pmu *pmu,
					       size_t *nr);

/**
 * vpmc_event_lookup() - the table entry of a selected event
 * @pmu: from vpmc_pmu_of() or vpmc_pmu_find()
 * @sel: its @counter decides where one code means several events
 *
 * Return: a constant entry, or NULL if @sel selects no event or several. Of a code
 * that has no name on a family that counts any code, the entry of all of these.
 */
const struct vpmc_event_info *
vpmc_event_lookup(const struct vpmc_pmu *pmu, const struct vpmc_event_sel *sel);

/**
 * vpmc_event_counters() - the counters that can count an event
 * @pmu: from vpmc_pmu_of() or vpmc_pmu_find()
 * @info: an event of it
 *
 * Return: one bit for each, by their numbers, the fixed ones behind all others.
 */
uint32_t vpmc_event_counters(const struct vpmc_pmu *pmu,
			     const struct vpmc_event_info *info);

/**
 * struct vpmc_named_event - what a name stands for
 * @info: the event; if there is @refusal, only its name and description count
 * @refusal: NULL, or why the processor cannot count it, and what it can, to
 *	follow a colon
 */
struct vpmc_named_event {
	struct vpmc_event_info info;
	const char *refusal;
};

/**
 * vpmc_generic_event() - what one of the generic names stands for
 * @pmu: from vpmc_pmu_of() or vpmc_pmu_find()
 * @i: which of them, from 0
 *
 * The generic names are the same on all processors: instructions, cycles,
 * ref-cycles, branches, branch-misses, cache-references, cache-misses, loads and
 * stores. Where the models of a family of counters differ, the answer is that of
 * the processor that executes this.
 *
 * Return: a constant object, or NULL if there are only @i names.
 */
const struct vpmc_named_event *vpmc_generic_event(const struct vpmc_pmu *pmu,
						  unsigned int i);

/**
 * vpmc_pfm_events() - all events of this processor that libpfm4 names
 * @pmu: from vpmc_pmu_of()
 * @use: called with each event and @arg, in the locale "C"; what it is given is
 *	valid until it returns. It must not call functions that take the text of
 *	an event.
 * @arg: for @use
 * @err: receives the error, or NULL
 *
 * libpfm4 is another project's library with the names of the manuals. The names
 * have the form EVENT or EVENT:UNIT_MASK.
 *
 * Return: 0, also if libpfm4 has no names for the family; VPMC_E_UNSUPPORTED (this
 * library was built without libpfm4, or it is not installed, or does not know the
 * processor).
 */
int vpmc_pfm_events(const struct vpmc_pmu *pmu,
		    void (*use)(const struct vpmc_named_event *event,
				void *arg),
		    void *arg, struct vpmc_error *err);

/**
 * vpmc_event_parse() - turn a text into an event selection
 * @pmu: from vpmc_pmu_of() or vpmc_pmu_find()
 * @text: EVENT[@COUNTER][:MODES]. EVENT is a name (upper and lower case are
 *	the same) or a code, in hexadecimal with "0x" or in decimal. COUNTER is
 *	the number of a hardware counter. MODES is "u" (user), "k" (kernel) or
 *	both: "0x16", "22:uk", "data_read:k", "0x2b@1:u". A name is sought in the
 *	table, then among the generic names, then in libpfm4 with its unit masks
 *	and modifiers: "br_inst_retired:conditional:c=1:u".
 * @modes: what a text without MODES means, enum vpmc_modes bits
 * @sel: receives the selection. Its counter is the one in @text, or the only
 *	one that can count the event, or VPMC_ANY_COUNTER.
 * @err: receives the error, or NULL
 *
 * Return: 0, VPMC_E_SYNTAX, VPMC_E_UNKNOWN_EVENT, VPMC_E_AMBIGUOUS (a code
 * without COUNTER where each counter counts something else under it),
 * VPMC_E_NO_COUNTER, VPMC_E_WRONG_COUNTER.
 */
int vpmc_event_parse(const struct vpmc_pmu *pmu, const char *text,
		     unsigned int modes, struct vpmc_event_sel *sel,
		     struct vpmc_error *err);

/* Room for the longest name of an event, with its zero. */
#define VPMC_EVENT_NAME_MAX 128

/**
 * vpmc_event_name() - what to call the event of a text
 * @pmu: from vpmc_pmu_of() or vpmc_pmu_find()
 * @text: as for vpmc_event_parse()
 * @name: receives the name in @text, in lower case, without counter and modes; of
 *	a code the name in the table. Has room for VPMC_EVENT_NAME_MAX characters.
 * @err: receives the error, or NULL
 *
 * Return: as vpmc_event_parse().
 */
int vpmc_event_name(const struct vpmc_pmu *pmu, const char *text, char *name,
		    struct vpmc_error *err);

/**
 * vpmc_event_homonym() - another event of the same name
 * @pmu: from vpmc_pmu_of() or vpmc_pmu_find()
 * @text: as for vpmc_event_parse()
 * @name: receives what vpmc_event_parse() finds the other event by: for libpfm4's event
 *	the name of its PMU, two colons and the name in @text, for that of the table the
 *	code. Has room for VPMC_EVENT_NAME_MAX characters.
 *
 * libpfm4 gives a few names of the table to other events on some processors. Such a name
 * selects the event of the table, but that of libpfm4 if modifiers of libpfm4 follow it.
 *
 * Return: the code of the event that @text does not select, with the same modifiers, or 0
 * if there is none, or it is the same one, or @text is wrong.
 */
uint64_t vpmc_event_homonym(const struct vpmc_pmu *pmu, const char *text,
			    char *name);

/**
 * vpmc_event_call() - let errors name events as the user wrote them
 * @sel: the events, without or with the counters that were chosen for them
 * @text: for each the text that errors of the calling thread are to quote, or NULL
 * @nr: how many; 0 to let errors use the names of the table again
 *
 * Both arrays, and the texts, stay in use until the next call.
 */
void vpmc_event_call(const struct vpmc_event_sel *sel, const char *const *text,
		     size_t nr);

/**
 * vpmc_event_assign() - choose a hardware counter for each event
 * @pmu: from vpmc_pmu_of() or vpmc_pmu_find()
 * @sel: the events. Those with VPMC_ANY_COUNTER are given one: the lowest
 *	that is free, unless a later event needs that one. On a processor that
 *	counts any code, too, they keep VPMC_ANY_COUNTER: only the driver knows
 *	all that its counters can count, and chooses at the start.
 * @nr: how many, at least 1
 * @err: receives the error, or NULL
 *
 * Return: 0, VPMC_E_ARGUMENT, VPMC_E_UNKNOWN_EVENT, VPMC_E_AMBIGUOUS,
 * VPMC_E_NO_COUNTER, VPMC_E_WRONG_COUNTER, VPMC_E_TOO_MANY, or
 * VPMC_E_COUNTER_TAKEN with a text that names the counter and both events.
 */
int vpmc_event_assign(const struct vpmc_pmu *pmu, struct vpmc_event_sel *sel,
		      size_t nr, struct vpmc_error *err);

/* The most events that can share a counter. */
#define VPMC_EVENTS_PER_COUNTER 16

/**
 * vpmc_event_distribute() - choose counters for more events than counters
 * @pmu: from vpmc_pmu_of() or vpmc_pmu_find()
 * @sel: the events. Where vpmc_event_assign() would succeed, they are given
 *	the same counters. Else those that only one counter can count stay with
 *	it, and each of the others joins the fewest, in the order given.
 * @nr: how many, at least 1
 * @err: receives the error, or NULL
 *
 * It is what vpmc_start() does with VPMC_MULTIPLEX.
 *
 * Return: 0, VPMC_E_ARGUMENT, VPMC_E_UNKNOWN_EVENT, VPMC_E_AMBIGUOUS,
 * VPMC_E_NO_COUNTER, VPMC_E_WRONG_COUNTER, VPMC_E_TOO_MANY (more than
 * VPMC_EVENTS_PER_COUNTER for a counter).
 */
int vpmc_event_distribute(const struct vpmc_pmu *pmu,
			  struct vpmc_event_sel *sel, size_t nr,
			  struct vpmc_error *err);

/*
 * The handle.
 */

/* An open connection to the driver, see "fork and exec" above. */
struct vpmc;

/**
 * vpmc_open() - connect to the driver
 * @vpmc: receives a handle, which the caller gives to vpmc_close()
 * @err: receives the error, or NULL
 *
 * Opens /dev/vpmc close-on-exec and checks that the driver and the library
 * understand each other. It starts nothing.
 *
 * Return: 0, VPMC_E_NO_DEVICE, VPMC_E_PERMISSION, VPMC_E_ABI,
 * VPMC_E_UNSUPPORTED, VPMC_E_MEMORY, VPMC_E_SYSTEM.
 */
int vpmc_open(struct vpmc **vpmc, struct vpmc_error *err);

/**
 * vpmc_close() - close a handle
 * @vpmc: from vpmc_open(), or NULL
 *
 * Counting goes on as long as somebody can be shown the counts, see VPMC_KEEP; system
 * mode ends with the handle that
 * started it, when the last process that inherited it has closed it too. Does
 * not change errno.
 */
void vpmc_close(struct vpmc *vpmc);

/**
 * vpmc_fd() - the descriptor of a handle, for event loops
 * @vpmc: from vpmc_open()
 *
 * poll(2), select(2) and epoll(7) find it readable when vpmc_next_record() has
 * something to return, and hung up (POLLHUP) when no process that the handle
 * collects has a thread left, so that no record will follow those that there are.
 * A handle that collects nothing, with neither VPMC_COLLECT nor VPMC_RECORDS, is
 * never ready. The descriptor stays the handle's, which closes it: duplicate it to
 * keep it longer.
 *
 * Return: the descriptor.
 */
int vpmc_fd(const struct vpmc *vpmc);

/**
 * vpmc_pmu_of() - the counters of this machine
 * @vpmc: from vpmc_open()
 *
 * Return: a constant object that outlives the handle.
 */
const struct vpmc_pmu *vpmc_pmu_of(const struct vpmc *vpmc);

/**
 * struct vpmc_machine - the processor, its counters and the driver
 * @pmu: name of the family of counters, zero-terminated
 * @abi: version of the driver's interface
 * @counters: hardware counters per processor that count any event
 * @counter_bits: width of a hardware counter. Counts are 64 bits wide all the
 *	same.
 * @rdpmc: 1 if the processor has the RDPMC instruction, else 0
 * @vendor: CPUID's vendor, zero-terminated; empty if there is no CPUID
 * @family: CPUID's family, with @model and @stepping
 * @emulated: 1 if an emulator that announces itself counts (see
 *	vpmc_event_emulation()), 0 on hardware
 * @generation: generation of the counter set of the process that the handle
 *	stands for; 0 if it never counted, or the caller must not watch it
 * @system: 1 if the counters are in system mode, whoever started it, else 0
 * @map: 1 if vpmc_map() works here, else 0
 * @fixed: counters that count one event each, numbered from @counters on
 */
struct vpmc_machine {
	char pmu[16];
	unsigned int abi;
	unsigned int counters;
	unsigned int counter_bits;
	unsigned int rdpmc;
	char vendor[13];
	unsigned int family;
	unsigned int model;
	unsigned int stepping;
	unsigned int emulated;
	uint64_t generation;
	unsigned int system;
	unsigned int map;
	unsigned int fixed;
};

/**
 * vpmc_info() - describe the processor, its counters and the driver
 * @vpmc: from vpmc_open()
 * @machine: receives the description
 * @err: receives the error, or NULL
 *
 * Return: 0, VPMC_E_ABI, VPMC_E_SYSTEM.
 */
static inline int vpmc_info(struct vpmc *vpmc, struct vpmc_machine *machine,
			    struct vpmc_error *err);
int vpmc_info_sized(struct vpmc *vpmc, struct vpmc_machine *machine,
		    size_t size, struct vpmc_error *err);

/**
 * vpmc_pmu_here() - the counters of this machine, without a driver
 * @machine: receives what CPUID says of the processor and its counters; all else in
 *	it is 0
 *
 * For names and descriptions. Whether the driver counts there, vpmc_open() says.
 *
 * Return: as vpmc_pmu_of(), or NULL if CPUID tells of no counters that the library
 * knows; then nothing is received.
 */
static inline const struct vpmc_pmu *
vpmc_pmu_here(struct vpmc_machine *machine);
const struct vpmc_pmu *vpmc_pmu_here_sized(struct vpmc_machine *machine,
					   size_t size);

/* How an emulator that announces itself counts an event. */
enum vpmc_emulation {
	VPMC_NOT_EMULATED, /* it always reads zero */
	VPMC_EXACT,
	VPMC_MODELLED,	      /* as a model of caches or the like has it */
	VPMC_PER_INSTRUCTION, /* clocks: each instruction takes one */
};

/**
 * vpmc_event_emulation() - how an event is counted here
 * @machine: from vpmc_info(), on the machine where this is called
 * @sel: the event. Its modes do not count, and its counter only if it has one: where
 *	the code means another event on each counter, the answer is that of either.
 *
 * Return: enum vpmc_emulation; on hardware VPMC_EXACT.
 */
int vpmc_event_emulation(const struct vpmc_machine *machine,
			 const struct vpmc_event_sel *sel);

/**
 * vpmc_event_accepted() - the counters on which the driver accepts an event
 * @pmu: whose event
 * @machine: the processor, as vpmc_info() describes it
 * @info: the event
 *
 * Some processors of a family count an event on fewer counters than others.
 *
 * Return: these of vpmc_event_counters(), or 0 if the driver refuses the event.
 */
uint32_t vpmc_event_accepted(const struct vpmc_pmu *pmu,
			     const struct vpmc_machine *machine,
			     const struct vpmc_event_info *info);

/**
 * vpmc_event_never() - why an event cannot happen as it is to be counted
 * @pmu: from vpmc_pmu_of()
 * @machine: from vpmc_info(), on the machine where this is called
 * @sel: the event. Its modes count, and its counter if it has one.
 *
 * A count of such an event is zero, which says nothing about the program.
 *
 * Return: NULL if it can happen, or the reason in a few words: "not emulated here",
 * "not on this processor", "never in user mode".
 */
const char *vpmc_event_never(const struct vpmc_pmu *pmu,
			     const struct vpmc_machine *machine,
			     const struct vpmc_event_sel *sel);

/* How to start, as bits. */
enum vpmc_start_flags {
	VPMC_AT_EXEC = 0x1, /* begin at this thread's next execve(2) */
	VPMC_RESUME = 0x2,  /* go on from the stopped counts, not from 0 */
	VPMC_COLLECT = 0x4, /* fill VPMC_ALL of this handle */
	VPMC_RECORDS = 0x8, /* the same, and records for vpmc_next_record() */
	VPMC_FORCE = 0x10,  /* restart what counts already */
	VPMC_MULTIPLEX = 0x20, /* events may share counters */
	VPMC_FOLD = 0x40,      /* add to the parent at exit, without a wait */
	VPMC_KEEP = 0x80,      /* count on though nobody can read it */
};

/**
 * vpmc_start() - count events in the calling thread, or in an attached one
 * @vpmc: from vpmc_open(); stands for the calling process from now on, unless
 *	vpmc_attach() has given it another one
 * @sel: the events. Those with VPMC_ANY_COUNTER are assigned as
 *	vpmc_event_assign() does, or vpmc_event_distribute() with
 *	VPMC_MULTIPLEX; the array itself is not changed.
 * @nr: how many, at least 1
 * @flags: enum vpmc_start_flags bits, or 0
 * @err: receives the error, or NULL
 *
 * Threads and processes that the thread creates from now on count the same
 * events, each from zero. Counting goes on over execve(2). One system call, and
 * one or two more if other threads of the process are counting already.
 *
 * With VPMC_COLLECT the handle collects what the process and all its
 * descendants count until it is closed, whether or not anybody waits for them:
 * see VPMC_ALL. A process is collected by one handle at a time. A later start
 * with VPMC_COLLECT begins again at zero, without the records of the earlier
 * one; VPMC_RESUME, which cannot be combined with it, keeps both.
 *
 * With VPMC_FORCE threads that count already start again from zero, with other
 * events if need be, in the one call. With VPMC_MULTIPLEX there may be up to
 * VPMC_EVENTS_PER_COUNTER events for each counter: if they do not fit, those of
 * one counter share it, and each count is of part of the time, see
 * vpmc_is_projected(). If they fit, the flag changes nothing. With
 * VPMC_FOLD, which children inherit, a process is added to VPMC_CHILDREN of its
 * parent when its last thread exits, whether or not anybody waits for it, and
 * not again by a wait.
 *
 * A process whose counts nobody can be shown any more is stopped, some seconds later: no
 * handle stands for it or for one of its threads, collects it or maps its counts, the
 * program that it executes has not started them itself, and the same is true of its
 * parent, that one's parent and so on. With VPMC_KEEP, which children inherit, it counts
 * on. VPMC_FORCE, VPMC_FOLD and VPMC_KEEP cannot be combined with VPMC_RESUME.
 *
 * On an attached handle counting begins at once in the thread, or in all
 * threads of the process, and in what they create from now on.
 *
 * Return: 0, the errors of vpmc_event_assign(), VPMC_E_PERMISSION (kernel
 * mode; the driver is restricted; an attached process must not be traced),
 * VPMC_E_BUSY (the counters are in system mode; without VPMC_FORCE: this thread
 * or the attached process counts already; with VPMC_COLLECT also: another
 * handle collects this process, or descendants of an earlier start on this
 * handle still run), VPMC_E_UNSUPPORTED (the counters of a processor do not
 * work), VPMC_E_NO_PROCESS (what the handle is attached to has exited),
 * VPMC_E_BOUND, VPMC_E_NOT_STARTED and VPMC_E_RESUME (both with VPMC_RESUME),
 * VPMC_E_ABI, VPMC_E_MEMORY, VPMC_E_SYSTEM.
 */
int vpmc_start(struct vpmc *vpmc, const struct vpmc_event_sel *sel, size_t nr,
	       unsigned int flags, struct vpmc_error *err);

/**
 * vpmc_stop() - stop counting in the calling thread, or in what is attached
 * @vpmc: from vpmc_open()
 * @err: receives the error, or NULL
 *
 * Also cancels a start at execve(2). The counts can still be read. If the caller
 * must not see them, it is not told either whether they are what it started.
 *
 * Return: 0, VPMC_E_NOT_STARTED, VPMC_E_BOUND, VPMC_E_GENERATION (it has
 * stopped, but what it counted is not what vpmc_start() started),
 * VPMC_E_NO_PROCESS (what is attached has exited), VPMC_E_PERMISSION (it must
 * not be traced), VPMC_E_ABI, VPMC_E_SYSTEM.
 */
int vpmc_stop(struct vpmc *vpmc, struct vpmc_error *err);

/**
 * vpmc_reset() - count the same events from zero again
 * @vpmc: from vpmc_open(), on which vpmc_start() has succeeded
 * @err: receives the error, or NULL
 *
 * The last vpmc_start() on this handle once more, with VPMC_FORCE and without
 * VPMC_RESUME: counts of the thread, or of what is attached, begin at zero, also
 * if it has stopped. What VPMC_COLLECT collects goes on. One system call.
 *
 * It is a start, so the generation is another one, which the handle then
 * expects, unless other threads of the process count in the present one. In
 * that case what this thread had counted stays in VPMC_SELF. Signals end.
 * VPMC_ALL is still expected to be of the start with VPMC_COLLECT.
 *
 * Return: 0, VPMC_E_NOT_STARTED (nothing was started on this handle), and the
 * errors of vpmc_start().
 */
int vpmc_reset(struct vpmc *vpmc, struct vpmc_error *err);

/* What vpmc_attach() is given, as bits. */
enum vpmc_attach_flags {
	VPMC_ATTACH_ONE_THREAD = 0x1, /* that thread, not its process */
	VPMC_ATTACH_FD = 0x2,	      /* the id is a descriptor of it */
};

/**
 * vpmc_attach() - let a handle stand for another process or thread
 * @vpmc: from vpmc_open(), on which nothing was started
 * @id: the process or, with VPMC_ATTACH_ONE_THREAD, the thread; with
 *	VPMC_ATTACH_FD what pidfd_open(2) returned for it
 * @flags: enum vpmc_attach_flags bits, or 0
 * @err: receives the error, or NULL
 *
 * From now on vpmc_read(), vpmc_start() and vpmc_stop() on this handle concern
 * that process, with all its threads, or that thread alone. Whoever may
 * read its memory, as ptrace(2) has it, may attach and read; whoever may trace
 * it may start and stop. When it has exited, what it counted can still be read.
 *
 * The handle expects the start that it finds there, so that reads fail with
 * VPMC_E_GENERATION when the process has started again by itself, or has
 * executed a program that must not be watched. To go on with the counts that
 * there are now, call vpmc_expect() with 0, or with the generation from
 * vpmc_info(). If the process never counted, or the caller must not see what it
 * counts, the handle accepts any counts until something is started on it.
 *
 * Return: 0, VPMC_E_NO_PROCESS, VPMC_E_PERMISSION, VPMC_E_BOUND (the handle
 * stands for a process already), VPMC_E_ARGUMENT (unknown flags, or not such a
 * descriptor), VPMC_E_ABI, VPMC_E_MEMORY, VPMC_E_SYSTEM.
 */
int vpmc_attach(struct vpmc *vpmc, int id, unsigned int flags,
		struct vpmc_error *err);

/* Whose events, in the words of getrusage(2). */
enum vpmc_whose {
	VPMC_THREAD = 0,   /* the calling, or the attached, thread's */
	VPMC_SELF = 1,	   /* all threads', the exited ones included */
	VPMC_CHILDREN = 2, /* those of descendants that were waited for */
	VPMC_ALL = 3,	   /* what VPMC_COLLECT of this handle collects */
};

/* What the counters were doing when they were read. */
enum vpmc_activity {
	VPMC_STOPPED = 0,
	VPMC_ARMED = 1,	  /* waits for execve(2) */
	VPMC_RUNNING = 2, /* at least one thread counts */
	VPMC_EXITED = 3,  /* no thread has counters, any more or ever */
};

/**
 * struct vpmc_counts - one consistent snapshot
 * @generation: generation of the counter set
 * @start: the start that began the counts, see vpmc_start_id()
 * @tsc: clocks for which the threads were on a processor while counting
 * @activity: enum vpmc_activity; of VPMC_CHILDREN that of the process itself
 * @running: of VPMC_SELF and VPMC_ALL: processes that still have a thread
 * @other_events: threads that are missing in @count because they counted other
 *	events
 * @revoked: threads that are missing in @count because system mode or
 *	vpmc_release() took the counters from them, because another program wrote
 *	to the registers of the counters, or because they executed a program that
 *	the starter must not watch
 * @nr: how many of @count are set
 * @count: events counted, in the order in which vpmc_start() was given them
 * @time: the part of @tsc in which each was counted: all of it, unless events
 *	share counters, see vpmc_is_projected()
 * @set: a number for the events, their modes and their order, to tell counts of others;
 *	0 if the handle did not start them
 * @stopped: gaps in @count: how often the counting of a thread was stopped, by the
 *	thread or by somebody else, before it went on, was stopped again, executed a
 *	program, created a process or a thread, or ended. The last stop before a read
 *	is not a gap: see vpmc(7).
 * @unwaited: of VPMC_CHILDREN: processes that are missing in @count because nobody
 *	has waited for them, those that still run included
 */
struct vpmc_counts {
	uint64_t generation;
	uint64_t start;
	uint64_t tsc;
	unsigned int activity;
	unsigned int running;
	unsigned int other_events;
	unsigned int revoked;
	unsigned int nr;
	uint64_t count[VPMC_COUNTS_MAX];
	uint64_t time[VPMC_COUNTS_MAX];
	uint64_t set;
	unsigned int stopped;
	unsigned int unwaited;
};

/**
 * vpmc_read() - read the counters
 * @vpmc: from vpmc_open()
 * @whose: enum vpmc_whose
 * @counts: receives the counts
 * @err: receives the error, or NULL
 *
 * One system call. If the counts are not those that vpmc_start() began on this
 * handle (or of the generation that vpmc_expect() named), they are withheld:
 *
 * - VPMC_THREAD has to be of the last start on this handle. Threads that inherit
 *   are of the same start as their creator, so a handle that several threads
 *   share works in all of them until one starts by itself.
 * - VPMC_SELF and VPMC_CHILDREN have to be of the generation of that start. If
 *   other threads of the process were counting other events at that moment, the
 *   process adds up those, and the read fails.
 * - VPMC_ALL has to be of the last start with VPMC_COLLECT on this handle.
 *
 * A handle that expects no start accepts any counts, for example those that the
 * process inherited from its parent; vpmc_events() says of which events.
 *
 * Return: 0, VPMC_E_GENERATION, VPMC_E_NOT_STARTED, VPMC_E_BOUND (VPMC_THREAD
 * on a handle that stands for another process, or another scope on one that is
 * attached to a thread), VPMC_E_PERMISSION (the attached process has executed a
 * program that must not be watched, and has started again since),
 * VPMC_E_ARGUMENT, VPMC_E_ABI, VPMC_E_SYSTEM.
 */
static inline int vpmc_read(struct vpmc *vpmc, enum vpmc_whose whose,
			    struct vpmc_counts *counts, struct vpmc_error *err);
int vpmc_read_sized(struct vpmc *vpmc, enum vpmc_whose whose,
		    struct vpmc_counts *counts, size_t size,
		    struct vpmc_error *err);

struct rusage; /* <sys/resource.h> */

/**
 * vpmc_read_usage() - read counts, and times and resources of the same moment
 * @vpmc: from vpmc_open(), not attached
 * @whose: VPMC_THREAD, VPMC_SELF or VPMC_CHILDREN
 * @counts: receives the counts
 * @usage: receives what getrusage(2) says of the same threads or processes
 * @err: receives the error, or NULL
 *
 * Of VPMC_CHILDREN both are of the same children: if one is waited for in between, by
 * another thread, both are read again. What runs goes on between the two, by the
 * instructions of the library, and of VPMC_SELF by what other threads do meanwhile.
 *
 * Return: as vpmc_read(); VPMC_E_ARGUMENT also of VPMC_ALL, VPMC_E_BOUND of a handle
 * that is attached, VPMC_E_BUSY if children are waited for all the time.
 */
static inline int vpmc_read_usage(struct vpmc *vpmc, enum vpmc_whose whose,
				  struct vpmc_counts *counts,
				  struct rusage *usage, struct vpmc_error *err);
int vpmc_read_usage_sized(struct vpmc *vpmc, enum vpmc_whose whose,
			  struct vpmc_counts *counts, size_t size,
			  struct rusage *usage, struct vpmc_error *err);

/**
 * struct vpmc_event_set - what a scope counts
 * @generation: generation of the counter set
 * @start: the start that began the counts, see vpmc_start_id()
 * @nr: how many of @sel are set
 * @sel: the events with their counters, in the order of the counts
 */
struct vpmc_event_set {
	uint64_t generation;
	uint64_t start;
	unsigned int nr;
	struct vpmc_event_sel sel[VPMC_COUNTS_MAX];
};

/**
 * vpmc_events() - ask which events a scope counts
 * @vpmc: from vpmc_open()
 * @whose: enum vpmc_whose
 * @events: receives the answer
 * @err: receives the error, or NULL
 *
 * For a handle that did not start them itself, and to find out what is counted
 * when vpmc_read() fails with VPMC_E_GENERATION: the answer does not depend on
 * what the handle expects. One system call.
 *
 * Return: 0, VPMC_E_NOT_STARTED, VPMC_E_BOUND, VPMC_E_PERMISSION,
 * VPMC_E_ARGUMENT, VPMC_E_ABI, VPMC_E_SYSTEM, as vpmc_read().
 */
static inline int vpmc_events(struct vpmc *vpmc, enum vpmc_whose whose,
			      struct vpmc_event_set *events,
			      struct vpmc_error *err);
int vpmc_events_sized(struct vpmc *vpmc, enum vpmc_whose whose,
		      struct vpmc_event_set *events, size_t size,
		      struct vpmc_error *err);

/**
 * vpmc_counts_add() - add one snapshot to another
 * @sum: a snapshot, for example of VPMC_SELF; keeps its generation, activity
 *	and number of counts
 * @more: another one of the same events, for example of VPMC_CHILDREN
 * @err: receives the error, or NULL
 *
 * Return: 0, or VPMC_E_ARGUMENT if @more has another number of events, unless it has none,
 * or if they are known to be of other events or in another order.
 */
int vpmc_counts_add(struct vpmc_counts *sum, const struct vpmc_counts *more,
		    struct vpmc_error *err);

/**
 * vpmc_is_projected() - whether an event was counted in part of the time only
 * @counts: from vpmc_read()
 * @i: index of the event, below its nr
 *
 * This happens if events share counters (VPMC_MULTIPLEX). The count in the whole
 * time can then only be projected: see vpmc_project().
 *
 * Return: 1 if it was, 0 if the count is that of the whole time.
 */
int vpmc_is_projected(const struct vpmc_counts *counts, unsigned int i);

/**
 * vpmc_project() - how often an event would be expected in the whole time
 * @count: how often it was counted
 * @time: the clocks for which it was counted
 * @tsc: the clocks of the whole time
 *
 * Return: @count * @tsc / @time, rounded to the nearest; @count if @time is not
 * less than @tsc; 0 if @time is 0, when nothing is known; UINT64_MAX if it is
 * more than that.
 */
uint64_t vpmc_project(uint64_t count, uint64_t time, uint64_t tsc);

/**
 * struct vpmc_turns_of - how the turns of an event differ that shares a counter
 * @nr: how many turns it had: from one clock tick to the next, or a part of that at the
 *	beginning and the end of a thread
 * @count_squares: of the counts of the turns the squares, added up
 * @products: the counts of the turns times their clocks, added up
 * @time_squares: the squares of their clocks, added up
 * @unit: how much the sums of squares of counts and of products may be off, and how much
 *	each turn may have lost of the square of its clocks
 *
 * Sums that have become too large for the driver are infinite.
 */
struct vpmc_turns_of {
	uint64_t nr;
	double count_squares;
	double products;
	double time_squares;
	double unit;
};

/**
 * struct vpmc_spread - the turns of all events
 * @nr: how many of @event are set: none if no events share counters
 * @event: the events, in the order in which vpmc_start() was given them
 */
struct vpmc_spread {
	unsigned int nr;
	struct vpmc_turns_of event[VPMC_COUNTS_MAX];
};

/**
 * vpmc_read_spread() - read the counters, and how their turns differ
 * @vpmc: from vpmc_open()
 * @whose: enum vpmc_whose
 * @counts: receives the counts, as of vpmc_read()
 * @spread: receives the turns
 * @err: receives the error, or NULL
 *
 * For events that may share counters. Of a thread that runs there may be one turn more
 * than in @counts. One system call.
 *
 * Return: as vpmc_read(), and VPMC_E_MEMORY.
 */
static inline int vpmc_read_spread(struct vpmc *vpmc, enum vpmc_whose whose,
				   struct vpmc_counts *counts,
				   struct vpmc_spread *spread,
				   struct vpmc_error *err);
int vpmc_read_spread_sized(struct vpmc *vpmc, enum vpmc_whose whose,
			   struct vpmc_counts *counts, size_t size,
			   struct vpmc_spread *spread, struct vpmc_error *err);

/**
 * vpmc_spread_add() - add turns up, as vpmc_counts_add() adds counts
 * @sum: of the same events
 * @more: what to add; if its @nr is 0 there is nothing to add
 */
void vpmc_spread_add(struct vpmc_spread *sum, const struct vpmc_spread *more);

/* What is known of an event: what vpmc_estimate() returns. */
enum vpmc_known {
	VPMC_KNOWN_EXACTLY = 0, /* it was counted all the time */
	VPMC_KNOWN_ROUGHLY = 1, /* there is an interval */
	VPMC_NEVER_COUNTED = 2, /* it never had its counter */
	VPMC_FEW_TURNS = 3,	/* its turns are too few, or too unequal */
	VPMC_NEVER_SEEN = 4,	/* it did not happen in its turns */
	VPMC_FEW_BURSTS = 5,	/* it happened in too few of its turns */
	VPMC_MANY_TURNS = 6,	/* its turns are too many to be added up */
};

/**
 * struct vpmc_estimated - how often an event happened
 * @count: how often, the best guess
 * @low: at least so often
 * @high: at most so often
 */
struct vpmc_estimated {
	uint64_t count;
	uint64_t low;
	uint64_t high;
};

/*
 * In so many per cent of all runs @low and @high have the number between them, if no few
 * turns have most of the events.
 */
#define VPMC_CONFIDENCE 95

/**
 * vpmc_estimate() - estimate how often an event happened that shared its counter
 * @count: how often it was counted
 * @time: the clocks for which it was counted
 * @tsc: the clocks of the whole time
 * @turns: its turns, from vpmc_read_spread(), or NULL if they are not known
 * @estimate: receives the estimate, if VPMC_KNOWN_EXACTLY or VPMC_KNOWN_ROUGHLY is
 *	returned
 *
 * The turns are a sample of the whole time. How much they differ among each other says how
 * far the sample may be off: also by what the kernel takes of each turn, if user mode is
 * counted. Where they are too few to say so there is no estimate.
 *
 * Return: enum vpmc_known.
 */
int vpmc_estimate(uint64_t count, uint64_t time, uint64_t tsc,
		  const struct vpmc_turns_of *turns,
		  struct vpmc_estimated *estimate);

/**
 * struct vpmc_thread_record - what a thread counted until it ended or restarted
 * @pid: its process, 0 if it has no number in the caller's pid namespace
 * @tid: the thread, likewise
 * @command: its command name, zero-terminated
 * @last: 1 if no thread of its process is left, so that a later record with
 *	this @pid is one of another process, else 0
 * @restarted: 1 if the thread has not ended: it begins again at zero, else 0
 * @other_events: 1 if @count is of other events than those that the handle
 *	collects, else 0. VPMC_ALL does not contain such counts.
 * @revoked: 1 if the counts end before a program that the starter must not
 *	watch, or where system mode or vpmc_release() took the counters, else 0.
 *	Sums do not contain such counts.
 * @lost: records that were lost since the one before this, because the kernel
 *	had VPMC_RECORDS_MAX already, or no memory, or because of @limited
 * @limited: 1 if some of these were lost because the memory of its records had
 *	reached the user's RLIMIT_MEMLOCK ("ulimit -l"), else 0
 * @tsc: clocks for which it was on a processor while counting
 * @nr: how many of @count are set; 0 if this is not the record of a thread, and
 *	only @lost has a meaning
 * @count: events counted, in the order in which vpmc_start() was given them
 * @time: the part of @tsc in which each was counted
 * @stopped: gaps in @count, as in struct vpmc_counts
 */
struct vpmc_thread_record {
	int pid;
	int tid;
	char command[16];
	unsigned int last;
	unsigned int restarted;
	unsigned int other_events;
	unsigned int revoked;
	unsigned int lost;
	unsigned int limited;
	uint64_t tsc;
	unsigned int nr;
	uint64_t count[VPMC_COUNTS_MAX];
	uint64_t time[VPMC_COUNTS_MAX];
	unsigned int stopped;
};

/* The most records that the kernel keeps for a handle. */
#define VPMC_RECORDS_MAX 16384

/**
 * vpmc_next_record() - take the oldest record of a thread
 * @vpmc: from vpmc_open(), started with VPMC_RECORDS
 * @record: receives the record
 * @err: receives the error, or NULL
 *
 * A thread leaves a record when it ends, and one when it is started anew, with
 * what it had counted until then. Records come in the order in which they were
 * left, each one once, and take kernel memory until they are taken or the
 * handle is closed everywhere. While there are VPMC_RECORDS_MAX, or they take as
 * much as RLIMIT_MEMLOCK permits the user who started, further ones are lost, so take
 * them in time: poll(2) of vpmc_fd() says when there is one. One system call, which
 * does not wait.
 *
 * If records were lost and none has come after them, the call succeeds once with
 * a record that has nothing but @lost. Its @nr is 0.
 *
 * Return: 0, VPMC_E_NO_RECORD (there is no record so far, or this handle keeps
 * none), VPMC_E_GENERATION (the record is taken, but is not of
 * the last start with VPMC_RECORDS on this handle: another process that shares it
 * has started since), VPMC_E_ABI, VPMC_E_SYSTEM.
 */
static inline int vpmc_next_record(struct vpmc *vpmc,
				   struct vpmc_thread_record *record,
				   struct vpmc_error *err);
int vpmc_next_record_sized(struct vpmc *vpmc, struct vpmc_thread_record *record,
			   size_t size, struct vpmc_error *err);

/**
 * vpmc_next_record_spread() - the same, and how the turns of its events differ
 * @vpmc: from vpmc_open(), started with VPMC_RECORDS
 * @record: receives the record
 * @spread: receives the turns
 * @err: receives the error, or NULL
 *
 * Return: as vpmc_next_record(), and VPMC_E_MEMORY.
 */
static inline int vpmc_next_record_spread(struct vpmc *vpmc,
					  struct vpmc_thread_record *record,
					  struct vpmc_spread *spread,
					  struct vpmc_error *err);
int vpmc_next_record_spread_sized(struct vpmc *vpmc,
				  struct vpmc_thread_record *record,
				  size_t size, struct vpmc_spread *spread,
				  struct vpmc_error *err);

/**
 * vpmc_generation() - the generation that vpmc_start() was given
 * @vpmc: from vpmc_open()
 *
 * Return: the generation that the handle expects, 0 if it knows of none.
 */
uint64_t vpmc_generation(const struct vpmc *vpmc);

/**
 * vpmc_start_id() - which start the handle expects
 * @vpmc: from vpmc_open()
 *
 * Each start from zero has a number of its own, also where the generation stays
 * because other threads of the process are counting.
 *
 * Return: the number of the last vpmc_start() on this handle, or of what
 * vpmc_attach() found; 0 if the handle knows of none.
 */
uint64_t vpmc_start_id(const struct vpmc *vpmc);

/**
 * vpmc_expect() - tell a handle of a start made in another process
 * @vpmc: from vpmc_open()
 * @generation: what vpmc_generation() said there
 *
 * For a parent whose child called vpmc_start() on the inherited handle: the
 * parent's copy of the handle cannot know by itself which generation to
 * expect when it reads. With 0 the handle expects none, and accepts any counts.
 * It accepts any start of the generation; vpmc_events() says what is counted.
 */
void vpmc_expect(struct vpmc *vpmc, uint64_t generation);

/**
 * vpmc_signal() - send the calling thread a signal every so many events
 * @vpmc: from vpmc_open(), not attached
 * @event: index of the event, in the order in which vpmc_start() was given them
 * @period: how many events from one signal to the next, at least 1
 * @signo: the signal, or 0 for none any more; @period is ignored then
 * @err: receives the error, or NULL
 *
 * The signal comes when the thread's count of the event reaches or passes a
 * multiple of @period and the kernel notices, which on processors without an
 * overflow interrupt (all so far) is at the next context switch or clock tick
 * at the latest, and at a read or stop. Several multiples that are noticed at
 * once make one signal, and a signal that is still pending is updated:
 * vpmc_signal_decode() says how many events there were, so none is lost. Each
 * event can have one signal. It belongs to the calling thread: threads and
 * processes that it creates have none. None is sent after a stop, but after a
 * resume. It ends with a start from zero, with execve(2), and when
 * the counters are taken away. One system call.
 *
 * Return: 0, VPMC_E_ARGUMENT (no such event or signal, @period is 0, or events
 * share counters), VPMC_E_NOT_STARTED, VPMC_E_BOUND (the handle stands for
 * another process), VPMC_E_GENERATION, VPMC_E_ABI, VPMC_E_MEMORY,
 * VPMC_E_SYSTEM.
 */
int vpmc_signal(struct vpmc *vpmc, unsigned int event, uint64_t period,
		int signo, struct vpmc_error *err);

/**
 * struct vpmc_signal_info - the content of a signal of vpmc_signal()
 * @event: index of the event
 * @count: the thread's count when the kernel last noticed that a multiple had
 *	been passed
 * @start: of the counts, to compare with vpmc_start_id()
 */
struct vpmc_signal_info {
	unsigned int event;
	uint64_t count;
	uint64_t start;
};

/* In strict C <signal.h> has no siginfo_t: it is of POSIX. */
#ifdef SI_USER
/**
 * vpmc_signal_decode() - decode a signal of vpmc_signal()
 * @info: what a handler that was set with SA_SIGINFO is given, or sigwaitinfo()
 * @out: receives it
 *
 * Async-signal-safe.
 *
 * Return: 0, or VPMC_E_ARGUMENT if the signal comes from somewhere else.
 */
static inline int vpmc_signal_decode(const siginfo_t *info,
				     struct vpmc_signal_info *out);
int vpmc_signal_decode_sized(const siginfo_t *info,
			     struct vpmc_signal_info *out, size_t size);
#endif

/*
 * System mode: every processor counts the same events, whatever it runs. Only
 * one handle can have it, and meanwhile no thread counts for itself. All three
 * functions need CAP_PERFMON or CAP_SYS_ADMIN.
 */

/* In place of a processor's number: the sum over all of them. */
#define VPMC_EVERY_CPU (-1)

/**
 * vpmc_system_start() - count events on every processor, from zero
 * @vpmc: from vpmc_open(). System mode lasts until vpmc_system_stop() or
 *	vpmc_release(), or until the handle is closed.
 * @sel: the events, as for vpmc_start(). VPMC_USER alone counts what programs
 *	do, with VPMC_KERNEL as well everything.
 * @nr: how many, at least 1
 * @flags: VPMC_FORCE or 0
 * @err: receives the error, or NULL
 *
 * Threads that count, but are not on a processor at this moment, lose the
 * counters: reads of their counts fail with VPMC_E_GENERATION, and they do not
 * count again unless they are started. With VPMC_FORCE this goes for those on a
 * processor too. A handle that has system mode already begins anew, with other
 * events if need be.
 *
 * Return: 0, the errors of vpmc_event_assign(), VPMC_E_PERMISSION, VPMC_E_BUSY
 * (another handle has system mode; without VPMC_FORCE also: a thread that
 * counts is on a processor), VPMC_E_UNSUPPORTED (the counters of a processor do
 * not work), VPMC_E_ABI, VPMC_E_MEMORY, VPMC_E_SYSTEM.
 */
int vpmc_system_start(struct vpmc *vpmc, const struct vpmc_event_sel *sel,
		      size_t nr, unsigned int flags, struct vpmc_error *err);

/**
 * vpmc_system_stop() - give the counters back to threads
 * @vpmc: the handle that has system mode
 * @err: receives the error, or NULL
 *
 * The counts can still be read, until system mode is started again, on
 * whichever handle.
 *
 * Return: 0, VPMC_E_NOT_STARTED, VPMC_E_PERMISSION, VPMC_E_GENERATION (it has
 * stopped, but another process has started it again meanwhile), VPMC_E_ABI,
 * VPMC_E_SYSTEM.
 */
int vpmc_system_stop(struct vpmc *vpmc, struct vpmc_error *err);

/**
 * vpmc_release() - take the counters from all who have them
 * @vpmc: from vpmc_open()
 * @err: receives the error, or NULL
 *
 * All threads stop that count, or wait for execve(2) to do so, and system mode ends,
 * whoever has it: reads of their counts fail with VPMC_E_GENERATION. The pages of
 * vpmc_map() show nothing until their threads start or map again. When the call returns
 * perf_event_open(2) can have the counters. /sys/class/misc/vpmc/holders says who has them
 * before.
 *
 * Return: 0, VPMC_E_PERMISSION, VPMC_E_BUSY (they were taken, but somebody has started
 * again since),
 * VPMC_E_ABI, VPMC_E_SYSTEM.
 */
int vpmc_release(struct vpmc *vpmc, struct vpmc_error *err);

/**
 * struct vpmc_system_counts - what processors have counted
 * @generation: generation of this start of system mode
 * @tsc: clocks for which they counted, added up
 * @activity: VPMC_RUNNING or VPMC_STOPPED
 * @cpus: how many processors @count and @tsc are the sum of
 * @nr: how many of @count are set
 * @count: events counted, in the order in which vpmc_system_start() was given
 *	them; those of one processor were all read at one moment
 */
struct vpmc_system_counts {
	uint64_t generation;
	uint64_t tsc;
	unsigned int activity;
	unsigned int cpus;
	unsigned int nr;
	uint64_t count[VPMC_COUNTS_MAX];
};

/**
 * vpmc_system_read() - read the counters of processors
 * @vpmc: the handle that system mode was started on
 * @cpu: number of a processor, from 0, or VPMC_EVERY_CPU
 * @counts: receives the counts
 * @err: receives the error, or NULL
 *
 * One system call.
 *
 * Return: 0, VPMC_E_NO_CPU, VPMC_E_NOT_STARTED, VPMC_E_PERMISSION,
 * VPMC_E_GENERATION (another process that shares the handle has started system
 * mode again), VPMC_E_ABI, VPMC_E_SYSTEM.
 */
static inline int vpmc_system_read(struct vpmc *vpmc, int cpu,
				   struct vpmc_system_counts *counts,
				   struct vpmc_error *err);
int vpmc_system_read_sized(struct vpmc *vpmc, int cpu,
			   struct vpmc_system_counts *counts, size_t size,
			   struct vpmc_error *err);

/*
 * Reading without system calls, by <vpmc_inline.h>.
 */

/**
 * vpmc_map() - let the calling thread read its counts without system calls
 * @vpmc: from vpmc_open(), not attached
 * @err: receives the error, or NULL
 *
 * Maps the thread's page of counts if that has not been done, and lets it show
 * the present counts, for vpmc_count() and the other functions of
 * <vpmc_inline.h>. Works before the first start as well. After a vpmc_start()
 * or vpmc_reset() in the thread itself the page shows the new counts at once;
 * when another process has started the thread, call this once more.
 *
 * The page is the thread's until it exits or executes another program. A
 * process that it forks has it too, with counts of its own; other threads call
 * this themselves. All threads of the process may execute RDPMC from then on.
 * One system call. Not between vfork(2) and execve(2).
 *
 * If the counts are not of the start that the handle expects, the page shows
 * nothing until a vpmc_map() has succeeded.
 *
 * Return: 0, VPMC_E_UNSUPPORTED (the processor has no RDPMC, or an erratum in
 * it, or perf forbids it: read with vpmc_get() or vpmc_read(), see also struct
 * vpmc_machine),
 * VPMC_E_BOUND (the handle stands for another process, or is attached),
 * VPMC_E_GENERATION, VPMC_E_ABI, VPMC_E_MEMORY, VPMC_E_SYSTEM.
 */
int vpmc_map(struct vpmc *vpmc, struct vpmc_error *err);

/**
 * vpmc_get() - one count of the calling thread, in the fastest way there is
 * @vpmc: from vpmc_open()
 * @i: index of the event, in the order in which vpmc_start() was given them
 * @count: receives the count
 * @err: receives the error, or NULL
 *
 * Without a system call where vpmc_map() has succeeded on this handle and the
 * thread counts, else with vpmc_read() of VPMC_THREAD and its errors. So it
 * works on every processor, also when the thread has stopped, and on an attached
 * handle of a thread.
 *
 * Return: 0, VPMC_E_ARGUMENT (no such event, or one that shares its counter),
 * the errors of vpmc_read().
 */
int vpmc_get(struct vpmc *vpmc, unsigned int i, uint64_t *count,
	     struct vpmc_error *err);

/*
 * See "Structures" above. The names are not those that a program is likely to have,
 * of which its compiler may warn.
 */

static inline int vpmc_info(struct vpmc *vpmc_, struct vpmc_machine *machine_,
			    struct vpmc_error *err_)
{
	return vpmc_info_sized(vpmc_, machine_, sizeof(*machine_), err_);
}

static inline const struct vpmc_pmu *
vpmc_pmu_here(struct vpmc_machine *machine_)
{
	return vpmc_pmu_here_sized(machine_, sizeof(*machine_));
}

static inline int vpmc_read(struct vpmc *vpmc_, enum vpmc_whose whose_,
			    struct vpmc_counts *counts_,
			    struct vpmc_error *err_)
{
	return vpmc_read_sized(vpmc_, whose_, counts_, sizeof(*counts_), err_);
}

static inline int vpmc_read_spread(struct vpmc *vpmc_, enum vpmc_whose whose_,
				   struct vpmc_counts *counts_,
				   struct vpmc_spread *spread_,
				   struct vpmc_error *err_)
{
	return vpmc_read_spread_sized(vpmc_, whose_, counts_, sizeof(*counts_),
				      spread_, err_);
}

static inline int vpmc_read_usage(struct vpmc *vpmc_, enum vpmc_whose whose_,
				  struct vpmc_counts *counts_,
				  struct rusage *usage_,
				  struct vpmc_error *err_)
{
	return vpmc_read_usage_sized(vpmc_, whose_, counts_, sizeof(*counts_),
				     usage_, err_);
}

static inline int vpmc_events(struct vpmc *vpmc_, enum vpmc_whose whose_,
			      struct vpmc_event_set *events_,
			      struct vpmc_error *err_)
{
	return vpmc_events_sized(vpmc_, whose_, events_, sizeof(*events_),
				 err_);
}

static inline int vpmc_next_record(struct vpmc *vpmc_,
				   struct vpmc_thread_record *record_,
				   struct vpmc_error *err_)
{
	return vpmc_next_record_sized(vpmc_, record_, sizeof(*record_), err_);
}

static inline int vpmc_next_record_spread(struct vpmc *vpmc_,
					  struct vpmc_thread_record *record_,
					  struct vpmc_spread *spread_,
					  struct vpmc_error *err_)
{
	return vpmc_next_record_spread_sized(vpmc_, record_, sizeof(*record_),
					     spread_, err_);
}

#ifdef SI_USER
static inline int vpmc_signal_decode(const siginfo_t *info_,
				     struct vpmc_signal_info *out_)
{
	return vpmc_signal_decode_sized(info_, out_, sizeof(*out_));
}
#endif

static inline int vpmc_system_read(struct vpmc *vpmc_, int cpu_,
				   struct vpmc_system_counts *counts_,
				   struct vpmc_error *err_)
{
	return vpmc_system_read_sized(vpmc_, cpu_, counts_, sizeof(*counts_),
				      err_);
}

#ifdef __cplusplus
}
#endif

#include <vpmc_inline.h>

#endif /* VPMC_H */
