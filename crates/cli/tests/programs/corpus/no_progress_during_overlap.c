#include "k.h"
static double big[1<<17];
/* Isend of 1 MiB, then work without MPI: no progress */
int main(int c,char**v){ start(&c,&v); MPI_Request r;
  FOR(i,8){
    if(me%2==0){ MPI_Isend(big,1<<17,MPI_DOUBLE,me+1,1,MPI_COMM_WORLD,&r); IN("overlap", work(40)); MPI_Wait(&r,MPI_STATUS_IGNORE); }
    else { MPI_Recv(big,1<<17,MPI_DOUBLE,me-1,1,MPI_COMM_WORLD,MPI_STATUS_IGNORE); }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize(); }
