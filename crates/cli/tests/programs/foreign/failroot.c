/* MPI_ERRORS_RETURN: rank 0 alone calls MPI_Bcast and MPI_Reduce with a root that is not there; both fail. Then two
   collectives that work: rank 0 is 100 ms late at a barrier, and in a broadcast rank 1's buffer is too small, and rank 0,
   the root, 100 ms late.
   Right: 0.1 s of waiting at the barrier, 0.1 s of late broadcast, and every member takes part in every collective. */
#include <mpi.h>
#include <stdio.h>
#include "work.h"

int main(int argc, char **argv) {
  int rank, a[4] = {0}, b[4];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (rank == 0) {
    if (MPI_Bcast(a, 1, MPI_INT, 99, MPI_COMM_WORLD) == MPI_SUCCESS)
      puts("?");
    if (MPI_Reduce(a, b, 1, MPI_INT, MPI_SUM, 99, MPI_COMM_WORLD) == MPI_SUCCESS)
      puts("?");
    spin_ms(100);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    spin_ms(100);
  if ((MPI_Bcast(a, rank == 1 ? 1 : 4, MPI_INT, 0, MPI_COMM_WORLD) == MPI_SUCCESS) == (rank == 1))
    puts("?");
  MPI_Finalize();
  return 0;
}
