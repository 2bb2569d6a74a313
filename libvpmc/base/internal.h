/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares what the library's files share and hide from programs. Names that
 * the linker sees begin with vpmcint_, so that the static library does not take names from
 * the programs that use it.
 */
#ifndef LIBVPMC_INTERNAL_H
#define LIBVPMC_INTERNAL_H

#include <stdbool.h>
#include <string.h>

#include "vpmc.h"

struct vpmc_read; /* of the driver's interface */
struct vpmc_start;

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* Of ASCII: what tolower() makes of an I depends on the locale. */
static inline char vpmcint_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* What the calls on a handle are about. */
enum target {
	TARGET_CALLER = 0,
	TARGET_PROCESS, /* attached */
	TARGET_THREAD,	/* attached, one thread */
};

/**
 * struct expectation - which counts a handle expects of a scope
 * @generation: of the counter set, 0 for any
 * @start: the start that began them, 0 for any
 * @other_events: these are not the events that were started on the handle
 */
struct expectation {
	uint64_t generation;
	uint64_t start;
	bool other_events;
};

/**
 * struct vpmc - the handle
 * @fd: the open device
 * @pmu: the machine's counters
 * @target: what it stands for
 * @thread: what to expect of VPMC_THREAD: the last start on the handle, or what
 *	was attached
 * @self: of VPMC_SELF and VPMC_CHILDREN, likewise
 * @all: of VPMC_ALL and of records: the last start with VPMC_COLLECT
 * @system_generation: what its start of system mode returned, 0 before
 * @mapped: generation that the last vpmc_map() on it found, 0 for none
 * @flags: of the last start on it, as vpmc_reset() repeats it
 * @nr: how many events that had, 0 before
 * @sel: these, with their counters
 * @set: vpmcint_set_of() these, 0 if the handle expects others
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
};

/* Models of one of CPUID's families, from the first to the last one. */
struct vpmcint_models {
	unsigned int family;
	unsigned int first;
	unsigned int last;
};

/**
 * struct vpmcint_generic - what a generic name stands for on some processors
 * @event: the event, or why there is none
 * @models: the models that it is for, @nr_models of them; NULL for all
 * @nr_models: how many
 * @feature: it needs this one of struct vpmc_pmu.has, 0 for none
 * @fixed: it needs a fixed counter
 */
struct vpmcint_generic {
	struct vpmc_named_event event;
	const struct vpmcint_models *models;
	unsigned int nr_models;
	unsigned int feature;
	bool fixed;
};

/* An event. */
#define VPMCINT_COUNTED(code, counters, name, description) \
	.event.info = { (code), (counters), (name), (description) }

/* None, with the reason. */
#define VPMCINT_REFUSED(name, description, why) \
	.event = { { 0, 0, (name), (description) }, (why) }

/* The models of a table. */
#define VPMCINT_MODELS(table) .models = (table), .nr_models = ARRAY_SIZE(table)

/* Which codes of libpfm4 a family of counters can count. */
enum vpmcint_pfm {
	PFM_CODES_NONE = 0, /* it has no names for this family */
	PFM_CODES_ALL,	    /* all that fit */
	PFM_CODES_NO_ZERO,  /* in these event 0 stands for fixed counters */
};

/**
 * struct vpmc_pmu - a family of counters
 * @name: as the driver spells it
 * @vendor: as CPUID spells it
 * @counters: how many
 * @fixed: so many of these, the last ones, count one event each
 * @any_code: it counts events that are not in the table, too
 * @pfm: what libpfm4 is good for
 * @events: its events, in clocks first, then ascending by code and by counter
 * @nr_events: how many
 * @generic: what the generic names stand for. Of those of one name the first that
 *	is for the processor is meant; the last is for all.
 * @nr_generic: how many
 * @has: whether the processor at hand has a feature, from 1; or NULL
 * @lacks: whether the processor at hand says that it lacks an event; or NULL
 * @constrain: apply the driver's rules to an event. Leaves in @counters, which are as
 *	in struct vpmc_event_info, those that may count it on the processor that
 *	@machine describes, which is NULL if that is another maker's. Returns enum
 *	vpmc_reason. NULL where the table has all events.
 * @homonyms: names in @events that libpfm4 gives to other events on some processors,
 *	up to a NULL; NULL if there are none
 * @kernel_only: codes of the events that happen in kernel mode alone
 * @nr_kernel_only: how many
 * @extended: a family that has these events and more, to tell users where an
 *	event that is not in the table can be found; or NULL
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
	const char *const *homonyms;
	const uint64_t *kernel_only;
	size_t nr_kernel_only;
	const struct vpmc_pmu *extended;
};

/**
 * struct region_hooks - calls from the library into regions; all NULL in a
 *	program without regions. Set while other threads run.
 * @changed: the calling thread has started, or mapped its present counts
 * @exits: the calling thread's page is about to be unmapped
 */
struct region_hooks {
	void (*_Atomic changed)(void);
	void (*_Atomic exits)(void);
};

extern struct region_hooks vpmcint_region_hooks;

/* vpmcint_set_of() - a number for these events in this order, with their modes; not 0 */
uint64_t vpmcint_set_of(const struct vpmc_event_sel *sel, size_t nr);

/* vpmcint_map() - vpmc_map() without the call of region_hooks.changed */
int vpmcint_map(struct vpmc *vpmc, struct vpmc_error *err);

extern const struct vpmc_pmu vpmcint_p5;
extern const struct vpmc_pmu vpmcint_p5mmx;
extern const struct vpmc_pmu vpmcint_p6;

/* One for each number of counters, with and without fixed ones, the most first. */
#define VPMCINT_NR_INTEL 16
#define VPMCINT_NR_AMD	 2
extern const struct vpmc_pmu vpmcint_intel[VPMCINT_NR_INTEL];
extern const struct vpmc_pmu vpmcint_amd[VPMCINT_NR_AMD];

/* vpmc_pmu_find() of the one with so many counters, so many of them @fixed */
const struct vpmc_pmu *vpmcint_pmu_find(const char *name, unsigned int counters,
					unsigned int fixed);

/**
 * vpmcint_event_find() - vpmc_event_lookup() that says what is wrong
 * @pmu: whose events
 * @sel: the event
 * @text: the event as errors are to call it, or NULL: by its code, or the table's name
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
 * vpmcint_check_counter() - whether a processor can count this event there
 * @pmu: whose counters
 * @info: one of its events
 * @text: the event as errors are to call it, or NULL: by the table's name
 * @counter: from 0
 * @err: receives the error, or NULL
 *
 * Return: 0, VPMC_E_NO_COUNTER, VPMC_E_WRONG_COUNTER.
 */
int vpmcint_check_counter(const struct vpmc_pmu *pmu,
			  const struct vpmc_event_info *info, const char *text,
			  unsigned int counter, struct vpmc_error *err);

/*
 * Errors quote an event whole. A text that is longer than any event is cut, so that there is room
 * for the sentence.
 */
#define VPMCINT_TEXT  "%.127s"
#define VPMCINT_QUOTE "\"" VPMCINT_TEXT "\""

/* Room for an event's text with its code or the name from the table. */
#define VPMCINT_CALL_MAX ((size_t)2 * VPMC_EVENT_NAME_MAX + 8)

/* vpmcint_called() - the text for an event that vpmc_event_call() set, or NULL */
const char *vpmcint_called(const struct vpmc_event_sel *sel);

/**
 * vpmcint_call() - what an error calls an event
 * @phrase: receives the event's text and code, or its code and @name
 * @size: of @phrase
 * @sel: the event
 * @name: that of the table, or NULL
 */
void vpmcint_call(char *phrase, size_t size, const struct vpmc_event_sel *sel,
		  const char *name);

/**
 * vpmcint_generic_find() - what a generic name stands for on this processor
 * @pmu: whose events
 * @name: in lower case
 *
 * Return: the event, or NULL if @name is not one of the generic names.
 */
const struct vpmc_named_event *vpmcint_generic_find(const struct vpmc_pmu *pmu,
						    const char *name);

/**
 * vpmcint_constrain() - the counters on which the driver accepts an event
 * @pmu: whose event
 * @machine: the processor at hand, from vpmcint_identify()
 * @code: the event
 * @counters: receives them, as in struct vpmc_event_info
 *
 * Return: why the driver refuses it on all of them, or NULL.
 */
const char *vpmcint_constrain(const struct vpmc_pmu *pmu,
			      const struct vpmc_machine *machine, uint64_t code,
			      uint32_t *counters);

/**
 * vpmcint_pfm_encode() - the code of an event of libpfm4
 * @pmu: whose events; its @pfm is not PFM_CODES_NONE
 * @name: the event, with its unit masks and modifiers but without our modes
 * @text: what errors quote
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
 * vpmcint_pfm_homonym() - what libpfm4 has under the name of an event of the table
 * @pmu: whose events; its @pfm is not PFM_CODES_NONE
 * @name: the event, without anything else
 * @prefixed: receives the name with that of libpfm4's PMU before it
 * @code: receives the code
 *
 * Return: whether it has an event of that name, and vpmc can count it.
 */
bool vpmcint_pfm_homonym(const struct vpmc_pmu *pmu, const char *name,
			 char prefixed[VPMC_EVENT_NAME_MAX], uint64_t *code);

/**
 * vpmcint_cpuid() - execute CPUID
 * @leaf: EAX before
 * @subleaf: ECX before
 * @regs: receives EAX, EBX, ECX and EDX
 *
 * Return: 1, or 0 if the processor has no CPUID instruction or @leaf is above
 * the highest one of its range.
 */
int vpmcint_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t regs[4]);

/**
 * vpmcint_identify() - fill in what CPUID knows
 * @machine: its vendor, family, model, stepping and emulated are set
 */
void vpmcint_identify(struct vpmc_machine *machine);

/**
 * vpmcint_compose() - compose an error
 * @err: receives code and text, or NULL
 * @code: the code
 * @format: of printf(3): one sentence
 */
void vpmcint_compose(struct vpmc_error *err, enum vpmc_code code,
		     const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * vpmcint_fail() - vpmcint_compose() with the code as its value, for callers
 * to return. A macro, so that compiler and analysers see that it is not 0.
 */
#define vpmcint_fail(err, code, ...) \
	(vpmcint_compose((err), (code), __VA_ARGS__), (int)(code))

/**
 * vpmcint_fail_errno() - compose the error of a call that set errno
 * @err: receives code and text, or NULL
 * @what: what was being done, to follow "cannot"
 *
 * For the errors that mean the same in every call of the driver; callers handle
 * their own errors first.
 *
 * Return: the code.
 */
int vpmcint_fail_errno(struct vpmc_error *err, const char *what);

/**
 * vpmcint_fail_open() - say why the device cannot be opened
 * @err: receives code and text, or NULL
 *
 * Takes errno from open(2).
 *
 * Return: the code.
 */
int vpmcint_fail_open(struct vpmc_error *err);

/**
 * vpmcint_fail_call() - vpmcint_fail_errno() for calls on a counter set
 * @vpmc: the handle
 * @what: what was being done, to follow "cannot"
 * @err: receives code and text, or NULL
 *
 * Return: the code.
 */
int vpmcint_fail_call(const struct vpmc *vpmc, const char *what,
		      struct vpmc_error *err);

/* What to expect of a scope. */
static inline const struct expectation *
vpmcint_expectation(const struct vpmc *vpmc, enum vpmc_whose whose)
{
	switch (whose) {
	case VPMC_THREAD:
		return &vpmc->thread;
	case VPMC_ALL:
		return &vpmc->all;
	default:
		return &vpmc->self;
	}
}

/* vpmcint_compare_counts() - vpmcint_check_counts(), in full */
int vpmcint_compare_counts(const struct vpmc *vpmc, enum vpmc_whose whose,
			   uint64_t generation, uint64_t start,
			   struct vpmc_error *err);

/**
 * vpmcint_check_counts() - whether counts are those that were started
 * @vpmc: the handle, which knows what to expect
 * @whose: of which scope they are
 * @generation: what the driver says
 * @start: likewise
 * @err: receives code and text, or NULL
 *
 * Return: 0 or VPMC_E_GENERATION.
 */
static inline int vpmcint_check_counts(const struct vpmc *vpmc,
				       enum vpmc_whose whose,
				       uint64_t generation, uint64_t start,
				       struct vpmc_error *err)
{
	const struct expectation *expected = vpmcint_expectation(vpmc, whose);

	/* Without a branch for each: each read compares them. */
	if (!((expected->generation ^ generation) | (expected->start ^ start) |
	      expected->other_events))
		return 0;
	return vpmcint_compare_counts(vpmc, whose, generation, start, err);
}

/**
 * vpmcint_read() - ask the driver for counts, whatever the handle expects
 * @vpmc: the handle
 * @whose: the scope
 * @read: receives them
 *
 * Return: 0, or -1 and errno.
 */
int vpmcint_read(const struct vpmc *vpmc, enum vpmc_whose whose,
		 struct vpmc_read *read);

/*
 * vpmcint_fail_reserved() - say why the driver cannot have the counters
 * @number: EADDRINUSE: perf, or the NMI watchdog, has them; EIO: they do not work
 *
 * Return: VPMC_E_BUSY or VPMC_E_UNSUPPORTED.
 */
int vpmcint_fail_reserved(int number, struct vpmc_error *err);

/**
 * vpmcint_fail_read() - compose the error of a call on a scope
 * @vpmc: the handle
 * @whose: the scope
 * @what: what was being done, to follow "cannot"
 * @err: receives code and text, or NULL
 *
 * Return: the code.
 */
int vpmcint_fail_read(const struct vpmc *vpmc, enum vpmc_whose whose,
		      const char *what, struct vpmc_error *err);

/**
 * vpmcint_expect_start() - make a handle expect what was started on it
 * @vpmc: the handle
 * @start: what the driver was given, and answered
 */
void vpmcint_expect_start(struct vpmc *vpmc, const struct vpmc_start *start);

/**
 * vpmcint_describe_start() - fill in what the driver is asked to count
 * @vpmc: the handle
 * @sel: the events, as a start is given them
 * @nr: how many
 * @flags: of the start. VPMC_MULTIPLEX lets events share counters.
 * @assigned: receives them with their counters; has room for VPMC_COUNTS_MAX
 * @start: receives all that goes in, with as many events as there are
 * @err: receives code and text, or NULL
 *
 * Return: 0, VPMC_E_ARGUMENT, or the errors of vpmc_event_assign().
 */
int vpmcint_describe_start(const struct vpmc *vpmc,
			   const struct vpmc_event_sel *sel, size_t nr,
			   unsigned int flags, struct vpmc_event_sel *assigned,
			   struct vpmc_start *start, struct vpmc_error *err);

/**
 * vpmcint_fail_reason() - compose the error of a start that failed with EINVAL
 * @vpmc: the handle
 * @start: what the driver returned
 * @sel: the events with their counters
 * @err: receives code and text, or NULL
 *
 * Return: the code.
 */
int vpmcint_fail_reason(const struct vpmc *vpmc, const struct vpmc_start *start,
			const struct vpmc_event_sel *sel,
			struct vpmc_error *err);

/**
 * vpmcint_in_system_mode() - whether somebody has the counters in system mode
 * @vpmc: the handle
 *
 * Return: 1 or 0. Leaves errno undefined.
 */
int vpmcint_in_system_mode(const struct vpmc *vpmc);

/**
 * vpmcint_hand_over() - fill in a structure of the size that a program knows
 * @to: the program's
 * @size: of it
 * @from: what to fill it in with
 * @known: how many bytes that has; those behind them become zero
 */
static inline void vpmcint_hand_over(void *to, size_t size, const void *from,
				     size_t known)
{
	memcpy(to, from, size < known ? size : known);
	if (size > known)
		memset((char *)to + known, 0, size - known);
}

#endif /* LIBVPMC_INTERNAL_H */
