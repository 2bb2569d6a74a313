// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Compose the error of counters that the driver cannot have. It names the user of busy counters, or
 * says that the counters do not count.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/internal.h"

#define WATCHDOG "/proc/sys/kernel/nmi_watchdog"

/*
 * Return whether the NMI watchdog is on. It counts clocks with perf_event. Kernels without the
 * watchdog do not have the file.
 */
static bool watchdog_is_on(void)
{
	int fd = open(WATCHDOG, O_RDONLY | O_CLOEXEC);
	char on = '0';

	if (fd < 0)
		return false;
	if (read(fd, &on, 1) != 1)
		on = '0';
	close(fd);
	return on == '1';
}

int vpmcint_fail_reserved(int number, struct vpmc_error *err)
{
	if (number == EIO)
		return vpmcint_fail(err, VPMC_E_UNSUPPORTED,
				    "the counters of a processor that is on"
				    " line do not work: dmesg says which and"
				    " what to do, or take it off line");
	if (watchdog_is_on())
		return vpmcint_fail(
			err, VPMC_E_BUSY,
			"the counters are busy: the kernel's NMI"
			" watchdog has them, so write 0 to " WATCHDOG);
	return vpmcint_fail(err, VPMC_E_BUSY,
			    "the counters are busy: perf has them, so end perf,"
			    " or the program that uses perf_event_open(2)");
}
