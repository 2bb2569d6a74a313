/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares how to force races. The modules of delay/ can hold a process where the kernel
 * calls a function for it, while other processes interfere. They can also interrupt the process at
 * each instruction where interrupts are enabled.
 */
#ifndef DELAYED_H
#define DELAYED_H

#include "hold.h"

/* This is the kernel's function for a system call of this program. */
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

/* Give the script's process the name by which the module finds the process to hold. */
void script_name_delayed(struct script *s);

/*
 * Return a target with this name that forks @child, lets it execute some rounds, and waits for it.
 */
struct target target_forking(struct script *child, unsigned int rounds);

/* Give the calling process the name by which the module finds the process to hold. */
void name_delayed(void);

/*
 * Hold a process with the module's name where @function begins. @function must be allowed to sleep.
 */
void delay_at(const char *function);

/* Like delay_at(), but hold a process with the name that module 0 looks for. */
void delay_first_at(const char *function);

/*
 * Like delay_at(), for a @function that is called once and must not sleep. The processor spins
 * there for a second or two. Do not call delay_end().
 */
void spin_at(const char *function);

/*
 * Like spin_at(), but spin until another process calls delay_end(). In this case, the check of
 * delay_end() has no meaning.
 */
void spin_until_end_at(const char *function);

/*
 * until_delayed() waits until the process is held. is_delayed() returns whether it is held, without
 * sleeping.
 */
void until_delayed(void);
bool is_delayed(void);

/* Let the process continue, and check that it was held until now. */
void delay_end(void);

/* End the hold. The process that was held must have exited. */
void delay_remove(void);

/*
 * When a process with the module's name calls @function, let a clock tick come before each
 * instruction of @function and of the functions that it calls.
 */
void ticks_begin(const char *function);

/* End the effect of ticks_begin(). Returns the number of calls of the function. */
unsigned int ticks_end(void);

#endif /* DELAYED_H */
