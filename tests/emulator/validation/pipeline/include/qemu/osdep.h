/* SPDX-License-Identifier: GPL-2.0-only */
/* What the model needs of the emulator's header of this name */
#ifndef OSDEP_H
#define OSDEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#endif
