/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares --self-test, the test of the counters of the machine on which perfex runs. */
#ifndef PERFEX_SELF_TEST_H
#define PERFEX_SELF_TEST_H

/**
 * self_test() - test the counters, and print a page of results
 * @file: name of the file that receives the page, too
 *
 * Return: 0, or an enum perfex_status: PERFEX_SELF_TEST if a check has failed, or another status
 * after a complaint if nothing could be tested or the page could not be written.
 */
int self_test(const char *file);

#endif /* PERFEX_SELF_TEST_H */
