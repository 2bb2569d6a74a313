! SPDX-License-Identifier: GPL-2.0-only
!
! This program tests libperfex from Fortran, over the fake driver, whose counts are 1000 and
! 2**64 - 1.

program test_irix_fortran
  implicit none
  integer*8 :: c0, c1
  integer :: e0 = 22, e1 = 18, started
  integer :: tests = 0
  character(len=80) :: name
  integer*4, external :: start_counters, read_counters, print_counters
  integer*4, external :: print_costs, load_costs

  c0 = 0
  c1 = 0
  started = start_counters(e0, e1)
  call check(started > 0, 'a start has a positive number')
  call check(read_counters(e0, c0, e1, c1) == started, 'a read has that of the start')
  call check(c0 == 1000 .and. c1 == -1, 'the counts have 64 bits')
  call check(read_counters(e1, c0, e0, c1) == -1, 'a read of others is an error')
  call check(print_counters(e0, c0, e1, c0) == 0, 'counts are printed')
  call check(load_costs('nowhere.costs') == -1, 'a file that is not there is an error')
  write(name, '(a,i0)') '/tmp/irix-fortran.', getpid()
  open(unit=7, file=name, status='replace')
  write(7, '(a)') '22 instructions_executed 2 1 3 clks'
  close(7)
  call check(load_costs(name) == 0, 'costs are loaded; blanks behind the name do not matter')
  call check(print_costs(e0, c0, e1, c0) == 0, 'costs are printed')
  open(unit=7, file=name, status='old')
  close(7, status='delete')
  print '("1..",i0)', tests

contains

  subroutine check(good, what)
    logical, intent(in) :: good
    character(len=*), intent(in) :: what

    tests = tests + 1
    print '(a,i0," - ",a)', merge('ok     ', 'not ok ', good), tests, what
  end subroutine check

end program test_irix_fortran
