#include "variant.h"
STEP {
  int partner=IN_COMM(me^1);
  if(me%2!=CULPRIT%2) MPI_Send(a,1<<17,MPI_DOUBLE,partner,8,comm); /* waits */
  else {
    IN("digest", work(MORE));
    MPI_Recv(b,1<<17,MPI_DOUBLE,partner,8,comm,MPI_STATUS_IGNORE);
  }
}
