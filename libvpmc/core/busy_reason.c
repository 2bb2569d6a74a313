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

#define WATCHDOG  "/proc/sys/kernel/nmi_watchdog"
#define VPMU(kvm) "/sys/module/" kvm "/parameters/enable_mediated_pmu"

/* Return whether the file @path begins with @value. Kernels without the setting lack the file. */
static bool is_set(const char *path, char value)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char found = '\0';
	bool is;

	if (fd < 0)
		return false;
	is = read(fd, &found, 1) == 1 && found == value;
	close(fd);
	return is;
}

int vpmcint_fail_reserved(int number, struct vpmc_error *err)
{
	if (number == EIO)
		return vpmcint_fail(err, VPMC_E_UNSUPPORTED,
				    "the counters of a processor that is on"
				    " line do not work: dmesg says which and"
				    " what to do, or take it off line");
	/* The NMI watchdog counts clocks with perf_event. */
	if (is_set(WATCHDOG, '1'))
		return vpmcint_fail(
			err, VPMC_E_BUSY,
			"the counters are busy: the kernel's NMI"
			" watchdog has them, so write 0 to " WATCHDOG);
	if (is_set(VPMU("kvm_intel"), 'Y') || is_set(VPMU("kvm_amd"), 'Y'))
		return vpmcint_fail(
			err, VPMC_E_BUSY,
			"the counters are busy: perf or a guest of KVM with a"
			" mediated vPMU has them, so end perf, the program"
			" that uses perf_event_open(2), or the guest");
	return vpmcint_fail(err, VPMC_E_BUSY,
			    "the counters are busy: perf has them, so end perf,"
			    " or the program that uses perf_event_open(2)");
}
