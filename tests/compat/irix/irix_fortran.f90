! SPDX-License-Identifier: GPL-2.0-only
!
! irix_fortran: test that a program in Fortran can count one of its loops with libperfex, on
! Intel's later processors. Each round of the loop has the same number of instructions, and one
! branch.

program irix_fortran
  implicit none
  integer, parameter :: instructions = 192, branches = 196, rounds = 1000
  integer*4, external :: start_counters, read_counters
  integer*8 :: c0(3), c1(3)
  integer :: i

  ! The first calls execute more than later ones, so leave them out.
  call measure(1, c0(1), c1(1))
  do i = 1, 3
    call measure(i * rounds, c0(i), c1(i))
  end do
  call check(c0(2) - c0(1) == c0(3) - c0(2), 'each thousand rounds have as many instructions')
  call check(c0(2) - c0(1) >= 2 * rounds, 'at least two for a round')
  call check(c1(2) - c1(1) == rounds, 'a round has a branch')
  call check(c1(3) - c1(2) == rounds, 'and another thousand a thousand')

contains

  subroutine measure(n, count0, count1)
    integer, intent(in) :: n
    integer*8, intent(out) :: count0, count1
    integer :: started, end, j
    integer, volatile :: sum

    sum = 0
    started = start_counters(instructions, branches)
    do j = 1, n
      sum = sum + j
    end do
    end = read_counters(instructions, count0, branches, count1)
    if (started < 1 .or. end /= started) call check(.false., 'a read is of its start')
  end subroutine measure

  subroutine check(good, what)
    logical, intent(in) :: good
    character(len=*), intent(in) :: what

    print '(a,a)', trim(merge('ok  ', 'FAIL', good)) // ' ', what
  end subroutine check

end program irix_fortran
