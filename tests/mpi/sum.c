// SPDX-License-Identifier: GPL-2.0-only
/* sum: 100 times, compute the sum of the numbers of all ranks in each rank. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	int rank, size, sum, i, wrong = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (i = 0; i < 100; i++) {
		MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
		wrong += sum != size * (size - 1) / 2;
	}
	printf("rank %d of %d: %d wrong\n", rank, size, wrong);
	MPI_Finalize();
	return wrong != 0;
}
