/* A library keeps a communicator of its own as an attribute of the user's, as PETSc does: copied (MPI_Comm_dup of it inside of the user's MPI_Comm_dup) and freed
   (MPI_Comm_free inside of the user's MPI_Comm_free) by the attribute's callbacks. Rank 0 is 200 ms late to the user's MPI_Comm_dup; then, on the copied inner communicator,
   250 ms late to a barrier. The copy callback has a barrier of its own, to which rank 0 comes 200 ms late.
   Right: wait_at_communicator_management 0.2 s on rank 1 (or the copy callback's barrier 0.4 s, if the library copies attributes first), wait_at_barrier 0.2 s and 0.25 s on rank 1; no complaint about collective operations. */
#include <mpi.h>
#include <stdio.h>
#include "work.h"
static int me; static MPI_Comm box[4]; static int used;
static int cp(MPI_Comm old,int k,void*e,void*in,void*out,int*flag){ MPI_Comm*n=&box[used++]; if(me==0) spin_ms(200); MPI_Barrier(*(MPI_Comm*)in); MPI_Comm_dup(*(MPI_Comm*)in,n); *(void**)out=n; *flag=1; return MPI_SUCCESS; }
static int del(MPI_Comm c,int k,void*v,void*e){ MPI_Comm_free((MPI_Comm*)v); return MPI_SUCCESS; }
int main(int c,char**v){ int k,f; MPI_Comm user,copy,*inner; MPI_Init(&c,&v); MPI_Comm_rank(MPI_COMM_WORLD,&me); MPI_Comm_dup(MPI_COMM_WORLD,&user); MPI_Comm_dup(MPI_COMM_WORLD,&box[used++]);
 MPI_Comm_create_keyval(cp,del,&k,0); MPI_Comm_set_attr(user,k,&box[0]); MPI_Barrier(MPI_COMM_WORLD);
 if(me==0) spin_ms(200); double t=MPI_Wtime(); MPI_Comm_dup(user,&copy); if(me==1) printf("dup %.3f s\n",MPI_Wtime()-t); MPI_Comm_get_attr(copy,k,&inner,&f);
 MPI_Barrier(MPI_COMM_WORLD); if(me==0) spin_ms(250); MPI_Barrier(*inner); MPI_Comm_free(&copy); MPI_Comm_free(&user); MPI_Finalize(); return 0; }
