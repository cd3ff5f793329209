/* Waiting in a probe. Rank 0 sends 0.1 s late, 6 times. Right, on 2 ranks: rank 1 waits 0.3 s in MPI_Mprobe and 0.3 s in
   MPI_Probe, and not in the receives after them. */
#include <mpi.h>
#include "work.h"
int main(int argc, char **argv) {
  int rank, value = 0;
  MPI_Message message;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 6; i++) {
    if (rank == 0) {
      spin_ms(100);
      MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else if (rank == 1 && i < 3) {
      MPI_Mprobe(0, 1, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
      MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
      MPI_Probe(0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  MPI_Finalize();
  return 0;
}
