// SPDX-License-Identifier: GPL-2.0-only
/*
 * wake: let a program wait for an interrupt.
 *
 *	insmod wake.ko irq=NUMBER
 *
 * A read of /sys/module/wake/parameters/wait sleeps until the ISA interrupt comes. It returns at
 * once if the interrupt has come since the last read.
 */
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/sysfs.h>
#include <linux/wait.h>

static unsigned int irq;
module_param(irq, uint, 0444);
MODULE_PARM_DESC(irq, "number of the interrupt");

static DECLARE_WAIT_QUEUE_HEAD(queue);
static bool came;

static irqreturn_t wake(int number, void *unused)
{
	WRITE_ONCE(came, true);
	wake_up(&queue);
	return IRQ_HANDLED;
}

static int get_wait(char *buffer, const struct kernel_param *kp)
{
	int err = wait_event_interruptible(queue, xchg(&came, false));

	return err ?: sysfs_emit(buffer, "Y\n");
}

static const struct kernel_param_ops wait_ops = {
	.get = get_wait,
};
module_param_cb(wait, &wait_ops, NULL, 0444);
MODULE_PARM_DESC(wait, "sleeps until the interrupt has come");

static int __init wake_init(void)
{
	return request_irq(irq, wake, 0, "wake", &queue);
}
module_init(wake_init);

static void __exit wake_exit(void)
{
	free_irq(irq, &queue);
}
module_exit(wake_exit);

MODULE_DESCRIPTION("Let a program sleep until an interrupt comes");
MODULE_LICENSE("GPL");
