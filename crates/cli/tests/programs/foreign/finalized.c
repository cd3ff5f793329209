/* What a program may still ask after MPI_Finalize, and finalizing from atexit. Rank 1 waits 50 ms at the barrier. Right:
   0.05 s of wait at barrier, and the 20 ms after MPI_Finalize are the program's. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "work.h"
static void last(void) {
  int finalized = -1;
  MPI_Finalized(&finalized);
  if (!finalized)
    MPI_Finalize();
  MPI_Finalized(&finalized);
  printf("atexit finalized=%d\n", finalized);
}
int main(int argc, char **argv) {
  int initialized = -1, finalized = -1, version, subversion, rank;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  printf("before %d %d\n", initialized, finalized);
  int late = argc > 1 && !strcmp(argv[1], "atexit");
  if (late)
    atexit(last);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    spin_ms(50);
  MPI_Barrier(MPI_COMM_WORLD);
  if (late)
    exit(0);
  MPI_Finalize();
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  MPI_Get_version(&version, &subversion);
  printf("after init=%d fin=%d\n", initialized, finalized);
  spin_ms(20);
  return 0;
}
