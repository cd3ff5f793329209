#include "k.h"
static double part[1000],all[4000];
int main(int c,char**v){ start(&c,&v);
  FOR(i,6){
    IN("compute", work(40));
    MPI_Gather(part,1000,MPI_DOUBLE,all,1000,MPI_DOUBLE,0,MPI_COMM_WORLD);
    if(me==0){ enter("checkpoint"); FILE*f=fopen("ckpt.bin","wb"); fwrite(all,8,4000,f); fflush(f); fsync(fileno(f)); work(60); fclose(f); leave("checkpoint"); }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize(); }
