! Attribute callbacks, a reduction and an error handler in Fortran. Right: they are called as without a recorder, so that each
! rank prints "attribute 42 T copies 1 deletes 1 sum 3 errors 1" (on two ranks).
module callbacks
  use mpi_f08
  implicit none
  integer :: copies = 0, deletes = 0, errors = 0
contains
  subroutine copied(comm, key, extra, value_in, value_out, flag, ierror)
    type(MPI_Comm) :: comm
    integer :: key, ierror
    integer(MPI_ADDRESS_KIND) :: extra, value_in, value_out
    logical :: flag
    copies = copies + 1
    value_out = value_in + extra
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine
  subroutine deleted(comm, key, value, extra, ierror)
    type(MPI_Comm) :: comm
    integer :: key, ierror
    integer(MPI_ADDRESS_KIND) :: value, extra
    deletes = deletes + 1
    ierror = MPI_SUCCESS
  end subroutine
  subroutine add(from, into, length, datatype)
    use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
    type(c_ptr), value :: from, into
    integer :: length
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    call c_f_pointer(from, a, [length])
    call c_f_pointer(into, b, [length])
    b = a + b
  end subroutine
  subroutine handled(comm, code)
    type(MPI_Comm) :: comm
    integer :: code
    errors = errors + 1
  end subroutine
end module

program keyval
  use callbacks
  implicit none
  integer :: key, me, n, v(3), w(3)
  integer(MPI_ADDRESS_KIND) :: value
  logical :: flag
  type(MPI_Comm) :: comm
  type(MPI_Op) :: op
  type(MPI_Errhandler) :: handler
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  call MPI_Comm_size(MPI_COMM_WORLD, n)
  call MPI_Comm_create_keyval(copied, deleted, key, 5_MPI_ADDRESS_KIND)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, key, 37_MPI_ADDRESS_KIND)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm)
  call MPI_Comm_get_attr(comm, key, value, flag)
  call MPI_Op_create(add, .true., op)
  v = me + 1
  call MPI_Allreduce(v, w, 3, MPI_INTEGER, op, comm)
  call MPI_Comm_create_errhandler(handled, handler)
  call MPI_Comm_set_errhandler(comm, handler)
  call MPI_Send(v, 1, MPI_INTEGER, n + 9, 0, comm)
  call MPI_Comm_free(comm)
  print '(a,i0,a,l1,4(a,i0))', 'attribute ', value, ' ', flag, ' copies ', copies, ' deletes ', deletes, ' sum ', w(3), &
    ' errors ', errors
  call MPI_Finalize()
end program
