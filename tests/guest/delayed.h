/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares how to force races: the modules of delay/ hold a process where the
 * kernel calls a function for it, while other processes interfere, or interrupt it at
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
 * There are two modules that hold, each one thread at a time, 0 and 1: which of
 * them the functions of this file mean from now on.
 */
void delay_use(unsigned int module);

/* The script's process gets the name of those that are held. */
void script_name_delayed(struct script *s);

/* The calling process gets it. */
void name_delayed(void);

/* Hold such a process where @function begins, which may sleep. */
void delay_at(const char *function);

/* The same, but hold one with the name of those that module 0 holds. */
void delay_first_at(const char *function);

/*
 * The same where @function, which is called once, must not sleep: its processor does
 * nothing else, for a second or two. Do not end that.
 */
void spin_at(const char *function);

/* The same until another process calls delay_end(), which cannot check anything then. */
void spin_until_end_at(const char *function);

/* Return when it is held. Whether it is, without sleeping. */
void until_delayed(void);
bool is_delayed(void);

/* Let it go on. It is checked that it was held up to now. */
void delay_end(void);

/* Hold nobody any more. The process that was held has to be gone. */
void delay_remove(void);

/*
 * Let a clock tick come before each instruction of @function, with all that it
 * calls, when such a process calls it.
 */
void ticks_begin(const char *function);

/* No more. Returns how many calls there were. */
unsigned int ticks_end(void);

#endif /* DELAYED_H */
