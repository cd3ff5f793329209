/* Forms of the programs beside it. Each defines a step, whose waiting calls have a comment. */
#include "../corpus/k.h"

#ifdef HELPER
#define STEP static __attribute__((noinline)) void step(void)
#else
#define STEP static inline __attribute__((always_inline)) void step(void)
#endif
STEP;

#ifdef THREADS_ALONE
int main(){ FOR(i,STEPS) step(); }
#else
static MPI_Comm comm=MPI_COMM_NULL;
static double a[1<<17],b[1<<17];

/* The rank in `comm` of a rank in MPI_COMM_WORLD, and back. */
#ifdef BACKWARDS
#define IN_COMM(rank) (np-1-(rank))
#else
#define IN_COMM(rank) (rank)
#endif

int main(int c,char**v){
  int provided;
  MPI_Init_thread(&c,&v,MPI_THREAD_FUNNELED,&provided);
  MPI_Comm_rank(MPI_COMM_WORLD,&me);
  MPI_Comm_size(MPI_COMM_WORLD,&np);
#ifdef BACKWARDS
  MPI_Comm_split(MPI_COMM_WORLD,0,-me,&comm);
#else
  comm=MPI_COMM_WORLD;
#endif
  FOR(i,STEPS) step();
  MPI_Finalize();
}

#ifdef WRAPPED
static int barrier(MPI_Comm on){ return MPI_Barrier(on); }
static int allreduce(void*s,void*r,int n,MPI_Datatype t,MPI_Op o,MPI_Comm on){ return MPI_Allreduce(s,r,n,t,o,on); }
static int allgather(void*s,int n,MPI_Datatype t,void*r,int m,MPI_Datatype u,MPI_Comm on){ return MPI_Allgather(s,n,t,r,m,u,on); }
static int alltoall(void*s,int n,MPI_Datatype t,void*r,int m,MPI_Datatype u,MPI_Comm on){ return MPI_Alltoall(s,n,t,r,m,u,on); }
static int reduce(void*s,void*r,int n,MPI_Datatype t,MPI_Op o,int root,MPI_Comm on){ return MPI_Reduce(s,r,n,t,o,root,on); }
static int bcast(void*d,int n,MPI_Datatype t,int root,MPI_Comm on){ return MPI_Bcast(d,n,t,root,on); }
static int send(void*d,int n,MPI_Datatype t,int to,int tag,MPI_Comm on){ return MPI_Send(d,n,t,to,tag,on); }
static int recv(void*d,int n,MPI_Datatype t,int from,int tag,MPI_Comm on,MPI_Status*s){ return MPI_Recv(d,n,t,from,tag,on,s); }
static int waitall(int n,MPI_Request*q,MPI_Status*s){ return MPI_Waitall(n,q,s); }
#define MPI_Barrier barrier
#define MPI_Allreduce allreduce
#define MPI_Allgather allgather
#define MPI_Alltoall alltoall
#define MPI_Reduce reduce
#define MPI_Bcast bcast
#define MPI_Send send
#define MPI_Recv recv
#define MPI_Waitall waitall
#endif
#endif
