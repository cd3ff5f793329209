! The same as report.c.
module own
  use, intrinsic :: iso_c_binding
  use ats
  implicit none

  ! A function and a descriptor of the program's own.
  type, bind(C) :: rising_t
    real(c_double) :: all, each
  end type
contains
  function rising(me, sz, sf, dd) bind(C) result(value)
    integer(c_int), value :: me, sz
    real(c_double), value :: sf
    type(c_ptr), value :: dd
    real(c_double) :: value
    type(rising_t), pointer :: descriptor
    call c_f_pointer(dd, descriptor)
    value = sf * (descriptor%all + min(me, sz) * descriptor%each)
  end function

  subroutine report_late_sender(basework, extrawork, r, c)
    real(c_double), intent(in) :: basework, extrawork
    integer, intent(in) :: r, c
    type(val2_distr_t) :: dd
    type(c_ptr) :: buf
    integer :: i
    buf = alloc_mpi_buf(get_base_type(), get_base_cnt())
    dd%low = basework + extrawork
    dd%high = basework
    do i = 1, r
      call par_do_mpi_work(df_cyclic2, dd, 1d0, c)
      call mpi_commpattern_sendrecv(buf, DIR_UP, 0, 0, c)
    end do
    call free_mpi_buf(buf)
  end subroutine
end module

program report
  use mpi
  use own
  implicit none
  real(c_double), parameter :: base = 0.02d0, extra = 0.2d0, step = 0.1d0
  integer, parameter :: r = 2, c = MPI_COMM_WORLD
  real(c_double) :: begin
  type(c_ptr) :: buf
  integer :: ierror, rank

  call MPI_Init(ierror)
  call set_base_comm(MPI_DOUBLE_PRECISION, 4)
  call MPI_Barrier(c, ierror)
  begin = MPI_Wtime()
  call report_late_sender(base, extra, r, c)
  call MPI_Barrier(c, ierror)
  call late_sender(base, extra, r, c)
  call MPI_Barrier(c, ierror)
  call late_sender_balanced(base, extra, r, c)
  call MPI_Barrier(c, ierror)
  call late_receiver(base, extra, r, c)
  call MPI_Barrier(c, ierror)
  call imbalance_at_mpi_barrier(df_linear, val2_distr_t(low=0.02d0, high=0.32d0), r, c)
  call MPI_Barrier(c, ierror)
  call imbalance_at_mpi_alltoall(rising, rising_t(all=0.02d0, each=0.1d0), r, c)
  call MPI_Barrier(c, ierror)
  call late_broadcast(base, extra, 1, r, c)
  call MPI_Barrier(c, ierror)
  call late_scatter(base, extra, 5, r, c)
  call MPI_Barrier(c, ierror)
  call late_scatterv(base, extra, 2, r, c)
  call MPI_Barrier(c, ierror)
  call early_reduce(base, extra, 3, r, c)
  call MPI_Barrier(c, ierror)
  call early_gather(base, extra, 0, r, c)
  call MPI_Barrier(c, ierror)
  call early_gatherv(base, extra, 1, r, c)
  call MPI_Barrier(c, ierror)
  call wrong_order(step, r, c)
  call MPI_Barrier(c, ierror)
  call right_order(step, r, c)
  call MPI_Barrier(c, ierror)
  buf = alloc_mpi_buf(get_base_type(), get_base_cnt())
  call mpi_commpattern_chain(buf, extra, c)
  call MPI_Barrier(c, ierror)
  call mpi_commpattern_one_to_all(buf, extra, c)
  call mpi_commpattern_all_to_one(buf, c)
  call MPI_Barrier(c, ierror)
  call free_mpi_buf(buf)
  call MPI_Comm_rank(c, rank, ierror)
  if (rank == 0) write (*, '(f0.6)') MPI_Wtime() - begin
  call MPI_Finalize(ierror)
end program
