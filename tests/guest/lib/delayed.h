/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares how to force races. The modules of delay/ hold a process where the kernel
 * calls a function for it, while other processes interfere. Or they interrupt the process at
 * each instruction where it can be interrupted.
 */
#ifndef DELAYED_H
#define DELAYED_H

#include "hold.h"

/* The kernel's function for a system call of this program. */
#ifdef __x86_64__
#define SYSTEM_CALL(name) "__x64_sys_" name
#else
#define SYSTEM_CALL(name) "__ia32_sys_" name
#endif

/*
 * Choose the module, 0 or 1, that the functions of this file use from now on. Each
 * module holds one thread at a time.
 */
void delay_use(unsigned int module);

/* Give the script's process the name of the processes that are held. */
void script_name_delayed(struct script *s);

/* Give the calling process this name. */
void name_delayed(void);

/* Hold a process with this name where @function begins, which may sleep. */
void delay_at(const char *function);

/* Like delay_at(), but hold a process with the name that module 0 looks for. */
void delay_first_at(const char *function);

/*
 * Like delay_at() for a @function that is called once and must not sleep: its processor
 * spins for a second or two. Do not call delay_end().
 */
void spin_at(const char *function);

/*
 * Like spin_at(), until another process calls delay_end(), which then cannot check
 * anything.
 */
void spin_until_end_at(const char *function);

/* Wait until the process is held. Or return whether it is, without sleeping. */
void until_delayed(void);
bool is_delayed(void);

/* Let the process continue, and check that it was held until now. */
void delay_end(void);

/* End the hold. The process that was held must have exited. */
void delay_remove(void);

/*
 * Let a clock tick come before each instruction of @function, with all that it
 * calls, when such a process calls it.
 */
void ticks_begin(const char *function);

/* No more. Returns how many calls there were. */
unsigned int ticks_end(void);

#endif /* DELAYED_H */
