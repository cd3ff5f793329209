/* One-sided communication: fences, locks, post/start/complete/wait, and a request. Rank 0 comes 0.1 s late to a fence.
   Right, on 4 ranks: the 3 others wait 0.3 s in MPI_Win_fence. There is neither message nor collective operation. */
#include <mpi.h>
#include "work.h"
int main(int argc, char **argv) {
  int rank, size, *memory;
  MPI_Win window;
  MPI_Group world, targets, sources;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int value = rank, next = (rank + 1) % size, previous = (rank + size - 1) % size;
  MPI_Win_allocate(100 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  MPI_Win_fence(0, window);
  if (rank == 0)
    spin_ms(100);
  MPI_Put(&value, 1, MPI_INT, next, rank, 1, MPI_INT, window);
  MPI_Win_fence(0, window);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
  MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window);
  MPI_Win_unlock(0, window);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &next, &targets);
  MPI_Group_incl(world, 1, &previous, &sources);
  MPI_Win_post(sources, 0, window);
  MPI_Win_start(targets, 0, window);
  MPI_Put(&value, 1, MPI_INT, next, 1, 1, MPI_INT, window);
  MPI_Win_complete(window);
  MPI_Win_wait(window);
  MPI_Win_lock_all(0, window);
  MPI_Rput(&value, 1, MPI_INT, next, 2, 1, MPI_INT, window, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
