/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares functions that replace /dev/p5mon, the device of p5mon's driver with its two
 * buffers, on the counters of vpmc. <libp5mon.h> is easier to use. It also explains which processes
 * are counted.
 *
 * A program that opened, wrote, read and closed the device calls these functions instead of
 * open(2), write(2), read(2) and close(2), with the same buffers. Numbers in the buffers
 * are little endian.
 */
#ifndef P5MON_DEVICE_H
#define P5MON_DEVICE_H

#include <stddef.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * These are the sizes in bytes of a write, without and with values for the counters, and of
 * a read.
 */
#define P5MON_WRITE	   5
#define P5MON_WRITE_VALUES 15
#define P5MON_READ	   24

struct p5mon_device;

/**
 * p5mon_device_open() - open the device
 *
 * Return: the device, for p5mon_device_close(); NULL with errno if there is no driver
 * (ENODEV), or the processor is not a Pentium (ENXIO).
 */
struct p5mon_device *p5mon_device_open(void);

/* p5mon_device_close() - close the device, whose counters continue to count */
void p5mon_device_close(struct p5mon_device *device);

/**
 * p5mon_device_write() - configure the counters
 * @device: from p5mon_device_open()
 * @buffer: 4 bytes of CESR, whose events and counter controls are used; 1 byte of
 *	CNT_CLR; then, if CNT_CLR presets a counter, 5 bytes for counter 0 and 5 for
 *	counter 1
 * @size: size of @buffer
 *
 * Return: the number of bytes that were used, or -1 with errno: EINVAL (@buffer is too
 * short or invalid), EPERM (kernel mode), EBUSY (system mode), EIO. After an error
 * nothing has changed.
 */
ssize_t p5mon_device_write(struct p5mon_device *device, const void *buffer,
			   size_t size);

/**
 * p5mon_device_read() - read the counters
 * @device: from p5mon_device_open()
 * @buffer: receives counter 0, counter 1 and CESR, 8 bytes each
 * @size: size of @buffer
 *
 * Return: 24, or -1 with errno: EINVAL (@size is less), EIO (another user has replaced the counts
 * that this device has configured).
 */
ssize_t p5mon_device_read(struct p5mon_device *device, void *buffer,
			  size_t size);

#ifdef __cplusplus
}
#endif

#endif /* P5MON_DEVICE_H */
