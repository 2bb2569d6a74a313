/* SPDX-License-Identifier: GPL-2.0-only */
/* This file has the parts of the emulator's header of this name that the model needs. */
#ifndef OSDEP_H
#define OSDEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#endif
