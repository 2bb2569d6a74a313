/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares libvpmc, which gives programs hardware event counters as a property of a
 * process.
 *
 * A program opens a handle, turns texts such as "instructions_executed:u" into event
 * selections, starts, and reads 64-bit counts:
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
 *	Functions that can fail return 0 or a negative enum vpmc_code. Their last argument,
 *	which may be NULL, receives the code and a sentence that names the cause and the remedy.
 *	The sentence begins in lower case and has no full stop and no newline, so that it can
 *	follow "program: ". A function that succeeds does not change *err. A function that fails
 *	changes nothing, not even output arguments, unless it says otherwise.
 *
 * Threads Any number of threads may use tables and functions without a handle at once. Calls on one
 *	handle must not overlap; different handles are independent of each other. vpmc_start(),
 *	vpmc_stop(), vpmc_reset(), vpmc_signal(), vpmc_map(), vpmc_get() and VPMC_THREAD apply to
 *	the calling thread, unless vpmc_attach() has given the handle another process or thread.
 *
 * fork and exec execve(2) closes the handle's file descriptor. A handle that is inherited over
 *	fork(2) works in the child, and parent and child each close their own copy. After
 *	vpmc_start() has succeeded in one of the two processes, both copies stand for the process
 *	that called it, even after this process has ended.
 *
 * Structures A later version of the library may add fields to the end of a structure that it fills
 *	in. A program keeps the size with which it was compiled. The inline functions below pass
 *	this size to functions whose names end in _sized. These functions fill in only fields within
 *	this size, and set fields that they do not know to zero. So a program runs with newer and
 *	with older libraries. Programs in languages without C's inline functions call the functions
 *	with _sized directly. If a program passes a structure to the library, the library uses only
 *	the fields that version 0.1 has. Structures in arrays never change: struct vpmc_event_sel,
 *	struct vpmc_event_info, struct vpmc_profile_range, struct vpmc_region_counts, struct
 *	vpmc_spread and struct vpmc_estimated. struct vpmc_error never changes, either.
 *
 * No function prints, exits or changes signal dispositions. Only regions (<vpmc_region.h>)
 * and libpfm4, which is loaded for names that only it knows, read the environment. The
 * header can be used from C11 and from C++.
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

/* One call takes, and one read returns, at most this number of events. */
#define VPMC_COUNTS_MAX 32

/* Functions return these error codes; 0 is success. */
enum vpmc_code {
	VPMC_OK = 0,
	VPMC_E_ARGUMENT = -1,	   /* the library was used incorrectly */
	VPMC_E_SYNTAX = -2,	   /* the text of an event is malformed */
	VPMC_E_UNKNOWN_EVENT = -3, /* this processor has no such event */
	VPMC_E_AMBIGUOUS = -4,	   /* the code differs between counters */
	VPMC_E_NO_COUNTER = -5,	   /* this processor has no such counter */
	VPMC_E_WRONG_COUNTER = -6, /* this counter cannot count the event */
	VPMC_E_COUNTER_TAKEN = -7, /* two events need the same counter */
	VPMC_E_TOO_MANY = -8,	   /* more events than counters */
	VPMC_E_NO_DEVICE = -9,	   /* the driver is missing or not loaded */
	VPMC_E_ABI = -10,	   /* driver and library are incompatible */
	VPMC_E_UNSUPPORTED = -11,  /* this processor does not support it */
	VPMC_E_PERMISSION = -12,   /* the caller lacks the right */
	VPMC_E_BUSY = -13,	   /* the counters are in use */
	VPMC_E_BOUND = -14,	   /* the handle stands for another process */
	VPMC_E_NOT_STARTED = -15,  /* no count was ever started */
	VPMC_E_RESUME = -16,	   /* the events differ from the stopped ones */
	VPMC_E_GENERATION = -17,   /* the counts belong to another start */
	VPMC_E_MEMORY = -18,	   /* out of memory */
	VPMC_E_SYSTEM = -19,	   /* any other error of a system call */
	VPMC_E_NO_RECORD = -20,	   /* there is no record at present */
	VPMC_E_NO_CPU = -21,	   /* the machine has no such processor */
	VPMC_E_NO_PROCESS = -22,   /* no such process or thread, or exited */
};

/**
 * struct vpmc_error - an error for programs and for people
 * @code: the value that a function returned
 * @text: one sentence, zero-terminated
 */
struct vpmc_error {
	enum vpmc_code code;
	char text[512];
};

/**
 * vpmc_strerror() - describe the kind of error in a few words
 * @code: an enum vpmc_code
 *
 * The text of a struct vpmc_error says more. Use this function if the text was not kept.
 *
 * Return: a constant string, even for unknown codes.
 */
const char *vpmc_strerror(int code);

/**
 * vpmc_escape() - make a text from outside fit for a terminal
 * @text: any bytes, zero-terminated
 * @escaped: receives @text with \xNN instead of control characters and bytes that are not
 *	UTF-8. It is zero-terminated, and has only as many characters as fit.
 * @size: size of @escaped, at least 1. 4 * strlen(text) + 1 is enough.
 *
 * The texts of the library's own errors are already escaped in this way.
 *
 * Return: the length of @escaped.
 */
size_t vpmc_escape(const char *text, char *escaped, size_t size);

/* The functions for events need neither a handle nor a driver. */

/* struct vpmc_pmu describes a family of counters: its name, its size and its events. */
struct vpmc_pmu;

/*
 * These bits are the privilege levels in which an event is counted, and whether its samples are
 * precise: the address is then that of the instruction of the event. Precise samples need a period,
 * user mode alone, and an event for which the processor can take them: vpmc_event(3).
 */
enum vpmc_modes {
	VPMC_USER = 0x1,
	VPMC_KERNEL = 0x2,  /* needs CAP_PERFMON or CAP_SYS_ADMIN */
	VPMC_PRECISE = 0x4, /* in addition to VPMC_USER */
};

/*
 * This value, from 1 to VPMC_AFTER_MAX, is added to modes. Each thread then counts the event only
 * after @number of the events before it in the list. Only the Pentium 4 can do this: vpmc_event(3).
 */
#define VPMC_AFTER(number) ((unsigned int)(number) << 4)
#define VPMC_AFTER_MAX	   0xfffffff

/*
 * As the counter of a struct vpmc_event_sel, this value stands for any free counter that
 * can count the event.
 */
#define VPMC_ANY_COUNTER (-1)

/**
 * struct vpmc_event_sel - an event selected for counting
 * @code: the event's code in the processor's manual; "clocks" on the Pentium is 0x100. On the
 *	Pentium 4, it has the values of an ESCR and, in the upper half, of a CCCR: vpmc_event(3)
 * @counter: hardware counter from 0, or VPMC_ANY_COUNTER
 * @modes: enum vpmc_modes bits, at least one, and possibly VPMC_AFTER()
 */
struct vpmc_event_sel {
	uint64_t code;
	int counter;
	unsigned int modes;
};

/**
 * struct vpmc_event_info - an event that a processor can count
 * @code: as in struct vpmc_event_sel. If one code means a different event on each
 *	counter, each event has its own entry.
 * @counters: bit n is set if hardware counter n can count it. Bit VPMC_FIXED_COUNTERS + n
 *	is set if fixed counter n can count it. Fixed counters are numbered after all
 *	others.
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
 * vpmc_pmu_find() - find a family of counters by its name
 * @name: "p5" (Pentium), "p5mmx" (Pentium with MMX), "p6" (Pentium Pro, II, III),
 *	"p4" (Pentium 4), "intel" (with architectural counters) or "amd" (since the K7)
 *
 * Return: a constant object, or NULL if the library does not know the family. If
 * processors of the family differ in the number of counters, the object has the largest
 * number.
 */
const struct vpmc_pmu *vpmc_pmu_find(const char *name);

/**
 * vpmc_pmu_name() - get the name of a family of counters
 * @pmu: from vpmc_pmu_of() or vpmc_pmu_find()
 *
 * Return: a constant string.
 */
const char *vpmc_pmu_name(const struct vpmc_pmu *pmu);

/**
 * vpmc_event_table() - list all events that a processor can count
 * @pmu: from vpmc_pmu_of() or vpmc_pmu_find()
 * @nr: receives the number of entries
 *
 * Return: a constant table: clocks, then the other events in ascending order of code and
 * of counter.
 */
const struct vpmc_event_info *vpmc_event_table(const struct vpmc_pmu *pmu,
					       size_t *nr);

/**
 * vpmc_event_lookup() - find the table entry of a selected event
 * @pmu: from vpmc_pmu_of() or vpmc_pmu_find()
 * @sel: the event; its @counter decides if one code means several events
 *
 * Return: a constant entry, or NULL if @sel does not select exactly one event. On a
 * family that counts any code, codes without a name share one entry.
 */
const struct vpmc_event_info *
vpmc_event_lookup(const struct vpmc_pmu *pmu, const struct vpmc_event_sel *sel);

/**
 * vpmc_event_counters() - find the counters that can count an event
 * @pmu: from vpmc_pmu_of() or vpmc_pmu_find()
 * @info: an event of @pmu
 *
 * Return: one bit for each counter, with the counter's number. Fixed counters come after
 * all others.
 */
uint32_t vpmc_event_counters(const struct vpmc_pmu *pmu,
			     const struct vpmc_event_info *info);

/**
 * struct vpmc_named_event - the event that a name stands for
 * @info: the event; with @refusal, only its name and description are valid
 * @refusal: NULL; or words that can follow a colon: the reason why the processor cannot count the
 *	event, and another event that the processor can count
 */
struct vpmc_named_event {
	struct vpmc_event_info info;
	const char *refusal;
};

/**
 * vpmc_generic_event() - get the event that a generic name stands for
 * @pmu: from vpmc_pmu_of() or vpmc_pmu_find()
 * @i: index of the generic name, from 0
 *
 * The generic names are the same on all processors: instructions, cycles, ref-cycles,
 * branches, branch-misses, cache-references, cache-misses, loads and stores. If the models
 * of a family of counters differ, the answer is for the processor that executes this
 * function.
 *
 * Return: a constant object, or NULL if @i is not less than the number of names.
 */
const struct vpmc_named_event *vpmc_generic_event(const struct vpmc_pmu *pmu,
						  unsigned int i);

/**
 * vpmc_pfm_events() - list all events of this processor that libpfm4 names
 * @pmu: from vpmc_pmu_of()
 * @use: called with each event and @arg, in the locale "C". The event is valid until @use returns.
 *	@use must not call functions that take the text of an event.
 * @arg: second argument of @use
 * @err: receives the error, or NULL
 *
 * libpfm4 is a library of another project. It has the names of the manuals in the form EVENT or
 * EVENT:UNIT_MASK.
 *
 * Return: 0, also if libpfm4 has no names for the family; VPMC_E_UNSUPPORTED (this library was
 * built without libpfm4, or libpfm4 is not installed or does not know the processor).
 */
int vpmc_pfm_events(const struct vpmc_pmu *pmu,
		    void (*use)(const struct vpmc_named_event *event,
				void *arg),
		    void *arg, struct vpmc_error *err);

/**
 * vpmc_event_parse() - turn a text into an event selection
 * @pmu: from vpmc_pmu_of() or vpmc_pmu_find()
 * @text: EVENT[@COUNTER][:MODES][:after=NUMBER]. EVENT is a name (upper and lower case are
 *	the same) or a code, in hexadecimal with "0x" or in decimal. COUNTER is
 *	the number of a hardware counter. MODES is "u" (user), "k" (kernel) or
 *	both: "0x16", "22:uk", "data_read:k", "0x2b@1:u". A name is searched for in the
 *	table, then among the generic names, then in libpfm4 with its unit masks
 *	and modifiers: "br_inst_retired:conditional:c=1:u". NUMBER is that of
 *	VPMC_AFTER().
 * @modes: the modes of a text without MODES, as enum vpmc_modes bits
 * @sel: receives the selection. Its counter is COUNTER, or the only counter that can count the
 *	event, or VPMC_ANY_COUNTER.
 * @err: receives the error, or NULL
 *
 * Return: 0, VPMC_E_SYNTAX, VPMC_E_UNKNOWN_EVENT, VPMC_E_AMBIGUOUS (a code without COUNTER
 * that means another event on each counter), VPMC_E_NO_COUNTER, VPMC_E_WRONG_COUNTER.
 */
int vpmc_event_parse(const struct vpmc_pmu *pmu, const char *text,
		     unsigned int modes, struct vpmc_event_sel *sel,
		     struct vpmc_error *err);

/* The longest name of an event needs this number of bytes, with its terminating zero. */
#define VPMC_EVENT_NAME_MAX 128

/**
 * vpmc_event_name() - get the name of the event of a text
 * @pmu: from vpmc_pmu_of() or vpmc_pmu_find()
 * @text: as for vpmc_event_parse()
 * @name: receives the name in @text, in lower case, without counter and modes; for a code,
 *	the name in the table. Has room for VPMC_EVENT_NAME_MAX characters.
 * @err: receives the error, or NULL
 *
 * Return: as vpmc_event_parse().
 */
int vpmc_event_name(const struct vpmc_pmu *pmu, const char *text, char *name,
		    struct vpmc_error *err);

/**
 * vpmc_event_homonym() - find another event with the same name
 * @pmu: from vpmc_pmu_of() or vpmc_pmu_find()
 * @text: as for vpmc_event_parse()
 * @name: receives a text by which vpmc_event_parse() finds the other event: for libpfm4's
 *	event, the name of its PMU, two colons and the name in @text; for the table's
 *	event, its code. Has room for VPMC_EVENT_NAME_MAX characters.
 *
 * On some processors, libpfm4 gives a few names of the table to other events. Such a name
 * selects the table's event, or libpfm4's event if modifiers of libpfm4 follow the name.
 *
 * Return: the code of the event that @text does not select, with the same modifiers; 0 if no other
 * event has this name, or if @text is wrong.
 */
uint64_t vpmc_event_homonym(const struct vpmc_pmu *pmu, const char *text,
			    char *name);

/**
 * vpmc_event_call() - let errors name events as the user wrote them
 * @sel: the events, with or without chosen counters
 * @text: for each event, the text that errors of the calling thread quote, or NULL
 * @nr: number of events; 0 to let errors use the names of the table again
 *
 * Both arrays, and the texts, must stay valid until the next call.
 */
void vpmc_event_call(const struct vpmc_event_sel *sel, const char *const *text,
		     size_t nr);

/**
 * vpmc_event_assign() - choose a hardware counter for each event
 * @pmu: from vpmc_pmu_of() or vpmc_pmu_find()
 * @sel: the events. Events with VPMC_ANY_COUNTER get the lowest free counter, unless a later event
 *	needs this counter. On a processor that counts any code, events keep VPMC_ANY_COUNTER,
 *	because only the driver knows which events its counters can count. The driver chooses the
 *	counters at the start.
 * @nr: number of events, at least 1
 * @err: receives the error, or NULL
 *
 * Return: 0, VPMC_E_ARGUMENT, VPMC_E_UNKNOWN_EVENT, VPMC_E_AMBIGUOUS,
 * VPMC_E_NO_COUNTER, VPMC_E_WRONG_COUNTER, VPMC_E_TOO_MANY, or
 * VPMC_E_COUNTER_TAKEN with a text that names the counter and both events.
 */
int vpmc_event_assign(const struct vpmc_pmu *pmu, struct vpmc_event_sel *sel,
		      size_t nr, struct vpmc_error *err);

/* Up to this number of events can share a counter. */
#define VPMC_EVENTS_PER_COUNTER 16

/**
 * vpmc_event_distribute() - choose counters for events, which may share counters
 * @pmu: from vpmc_pmu_of() or vpmc_pmu_find()
 * @sel: the events. If vpmc_event_assign() would succeed, the events get the same
 *	counters. Otherwise an event that only one counter can count gets this counter.
 *	Each of the other events, in the order of @sel, joins the counter with the fewest
 *	events.
 * @nr: number of events, at least 1
 * @err: receives the error, or NULL
 *
 * vpmc_start() with VPMC_MULTIPLEX chooses counters in this way.
 *
 * Return: 0, VPMC_E_ARGUMENT, VPMC_E_UNKNOWN_EVENT, VPMC_E_AMBIGUOUS, VPMC_E_NO_COUNTER,
 * VPMC_E_WRONG_COUNTER, VPMC_E_TOO_MANY (more than VPMC_EVENTS_PER_COUNTER events on one
 * counter), VPMC_E_COUNTER_TAKEN (an event counts only what another event tags, and the events
 * cannot all be counted at the same time).
 */
int vpmc_event_distribute(const struct vpmc_pmu *pmu,
			  struct vpmc_event_sel *sel, size_t nr,
			  struct vpmc_error *err);

/* The following functions open, close and describe a handle. */

/* A handle is an open connection to the driver, see "fork and exec" above. */
struct vpmc;

/**
 * vpmc_open() - connect to the driver
 * @vpmc: receives a handle, which the caller passes to vpmc_close()
 * @err: receives the error, or NULL
 *
 * Opens /dev/vpmc close-on-exec and checks that the driver and the library are compatible. Does not
 * start a count.
 *
 * Return: 0, VPMC_E_NO_DEVICE, VPMC_E_PERMISSION, VPMC_E_ABI,
 * VPMC_E_UNSUPPORTED, VPMC_E_MEMORY, VPMC_E_SYSTEM.
 */
int vpmc_open(struct vpmc **vpmc, struct vpmc_error *err);

/**
 * vpmc_close() - close a handle
 * @vpmc: from vpmc_open(), or NULL
 *
 * Counting continues while a process can still read the counts, see VPMC_KEEP. System mode ends
 * when all processes have closed the handle that started it. Does not change errno.
 */
void vpmc_close(struct vpmc *vpmc);

/**
 * vpmc_fd() - get the descriptor of a handle, for event loops
 * @vpmc: from vpmc_open()
 *
 * poll(2), select(2) and epoll(7) find the descriptor readable when vpmc_next_record() has a record
 * to return. They find it hung up (POLLHUP) when no process that the handle collects has a thread
 * left, so that no new record will follow. A handle that was started with neither VPMC_COLLECT nor
 * VPMC_RECORDS does not collect, and is never ready. vpmc_close() closes the descriptor, so
 * duplicate it to keep it longer.
 *
 * Return: the descriptor.
 */
int vpmc_fd(const struct vpmc *vpmc);

/**
 * vpmc_pmu_of() - get the counters of this machine
 * @vpmc: from vpmc_open()
 *
 * Return: a constant object that outlives the handle.
 */
const struct vpmc_pmu *vpmc_pmu_of(const struct vpmc *vpmc);

/**
 * struct vpmc_machine - the processor, its counters and the driver
 * @pmu: name of the family of counters, zero-terminated
 * @abi: version of the driver's interface
 * @counters: number of a processor's hardware counters that count any event
 * @counter_bits: width of a hardware counter. Counts are 64 bits wide nevertheless.
 * @rdpmc: 1 if the processor has the RDPMC instruction, else 0
 * @vendor: CPUID's vendor, zero-terminated; empty if there is no CPUID
 * @family: CPUID's family, with @model and @stepping
 * @emulated: 1 in an emulator that identifies itself (see vpmc_event_emulation()), 0 on hardware
 * @generation: generation of the counter set of the process that the handle stands for; 0 if this
 *	process never counted, or if the caller may not watch it
 * @system: 1 if the counters are in system mode, whichever process started it, else 0
 * @map: 1 if vpmc_map() works on this machine, else 0
 * @fixed: number of counters that count one event each, numbered from @counters on
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
 * vpmc_pmu_here() - describe the counters of this machine without a driver
 * @machine: receives the data of CPUID on the processor and its counters; all other fields
 *	become 0
 *
 * Use it for names and descriptions. Only vpmc_open() can check whether the driver counts on this
 * machine.
 *
 * Return: as vpmc_pmu_of(); or NULL, without changing @machine, if CPUID does not report
 * counters that the library knows.
 */
static inline const struct vpmc_pmu *
vpmc_pmu_here(struct vpmc_machine *machine);
const struct vpmc_pmu *vpmc_pmu_here_sized(struct vpmc_machine *machine,
					   size_t size);

/* These are the ways in which an emulator that identifies itself counts an event. */
enum vpmc_emulation {
	VPMC_NOT_EMULATED, /* the count is always zero */
	VPMC_EXACT,
	VPMC_MODELLED,	      /* a model counts, for example of caches */
	VPMC_PER_INSTRUCTION, /* clocks: each instruction takes one */
};

/**
 * vpmc_event_emulation() - find out how an event is counted here
 * @machine: from vpmc_info(), on the machine where this is called
 * @sel: the event. Its modes do not matter. Its counter matters if a counter is set. If no counter
 *	is set, and the code means a different event on each counter, the answer covers all these
 *	events.
 *
 * Return: enum vpmc_emulation; VPMC_EXACT on hardware.
 */
int vpmc_event_emulation(const struct vpmc_machine *machine,
			 const struct vpmc_event_sel *sel);

/**
 * vpmc_event_accepted() - find the counters on which the driver accepts an event
 * @pmu: the family of the event
 * @machine: the processor, as vpmc_info() describes it
 * @info: the event
 *
 * Some processors of a family can count an event on fewer counters than other processors.
 *
 * Return: a subset of vpmc_event_counters(), or 0 if the driver refuses the event.
 */
uint32_t vpmc_event_accepted(const struct vpmc_pmu *pmu,
			     const struct vpmc_machine *machine,
			     const struct vpmc_event_info *info);

/**
 * vpmc_event_never() - find the reason why an event cannot happen in its modes
 * @pmu: from vpmc_pmu_of()
 * @machine: from vpmc_info(), on the machine where this is called
 * @sel: the event. Its modes matter. Its counter matters if a counter is set.
 *
 * The count of such an event is zero, which says nothing about the program.
 *
 * Return: NULL if the event can happen, or the reason in a few words: "not emulated
 * here", "not on this processor", "never in user mode".
 */
const char *vpmc_event_never(const struct vpmc_pmu *pmu,
			     const struct vpmc_machine *machine,
			     const struct vpmc_event_sel *sel);

/* These bits are the flags of a start. */
enum vpmc_start_flags {
	VPMC_AT_EXEC = 0x1, /* begin at this thread's next execve(2) */
	VPMC_RESUME = 0x2,  /* continue from the stopped counts, not from 0 */
	VPMC_COLLECT = 0x4, /* fill VPMC_ALL of this handle */
	VPMC_RECORDS =
		0x8, /* like VPMC_COLLECT, and keep records for vpmc_next_record() */
	VPMC_FORCE = 0x10,     /* restart threads that count already */
	VPMC_MULTIPLEX = 0x20, /* events may share counters */
	VPMC_FOLD = 0x40,      /* add to the parent at exit, without a wait */
	VPMC_KEEP = 0x80, /* count even if no process can read the counts */
};

/**
 * vpmc_start() - count events in the calling thread, or in an attached one
 * @vpmc: from vpmc_open(); it stands for the calling process from now on, unless vpmc_attach() has
 *	given it another process
 * @sel: the events. Events with VPMC_ANY_COUNTER get counters as from vpmc_event_assign(), or with
 *	VPMC_MULTIPLEX as from vpmc_event_distribute(). The array itself does not change.
 * @nr: number of events, at least 1
 * @flags: enum vpmc_start_flags bits, or 0
 * @err: receives the error, or NULL
 *
 * Threads and processes that the thread creates from now on count the same events, each from zero.
 * Counting continues over execve(2). The function makes one system call. It makes one or two
 * further calls if other threads of the process are counting already.
 *
 * With VPMC_COLLECT the handle collects the counts of the process and all its descendants until the
 * handle is closed, whether or not they are waited for: see VPMC_ALL. Only one handle at a time can
 * collect a process. A later start with VPMC_COLLECT begins again at zero, without the earlier
 * records. VPMC_RESUME, which cannot be combined with VPMC_COLLECT, keeps counts and records.
 *
 * With VPMC_FORCE threads that count already start again from zero in the same call, possibly with
 * other events. With VPMC_MULTIPLEX there may be up to VPMC_EVENTS_PER_COUNTER events for each
 * counter. If they do not fit, the events of one counter share it, and each count covers part of
 * the time, see vpmc_is_projected(). If each event can have its own counter, the flag has no
 * effect. With VPMC_FOLD, which children inherit, a process is added to VPMC_CHILDREN of its parent
 * when its last thread exits, whether or not it is waited for. A wait does not add it again.
 *
 * The driver stops a process within seconds when no process can read its counts any more. A process
 * can read them if one of these conditions holds for the counted process or one of its ancestors: a
 * handle stands for it or for one of its threads, or collects it; it maps its counts; or the
 * program that it executes has started the count itself. With VPMC_KEEP, which children inherit, a
 * process keeps counting in any case. VPMC_FORCE, VPMC_FOLD and VPMC_KEEP cannot be combined with
 * VPMC_RESUME.
 *
 * On an attached handle, counting begins at once in the thread, or in all threads of the process.
 * Threads and processes that they create from now on count, too.
 *
 * Return: 0, the errors of vpmc_event_assign(), VPMC_E_PERMISSION (kernel mode; the driver
 * is restricted; the caller may not trace an attached process), VPMC_E_BUSY (the counters
 * are in system mode; without VPMC_FORCE: this thread or the attached process counts
 * already; with VPMC_COLLECT also: another handle collects this process, or descendants of
 * an earlier start on this handle still run), VPMC_E_UNSUPPORTED (the counters of a
 * processor do not work), VPMC_E_NO_PROCESS (the attached process or thread has exited),
 * VPMC_E_BOUND, VPMC_E_NOT_STARTED and VPMC_E_RESUME (both with VPMC_RESUME), VPMC_E_ABI,
 * VPMC_E_MEMORY, VPMC_E_SYSTEM.
 */
int vpmc_start(struct vpmc *vpmc, const struct vpmc_event_sel *sel, size_t nr,
	       unsigned int flags, struct vpmc_error *err);

/**
 * vpmc_stop() - stop counting in the calling thread, or in the attached thread or process
 * @vpmc: from vpmc_open()
 * @err: receives the error, or NULL
 *
 * Also cancels a start at execve(2). The counts can still be read. If the caller may not see the
 * counts, the function does not check whether they belong to the handle's start.
 *
 * Return: 0, VPMC_E_NOT_STARTED, VPMC_E_BOUND, VPMC_E_GENERATION (counting has stopped, but the
 * counts are not those that vpmc_start() started), VPMC_E_NO_PROCESS (the attached process or
 * thread has exited), VPMC_E_PERMISSION (the caller may not trace the process), VPMC_E_ABI,
 * VPMC_E_SYSTEM.
 */
int vpmc_stop(struct vpmc *vpmc, struct vpmc_error *err);

/**
 * vpmc_reset() - count the same events from zero again
 * @vpmc: from vpmc_open(), on which vpmc_start() has succeeded
 * @err: receives the error, or NULL
 *
 * Repeats the last vpmc_start() on this handle, with VPMC_FORCE and without VPMC_RESUME. The counts
 * of the thread, or of the attached process or thread, begin at zero, even if they have stopped.
 * The collection of VPMC_COLLECT continues. The function makes one system call.
 *
 * A reset is a start, so the handle then expects a new generation, unless other threads of the
 * process count in the present generation. In this case VPMC_SELF keeps the previous counts of this
 * thread. The thread's signals end. The handle still expects VPMC_ALL of the start with
 * VPMC_COLLECT.
 *
 * Return: 0, VPMC_E_NOT_STARTED (no vpmc_start() has succeeded on this handle), and the
 * errors of vpmc_start().
 */
int vpmc_reset(struct vpmc *vpmc, struct vpmc_error *err);

/**
 * vpmc_cgroup() - also collect the processes of a cgroup
 * @vpmc: from vpmc_open(), started with VPMC_COLLECT or VPMC_RECORDS
 * @fd: a descriptor of the cgroup's directory, of cgroup version 2
 * @err: receives the error, or NULL
 *
 * A process that is in the cgroup or in a cgroup below it, or enters one of them later, is started
 * with the handle's events. It counts before it executes another instruction in user mode. VPMC_ALL
 * contains its counts and the counts of its later children. The process is counted until it exits
 * or the handle is closed, even if it leaves the cgroup. A process that counts already, or that
 * another handle collects, is missing: each of its threads adds 1 to other_events of struct
 * vpmc_counts, and has a record with @missing. A thread that has stopped itself adds 1 to stopped.
 * The function makes one system call.
 *
 * With VPMC_AT_EXEC the caller itself is not counted unless it executes another program.
 *
 * Return: 0, VPMC_E_PERMISSION, VPMC_E_ARGUMENT (@fd is not a descriptor of a cgroup's directory,
 * or the cgroup is threaded), VPMC_E_NOT_STARTED, VPMC_E_BUSY (the handle has a cgroup),
 * VPMC_E_UNSUPPORTED (the kernel has no cgroups), VPMC_E_MEMORY, VPMC_E_ABI, VPMC_E_SYSTEM.
 */
int vpmc_cgroup(struct vpmc *vpmc, int fd, struct vpmc_error *err);

/* These bits are the flags of vpmc_attach(). */
enum vpmc_attach_flags {
	VPMC_ATTACH_ONE_THREAD =
		0x1,	      /* attach to one thread, not to its process */
	VPMC_ATTACH_FD = 0x2, /* the id is a pidfd */
};

/**
 * vpmc_attach() - let a handle stand for another process or thread
 * @vpmc: from vpmc_open(), without a start
 * @id: the process or, with VPMC_ATTACH_ONE_THREAD, the thread; with VPMC_ATTACH_FD, the
 *	descriptor that pidfd_open(2) returned for it
 * @flags: enum vpmc_attach_flags bits, or 0
 * @err: receives the error, or NULL
 *
 * From now on vpmc_read(), vpmc_start() and vpmc_stop() on this handle apply to all threads of the
 * process, or to the thread alone. To attach and to read, the caller needs the right to read the
 * process's memory, as ptrace(2) defines it. To start and to stop, the caller needs the right to
 * trace the process. After the process or thread has exited, its counts can still be read.
 *
 * The handle expects the present start of the process. So reads fail with VPMC_E_GENERATION after
 * the process has started again by itself, or has executed a program that must not be watched. To
 * read the new counts, call vpmc_expect() with 0, or with the generation from vpmc_info(). If the
 * process never counted, or the caller must not see its counts, the handle accepts any counts until
 * a vpmc_start() on the handle succeeds.
 *
 * Return: 0, VPMC_E_NO_PROCESS, VPMC_E_PERMISSION, VPMC_E_BOUND (the handle stands for a process
 * already), VPMC_E_ARGUMENT (unknown flags, or @id is not a pidfd), VPMC_E_ABI, VPMC_E_MEMORY,
 * VPMC_E_SYSTEM.
 */
int vpmc_attach(struct vpmc *vpmc, int id, unsigned int flags,
		struct vpmc_error *err);

/* A scope selects the threads and processes whose counts are read, as in getrusage(2). */
enum vpmc_whose {
	VPMC_THREAD = 0,   /* the calling or the attached thread */
	VPMC_SELF = 1,	   /* all threads, including exited ones */
	VPMC_CHILDREN = 2, /* descendants that were waited for */
	VPMC_ALL = 3,	   /* all counts that this handle collects */
};

/* These are the states of the counters at the moment of the read. */
enum vpmc_activity {
	VPMC_STOPPED = 0,
	VPMC_ARMED = 1,	  /* waits for execve(2) */
	VPMC_RUNNING = 2, /* at least one thread counts */
	VPMC_EXITED = 3,  /* no thread has counters, and none can get them */
};

/**
 * struct vpmc_counts - one consistent snapshot
 * @generation: generation of the counter set
 * @start: the start that began the counts, see vpmc_start_id()
 * @tsc: clocks that the threads spent on a processor while counting
 * @activity: enum vpmc_activity; for VPMC_CHILDREN, the activity of the process itself
 * @running: for VPMC_SELF and VPMC_ALL: number of processes that still have a thread
 * @other_events: number of threads that are missing in @count because they counted other
 *	events
 * @revoked: number of threads that are missing in @count because system mode or
 *	vpmc_release() took the counters from them, because another program wrote to the
 *	registers of the counters, or because they executed a program that the starter must
 *	not watch
 * @nr: number of valid elements of @count
 * @count: events counted, in the order of vpmc_start()
 * @time: the part of @tsc in which each event was counted. It equals @tsc unless events share
 *	counters, see vpmc_is_projected().
 * @set: a number that identifies the events, their modes and their order; 0 if the handle did not
 *	start the counts
 * @stopped: number of gaps in @count. A stop of a thread, by the thread itself or by another
 *	process, is a gap if the thread then resumes, is stopped again, executes a program, creates
 *	a process or a thread, or ends. The last stop before a read is not a gap: see vpmc(7).
 * @unwaited: for VPMC_CHILDREN: number of processes that are missing in @count because no process
 *	has waited for them. Processes that still run are included.
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
 * The function makes one system call. It returns counts only if they belong to the vpmc_start() on
 * this handle, or to the generation that vpmc_expect() named:
 *
 * - VPMC_THREAD must belong to the last start on this handle. Threads that inherit belong to the
 *   start of their creator. So several threads can share a handle until one of them starts by
 *   itself.
 * - VPMC_SELF and VPMC_CHILDREN must belong to the generation of this start. If other threads of
 *   the process were counting other events at the start, SELF and CHILDREN have the counts of those
 *   events, and the read fails.
 * - VPMC_ALL must belong to the last start with VPMC_COLLECT on this handle.
 *
 * A handle that does not expect a start accepts any counts, for example counts that the process
 * inherited from its parent. vpmc_events() returns their events.
 *
 * Return: 0, VPMC_E_GENERATION, VPMC_E_NOT_STARTED, VPMC_E_BOUND (VPMC_THREAD on a handle that
 * stands for another process, or another scope on a handle that is attached to a thread),
 * VPMC_E_PERMISSION (the attached process has executed a program that must not be watched, and has
 * started again since), VPMC_E_ARGUMENT, VPMC_E_ABI, VPMC_E_SYSTEM.
 */
static inline int vpmc_read(struct vpmc *vpmc, enum vpmc_whose whose,
			    struct vpmc_counts *counts, struct vpmc_error *err);
int vpmc_read_sized(struct vpmc *vpmc, enum vpmc_whose whose,
		    struct vpmc_counts *counts, size_t size,
		    struct vpmc_error *err);

struct rusage; /* <sys/resource.h> */

/**
 * vpmc_read_usage() - read counts, and times and resources at the same moment
 * @vpmc: from vpmc_open(), not attached
 * @whose: VPMC_THREAD, VPMC_SELF or VPMC_CHILDREN
 * @counts: receives the counts
 * @usage: receives the result of getrusage(2) for the same threads or processes
 * @err: receives the error, or NULL
 *
 * For VPMC_CHILDREN, counts and usage cover the same children. If another thread waits for a child
 * between the two reads, both are read again. Counts and usage are not read at the same instant:
 * the library's own instructions and, for VPMC_SELF, other threads run in between.
 *
 * Return: as vpmc_read(); also VPMC_E_ARGUMENT for VPMC_ALL, VPMC_E_BOUND for a handle that is
 * attached, and VPMC_E_BUSY if other threads wait for children all the time.
 */
static inline int vpmc_read_usage(struct vpmc *vpmc, enum vpmc_whose whose,
				  struct vpmc_counts *counts,
				  struct rusage *usage, struct vpmc_error *err);
int vpmc_read_usage_sized(struct vpmc *vpmc, enum vpmc_whose whose,
			  struct vpmc_counts *counts, size_t size,
			  struct rusage *usage, struct vpmc_error *err);

/**
 * struct vpmc_event_set - the events of a scope
 * @generation: generation of the counter set
 * @start: the start that began the counts, see vpmc_start_id()
 * @nr: number of valid elements of @sel
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
 * Use it for a handle that did not start the events itself. Also use it to find the present events
 * when vpmc_read() fails with VPMC_E_GENERATION, because the answer does not depend on the start
 * that the handle expects. The function makes one system call.
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
 * @more: another snapshot of the same events, for example of VPMC_CHILDREN
 * @err: receives the error, or NULL
 *
 * Return: 0, or VPMC_E_ARGUMENT if @more has another number of events (0 is allowed), other events,
 * or another order of events, as far as @set shows this.
 */
int vpmc_counts_add(struct vpmc_counts *sum, const struct vpmc_counts *more,
		    struct vpmc_error *err);

/**
 * vpmc_is_projected() - find out whether an event was counted for only a part of the time
 * @counts: from vpmc_read()
 * @i: index of the event, below @counts->nr
 *
 * This happens if events share counters (VPMC_MULTIPLEX). The count for the whole time
 * can then only be projected: see vpmc_project().
 *
 * Return: 1 if the count covers a part of the time, 0 if it covers the whole time.
 */
int vpmc_is_projected(const struct vpmc_counts *counts, unsigned int i);

/**
 * vpmc_project() - project how often an event happened in the whole time
 * @count: how often it was counted
 * @time: the clocks for which it was counted
 * @tsc: the clocks of the whole time
 *
 * Return: @count * @tsc / @time, rounded to the nearest; @count if @time is not less than @tsc; 0
 * if @time is 0, because the event was never counted; UINT64_MAX if the result is larger.
 */
uint64_t vpmc_project(uint64_t count, uint64_t time, uint64_t tsc);

/**
 * struct vpmc_turns_of - the differences between the turns of an event that shares a counter
 * @nr: number of its turns. A turn lasts from one clock tick to the next. The first and the last
 *	turn of a thread can be shorter.
 * @count_squares: sum of the squares of the turns' counts
 * @products: sum of each turn's count times its clocks
 * @time_squares: sum of the squares of the turns' clocks
 * @unit: the largest error of @count_squares and of @products. The error of @time_squares is at
 *	most @unit times @nr.
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
 * @nr: number of valid elements of @event: 0 if no events share counters
 * @event: the events, in the order of vpmc_start()
 */
struct vpmc_spread {
	unsigned int nr;
	struct vpmc_turns_of event[VPMC_COUNTS_MAX];
};

/**
 * vpmc_read_spread() - read the counters, and the differences between the events' turns
 * @vpmc: from vpmc_open()
 * @whose: enum vpmc_whose
 * @counts: receives the counts, as from vpmc_read()
 * @spread: receives the turns
 * @err: receives the error, or NULL
 *
 * Use it for events that may share counters. If a thread is running, the turns may
 * include one turn more than @counts. The function makes one system call.
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
 * vpmc_spread_add() - add turns, as vpmc_counts_add() adds counts
 * @sum: the sum, of the same events
 * @more: the turns to add, none if its @nr is 0
 */
void vpmc_spread_add(struct vpmc_spread *sum, const struct vpmc_spread *more);

/* vpmc_estimate() returns one of these values, which say how well a number is known. */
enum vpmc_known {
	VPMC_KNOWN_EXACTLY = 0, /* the event was counted all the time */
	VPMC_KNOWN_ROUGHLY = 1, /* there is an interval */
	VPMC_NEVER_COUNTED = 2, /* the event never had its counter */
	VPMC_FEW_TURNS = 3,	/* the turns are too few or too unequal */
	VPMC_NEVER_SEEN = 4,	/* the event did not happen in its turns */
	VPMC_FEW_BURSTS = 5,	/* the event happened in too few turns */
	VPMC_MANY_TURNS = 6,	/* the turns are too many to add up */
};

/**
 * struct vpmc_estimated - how often an event happened
 * @count: the best estimate
 * @low: the lower end of the interval
 * @high: the upper end of the interval
 */
struct vpmc_estimated {
	uint64_t count;
	uint64_t low;
	uint64_t high;
};

/*
 * The number lies between @low and @high in this percentage of all runs, unless a few
 * turns have most of the events.
 */
#define VPMC_CONFIDENCE 95

/**
 * vpmc_estimate() - estimate how often an event that shared its counter happened
 * @count: how often it was counted
 * @time: the clocks for which it was counted
 * @tsc: the clocks of the whole time
 * @turns: its turns, from vpmc_read_spread(), or NULL if they are not known
 * @estimate: receives the estimate, if VPMC_KNOWN_EXACTLY or VPMC_KNOWN_ROUGHLY is
 *	returned
 *
 * The turns are a sample of the whole time. The differences between the turns show how far the
 * sample may be off. If user mode is counted, the kernel's part of each turn adds to these
 * differences. There is no estimate if there are too few turns.
 *
 * Return: enum vpmc_known.
 */
int vpmc_estimate(uint64_t count, uint64_t time, uint64_t tsc,
		  const struct vpmc_turns_of *turns,
		  struct vpmc_estimated *estimate);

/**
 * struct vpmc_thread_record - the counts of a thread until it ended or restarted
 * @pid: its process, 0 if it does not have a number in the caller's pid namespace
 * @tid: the thread, 0 if it does not have a number in the caller's pid namespace
 * @command: its command name, zero-terminated
 * @last: 1 if its process has no thread left, else 0. A later record with this @pid then belongs to
 *	another process.
 * @restarted: 1 if the thread has not ended but begins again at zero, else 0
 * @other_events: 1 if @count has other events than the handle collects, else 0. VPMC_ALL does not
 *	contain such counts.
 * @revoked: 1 if the counts ended because the thread executed a program that the starter must not
 *	watch, or because system mode or vpmc_release() took the counters, else 0. Sums do not
 *	contain such counts.
 * @lost: number of records lost since the previous record, because the kernel had VPMC_RECORDS_MAX
 *	records already or had no memory, or because of @limited
 * @limited: 1 if some of the @lost records were lost because the memory of records had
 *	reached the user's RLIMIT_MEMLOCK ("ulimit -l"), else 0
 * @tsc: clocks that it spent on a processor while counting
 * @nr: number of valid elements of @count; 0 if this is not the record of a thread and only
 *	@lost is valid
 * @count: events counted, in the order of vpmc_start()
 * @time: the part of @tsc in which each event was counted
 * @stopped: number of gaps in @count, as in struct vpmc_counts
 * @missing: 1 if vpmc_cgroup() could not start the process, else 0. Its counts are 0.
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
	unsigned int missing;
};

/* The kernel keeps up to this number of records for a handle. */
#define VPMC_RECORDS_MAX 16384

/**
 * vpmc_next_record() - take the oldest record of a thread
 * @vpmc: from vpmc_open(), started with VPMC_RECORDS
 * @record: receives the record
 * @err: receives the error, or NULL
 *
 * A thread leaves a record with its counts when it ends, and when it is started again. Each record
 * is returned once, in the order in which the records were left. They occupy kernel memory until
 * they are taken or all copies of the handle are closed. Records are lost if there are
 * VPMC_RECORDS_MAX records already, or if the records occupy all memory that RLIMIT_MEMLOCK permits
 * to the user who has started the count. So take records in time: poll(2) of vpmc_fd() reports when
 * there is a record. The function makes one system call, which does not wait.
 *
 * If records were lost after the last record that was kept, the call succeeds once with a record
 * that has only @lost. Its @nr is 0.
 *
 * Return: 0, VPMC_E_NO_RECORD (there is no record at present, or this handle does not keep
 * records), VPMC_E_GENERATION (the record is taken, but does not belong to the last start with
 * VPMC_RECORDS on this handle, because another process that shares the handle has started since),
 * VPMC_E_ABI, VPMC_E_SYSTEM.
 */
static inline int vpmc_next_record(struct vpmc *vpmc,
				   struct vpmc_thread_record *record,
				   struct vpmc_error *err);
int vpmc_next_record_sized(struct vpmc *vpmc, struct vpmc_thread_record *record,
			   size_t size, struct vpmc_error *err);

/**
 * vpmc_next_record_spread() - like vpmc_next_record(), with the differences between the turns of
 * its events
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
 * vpmc_generation() - get the generation that the handle expects
 * @vpmc: from vpmc_open()
 *
 * Return: the generation, or 0 if the handle accepts any counts.
 */
uint64_t vpmc_generation(const struct vpmc *vpmc);

/**
 * vpmc_start_id() - get the number of the start that the handle expects
 * @vpmc: from vpmc_open()
 *
 * Each start from zero has its own number, even if the generation stays the same because
 * other threads of the process are counting.
 *
 * Return: the number of the last vpmc_start() on this handle, or of the start that
 * vpmc_attach() found; 0 if the handle does not expect a start.
 */
uint64_t vpmc_start_id(const struct vpmc *vpmc);

/**
 * vpmc_expect() - make a handle expect a start made in another process
 * @vpmc: from vpmc_open()
 * @generation: the value of vpmc_generation() in the other process
 *
 * Use it in a parent whose child called vpmc_start() on the inherited handle. The parent's copy of
 * the handle does not know this start, and so cannot expect its generation. The handle then accepts
 * any start of @generation; vpmc_events() returns the events. With 0 the handle accepts any counts.
 */
void vpmc_expect(struct vpmc *vpmc, uint64_t generation);

/**
 * vpmc_signal() - send the calling thread a signal after each @period events
 * @vpmc: from vpmc_open(), not attached
 * @event: index of the event, in the order of vpmc_start()
 * @period: number of events from one signal to the next, at least 1
 * @signo: the signal, or 0 for no more signals; @period is ignored then
 * @err: receives the error, or NULL
 *
 * The signal comes when the thread's count of the event reaches or passes a multiple of @period and
 * the kernel notices. If the counter can interrupt, all events count user mode only, and @period is
 * at least VPMC_PERIOD_MIN, the signal comes some instructions after the event. The ucontext_t of a
 * handler then has the address. Otherwise the signal comes at the next context switch, clock tick,
 * read or stop. Several multiples that are noticed at once make one signal, and a signal that is
 * still pending is updated. vpmc_signal_decode() returns the count, so no multiple is lost. Each
 * event can have one signal. The signal belongs to the calling thread, and is not inherited. No
 * signal is sent after a stop, until the count is resumed. The signal ends with a start from zero,
 * with execve(2), and when the counters are taken away. The function makes one system call.
 *
 * Return: 0, VPMC_E_ARGUMENT (no such event or signal, @period is 0, or events
 * share counters), VPMC_E_NOT_STARTED, VPMC_E_BOUND (the handle stands for
 * another process), VPMC_E_GENERATION, VPMC_E_ABI, VPMC_E_MEMORY,
 * VPMC_E_SYSTEM.
 */
int vpmc_signal(struct vpmc *vpmc, unsigned int event, uint64_t period,
		int signo, struct vpmc_error *err);

/**
 * struct vpmc_signal_info - the contents of a signal of vpmc_signal()
 * @event: index of the event
 * @count: the thread's count when the kernel last noticed a passed multiple
 * @start: the start of the counts, to compare with vpmc_start_id()
 */
struct vpmc_signal_info {
	unsigned int event;
	uint64_t count;
	uint64_t start;
};

/* In strict C, <signal.h> does not define siginfo_t, which belongs to POSIX. */
#ifdef SI_USER
/**
 * vpmc_signal_decode() - decode a signal of vpmc_signal()
 * @info: the argument of a handler that was set with SA_SIGINFO, or the result of
 *	sigwaitinfo()
 * @out: receives the contents
 *
 * Async-signal-safe.
 *
 * Return: 0, or VPMC_E_ARGUMENT if the signal does not come from vpmc_signal().
 */
static inline int vpmc_signal_decode(const siginfo_t *info,
				     struct vpmc_signal_info *out);
int vpmc_signal_decode_sized(const siginfo_t *info,
			     struct vpmc_signal_info *out, size_t size);
#endif

/* The periods of samples are in this range. */
#define VPMC_PERIOD_MIN	       1000
#define VPMC_PERIOD_MIN_KERNEL 100000 /* of an event that counts kernel mode */
#define VPMC_PERIOD_MAX	       2147483647

/* The sizes of rings are powers of two in this range. */
#define VPMC_RING_SIZE_MIN 4096
#define VPMC_RING_SIZE_MAX 16777216

/* These are the rings of a handle, into which the kernel writes samples. */
struct vpmc_samples_rings;

/**
 * vpmc_samples_open() - let the next start on a handle leave samples
 * @vpmc: from vpmc_open(), without a start
 * @period: for each event of the next vpmc_start(), the period, or 0 for an event that is only
 *	counted
 * @nr: number of events
 * @ring_size: size of the ring of each processor in bytes, a power of two from
 *	VPMC_RING_SIZE_MIN to VPMC_RING_SIZE_MAX; a sample has 24 bytes
 * @rings: receives the rings, which the caller passes to vpmc_samples_close()
 * @err: receives the error, or NULL
 *
 * With a period of N the events N, 2N, 3N and so on of each thread leave a sample. The start must
 * have VPMC_COLLECT and @nr events. A process that inherits the handle may start, but only the
 * process that called this function can read the samples. If the function fails, the handle can
 * still be used without samples, unless the error is VPMC_E_SYSTEM.
 *
 * Return: 0, VPMC_E_ARGUMENT, VPMC_E_BUSY (the handle has rings, or was started, already),
 * VPMC_E_UNSUPPORTED (the processor or the kernel has no interrupt for overflows),
 * VPMC_E_PERMISSION (the caller may not write to /dev/vpmc), VPMC_E_MEMORY, VPMC_E_ABI,
 * VPMC_E_SYSTEM.
 */
int vpmc_samples_open(struct vpmc *vpmc, const uint32_t *period, size_t nr,
		      size_t ring_size, struct vpmc_samples_rings **rings,
		      struct vpmc_error *err);

/* A sample has at most this number of callers. */
#define VPMC_CALLERS_MAX 127

/**
 * struct vpmc_samples_options - options of samples; all of them can be 0
 * @jitter: for each event, the largest difference between the period and the distance from one
 *	sample to the next, in both directions, in events. The period minus and plus this number
 *	must be valid periods.
 * @seed: the seed of the distances: with the same seed, a program has the same distances
 * @callers: the largest number of callers of a sample, up to VPMC_CALLERS_MAX
 * @with_registers: whether samples have the registers of user mode
 * @at_ticks: whether samples are taken at clock ticks, so that no counter has to interrupt. If so,
 *	the preceding fields must be 0.
 *
 * Later versions of the library may add fields to the end.
 */
struct vpmc_samples_options {
	uint32_t jitter[VPMC_COUNTS_MAX];
	uint32_t seed;
	unsigned int callers;
	int with_registers;
	int at_ticks;
};

/**
 * vpmc_samples_open_with() - like vpmc_samples_open(), with options
 * @options: the options
 *
 * The average distance of a thread's samples is the period. So a thread that counts C events with a
 * period of N leaves about C / N samples. linux/vpmc.h has the exact rule. A sample with callers or
 * registers has up to 40 bytes, 8 for each caller, and 160 for the registers.
 *
 * At ticks, samples are taken when the kernel next reads the counter: at a clock tick, or before it
 * when the thread is switched out, stops or is read. All samples that are due then are one record.
 * The number of samples is the same as with vpmc_samples_open(), and all samples are late.
 *
 * Return: like vpmc_samples_open(); also VPMC_E_ARGUMENT if @options has too many callers, or if an
 * event has jitter but no period.
 */
static inline int vpmc_samples_open_with(
	struct vpmc *vpmc, const uint32_t *period, size_t nr, size_t ring_size,
	const struct vpmc_samples_options *options,
	struct vpmc_samples_rings **rings, struct vpmc_error *err);
int vpmc_samples_open_with_sized(struct vpmc *vpmc, const uint32_t *period,
				 size_t nr, size_t ring_size,
				 const struct vpmc_samples_options *options,
				 size_t size, struct vpmc_samples_rings **rings,
				 struct vpmc_error *err);

/* These are the reasons why a sample has no more callers. */
enum vpmc_callers_end {
	VPMC_CALLERS_NONE = 0,	/* the options asked for no callers */
	VPMC_CALLERS_OUTERMOST, /* the last function has no caller */
	VPMC_CALLERS_DEPTH,	/* the sample has @callers callers */
	VPMC_CALLERS_BROKEN,	/* a frame pointer does not point to a frame */
	VPMC_CALLERS_UNKNOWN,	/* the frame pointer or the memory is unknown */
};

/**
 * struct vpmc_sample_registers - registers of user mode, with the names that they have in 64-bit
 * mode
 *
 * Registers that a 32-bit program does not have are 0.
 */
struct vpmc_sample_registers {
	uint64_t rax, rbx, rcx, rdx, rsi, rdi, rbp, rsp;
	uint64_t r8, r9, r10, r11, r12, r13, r14, r15;
	uint64_t rip, rflags, cs, ss;
};

/* These are the kinds of records in a ring. */
enum vpmc_sample_kind {
	VPMC_SAMPLE_EVENT = 0, /* an event happened */
	VPMC_SAMPLE_MAP,       /* executable memory was mapped */
	VPMC_SAMPLE_EXEC,      /* the process executes another program */
	VPMC_SAMPLE_FORK, /* the process forks another one, with its mappings */
	VPMC_SAMPLE_BORN, /* a forked process runs for the first time */
};

/**
 * struct vpmc_sample_record - one record of the rings
 * @kind: the kind of the record; fields that only other kinds have are 0
 * @event: EVENT: index of the event, in the order of vpmc_start()
 * @is_kernel: EVENT: 1 in kernel mode, 0 in user mode
 * @is_late: EVENT: 1 if a switch, tick or read noticed the event before its interrupt did; with
 *	VPMC_PRECISE, 1 instead if the processor has not recorded @address. If it is 1, @address is
 *	the address of the program at that moment.
 * @tsc: time stamp counter
 * @pid: the process in the caller's pid namespace, 0 if it has no number there
 * @tid: the thread in the same namespace
 * @address: EVENT: address of the instruction that was to be executed next, or with VPMC_PRECISE of
 *	the instruction of the event; MAP: of the first byte
 * @end: MAP: address after the last byte
 * @offset: MAP: offset of the first byte in the file
 * @inode: MAP: inode of the file, 0 if there is no file
 * @device_major: MAP: major number of the file's device
 * @device_minor: MAP: minor number
 * @number: FORK and BORN: the number that the kernel gives only to the new process
 * @text: MAP: path of the file, which ends in " (deleted)" if it is deleted, or a name such as
 *	"[vdso]", or ""; EXEC: the command name. Zero-terminated. NULL for other kinds.
 * @caller: EVENT: the addresses to which the function and its callers return, the innermost first,
 *	according to the frame pointers. In a sample of kernel mode the first caller is the address
 *	in user mode. If a function has not set its frame pointer, its caller is missing.
 * @nr_callers: EVENT: number of @caller
 * @callers_end: EVENT: the reason why there are no more callers
 * @registers: EVENT: the registers of user mode, or NULL if they are not known or were not asked
 *	for
 * @more: EVENT: number of further samples of the same moment in this record; 0 unless samples are
 *	taken at ticks
 *
 * Later versions of the library may add fields to the end.
 */
struct vpmc_sample_record {
	enum vpmc_sample_kind kind;
	unsigned int event;
	int is_kernel;
	int is_late;
	uint64_t tsc;
	uint32_t pid;
	uint32_t tid;
	uint64_t address;
	uint64_t end;
	uint64_t offset;
	uint64_t inode;
	uint32_t device_major;
	uint32_t device_minor;
	uint64_t number;
	const char *text;
	const uint64_t *caller;
	unsigned int nr_callers;
	enum vpmc_callers_end callers_end;
	const struct vpmc_sample_registers *registers;
	uint64_t more;
};

/**
 * vpmc_samples_read() - take records from all rings, in the order of their time stamps
 * @rings: from vpmc_samples_open()
 * @rest: 0 to hold back records that are younger than all records of the last call, because an
 *	older record of another processor may still be on its way; 1 to take all records, after the
 *	last process has ended
 * @use: called with each record and @arg; the record and its text are valid until @use returns
 * @arg: second argument of @use
 *
 * A record is on its way for some microseconds, so call this function every few milliseconds
 * rather than in a loop. It makes no system call.
 *
 * Return: number of records taken.
 */
size_t vpmc_samples_read(struct vpmc_samples_rings *rings, int rest,
			 void (*use)(const struct vpmc_sample_record *record,
				     void *arg),
			 void *arg);

/**
 * struct vpmc_lost_samples - the numbers of missing records
 * @samples: samples that did not fit
 * @changes: records of other kinds that did not fit
 * @hidden: samples that the caller must not see
 * @invalid: bytes that the library skipped, because it does not know such records
 */
struct vpmc_lost_samples {
	uint64_t samples;
	uint64_t changes;
	uint64_t hidden;
	uint64_t invalid;
};

/**
 * vpmc_samples_lost() - get the numbers of records that are missing so far
 * @rings: from vpmc_samples_open()
 * @lost: receives the numbers
 */
static inline void vpmc_samples_lost(const struct vpmc_samples_rings *rings,
				     struct vpmc_lost_samples *lost);
void vpmc_samples_lost_sized(const struct vpmc_samples_rings *rings,
			     struct vpmc_lost_samples *lost, size_t size);

/**
 * vpmc_samples_close() - unmap the rings
 * @rings: from vpmc_samples_open(), or NULL
 *
 * The samples also end when the handle is closed. Does not change errno.
 */
void vpmc_samples_close(struct vpmc_samples_rings *rings);

/**
 * struct vpmc_profile_range - a histogram of the addresses in a part of the program
 * @buckets: numbers of samples, uint16_t or uint32_t
 * @size: size of @buckets in bytes
 * @offset: the lowest address of the part
 * @scale: 65536 if the part has as many bytes as its buckets, 32768 if it has twice as many, and so
 *	on; a range with scale 0 or 1 is not used
 * @width: size of a bucket in bytes, 2 or 4
 * @event: index of the event, in the order of vpmc_start()
 *
 * The bucket of an address is number (address - @offset) / @width * @scale / 65536, and each
 * division rounds down, as in profil(3) and sprofil(3). A bucket with the largest value is not
 * increased. A range with @scale 2 and @offset 0 receives all samples of @event whose address has
 * no bucket in another range, in its first bucket.
 */
struct vpmc_profile_range {
	void *buckets;
	size_t size;
	uintptr_t offset;
	uint32_t scale;
	uint16_t width;
	uint16_t event;
};

/* These are the histograms of a handle. */
struct vpmc_histograms;

/**
 * vpmc_profile() - let the next start on a handle fill histograms of the calling process
 * @vpmc: from vpmc_open(), without a start
 * @period: the period of each event, as for vpmc_samples_open()
 * @nr: number of events
 * @range: the histograms; if an address has a bucket in several histograms, the first of them
 *	receives the sample
 * @nr_ranges: number of histograms
 * @ring_size: size of the ring of each processor, as for vpmc_samples_open(). 0 stands for 1048576,
 *	or for a smaller size if RLIMIT_MEMLOCK does not allow this size.
 * @histograms: receives an object that the caller passes to vpmc_profile_close()
 * @err: receives the error, or NULL
 *
 * The start must have VPMC_COLLECT and @nr events. While the program runs, the kernel writes its
 * samples to the rings. vpmc_profile_update() adds them to the buckets, whose initial values the
 * caller has set. The library reads @range only here, and writes to the buckets until
 * vpmc_profile_close(). If the function fails, the handle can still be used without samples, unless
 * the error is VPMC_E_SYSTEM.
 *
 * Return: 0, VPMC_E_ARGUMENT, VPMC_E_MEMORY, or another error of vpmc_samples_open().
 */
int vpmc_profile(struct vpmc *vpmc, const uint32_t *period, size_t nr,
		 const struct vpmc_profile_range *range, size_t nr_ranges,
		 size_t ring_size, struct vpmc_histograms **histograms,
		 struct vpmc_error *err);

/**
 * struct vpmc_profiled - the numbers of samples so far
 * @counted: samples that were added to the bucket of their address
 * @outside: samples of the calling process whose address has no bucket
 * @others: samples of processes that the calling process has created
 * @saturated: samples whose bucket had its largest value
 * @late: samples of the calling process with an address that is slightly later than usual, see
 *	vpmc_sample_record.is_late
 * @lost: samples that did not fit into the rings
 * @hidden: samples that the caller must not see
 * @invalid: bytes that the library skipped, because it does not know such records
 *
 * Each sample is in exactly one of @counted, @outside, @others, @saturated, @lost and @hidden.
 */
struct vpmc_profiled {
	uint64_t counted;
	uint64_t outside;
	uint64_t others;
	uint64_t saturated;
	uint64_t late;
	uint64_t lost;
	uint64_t hidden;
	uint64_t invalid;
};

/**
 * vpmc_profile_update() - add the samples that have come since the last update to the buckets
 * @histograms: from vpmc_profile()
 * @profiled: receives the numbers of samples so far
 *
 * The function makes no system call. Call it in the process that called vpmc_profile(), by one
 * thread at a time. After a vpmc_stop() of the whole process the histograms are complete. A ring
 * has room for its size / 24 samples. Samples that come while the ring is full are lost. So a
 * long-running program must call the function before a ring is full.
 */
static inline void vpmc_profile_update(struct vpmc_histograms *histograms,
				       struct vpmc_profiled *profiled);
void vpmc_profile_update_sized(struct vpmc_histograms *histograms,
			       struct vpmc_profiled *profiled, size_t size);

/**
 * vpmc_profile_close() - unmap the rings of vpmc_profile()
 * @histograms: from vpmc_profile(), or NULL
 *
 * The buckets keep their values; samples since the last update are not added. Does not change errno.
 */
void vpmc_profile_close(struct vpmc_histograms *histograms);

/*
 * In system mode every processor counts the same events, whatever it runs. Only one handle can have
 * system mode, and no thread counts for itself during system mode. All three functions need
 * CAP_PERFMON or CAP_SYS_ADMIN.
 */

/* Instead of a processor's number, this value asks for the sum over all processors. */
#define VPMC_EVERY_CPU (-1)

/**
 * vpmc_system_start() - count events on every processor, from zero
 * @vpmc: from vpmc_open(). System mode lasts until vpmc_system_stop() or
 *	vpmc_release(), or until the handle is closed.
 * @sel: the events, as for vpmc_start(). VPMC_USER counts programs only; VPMC_USER |
 *	VPMC_KERNEL counts everything.
 * @nr: number of events, at least 1
 * @flags: VPMC_FORCE or 0
 * @err: receives the error, or NULL
 *
 * Threads that count, but are not on a processor at this moment, lose the counters. Reads of their
 * counts then fail with VPMC_E_GENERATION. The threads do not count again until they are started.
 * With VPMC_FORCE, threads on a processor lose the counters, too. A handle that already has system
 * mode starts again, possibly with other events.
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
 * The counts can still be read until system mode is started again, on any handle.
 *
 * Return: 0, VPMC_E_NOT_STARTED, VPMC_E_PERMISSION, VPMC_E_GENERATION (system mode has stopped, but
 * another process had started it again), VPMC_E_ABI, VPMC_E_SYSTEM.
 */
int vpmc_system_stop(struct vpmc *vpmc, struct vpmc_error *err);

/**
 * vpmc_release() - take the counters from all threads and from system mode
 * @vpmc: from vpmc_open()
 * @err: receives the error, or NULL
 *
 * All threads that count, or wait for execve(2) to count, stop. System mode of any process ends.
 * Reads of their counts then fail with VPMC_E_GENERATION. The pages of vpmc_map() show no counts
 * until their threads start or map again. When the call returns, perf_event_open(2) can have the
 * counters. /sys/class/misc/vpmc/holders lists the processes that have them before the call.
 *
 * Return: 0, VPMC_E_PERMISSION, VPMC_E_BUSY (the counters were taken, but another start has
 * succeeded since), VPMC_E_ABI, VPMC_E_SYSTEM.
 */
int vpmc_release(struct vpmc *vpmc, struct vpmc_error *err);

/**
 * struct vpmc_system_counts - the counts of processors
 * @generation: generation of this start of system mode
 * @tsc: clocks for which they counted, summed over the processors
 * @activity: VPMC_RUNNING or VPMC_STOPPED
 * @cpus: number of processors over which @count and @tsc are summed
 * @nr: number of valid elements of @count
 * @count: events counted, in the order of vpmc_system_start(). All counts of one processor were
 *	read at the same moment.
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
 * @vpmc: the handle on which system mode was started
 * @cpu: number of a processor, from 0, or VPMC_EVERY_CPU
 * @counts: receives the counts
 * @err: receives the error, or NULL
 *
 * The function makes one system call.
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

/* The following functions let <vpmc_inline.h> read counts without system calls. */

/**
 * vpmc_map() - let the calling thread read its counts without system calls
 * @vpmc: from vpmc_open(), not attached
 * @err: receives the error, or NULL
 *
 * Maps the thread's page of counts if it is not mapped yet, and lets it show the present counts,
 * for vpmc_count() and the other functions of <vpmc_inline.h>. The function also works before the
 * first start. After a vpmc_start() or vpmc_reset() in the thread itself the page shows the new
 * counts at once. When another process has started the thread, call the function once more.
 *
 * The page belongs to the thread until the thread exits or executes another program. A process that
 * the thread forks also has a page, with its own counts. Other threads must call the function
 * themselves. All threads of the process may execute RDPMC from then on. The function makes one
 * system call. Do not call it between vfork(2) and execve(2).
 *
 * If the counts do not belong to the start that the handle expects, the page shows no counts until
 * a vpmc_map() has succeeded.
 *
 * Return: 0, VPMC_E_UNSUPPORTED (the processor has no RDPMC, an erratum forbids RDPMC, or perf
 * forbids it: read with vpmc_get() or vpmc_read(), see also struct vpmc_machine), VPMC_E_BOUND (the
 * handle stands for another process, or is attached), VPMC_E_GENERATION, VPMC_E_ABI, VPMC_E_MEMORY,
 * VPMC_E_SYSTEM.
 */
int vpmc_map(struct vpmc *vpmc, struct vpmc_error *err);

/**
 * vpmc_get() - read one count of the calling thread in the fastest way
 * @vpmc: from vpmc_open()
 * @i: index of the event, in the order of vpmc_start()
 * @count: receives the count
 * @err: receives the error, or NULL
 *
 * Does not make a system call if vpmc_map() has succeeded on this handle and the thread
 * counts. Otherwise it calls vpmc_read() for VPMC_THREAD and returns its errors. So it
 * works on every processor, also when the thread has stopped, and on an attached handle of
 * a thread.
 *
 * Return: 0, VPMC_E_ARGUMENT (no such event, or it shares its counter), the errors of vpmc_read().
 */
int vpmc_get(struct vpmc *vpmc, unsigned int i, uint64_t *count,
	     struct vpmc_error *err);

/*
 * "Structures" above explains these functions. Their parameters' names end in an
 * underscore, because compilers may warn if a program has the same names.
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

static inline int vpmc_samples_open_with(
	struct vpmc *vpmc_, const uint32_t *period_, size_t nr_,
	size_t ring_size_, const struct vpmc_samples_options *options_,
	struct vpmc_samples_rings **rings_, struct vpmc_error *err_)
{
	return vpmc_samples_open_with_sized(vpmc_, period_, nr_, ring_size_,
					    options_, sizeof(*options_), rings_,
					    err_);
}

static inline void vpmc_samples_lost(const struct vpmc_samples_rings *rings_,
				     struct vpmc_lost_samples *lost_)
{
	vpmc_samples_lost_sized(rings_, lost_, sizeof(*lost_));
}

static inline void vpmc_profile_update(struct vpmc_histograms *histograms_,
				       struct vpmc_profiled *profiled_)
{
	vpmc_profile_update_sized(histograms_, profiled_, sizeof(*profiled_));
}

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
