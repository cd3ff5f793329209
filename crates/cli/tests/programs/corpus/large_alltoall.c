#include "k.h"
/* perfectly even work, everyone waits because of a real transfer: 16 MiB alltoall */
int main(int c,char**v){ start(&c,&v); size_t n=4<<20; char*a=malloc(n*np),*b=malloc(n*np); memset(a,1,n*np); memset(b,1,n*np);
  FOR(i,4){
    IN("fft", work(20));
    MPI_Alltoall(a,n,MPI_CHAR,b,n,MPI_CHAR,MPI_COMM_WORLD);
  }
  MPI_Finalize(); }
