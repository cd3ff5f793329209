#![allow(unsafe_code, reason = "has memory of its own in a buffer")]
//! Message memory in the hands of safe code. Needs no MPI, so that Miri can judge it:
//! `cargo +nightly miri test -p ats-mpi --test buffers`.

use std::thread;

use ats_mpi::{Column, Datatype, Memory, MpiBuf};

const ALL: [Datatype; 3] = [Datatype::Byte, Datatype::Int, Datatype::Double];

/// The bits of `number` as an element.
fn bits(datatype: Datatype, number: u64) -> u64 {
    match datatype {
        Datatype::Byte | Datatype::Int => number,
        Datatype::Double => (number as f64).to_bits(),
    }
}

#[test]
fn an_element_is_read_as_it_was_set() {
    for datatype in ALL {
        let buf = MpiBuf::new(Memory::zeroed(datatype.bytes(5)), datatype, 5);
        (0..5).for_each(|at| buf.set(at, 10 + at as u64));
        assert!((0..5).all(|at| buf.get(at) == bits(datatype, 10 + at as u64)), "{datatype:?}");
    }
    let buf = MpiBuf::new(Memory::zeroed(8), Datatype::Int, 2);
    buf.memory().fill(&[1, 2, 3]);
    assert_eq!(buf.memory().to_vec(), [1, 2, 3, 1, 2, 3, 1, 2]);
    assert_eq!(buf.get(1), u64::from(u32::from_ne_bytes([2, 3, 1, 2])));
    buf.memory().fill(&[]);
    assert_eq!(buf.memory().to_vec(), [1, 2, 3, 1, 2, 3, 1, 2]);
}

#[test]
fn a_length_only_has_nothing_in_it() {
    let buf = MpiBuf::new(Memory::length_only(24), Datatype::Double, 3);
    buf.set(2, 7);
    buf.memory().fill(&[7]);
    assert_eq!((buf.get(2), buf.memory().to_vec()), (0, vec![]));
}

#[test]
fn memory_of_somebody_else_may_begin_anywhere() {
    let mut memory = [0u8; 17];
    // SAFETY: inside of the array, which outlives the buffer and is not touched before its end.
    let borrowed = unsafe { Memory::borrowed(memory.as_mut_ptr().add(1), 16) };
    let buf = MpiBuf::new(borrowed, Datatype::Double, 2);
    buf.set(1, 3);
    assert_eq!(buf.get(1), 3f64.to_bits());
    drop(buf);
    assert_eq!((&memory[..9], &memory[9..]), (&[0; 9][..], &3f64.to_ne_bytes()[..]));
}

#[test]
fn threads_may_share_a_buffer() {
    let buf = MpiBuf::new(Memory::zeroed(32), Datatype::Int, 8);
    thread::scope(|scope| {
        for number in 1..=2 {
            let buf = &buf;
            scope.spawn(move || {
                (0..8).for_each(|at| buf.set(at, number));
                buf.memory().fill(&(number as i32).to_ne_bytes());
                buf.memory().to_vec()
            });
        }
        assert!((0..8).all(|at| buf.get(at) <= 3));
    });
    assert!((0..8).all(|at| (1..=2).contains(&buf.get(at))));
}

#[test]
#[should_panic(expected = "element 2 of a buffer of 2")]
fn an_element_that_is_not_there_is_refused() {
    MpiBuf::new(Memory::zeroed(16), Datatype::Int, 2).set(2, 1);
}

#[test]
#[should_panic(expected = "a buffer of 2 MPI_DOUBLE needs 16 bytes, its memory has 8")]
fn memory_that_is_too_small_is_refused() {
    let _ = MpiBuf::new(Memory::zeroed(8), Datatype::Double, 2);
}

/// A count whose bytes are 8 modulo the size of the address space.
#[test]
#[should_panic(expected = "MPI_DOUBLE are more bytes than a memory can have")]
fn a_count_whose_bytes_wrap_around_is_refused() {
    let _ = MpiBuf::new(Memory::zeroed(8), Datatype::Double, usize::MAX / 8 + 2);
}

#[test]
fn a_column_reaches_from_its_first_element_to_its_last() {
    let bytes = |count, stride| Column { datatype: Datatype::Double, count, stride }.extent_bytes();
    assert_eq!([bytes(0, 3), bytes(1, 3), bytes(4, 3), bytes(4, 1)], [0, 8, 80, 32]);
}

#[test]
#[should_panic(expected = "MPI_DOUBLE are more bytes than a memory can have")]
fn a_column_whose_bytes_wrap_around_is_refused() {
    let _ = Column { datatype: Datatype::Double, count: usize::MAX, stride: 2 }.extent_bytes();
}
