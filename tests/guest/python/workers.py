# SPDX-License-Identifier: GPL-2.0-only
"""Execute regions in processes of multiprocessing. A Process ends by os._exit(), and a worker of
a Pool ends by a signal."""

import ctypes
import multiprocessing

LIBRARY = ctypes.CDLL("./loop.so")


def work(calls):
    """Execute the region this many times."""
    for _ in range(calls):
        LIBRARY.loop()


multiprocessing.set_start_method("fork")
workers = [multiprocessing.Process(target=work, args=(calls,)) for calls in (1, 2, 3)]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
print([worker.exitcode for worker in workers])
with multiprocessing.Pool(2) as pool:
    pool.map(work, 40 * [1], 1)
