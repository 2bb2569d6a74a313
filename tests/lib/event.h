/* SPDX-License-Identifier: GPL-2.0-only */
/* This file lets tests of all folders write an event. */
#ifndef TESTS_EVENT_H
#define TESTS_EVENT_H

/* Initialise a struct vpmc_event. All other fields are 0. */
#define EVENT(c, n, m)                                    \
	{                                                 \
		.code = (c), .counter = (n), .modes = (m) \
	}

#endif /* TESTS_EVENT_H */
