// SPDX-License-Identifier: GPL-2.0-only
/*
 * vpmu: test that KVM creates no guest with a mediated vPMU while the driver has the counters, and
 * that the driver does not take them while there is such a guest. The kernel must have been booted
 * with kvm_amd.enable_mediated_pmu=1.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <vpmc.h>

#include "follow.h"

/* The driver gives the counters back a second after the last use. */
#define TRIES	 100
#define TRY_USEC 100000

/* A mediated vPMU needs the local APICs in the kernel. The number is that of the IOAPIC's pins. */
static struct kvm_enable_cap irqchip = { .cap = KVM_CAP_SPLIT_IRQCHIP,
					 .args = { 24 } };

/* Create a guest. KVM hands the counters to it with its first virtual processor. */
static int guest_new(int *vcpu)
{
	int kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC), vm;

	if (kvm < 0)
		err(1, "/dev/kvm");
	vm = ioctl(kvm, KVM_CREATE_VM, 0);
	if (vm < 0 || ioctl(vm, KVM_ENABLE_CAP, &irqchip))
		err(1, "a guest");
	close(kvm);
	*vcpu = ioctl(vm, KVM_CREATE_VCPU, 0);
	if (*vcpu < 0)
		*vcpu = -errno;
	return vm;
}

static void guest_free(int vm, int vcpu)
{
	if (vcpu >= 0)
		close(vcpu);
	close(vm);
}

static int guest_try(void)
{
	int vcpu, vm = guest_new(&vcpu);

	guest_free(vm, vcpu);
	return vcpu < 0 ? vcpu : 0;
}

static void expect(int got, int want, const char *what)
{
	check(got == want, "%s: %d, want %d", what, got, want);
}

static void test_guest_first(int fd)
{
	struct vpmc_error error = { 0 };
	struct vpmc_event_sel event;
	struct vpmc *vpmc;
	int vcpu, vm = guest_new(&vcpu);

	check(vcpu >= 0, "a guest gets the counters: %d", vcpu);
	expect(request(fd, VPMC_START, start_arg(FIRST, 0)), -EADDRINUSE,
	       "a start while there is a guest");
	expect(request(fd, VPMC_SYSTEM_START, start_arg(FIRST, 0)), -EADDRINUSE,
	       "system mode");
	check(!vpmc_open(&vpmc, NULL) &&
		      !vpmc_event_parse(vpmc_pmu_of(vpmc), "instructions",
					VPMC_USER, &event, NULL) &&
		      vpmc_start(vpmc, &event, 1, 0, &error) == VPMC_E_BUSY &&
		      strstr(error.text, "mediated vPMU"),
	      "the library names the guest: %s", error.text);
	vpmc_close(vpmc);
	guest_free(vm, vcpu);
	expect(request(fd, VPMC_START, start_arg(FIRST, 0)), 0,
	       "a start after the guest");
}

static void test_driver_first(int fd)
{
	int i, ret;

	expect(guest_try(), -EBUSY, "a guest while a process counts");
	expect(request(fd, VPMC_STOP, stop_arg()), 0, "a stop");
	close(fd);
	for (i = 0; (ret = guest_try()) == -EBUSY && i < TRIES; i++)
		usleep(TRY_USEC);
	expect(ret, 0, "a guest after the process");
}

int main(void)
{
	int fd = open_device();

	test_guest_first(fd);
	test_driver_first(fd);
	return check_status();
}
