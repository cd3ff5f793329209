/* Non-blocking and neighborhood collectives. Rank 0 comes 0.1 s late to MPI_Ibarrier, 3 times, and to
   MPI_Neighbor_allgather, once. Right, on 4 ranks: the 3 others wait 0.9 s in MPI_Wait, and rank 1 waits 0.1 s in
   MPI_Neighbor_allgather. None of it is a message or a blocking collective. */
#include <mpi.h>
#include "work.h"
int main(int argc, char **argv) {
  int rank, size, from[64] = {0}, to[64];
  MPI_Request requests[2];
  MPI_Comm ring;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 3; i++) {
    if (rank == 0)
      spin_ms(100);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  }
  MPI_Iallreduce(from, to, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
  MPI_Ibcast(from, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  int source = (rank + size - 1) % size, target = (rank + 1) % size;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &source, MPI_UNWEIGHTED, 1, &target, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                 1, &ring);
  if (rank == 0)
    spin_ms(100);
  MPI_Neighbor_allgather(from, 1, MPI_INT, to, 1, MPI_INT, ring);
  MPI_Finalize();
  return 0;
}
