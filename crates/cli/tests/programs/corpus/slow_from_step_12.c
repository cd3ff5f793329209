#include "k.h"
/* problem that begins in the middle: from step 12 of 24 on, rank 3 is slow */
int main(int c,char**v){ start(&c,&v); double a=1,b;
  FOR(i,24){
    IN("step", work(me==3&&i>=12?50:15));
    MPI_Allreduce(&a,&b,1,MPI_DOUBLE,MPI_SUM,MPI_COMM_WORLD);
  }
  MPI_Finalize(); }
