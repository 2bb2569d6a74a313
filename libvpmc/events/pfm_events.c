// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Look up names of events in libpfm4, which has names for nearly all processors.
 *
 * libpfm4 can encode an event without regard to the operating system, as the value of an event
 * select register. vpmc takes the code from this value, and the driver sets the other bits.
 *
 * libpfm4 is large, and its relocation takes longer than the rest of a short command. So it is
 * loaded only for a name that vpmc does not know, unless the program is linked with it.
 */
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/internal.h"

/* These texts follow libpfm4's name and say why its events are missing. */
#define LEFT_OUT	  "was left out when libvpmc was built"
#define NOT_INSTALLED	  "is not installed (" SONAME ")"
#define UNKNOWN_PROCESSOR "does not know this processor"

static int fail_name(const struct vpmc_pmu *pmu, const char *text,
		     const char *why, struct vpmc_error *err)
{
	return vpmcint_fail(err, VPMC_E_UNKNOWN_EVENT,
			    "unknown event " VPMCINT_QUOTE
			    ": this processor (%s) has no event of"
			    " that name, and libpfm4, which may have it, %s",
			    text, pmu->name, why);
}

static int fail_list(const char *why, struct vpmc_error *err)
{
	return vpmcint_fail(err, VPMC_E_UNSUPPORTED,
			    "libpfm4, which may have more events, %s", why);
}

#ifdef VPMC_PFM

#include <dlfcn.h>
#include <perfmon/pfmlib.h>

#define SONAME "libpfm.so.4"

/* These symbols are NULL in a program that is linked without libpfm4. */
#pragma weak dlsym
#pragma weak pfm_initialize
#pragma weak pfm_strerror
#pragma weak pfm_get_pmu_info
#pragma weak pfm_get_event_info
#pragma weak pfm_get_event_next
#pragma weak pfm_get_event_attr_info
#pragma weak pfm_get_os_event_encoding

/* These are libpfm4's functions, once they are found. */
static struct {
	__typeof__(pfm_initialize) *init;
	__typeof__(pfm_strerror) *strerror;
	__typeof__(pfm_get_pmu_info) *get_pmu_info;
	__typeof__(pfm_get_event_info) *get_event_info;
	__typeof__(pfm_get_event_next) *get_event_next;
	__typeof__(pfm_get_event_attr_info) *get_event_attr_info;
	__typeof__(pfm_get_os_event_encoding) *get_encoding;
} pfm;

/* The documents of libpfm4 do not say whether two threads may call it at the same time. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/*
 * libpfm4 compares names without regard to case, in the locale of the caller. In Turkish, i is not
 * the lower case of I. The names are all English, so enter() sets the locale "C".
 */
struct locales {
	locale_t english;
	locale_t saved;
};

static struct locales enter(void)
{
	struct locales locales;

	pthread_mutex_lock(&lock);
	locales.english = newlocale(LC_ALL_MASK, "C", NULL);
	locales.saved = uselocale(locales.english);
	return locales;
}

static void leave(const struct locales *locales)
{
	uselocale(locales->saved);
	if (locales->english)
		freelocale(locales->english);
	pthread_mutex_unlock(&lock);
}

/* These are fields of an event select register. */
#define SELECT_EVENT	  0xffU
#define SELECT_UNIT	  (0xffU << 8)
#define SELECT_USER	  (1U << 16)
#define SELECT_KERNEL	  (1U << 17)
#define SELECT_ANY_THREAD (1U << 21)
/* The code consists of event, unit mask, edge, inversion and counter mask. */
#define SELECT_CODE	  0xff84ffffU
/* AMD's events have four further bits in these positions. */
#define SELECT_HIGH	  (0xfULL << 32)

static bool find_linked(void)
{
	if (!pfm_initialize)
		return false;
	pfm.init = pfm_initialize;
	pfm.strerror = pfm_strerror;
	pfm.get_pmu_info = pfm_get_pmu_info;
	pfm.get_event_info = pfm_get_event_info;
	pfm.get_event_next = pfm_get_event_next;
	pfm.get_event_attr_info = pfm_get_event_attr_info;
	pfm.get_encoding = pfm_get_os_event_encoding;
	return true;
}

/* Load libpfm4. A statically linked program does not have dlopen(). */
static void *load(void)
{
	__typeof__(dlopen) *open = NULL;

	if (dlsym)
		*(void **)&open = dlsym(RTLD_DEFAULT, "dlopen");
	return open ? open(SONAME, RTLD_LAZY) : NULL;
}

static bool find_loaded(void)
{
	void *library = load();

	if (!library)
		return false;
	*(void **)&pfm.init = dlsym(library, "pfm_initialize");
	*(void **)&pfm.strerror = dlsym(library, "pfm_strerror");
	*(void **)&pfm.get_pmu_info = dlsym(library, "pfm_get_pmu_info");
	*(void **)&pfm.get_event_info = dlsym(library, "pfm_get_event_info");
	*(void **)&pfm.get_event_next = dlsym(library, "pfm_get_event_next");
	*(void **)&pfm.get_event_attr_info =
		dlsym(library, "pfm_get_event_attr_info");
	*(void **)&pfm.get_encoding =
		dlsym(library, "pfm_get_os_event_encoding");
	return pfm.init && pfm.strerror && pfm.get_pmu_info &&
	       pfm.get_event_info && pfm.get_event_next &&
	       pfm.get_event_attr_info && pfm.get_encoding;
}

static const char *set_up(void)
{
	if (!find_linked() && !find_loaded())
		return NOT_INSTALLED;
	if (pfm.init() != PFM_SUCCESS)
		return UNKNOWN_PROCESSOR;
	return NULL;
}

/*
 * Returns NULL, or the reason why libpfm4 has no names. Tries to load libpfm4 once, under the lock.
 */
static const char *missing(void)
{
	static const char *why;
	static bool tried;

	if (!tried)
		why = set_up();
	tried = true;
	return why;
}

static bool get_pmu(pfm_pmu_t id, pfm_pmu_info_t *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	return pfm.get_pmu_info(id, info) == PFM_SUCCESS;
}

static bool is_present_core(int id, pfm_pmu_info_t *info)
{
	return get_pmu((pfm_pmu_t)id, info) && info->is_present &&
	       info->type == PFM_PMU_TYPE_CORE;
}

/*
 * Find libpfm4's PMU for this processor's cores: the PMU of its model, or else the PMU that Intel's
 * processors have in common.
 */
static bool find_pmu(pfm_pmu_info_t *info)
{
	int id;

	for (id = PFM_PMU_NONE; id < PFM_PMU_MAX; id++) {
		if (id != PFM_PMU_INTEL_X86_ARCH && is_present_core(id, info))
			return true;
	}
	return is_present_core(PFM_PMU_INTEL_X86_ARCH, info);
}

static bool get_event(int index, pfm_event_info_t *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	return pfm.get_event_info(index, PFM_OS_NONE, info) == PFM_SUCCESS;
}

static bool is_of_core(int index)
{
	pfm_event_info_t event;
	pfm_pmu_info_t pmu;

	return get_event(index, &event) && get_pmu(event.pmu, &pmu) &&
	       pmu.type == PFM_PMU_TYPE_CORE;
}

/*
 * Returns the driver's code of an event that only fixed counters have, or 0. libpfm4
 * encodes such an event as event 0, with the fixed counter's number from 1 as the unit
 * mask.
 */
static uint32_t fixed_code(const struct vpmc_pmu *pmu, uint64_t code)
{
	static const uint32_t codes[] = { 0x00c0, 0x003c, 0x0300 };
	uint32_t i;

	for (i = 0; i < pmu->fixed && i < ARRAY_SIZE(codes); i++) {
		if (code == (i + 1) << 8)
			return codes[i];
	}
	return 0;
}

/*
 * For two unit masks of Ice Lake's TOPDOWN, libpfm4 4.13 omits the event, A4h (Intel's list of
 * events: TOPDOWN.BACKEND_BOUND_SLOTS and BR_MISPREDICT_SLOTS). Without A4h the first code equals
 * the code of the fixed counter of clocks.
 */
#define TOPDOWN_EVENT	      0xa4U
#define TOPDOWN_BACKEND_BOUND 0x02
#define TOPDOWN_BR_MISPREDICT 0x08

static uint64_t add_missing_event(int index, uint64_t code)
{
	const unsigned int unit = code >> 8 & 0xff;
	pfm_event_info_t event;

	if (code & SELECT_EVENT ||
	    (unit != TOPDOWN_BACKEND_BOUND && unit != TOPDOWN_BR_MISPREDICT) ||
	    !get_event(index, &event) || strcmp(event.name, "TOPDOWN") != 0)
		return code;
	return code | TOPDOWN_EVENT;
}

/* Returns the bits above 32 that a code of this family may have. */
static uint64_t high_bits(const struct vpmc_pmu *pmu)
{
	return pmu->pfm == PFM_CODES_ALL ? SELECT_HIGH : 0;
}

/* Compare names without regard to case. The second name is in lower case. */
static bool is_same_name(const char *name, const char *lower)
{
	for (; *name && vpmcint_lower(*name) == *lower; name++)
		lower++;
	return *name == *lower;
}

/* Compare names up to their first colons. The second name is in lower case. */
static bool is_same_base(const char *name, const char *lower)
{
	for (; *name && *name != ':' && vpmcint_lower(*name) == *lower; name++)
		lower++;
	return (!*name || *name == ':') && (!*lower || *lower == ':');
}

/* The modes of an ESCR, of both threads */
#define ESCR_MODES 0xfU

/*
 * Join the values of two registers to a code. The code gets the counters of the table's event with
 * the same name. If this event also has the same unit mask, the code becomes the code of this
 * event. Returns NULL, or the reason why vpmc cannot count the event.
 */
static const char *pfm_join(const struct vpmc_pmu *pmu, const char *name,
			    const uint64_t *codes, uint64_t *code)
{
	size_t i;

	if (codes[0] & ESCR_MODES)
		return "modes come last and together, as in :u, :k or :uk";
	if (!pmu->registers->join(code, codes))
		return "it has bits that the driver sets";
	for (i = 0; i < pmu->nr_events; i++) {
		if (is_same_name(name, pmu->events[i].name))
			*code = pmu->events[i].code;
		else if (is_same_base(name, pmu->events[i].name))
			*code |= pmu->events[i].code & pmu->registers->open;
	}
	pmu->registers->complete(code, VPMC_ANY_COUNTER);
	return pmu->registers->ambiguous(*code)
		       ? "its counters are not known, so give its registers and a"
			 " counter, as in escr=0x10000200:cccr=0x6000@0"
		       : NULL;
}

/* Returns NULL, or the reason why vpmc cannot count an encoded event. */
static const char *refusal_of(const struct vpmc_pmu *pmu, int index,
			      const uint64_t *codes, int nr)
{
	if (!is_of_core(index))
		return "it is not an event of the cores, and vpmc has only their"
		       " counters";
	if (pmu->registers)
		return NULL;
	if (nr != 1)
		return "it needs a second register, which vpmc does not write,"
		       " so choose an event of one";
	if (codes[0] >> 32 & ~(high_bits(pmu) >> 32))
		return "it depends on guests or transactions, which vpmc does"
		       " not tell apart, so leave out the modifier";
	if (codes[0] & (SELECT_USER | SELECT_KERNEL))
		return "modes come last and together, as in :u, :k or :uk";
	if (codes[0] & SELECT_ANY_THREAD)
		return "it counts for other threads of the core, too, so leave"
		       " out the modifier t";
	if (pmu->pfm != PFM_CODES_NO_ZERO || codes[0] & SELECT_EVENT ||
	    fixed_code(pmu, codes[0] & SELECT_CODE))
		return NULL;
	if (fixed_code(pmu, codes[0] & SELECT_UNIT))
		return "it is of a fixed counter, which has no edges and"
		       " counter masks, so leave out the modifiers";
	return "it needs a fixed counter that vpmc does not count";
}

/*
 * Encode a name. Returns libpfm4's error. Also returns the counters on which the driver
 * accepts the event on @machine, and in @refusal NULL or the reason why vpmc cannot count
 * the event.
 */
static int encode(const struct vpmc_pmu *pmu,
		  const struct vpmc_machine *machine, const char *name,
		  uint64_t *code, uint32_t *counters, const char **refusal)
{
	uint64_t codes[4] = { 0 };
	pfm_pmu_encode_arg_t arg;
	int ret;

	memset(&arg, 0, sizeof(arg));
	arg.size = sizeof(arg);
	arg.codes = codes;
	arg.count = ARRAY_SIZE(codes);
	ret = pfm.get_encoding(name, 0, PFM_OS_NONE, &arg);
	if (ret != PFM_SUCCESS)
		return ret;
	codes[0] = add_missing_event(arg.idx, codes[0]);
	*refusal = refusal_of(pmu, arg.idx, codes, arg.count);
	*code = codes[0] & (SELECT_CODE | high_bits(pmu));
	if (pmu->registers && !*refusal)
		*refusal = pfm_join(pmu, name, codes, code);
	if (pmu->pfm == PFM_CODES_NO_ZERO && !(*code & SELECT_EVENT))
		*code = fixed_code(pmu, *code);
	if (!*refusal)
		*refusal = vpmcint_constrain(pmu, machine, *code, counters);
	return PFM_SUCCESS;
}

/*
 * Return whether a name lacks only a counter mask. On Intel's processors, libpfm4 demands a mask
 * with an edge. Without it, libpfm4 returns the same error as for an unknown modifier. Sets
 * @refusal to a text that says how to add a mask, or why vpmc cannot count the event even with a
 * mask.
 */
static bool lacks_mask(const struct vpmc_pmu *pmu,
		       const struct vpmc_machine *machine, const char *name,
		       const char **refusal)
{
	char masked[VPMC_EVENT_NAME_MAX + sizeof(":c=1")];
	uint32_t counters;
	uint64_t code;

	snprintf(masked, sizeof(masked), "%s:c=1", name);
	if (encode(pmu, machine, masked, &code, &counters, refusal) !=
	    PFM_SUCCESS)
		return false;
	if (!*refusal)
		*refusal =
			"an edge (:e) needs a counter mask here, so add :c=1";
	return true;
}

static int fail_encoding(const struct vpmc_pmu *pmu, const char *text, int why,
			 struct vpmc_error *err)
{
	pfm_pmu_info_t info;

	switch (why) {
	case PFM_ERR_NOTFOUND:
		if (!find_pmu(&info))
			return fail_name(pmu, text, UNKNOWN_PROCESSOR, err);
		return vpmcint_fail(err, VPMC_E_UNKNOWN_EVENT,
				    "unknown event " VPMCINT_QUOTE
				    ": this processor"
				    " (%s) has no event of that name, neither"
				    " here nor in libpfm4",
				    text, pmu->name);
	case PFM_ERR_UMASK:
		return vpmcint_fail(err, VPMC_E_UNKNOWN_EVENT,
				    "event " VPMCINT_QUOTE
				    " is incomplete: it needs"
				    " another unit mask, after a colon",
				    text);
	case PFM_ERR_ATTR:
		return vpmcint_fail(err, VPMC_E_UNKNOWN_EVENT,
				    "event " VPMCINT_QUOTE
				    " is unknown behind its first"
				    " colon: libpfm4 has no such unit mask or"
				    " modifier of it",
				    text);
	default:
		return vpmcint_fail(err, VPMC_E_UNKNOWN_EVENT,
				    "event " VPMCINT_QUOTE
				    " cannot be encoded: libpfm4"
				    " says \"%s\"",
				    text, pfm.strerror(why));
	}
}

static int encode_locked(const struct vpmc_pmu *pmu, const char *name,
			 const char *text, uint64_t *code, uint32_t *counters,
			 struct vpmc_error *err)
{
	struct vpmc_machine machine = { .vendor = "" };
	const char *refusal = missing();
	int ret;

	if (refusal)
		return fail_name(pmu, text, refusal, err);
	vpmcint_identify(&machine);
	ret = encode(pmu, &machine, name, code, counters, &refusal);
	if (ret == PFM_ERR_ATTR && lacks_mask(pmu, &machine, name, &refusal))
		ret = PFM_SUCCESS;
	if (ret != PFM_SUCCESS)
		return fail_encoding(pmu, text, ret, err);
	if (refusal)
		return vpmcint_fail(err, VPMC_E_UNKNOWN_EVENT,
				    "event " VPMCINT_QUOTE
				    " cannot be counted: %s",
				    text, refusal);
	return 0;
}

int vpmcint_pfm_encode(const struct vpmc_pmu *pmu, const char *name,
		       const char *text, uint64_t *code, uint32_t *counters,
		       struct vpmc_error *err)
{
	const struct locales locales = enter();
	int ret = encode_locked(pmu, name, text, code, counters, err);

	leave(&locales);
	return ret;
}

static bool find_homonym(const struct vpmc_pmu *pmu, const char *name,
			 char prefixed[VPMC_EVENT_NAME_MAX], uint64_t *code)
{
	struct vpmc_machine machine = { .vendor = "" };
	const char *refusal;
	pfm_pmu_info_t info;
	uint32_t counters;

	if (missing() || !find_pmu(&info))
		return false;
	vpmcint_identify(&machine);
	snprintf(prefixed, VPMC_EVENT_NAME_MAX, "%s::%s", info.name, name);
	return encode(pmu, &machine, prefixed, code, &counters, &refusal) ==
		       PFM_SUCCESS &&
	       !refusal;
}

bool vpmcint_pfm_homonym(const struct vpmc_pmu *pmu, const char *name,
			 char prefixed[VPMC_EVENT_NAME_MAX], uint64_t *code)
{
	const struct locales locales = enter();
	const bool found = find_homonym(pmu, name, prefixed, code);

	leave(&locales);
	return found;
}

/**
 * struct listing - a list in progress
 * @pmu: the family of counters
 * @machine: this processor
 * @use: function that is called with each event
 * @arg: second argument of @use
 */
struct listing {
	const struct vpmc_pmu *pmu;
	struct vpmc_machine machine;
	void (*use)(const struct vpmc_named_event *event, void *arg);
	void *arg;
};

/*
 * Return whether the name stands for another event, because the family's own events take
 * precedence over libpfm4's.
 */
static bool is_hidden(const struct vpmc_pmu *pmu, const char *name,
		      uint64_t code)
{
	size_t i;

	for (i = 0; i < pmu->nr_events; i++) {
		if (is_same_name(name, pmu->events[i].name))
			return pmu->events[i].code != code;
	}
	return false;
}

static void list_name(const struct listing *listing, const char *name,
		      const char *description)
{
	struct vpmc_named_event event = {
		.info.name = name,
		.info.description = description,
	};
	int ret =
		encode(listing->pmu, &listing->machine, name, &event.info.code,
		       &event.info.counters, &event.refusal);

	if (ret != PFM_SUCCESS)
		event.refusal = pfm.strerror(ret);
	else if (!event.refusal &&
		 is_hidden(listing->pmu, name, event.info.code))
		event.refusal = "its name stands for another event";
	listing->use(&event, listing->arg);
}

/* Return whether libpfm4 has a description. Some descriptions are "TBD". */
static bool is_written(const char *description)
{
	return *description && strcmp(description, "TBD") != 0;
}

static void describe(char *text, size_t size, const char *event,
		     const char *unit)
{
	size_t length = is_written(event) ? strlen(event) : 0;

	if (length && event[length - 1] == '.')
		length--;
	snprintf(text, size, "%.*s%s%s", (int)length, event,
		 length && is_written(unit) ? ": " : "",
		 is_written(unit) ? unit : "");
	if (!*text)
		snprintf(text, size, "no description");
}

static bool get_unit(int event, int i, pfm_event_attr_info_t *unit)
{
	memset(unit, 0, sizeof(*unit));
	unit->size = sizeof(*unit);
	return pfm.get_event_attr_info(event, i, PFM_OS_NONE, unit) ==
		       PFM_SUCCESS &&
	       unit->type == PFM_ATTR_UMASK;
}

/* List an event with each of its unit masks, or alone if it has none. */
static void list_event(const struct listing *listing, int index,
		       const pfm_event_info_t *event)
{
	char name[VPMC_EVENT_NAME_MAX], description[512];
	pfm_event_attr_info_t unit;
	bool alone = true;
	int i;

	for (i = 0; i < event->nattrs; i++) {
		if (!get_unit(index, i, &unit))
			continue;
		snprintf(name, sizeof(name), "%s:%s", event->name, unit.name);
		describe(description, sizeof(description), event->desc,
			 unit.desc);
		list_name(listing, name, description);
		alone = false;
	}
	if (!alone)
		return;
	describe(description, sizeof(description), event->desc, "");
	list_name(listing, event->name, description);
}

static void list_pmu(const struct listing *listing, const pfm_pmu_info_t *pmu)
{
	pfm_event_info_t event;
	int i;

	for (i = pmu->first_event; i >= 0; i = pfm.get_event_next(i)) {
		if (get_event(i, &event))
			list_event(listing, i, &event);
	}
}

/* List all events. Returns NULL, or the reason why there are no events. */
static const char *list_all(const struct listing *listing)
{
	const char *why = missing();
	pfm_pmu_info_t pmu;

	if (why)
		return why;
	if (!find_pmu(&pmu))
		return UNKNOWN_PROCESSOR;
	list_pmu(listing, &pmu);
	return NULL;
}

int vpmc_pfm_events(const struct vpmc_pmu *pmu,
		    void (*use)(const struct vpmc_named_event *event,
				void *arg),
		    void *arg, struct vpmc_error *err)
{
	struct listing listing = { .pmu = pmu, .use = use, .arg = arg };
	struct locales locales;
	const char *why;

	if (!pmu->pfm)
		return 0;
	vpmcint_identify(&listing.machine);
	locales = enter();
	why = list_all(&listing);
	leave(&locales);
	return why ? fail_list(why, err) : 0;
}

#else /* VPMC_PFM */

int vpmcint_pfm_encode(const struct vpmc_pmu *pmu, const char *name,
		       const char *text, uint64_t *code, uint32_t *counters,
		       struct vpmc_error *err)
{
	(void)name;
	(void)code;
	(void)counters;
	return fail_name(pmu, text, LEFT_OUT, err);
}

bool vpmcint_pfm_homonym(const struct vpmc_pmu *pmu, const char *name,
			 char prefixed[VPMC_EVENT_NAME_MAX], uint64_t *code)
{
	(void)pmu;
	(void)name;
	(void)prefixed;
	(void)code;
	return false;
}

int vpmc_pfm_events(const struct vpmc_pmu *pmu,
		    void (*use)(const struct vpmc_named_event *event,
				void *arg),
		    void *arg, struct vpmc_error *err)
{
	(void)use;
	(void)arg;
	if (!pmu->pfm)
		return 0;
	return fail_list(LEFT_OUT, err);
}

#endif
