#include "variant.h"
STEP {
  int partner=IN_COMM(me^1);
  if(me%2!=CULPRIT%2){
    MPI_Send(a,1,MPI_DOUBLE,partner,1,comm);
    IN("second", work(MORE));
    MPI_Send(a,1,MPI_DOUBLE,partner,2,comm);
    work(MORE);
  } else {
    MPI_Recv(b,1,MPI_DOUBLE,partner,2,comm,MPI_STATUS_IGNORE); /* waits */
    IN("process2", work(MORE));
    MPI_Recv(a,1,MPI_DOUBLE,partner,1,comm,MPI_STATUS_IGNORE);
    IN("process1", work(MORE));
  }
  MPI_Barrier(comm);
}
