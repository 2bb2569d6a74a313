/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares the functions and data that the library's files share and hide from
 * programs. Names that the linker sees begin with vpmcint_, so that the static library does
 * not take names from the programs that use it.
 */
#ifndef LIBVPMC_INTERNAL_H
#define LIBVPMC_INTERNAL_H

#include <stdbool.h>
#include <string.h>

#include "vpmc.h"

struct vpmc_event; /* all belong to the driver's interface */
struct vpmc_read;
struct vpmc_start;

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/*
 * Convert ASCII to lower case. tolower() is not suitable, because its result for an I depends on
 * the locale.
 */
static inline char vpmcint_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Calls on a handle apply to one of these targets. */
enum target {
	TARGET_CALLER = 0,
	TARGET_PROCESS, /* an attached process */
	TARGET_THREAD,	/* one attached thread */
};

/**
 * struct expectation - the counts that a handle expects of a scope
 * @generation: generation of the counter set, 0 for any
 * @start: number of the start that began the counts, 0 for any
 * @other_events: true if the counts do not belong to the events that were started on the
 *	handle
 */
struct expectation {
	uint64_t generation;
	uint64_t start;
	bool other_events;
};

/**
 * struct vpmc - a handle
 * @fd: the open device
 * @pmu: the machine's counters
 * @target: the target of its calls
 * @thread: the counts expected of VPMC_THREAD: of the last start on the handle, or of the
 *	start that vpmc_attach() found
 * @self: the counts expected of VPMC_SELF and VPMC_CHILDREN
 * @all: the counts expected of VPMC_ALL and of records, from the last start with
 *	VPMC_COLLECT
 * @system_generation: generation that its last start of system mode returned; 0 before
 *	such a start
 * @mapped: generation that its last vpmc_map() found; 0 before such a call
 * @flags: flags of its last start that vpmc_reset() repeats
 * @nr: number of events of its last start; 0 before a start
 * @sel: the events of its last start, with their counters
 * @set: vpmcint_set_of() the events in @sel; 0 if the handle expects other counts
 * @nr_periods: number of elements of @period; 0 if the handle does not have rings for
 *	samples
 * @period: the period of each event; 0 if the event does not leave samples
 * @jitter: the number of events by which the distances of each event's samples may differ
 *	from its period
 */
struct vpmc {
	int fd;
	const struct vpmc_pmu *pmu;
	enum target target;
	struct expectation thread;
	struct expectation self;
	struct expectation all;
	uint64_t system_generation;
	uint64_t mapped;
	unsigned int flags;
	size_t nr;
	struct vpmc_event_sel sel[VPMC_COUNTS_MAX];
	uint64_t set;
	size_t nr_periods;
	uint32_t period[VPMC_COUNTS_MAX];
	uint32_t jitter[VPMC_COUNTS_MAX];
};

/*
 * struct vpmcint_models names the models of one family of CPUID, from the first to the last model.
 */
struct vpmcint_models {
	unsigned int family;
	unsigned int first;
	unsigned int last;
};

/**
 * struct vpmcint_generic - the meaning of a generic name on some processors
 * @event: the event, or the reason why it cannot be counted
 * @models: the models to which it applies; NULL for all models
 * @nr_models: number of @models
 * @feature: the feature that the event needs, as for vpmc_pmu.has, or 0
 * @fixed: true if it needs a fixed counter
 */
struct vpmcint_generic {
	struct vpmc_named_event event;
	const struct vpmcint_models *models;
	unsigned int nr_models;
	unsigned int feature;
	bool fixed;
};

/* Initialize a generic name with its event. */
#define VPMCINT_COUNTED(code, counters, name, description) \
	.event.info = { (code), (counters), (name), (description) }

/* Initialize a generic name that cannot be counted, with the reason. */
#define VPMCINT_REFUSED(name, description, why) \
	.event = { { 0, 0, (name), (description) }, (why) }

/* Restrict a generic name to the models of a table. */
#define VPMCINT_MODELS(table) .models = (table), .nr_models = ARRAY_SIZE(table)

/* These are the codes of libpfm4 that a family of counters can count. */
enum vpmcint_pfm {
	PFM_CODES_NONE = 0, /* libpfm4 has no names for this family */
	PFM_CODES_ALL,	    /* all codes that fit */
	PFM_CODES_NO_ZERO, /* all that fit; event 0 stands for fixed counters */
	PFM_CODES_REGISTERS, /* values of two registers: struct vpmcint_registers */
};

/**
 * struct vpmcint_registers - events that several registers select
 * @open: the bits of a code that select its counters; 0 in a code that does not select them
 * @complete: set the bits of @open in a code, if they are clear and the code means one event on the
 *	counter, which can be VPMC_ANY_COUNTER
 * @join: compose a code of the values that libpfm4 has for the two registers. Returns false if the
 *	values have bits that belong neither to an event nor to modes.
 * @ambiguous: return whether a code means different events on different counters
 * @parse: parse a text in lower case that begins with @prefix and has the values of registers.
 *	@quoted is the text that errors quote.
 * @prefix: the beginning of a text with values of registers
 * @extra: get the value of vpmc_event.extra from the bits of a code that the driver does not know
 * @add_extra: store a value of vpmc_event.extra in a code. Returns false if a code cannot have the
 *	value.
 * @own: the bits of a code that have the value of vpmc_event.extra
 * @sharing: how counters depend on each other: see vpmc/pmu/share.h
 * @sets_tags: return whether an event sets tags, without which another event counts nothing
 * @precise: get the counters on which a code can have VPMC_PRECISE
 * @precise_events: the names of the events that can have VPMC_PRECISE
 */
struct vpmcint_registers {
	uint64_t open;
	void (*complete)(uint64_t *code, int counter);
	bool (*join)(uint64_t *code, const uint64_t *values);
	bool (*ambiguous)(uint64_t code);
	int (*parse)(const char *text, const char *quoted, uint64_t *code,
		     struct vpmc_error *err);
	const char *prefix;
	uint64_t (*extra)(uint64_t code);
	bool (*add_extra)(uint64_t *code, uint64_t extra);
	uint64_t own;
	const struct vpmc_sharing *sharing;
	bool (*sets_tags)(uint64_t code);
	uint32_t (*precise)(uint64_t code);
	const char *precise_events;
};

/**
 * struct vpmc_pmu - a family of counters
 * @name: the driver's name for it
 * @vendor: CPUID's name for the vendor
 * @counters: number of counters
 * @fixed: number of counters that count one event each; they are the last counters
 * @any_code: true if it also counts events that are not in the table
 * @pfm: the codes of libpfm4 that it can count
 * @events: its events: clocks first, then ascending by code and by counter
 * @nr_events: number of @events
 * @generic: the generic names. For each name, the library uses the first entry that applies to the
 *	processor. The last entry of a name applies to all processors.
 * @nr_generic: number of @generic
 * @has: return whether the processor has a feature, numbered from 1; or NULL
 * @lacks: return whether CPUID reports that the processor lacks an event; or NULL
 * @constrain: apply the driver's rules to an event. Clears in @counters the counters that may not
 *	count the event on the processor @machine. @counters has the format of struct
 *	vpmc_event_info.
 *	@machine is NULL if the processor has another vendor. Returns enum vpmc_reason. NULL if the
 *	table has all events.
 * @registers: the functions of a family in which several registers select an event; NULL for other
 *	families
 * @homonyms: names in @events that libpfm4 gives to other events on some processors, ending with
 *	NULL; or NULL
 * @kernel_only: codes of the events that happen only in kernel mode
 * @nr_kernel_only: number of @kernel_only
 * @extended: a family with these and further events, or NULL. Errors name this family for an event
 *	that is not in the table.
 */
struct vpmc_pmu {
	const char *name;
	const char *vendor;
	unsigned int counters;
	unsigned int fixed;
	int any_code;
	enum vpmcint_pfm pfm;
	const struct vpmc_event_info *events;
	size_t nr_events;
	const struct vpmcint_generic *generic;
	size_t nr_generic;
	bool (*has)(unsigned int feature);
	bool (*lacks)(uint64_t code);
	int (*constrain)(const struct vpmc_pmu *pmu,
			 const struct vpmc_machine *machine, uint64_t code,
			 uint32_t *counters);
	const struct vpmcint_registers *registers;
	const char *const *homonyms;
	const uint64_t *kernel_only;
	size_t nr_kernel_only;
	const struct vpmc_pmu *extended;
};

/**
 * struct region_hooks - calls from the library into regions; all NULL in a program
 *	without regions. The pointers are set while other threads run.
 * @changed: called when the calling thread has started, or mapped its present counts
 * @exits: called before the calling thread's page is unmapped
 */
struct region_hooks {
	void (*_Atomic changed)(void);
	void (*_Atomic exits)(void);
};

extern struct region_hooks vpmcint_region_hooks;

/* vpmcint_set_of() - compute a number, not 0, that identifies events with their modes and order */
uint64_t vpmcint_set_of(const struct vpmc_event_sel *sel, size_t nr);

/* vpmcint_map() - like vpmc_map(), without the call of region_hooks.changed */
int vpmcint_map(struct vpmc *vpmc, struct vpmc_error *err);

extern const struct vpmc_pmu vpmcint_p5;
extern const struct vpmc_pmu vpmcint_p5mmx;
extern const struct vpmc_pmu vpmcint_p6;
extern const struct vpmc_pmu vpmcint_p4;

/* vpmcint_p4_emulation() - like vpmc_event_emulation(), for an event of the Pentium 4 */
int vpmcint_p4_emulation(uint64_t code);
extern const struct vpmcint_registers vpmcint_p4_registers;

/*
 * There is one entry for each number of counters, with and without fixed counters, the largest
 * number first.
 */
#define VPMCINT_NR_INTEL 16
#define VPMCINT_NR_AMD	 2
extern const struct vpmc_pmu vpmcint_intel[VPMCINT_NR_INTEL];
extern const struct vpmc_pmu vpmcint_amd[VPMCINT_NR_AMD];

/*
 * vpmcint_pmu_find() - like vpmc_pmu_find(), but find the family with @counters counters,
 * of which @fixed are fixed
 */
const struct vpmc_pmu *vpmcint_pmu_find(const char *name, unsigned int counters,
					unsigned int fixed);

/**
 * vpmcint_event_find() - like vpmc_event_lookup(), and describe the error
 * @pmu: the family of counters
 * @sel: the event
 * @text: the event's name for errors, or NULL to use its code, or by the table's name
 * @info: receives the table entry
 * @err: receives the error, or NULL
 *
 * Return: 0 or VPMC_E_UNKNOWN_EVENT, VPMC_E_AMBIGUOUS, VPMC_E_NO_COUNTER,
 * VPMC_E_WRONG_COUNTER.
 */
int vpmcint_event_find(const struct vpmc_pmu *pmu,
		       const struct vpmc_event_sel *sel, const char *text,
		       const struct vpmc_event_info **info,
		       struct vpmc_error *err);

/**
 * vpmcint_check_open() - check that an event without a counter means the same event on all counters
 * @pmu: the family of counters
 * @sel: the event
 * @text: the event's name for errors, or NULL to use its code
 * @err: receives the error, or NULL
 *
 * vpmcint_event_find() does not check this, because such events exist only in families in which
 * several registers select an event.
 *
 * Return: 0 or VPMC_E_AMBIGUOUS.
 */
int vpmcint_check_open(const struct vpmc_pmu *pmu,
		       const struct vpmc_event_sel *sel, const char *text,
		       struct vpmc_error *err);

/**
 * vpmcint_check_counter() - check that a processor can count an event on a counter
 * @pmu: the family of counters
 * @info: one of its events
 * @text: the event's name for errors, or NULL to use the table's name
 * @counter: number of the counter, from 0
 * @err: receives the error, or NULL
 *
 * Return: 0, VPMC_E_NO_COUNTER, VPMC_E_WRONG_COUNTER.
 */
int vpmcint_check_counter(const struct vpmc_pmu *pmu,
			  const struct vpmc_event_info *info, const char *text,
			  unsigned int counter, struct vpmc_error *err);

/*
 * Errors quote the whole text of an event. A text that is longer than any event is cut, so that the
 * sentence fits.
 */
#define VPMCINT_TEXT  "%.127s"
#define VPMCINT_QUOTE "\"" VPMCINT_TEXT "\""

/*
 * An event's text with its code, or with the name from the table, fits into this number of bytes.
 */
#define VPMCINT_CALL_MAX ((size_t)2 * VPMC_EVENT_NAME_MAX + 8)

/* These are the bits of modes that VPMC_AFTER() does not use. */
#define VPMCINT_MODES 0xfU

/* This is the driver's bit of an event with VPMC_AFTER(). */
#define VPMCINT_CASCADE 0x8U

/* vpmcint_after() - get the number of VPMC_AFTER(), or 0 */
static inline uint32_t vpmcint_after(unsigned int modes)
{
	return modes / VPMC_AFTER(1);
}

/* vpmcint_driver_modes() - get the driver's bits for modes */
static inline uint16_t vpmcint_driver_modes(unsigned int modes)
{
	return (uint16_t)(modes <= VPMCINT_MODES
				  ? modes
				  : (modes & VPMCINT_MODES) | VPMCINT_CASCADE);
}

/* vpmcint_called() - get the text for an event that vpmc_event_call() set, or NULL */
const char *vpmcint_called(const struct vpmc_event_sel *sel);

/**
 * vpmcint_call() - compose the phrase by which an error names an event
 * @phrase: receives the event's text and code, or its code and @name
 * @size: size of @phrase
 * @sel: the event
 * @name: the table's name of the event, or NULL
 */
void vpmcint_call(char *phrase, size_t size, const struct vpmc_event_sel *sel,
		  const char *name);

/**
 * vpmcint_generic_find() - find the event that a generic name stands for on this processor
 * @pmu: the family of counters
 * @name: the name in lower case
 *
 * Return: the event, or NULL if @name is not one of the generic names.
 */
const struct vpmc_named_event *vpmcint_generic_find(const struct vpmc_pmu *pmu,
						    const char *name);

/**
 * vpmcint_constrain() - find the counters on which the driver accepts an event
 * @pmu: the family of the event
 * @machine: this processor, from vpmcint_identify()
 * @code: code of the event
 * @counters: receives the counters, as in struct vpmc_event_info
 *
 * Return: the reason why the driver refuses the event on all counters, or NULL.
 */
const char *vpmcint_constrain(const struct vpmc_pmu *pmu,
			      const struct vpmc_machine *machine, uint64_t code,
			      uint32_t *counters);

/**
 * vpmcint_pfm_encode() - encode an event of libpfm4
 * @pmu: the family of counters; its @pfm is not PFM_CODES_NONE
 * @name: the event, with its unit masks and modifiers but without the library's modes
 * @text: the text that errors quote
 * @code: receives the code
 * @counters: receives the counters that may count it, as in struct vpmc_event_info
 * @err: receives the error, or NULL
 *
 * Return: 0, VPMC_E_UNKNOWN_EVENT.
 */
int vpmcint_pfm_encode(const struct vpmc_pmu *pmu, const char *name,
		       const char *text, uint64_t *code, uint32_t *counters,
		       struct vpmc_error *err);

/**
 * vpmcint_pfm_homonym() - find the event of libpfm4 that has a name of the table
 * @pmu: the family of counters; its @pfm is not PFM_CODES_NONE
 * @name: name of the event, without unit masks or modifiers
 * @prefixed: receives the name, preceded by the name of libpfm4's PMU
 * @code: receives the code
 *
 * Return: true if libpfm4 has an event with this name, and vpmc can count the event.
 */
bool vpmcint_pfm_homonym(const struct vpmc_pmu *pmu, const char *name,
			 char prefixed[VPMC_EVENT_NAME_MAX], uint64_t *code);

/**
 * vpmcint_cpuid() - execute CPUID
 * @leaf: input value of EAX
 * @subleaf: input value of ECX
 * @regs: receives EAX, EBX, ECX and EDX
 *
 * Return: 1, or 0 if the processor has no CPUID instruction or @leaf is above the highest
 * leaf of its range.
 */
int vpmcint_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t regs[4]);

/**
 * vpmcint_identify() - identify the processor by CPUID
 * @machine: receives its vendor, family, model, stepping and emulated
 */
void vpmcint_identify(struct vpmc_machine *machine);

/**
 * vpmcint_compose() - compose an error
 * @err: receives code and text, or NULL
 * @code: the code
 * @format: format of one sentence, as for printf(3)
 */
void vpmcint_compose(struct vpmc_error *err, enum vpmc_code code,
		     const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * vpmcint_fail() - compose an error and return its code. This is a macro, so that compilers and
 * static analysers see that the code is not 0.
 */
#define vpmcint_fail(err, code, ...) \
	(vpmcint_compose((err), (code), __VA_ARGS__), (int)(code))

/**
 * vpmcint_fail_errno() - compose the error of a call that set errno
 * @err: receives code and text, or NULL
 * @what: the action that failed, to follow "cannot"
 *
 * Use it for errors that have the same meaning in every call of the driver. Callers
 * handle their own errors first.
 *
 * Return: the code.
 */
int vpmcint_fail_errno(struct vpmc_error *err, const char *what);

/*
 * Like vpmcint_fail_errno() for ENOMEM. The driver also returns ENOMEM if files of the user keep
 * the counts of too many ended processes.
 */
int vpmcint_fail_kept(struct vpmc_error *err, const char *what);

/**
 * vpmcint_fail_open() - compose the error of a device that cannot be opened
 * @err: receives code and text, or NULL
 *
 * This function uses the errno of open(2).
 *
 * Return: the code.
 */
int vpmcint_fail_open(struct vpmc_error *err);

/**
 * vpmcint_fail_call() - like vpmcint_fail_errno(), for calls on a counter set
 * @vpmc: the handle
 * @what: the action that failed, to follow "cannot"
 * @err: receives code and text, or NULL
 *
 * Return: the code.
 */
int vpmcint_fail_call(const struct vpmc *vpmc, const char *what,
		      struct vpmc_error *err);

/**
 * vpmcint_read() - ask the driver for counts, without comparing them with the expected
 *	counts
 * @vpmc: the handle
 * @whose: the scope
 * @read: receives the counts
 *
 * Return: 0, or -1 and errno.
 */
int vpmcint_read(const struct vpmc *vpmc, enum vpmc_whose whose,
		 struct vpmc_read *read);

/*
 * vpmcint_fail_reserved() - compose the error of counters that the driver cannot have
 * @number: EADDRINUSE if perf, the NMI watchdog or a guest of KVM has the counters; EIO if the
 *	counters do not work
 *
 * Return: VPMC_E_BUSY or VPMC_E_UNSUPPORTED.
 */
int vpmcint_fail_reserved(int number, struct vpmc_error *err);

/**
 * vpmcint_fail_read() - compose the error of a call on a scope
 * @vpmc: the handle
 * @whose: the scope
 * @what: the action that failed, to follow "cannot"
 * @err: receives code and text, or NULL
 *
 * Return: the code.
 */
int vpmcint_fail_read(const struct vpmc *vpmc, enum vpmc_whose whose,
		      const char *what, struct vpmc_error *err);

/**
 * vpmcint_expect_start() - make a handle expect the counts of a start on it
 * @vpmc: the handle
 * @start: the start that was passed to the driver, with the driver's answer
 */
void vpmcint_expect_start(struct vpmc *vpmc, const struct vpmc_start *start);

/**
 * vpmcint_describe_start() - fill in the argument of a start for the driver
 * @vpmc: the handle
 * @sel: the events, as for vpmc_start()
 * @nr: number of events
 * @flags: flags of the start. VPMC_MULTIPLEX lets events share counters.
 * @assigned: receives the events with their counters; has room for VPMC_COUNTS_MAX
 * @start: receives all input fields, with @nr events
 * @err: receives code and text, or NULL
 *
 * Return: 0, VPMC_E_ARGUMENT, or the errors of vpmc_event_assign().
 */
int vpmcint_describe_start(const struct vpmc *vpmc,
			   const struct vpmc_event_sel *sel, size_t nr,
			   unsigned int flags, struct vpmc_event_sel *assigned,
			   struct vpmc_start *start, struct vpmc_error *err);

/**
 * vpmcint_check_period() - check that an event can have a period
 * @sel: the event
 * @period: the period, or 0
 * @jitter: its jitter
 * @err: receives code and text, or NULL
 *
 * Return: 0 or VPMC_E_ARGUMENT.
 */
int vpmcint_check_period(const struct vpmc_event_sel *sel, uint32_t period,
			 uint32_t jitter, struct vpmc_error *err);

/**
 * vpmcint_fail_reason() - compose the error of a start that failed with EINVAL
 * @vpmc: the handle
 * @start: the start as the driver returned it
 * @sel: the events with their counters
 * @err: receives code and text, or NULL
 *
 * Return: the code.
 */
int vpmcint_fail_reason(const struct vpmc *vpmc, const struct vpmc_start *start,
			const struct vpmc_event_sel *sel,
			struct vpmc_error *err);

/**
 * vpmcint_in_system_mode() - find out whether any process has the counters in system mode
 * @vpmc: the handle
 *
 * Return: 1 or 0. errno is undefined afterwards.
 */
int vpmcint_in_system_mode(const struct vpmc *vpmc);

/**
 * vpmcint_hand_over() - fill in a structure of the size that a program knows
 * @to: the program's structure
 * @size: size of @to
 * @from: the library's structure
 * @known: size of @from; the bytes of @to after it become zero
 */
static inline void vpmcint_hand_over(void *to, size_t size, const void *from,
				     size_t known)
{
	memcpy(to, from, size < known ? size : known);
	if (size > known)
		memset((char *)to + known, 0, size - known);
}

#endif /* LIBVPMC_INTERNAL_H */
