/* Rank 0 sends 50 ms late once, and 10 ms late ten times.
   Right: rank 1 waits 0.05 s for a late sender in setup, and 0.1 s in halo, in calls of MPI_Recv of their own. */
#include <mpi.h>
#include "work.h"

static void setup(int rank) {
  int value = 0;
  if (rank == 0) {
    spin_ms(50);
    MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void halo(int rank) {
  int value = 0;
  if (rank == 0) {
    spin_ms(10);
    MPI_Send(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Recv(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  setup(rank);
  for (int step = 0; step < 10; step++) {
    halo(rank);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
