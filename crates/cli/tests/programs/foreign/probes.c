/* Waiting in a probe. Rank 0 sends 0.1 s late, 6 times. Right, on 2 ranks: rank 1 waits 0.3 s in MPI_Mprobe and 0.3 s in
   MPI_Probe, and not in the receives after them; on a busy machine, as long as it prints. The message says when it is sent. */
#include <mpi.h>
#include <stdio.h>
#include "work.h"
int main(int argc, char **argv) {
  int rank;
  double begin, sent, seconds[2] = {0, 0};
  MPI_Message message;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 6; i++) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
      spin_ms(100);
      sent = now();
      MPI_Send(&sent, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
    } else if (rank == 1) {
      begin = now();
      if (i < 3)
        MPI_Mprobe(0, 1, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
      else
        MPI_Probe(0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (i < 3)
        MPI_Mrecv(&sent, 1, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
      else
        MPI_Recv(&sent, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      seconds[i / 3] += after(begin, sent);
    }
  }
  if (rank == 1) printf("%f %f\n", seconds[0], seconds[1]);
  MPI_Finalize();
  return 0;
}
