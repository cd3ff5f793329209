#include "k.h"
/* two slow nodes alternating by step parity: rank 0 at even steps (30 ms), rank 1 at odd: same code, different steps; plus a wait that is hidden by MPI_Barrier before Allreduce */
int main(int c,char**v){ start(&c,&v); double a=1,b;
  FOR(i,8){
    IN("assemble", work(me==1?50:20));
    MPI_Barrier(MPI_COMM_WORLD);            /* timing barrier */
    MPI_Allreduce(&a,&b,1,MPI_DOUBLE,MPI_SUM,MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize(); }
