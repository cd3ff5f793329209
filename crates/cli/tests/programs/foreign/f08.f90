! mpi_f08 with all its sentinels. Rank 0 comes 100 ms late to an allreduce in place, and sends 100 ms late.
! Right: rank 1 waits 0.1 s in MPI_Allreduce, and 0.1 s in MPI_Recv.
program f08
  use mpi_f08
  implicit none
  integer :: me, n, got, a(8), b(8)
  type(MPI_Request) :: q(2)
  type(MPI_Status) :: s
  type(MPI_Comm) :: c, g
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  call MPI_Comm_size(MPI_COMM_WORLD, n)
  a = me
  if (me == 0) call wait_ms(100)
  call MPI_Allreduce(MPI_IN_PLACE, a, 8, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (a(1) /= n * (n - 1) / 2) call MPI_Abort(MPI_COMM_WORLD, 3)
  a = me
  if (me == 0) then
    call MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, a, 1, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call wait_ms(100)
    call MPI_Send(a, 2, MPI_INTEGER, 1, 5, MPI_COMM_WORLD)
  else
    call MPI_Gather(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, 0, MPI_COMM_WORLD)
  end if
  if (me == 1) then
    call MPI_Recv(b, 8, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, s)
    call MPI_Get_count(s, MPI_INTEGER, got)
    if (got /= 2 .or. s%MPI_SOURCE /= 0 .or. s%MPI_TAG /= 5) call MPI_Abort(MPI_COMM_WORLD, 4)
  end if
  call MPI_Irecv(b(1), 1, MPI_INTEGER, mod(me + n - 1, n), 6, MPI_COMM_WORLD, q(1))
  call MPI_Isend(a(1), 1, MPI_INTEGER, mod(me + 1, n), 6, MPI_COMM_WORLD, q(2))
  call MPI_Waitall(2, q, MPI_STATUSES_IGNORE)
  call MPI_Comm_dup(MPI_COMM_WORLD, c)
  call MPI_Comm_set_name(c, "from fortran   ")
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [mod(me + n - 1, n)], MPI_UNWEIGHTED, &
    1, [mod(me + 1, n)], MPI_UNWEIGHTED, MPI_INFO_NULL, .false., g)
  call MPI_Barrier(c)
  call MPI_Comm_free(c)
  call MPI_Finalize()
contains
  subroutine wait_ms(ms)
    integer, intent(in) :: ms
    integer(8) :: start, time, rate
    call system_clock(start, rate)
    do
      call system_clock(time)
      if ((time - start) * 1000_8 >= ms * rate) exit
    end do
  end subroutine
end program
