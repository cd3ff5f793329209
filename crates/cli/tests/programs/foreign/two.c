/* Rank 0 sends 50 ms late once, and 10 ms late ten times. A message is the time at which it is sent.
   Right: rank 1 waits 0.05 s for a late sender in setup, and 0.1 s in halo, in calls of MPI_Recv of their own; on a busy
   machine, what it prints: the sums of the times from its calls to those of rank 0, of halo and of setup. */
#include <mpi.h>
#include <stdio.h>
#include "work.h"

static double late_in_setup, late_in_halo;

static void setup(int rank) {
  double sent, begin;
  if (rank == 0) {
    spin_ms(50);
    sent = now();
    MPI_Send(&sent, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
  } else if (rank == 1) {
    begin = now();
    MPI_Recv(&sent, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    late_in_setup += after(begin, sent);
  }
}

static void halo(int rank) {
  double sent, begin;
  if (rank == 0) {
    spin_ms(10);
    sent = now();
    MPI_Send(&sent, 1, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
  } else if (rank == 1) {
    begin = now();
    MPI_Recv(&sent, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    late_in_halo += after(begin, sent);
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
  if (rank == 1) printf("%f %f\n", late_in_halo, late_in_setup);
  MPI_Finalize();
  return 0;
}
