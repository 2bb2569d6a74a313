/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares perfex --fixed-layout, which fixes the layout of the command's
 * address space.
 */
#ifndef PERFEX_ADDRESS_LAYOUT_H
#define PERFEX_ADDRESS_LAYOUT_H

/**
 * fix_layout() - give each command that is started later the same layout in each run
 *
 * From the next execve(2) on, the kernel does not randomize the addresses of stack, heap,
 * libraries and the program itself. Processes inherit this setting, and set-user-ID
 * programs lose it.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int fix_layout(void);

#endif /* PERFEX_ADDRESS_LAYOUT_H */
