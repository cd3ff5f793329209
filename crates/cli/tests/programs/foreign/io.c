/* Files: requests, split collectives, a read beyond the end. Rank 0 writes 0.1 s late with all. Right: no wait state, and the
   calls are named as files, which are not analyzed. Of the calls that complete requests, MPI_Wait and MPI_Waitall are input
   and output; MPI_Waitsome, which completes messages, too, is not. */
#include <mpi.h>
#include <stdio.h>
#include "work.h"

int main(int argc, char **argv) {
  int rank, count, data[1000] = {0};
  MPI_File file;
  MPI_Request request, requests[3];
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File_open(MPI_COMM_WORLD, "io.bin", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_iwrite_at(file, rank * 4000, data, 1000, MPI_INT, &request);
  MPI_Wait(&request, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  if (count != 1000) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_File_iread_at(file, rank * 4000, data, 500, MPI_INT, &requests[0]);
  MPI_File_iread_at(file, rank * 4000, data + 500, 500, MPI_INT, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  int from = rank, to, done = 0, indices[3];
  MPI_Irecv(&to, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&from, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_File_iwrite_at(file, rank * 4000, data, 1000, MPI_INT, &requests[2]);
  while (done < 3) {
    MPI_Waitsome(3, requests, &count, indices, MPI_STATUSES_IGNORE);
    done += count;
  }
  if (rank == 0) spin_ms(100);
  MPI_File_write_at_all(file, rank * 4000, data, 1000, MPI_INT, &status);
  MPI_File_read_all_begin(file, data, 1000, MPI_INT);
  MPI_File_read_all_end(file, data, &status);
  MPI_File_read_at(file, 1 << 30, data, 1000, MPI_INT, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  if (count != 0) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
