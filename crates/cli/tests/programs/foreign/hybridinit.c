/* One parallel region of 10 ms, all equal, on two threads a rank; then rank 0 is 100 ms late at a barrier. Right: 0.2 s of
   idle threads beside the late rank and in the barrier; those in MPI_Init_thread and MPI_Finalize are outside of what is
   measured. */
#include <mpi.h>
#include "work.h"
int main(int argc, char **argv) {
  int provided, rank;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(2)
  spin_ms(10);
  if (rank == 0) spin_ms(100);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
