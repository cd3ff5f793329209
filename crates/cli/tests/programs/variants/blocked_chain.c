#include "variant.h"
STEP {
  int place=IN_COMM(me);
  if(place>0) MPI_Recv(a,1,MPI_DOUBLE,place-1,7,comm,MPI_STATUS_IGNORE); /* waits */
  IN("line", work(MORE));
  if(place<np-1) MPI_Send(a,1,MPI_DOUBLE,place+1,7,comm);
  MPI_Barrier(comm); /* waits */
}
