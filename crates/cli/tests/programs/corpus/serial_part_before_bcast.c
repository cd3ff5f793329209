#include "k.h"
static double buf[512];
int main(int c,char**v){ start(&c,&v);
  FOR(i,8){
    if(me==0) IN("prepare", work(40));
    MPI_Bcast(buf,512,MPI_DOUBLE,0,MPI_COMM_WORLD);
    IN("use", work(20));
  }
  MPI_Finalize(); }
