#include "k.h"
int main(int c,char**v){ start(&c,&v); double a=0,b;
  FOR(sweep,4){
    FOR(block,4){
      if(me>0) MPI_Recv(&a,1,MPI_DOUBLE,me-1,3,MPI_COMM_WORLD,MPI_STATUS_IGNORE);
      IN("sweep_block", work(20));
      if(me<np-1) MPI_Send(&a,1,MPI_DOUBLE,me+1,3,MPI_COMM_WORLD);
    }
    MPI_Allreduce(&a,&b,1,MPI_DOUBLE,MPI_SUM,MPI_COMM_WORLD);
  }
  MPI_Finalize(); }
