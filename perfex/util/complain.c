// SPDX-License-Identifier: GPL-2.0-only
/* Print errors of perfex, and choose its exit status. */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "util/capability.h"
#include "util/perfex.h"

/* Names of files and commands can be as long as PATH_MAX. */
#define SENTENCE_MAX ((size_t)2 * PATH_MAX)

static const struct {
	enum vpmc_code code;
	enum perfex_status status;
} statuses[] = {
	{ VPMC_E_SYNTAX, PERFEX_UNKNOWN_EVENT },
	{ VPMC_E_UNKNOWN_EVENT, PERFEX_UNKNOWN_EVENT },
	{ VPMC_E_AMBIGUOUS, PERFEX_AMBIGUOUS },
	{ VPMC_E_NO_COUNTER, PERFEX_WRONG_COUNTER },
	{ VPMC_E_WRONG_COUNTER, PERFEX_WRONG_COUNTER },
	{ VPMC_E_COUNTER_TAKEN, PERFEX_COUNTER_TAKEN },
	{ VPMC_E_TOO_MANY, PERFEX_TOO_MANY },
	{ VPMC_E_NO_DEVICE, PERFEX_NO_DEVICE },
	{ VPMC_E_ABI, PERFEX_UNSUPPORTED },
	{ VPMC_E_UNSUPPORTED, PERFEX_UNSUPPORTED },
	{ VPMC_E_BUSY, PERFEX_BUSY },
	{ VPMC_E_PERMISSION, PERFEX_PERMISSION },
	{ VPMC_E_GENERATION, PERFEX_INVALID },
	{ VPMC_E_NO_CPU, PERFEX_USAGE },
	{ VPMC_E_NO_PROCESS, PERFEX_NO_PROCESS },
};

/* Print a complaint by one write(2), so that several perfex may complain at once. */
void complain(const char *format, ...)
{
	static const char name[] = "perfex: ";
	char sentence[SENTENCE_MAX], line[sizeof(name) + SENTENCE_MAX];
	size_t length = sizeof(name) - 1;
	va_list args;

	va_start(args, format);
	vsnprintf(sentence, sizeof(sentence), format, args);
	va_end(args);
	memcpy(line, name, length);
	length += vpmc_escape(sentence, line + length, SENTENCE_MAX);
	line[length++] = '\n';
	while (write(STDERR_FILENO, line, length) < 0 && errno == EINTR)
		;
}

enum perfex_status complain_of(const char *whose, const struct vpmc_error *err,
			       const char *hint)
{
	size_t i;

	complain("%s%s%s%s", whose, *whose ? ": " : "", err->text, hint);
	for (i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
		if (statuses[i].code == err->code)
			return statuses[i].status;
	}
	return PERFEX_SYSTEM;
}

enum perfex_status complain_hint(const struct vpmc_error *err, const char *hint)
{
	return complain_of("", err, hint);
}

const char *usual_hint(const struct vpmc_error *err)
{
	return err->code == VPMC_E_UNKNOWN_EVENT
		       ? " (perfex -l lists the events)"
		       : "";
}

enum perfex_status complain_vpmc(const struct vpmc_error *err)
{
	return complain_hint(err, usual_hint(err));
}

enum perfex_status complain_start(const struct vpmc_error *err)
{
	char hint[CAPABILITY_HINT];

	if (err->code != VPMC_E_PERMISSION)
		return complain_vpmc(err);
	capability_hint(hint, sizeof(hint));
	return complain_hint(err, hint);
}
