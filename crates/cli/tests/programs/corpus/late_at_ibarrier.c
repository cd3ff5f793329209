#include "k.h"
/* Ibarrier overlap that works, then a busy loop over MPI_Test: rank 0 late */
int main(int c,char**v){ start(&c,&v); MPI_Request r; int f;
  FOR(i,8){
    IN("work", work(me==0?60:20));
    MPI_Ibarrier(MPI_COMM_WORLD,&r); f=0;
    while(!f){ MPI_Test(&r,&f,MPI_STATUS_IGNORE); if(!f) work(1); }
  }
  MPI_Finalize(); }
