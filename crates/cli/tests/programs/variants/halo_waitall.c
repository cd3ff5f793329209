#include "variant.h"
/* a ring */
STEP {
  int left=IN_COMM((me+np-1)%np), right=IN_COMM((me+1)%np);
  MPI_Request q[4];
  MPI_Irecv(b,400,MPI_DOUBLE,left,1,comm,q); MPI_Irecv(b+400,400,MPI_DOUBLE,right,2,comm,q+1);
  MPI_Isend(a,400,MPI_DOUBLE,right,1,comm,q+2); MPI_Isend(a+400,400,MPI_DOUBLE,left,2,comm,q+3);
  IN("interior", work(me==CULPRIT?USUAL+MORE:USUAL));
  MPI_Waitall(4,q,MPI_STATUSES_IGNORE); /* waits */
}
