#include "k.h"
/* one problem in 24 phases with names of their own */
int main(int c,char**v){ start(&c,&v); char name[20];
  FOR(i,24){ sprintf(name,"phase_%d",i); enter(name);
    IN("solve", work(me==0?30:10));
    MPI_Barrier(MPI_COMM_WORLD);
    leave(name); }
  MPI_Finalize(); }
