#include "k.h"
int main(int c,char**v){ start(&c,&v); double a=1,b;
  FOR(i,15){
    IN("residual", work(me==0?10:30));
    MPI_Reduce(&a,&b,1,MPI_DOUBLE,MPI_MAX,0,MPI_COMM_WORLD);
  }
  MPI_Finalize(); }
