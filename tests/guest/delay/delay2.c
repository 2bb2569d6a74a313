// SPDX-License-Identifier: GPL-2.0-only
/* delay2: the same as delay, so that a second thread can be held at another function. */
#include "delay.c"
