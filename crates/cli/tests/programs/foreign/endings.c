/* A thread ends the program inside a parallel region, before MPI_Finalize or after it, by the program's argument. Rank 0
   comes 0.1 s late to a barrier before. Right: the trace has this wait. */
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include "work.h"

/* The other thread waits at the barrier. */
static void end_in_region(int code) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1) {
      spin_ms(10);
      exit(code);
    }
#pragma omp barrier
  }
}

int main(int argc, char **argv) {
  int rank, level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) spin_ms(100);
  MPI_Barrier(MPI_COMM_WORLD);
  if (!strcmp(argv[1], "before")) end_in_region(3);
  MPI_Finalize();
  end_in_region(0);
  return 1;
}
