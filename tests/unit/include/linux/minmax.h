/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef UNIT_MINMAX_H
#define UNIT_MINMAX_H

#define min(a, b) ((a) < (b) ? (a) : (b))

#endif
