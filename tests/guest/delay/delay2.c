// SPDX-License-Identifier: GPL-2.0-only
/* delay2: delay once more, so that a second thread can be held elsewhere. */
#include "delay.c"
