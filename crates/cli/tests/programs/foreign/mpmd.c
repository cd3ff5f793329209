/* Two programs, one with the argument a, the other with b. Each has a communicator of its own, and they talk through an
   intercommunicator. The first rank of a sends 0.1 s late, 4 times. Right, on 2 and 2 ranks: the first rank of b waits
   0.4 s in MPI_Recv. The send to MPI_PROC_NULL is before there is an intercommunicator. */
#include <mpi.h>
#include <string.h>
#include "work.h"
int main(int argc, char **argv) {
  int rank, size, value = 0, is_b = argc > 1 && !strcmp(argv[1], "b");
  MPI_Comm half, both;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
  MPI_Comm_split(MPI_COMM_WORLD, is_b, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_b ? 0 : size / 2, 9, &both);
  MPI_Comm_rank(half, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 4; i++) {
    if (!is_b) {
      if (rank == 0)
        spin_ms(100);
      MPI_Send(&value, 1, MPI_INT, rank, 3, both);
    } else {
      MPI_Recv(&value, 1, MPI_INT, rank, 3, both, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Comm_free(&both);
  MPI_Finalize();
  return 0;
}
