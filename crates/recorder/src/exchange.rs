#![allow(unsafe_code, reason = "makes PMPI calls through mpi::ffi")]
//! Documents between the ranks, by `PMPI_` calls.

use std::ffi::c_int;

use mpi::ffi::{self, MPI_Comm};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Whether `holds` on all of them.
pub(crate) fn everywhere(comm: MPI_Comm, holds: bool) -> bool {
    let (mine, mut all) = (c_int::from(holds), 0);
    // SAFETY: one integer each, ours.
    unsafe {
        let (from, to) = ((&raw const mine).cast(), (&raw mut all).cast());
        ffi::PMPI_Allreduce(from, to, 1, ffi::RSMPI_INT32_T, ffi::RSMPI_MIN, comm)
    };
    all != 0
}

/// The documents of all ranks at rank 0, in the order of ranks; elsewhere an empty list.
pub(crate) fn gather<T: Serialize + DeserializeOwned>(comm: MPI_Comm, document: &T) -> Vec<T> {
    let (rank, size) = place(comm);
    let mine = encode(document);
    let length = mine.len() as c_int;
    let mut lengths = vec![0; if rank == 0 { size } else { 0 }];
    // SAFETY: at rank 0 there is room for a length from each rank.
    unsafe {
        let (int, to) = (ffi::RSMPI_INT32_T, lengths.as_mut_ptr());
        ffi::PMPI_Gather((&raw const length).cast(), 1, int, to.cast(), 1, int, 0, comm);
    }
    let (starts, total) = packed(&lengths);
    let mut all = vec![0u8; total];
    // SAFETY: at rank 0 there is room for all, at the places that the lengths say.
    unsafe {
        let (byte, to) = (ffi::RSMPI_UINT8_T, all.as_mut_ptr().cast());
        let (counts, places) = (lengths.as_ptr(), starts.as_ptr());
        ffi::PMPI_Gatherv(mine.as_ptr().cast(), length, byte, to, counts, places, byte, 0, comm);
    }
    starts.iter().zip(&lengths).map(|(&at, &length)| decode(&all[at as usize..][..length as usize])).collect()
}

/// To each rank its own of rank 0's documents.
pub(crate) fn scatter<T: Serialize + DeserializeOwned>(comm: MPI_Comm, documents: &[T]) -> T {
    let encoded: Vec<Vec<u8>> = documents.iter().map(encode).collect();
    let lengths: Vec<c_int> = encoded.iter().map(|document| document.len() as c_int).collect();
    let mut length: c_int = 0;
    // SAFETY: at rank 0 there is a length for each rank.
    unsafe {
        let (int, from) = (ffi::RSMPI_INT32_T, lengths.as_ptr());
        ffi::PMPI_Scatter(from.cast(), 1, int, (&raw mut length).cast(), 1, int, 0, comm);
    }
    let (starts, _) = packed(&lengths);
    let all = encoded.concat();
    let mut mine = vec![0u8; length as usize];
    // SAFETY: at rank 0 all documents lie at the places that the lengths say; there is room for one's own.
    unsafe {
        let (byte, to) = (ffi::RSMPI_UINT8_T, mine.as_mut_ptr().cast());
        let (counts, places) = (lengths.as_ptr(), starts.as_ptr());
        ffi::PMPI_Scatterv(all.as_ptr().cast(), counts, places, byte, to, length, byte, 0, comm);
    }
    decode(&mine)
}

fn place(comm: MPI_Comm) -> (c_int, usize) {
    let (mut rank, mut size) = (0, 0);
    // SAFETY: a communicator; the results are ours.
    unsafe {
        ffi::PMPI_Comm_rank(comm, &mut rank);
        ffi::PMPI_Comm_size(comm, &mut size);
    }
    (rank, size as usize)
}

/// The starts of documents of these lengths, one behind the other, and their total length.
fn packed(lengths: &[c_int]) -> (Vec<c_int>, usize) {
    let mut end = 0;
    let starts = lengths
        .iter()
        .map(|length| {
            end += length;
            end - length
        })
        .collect();
    (starts, end as usize)
}

fn encode<T: Serialize>(document: &T) -> Vec<u8> {
    serde_json::to_vec(document).expect("lists of names and numbers are JSON")
}

fn decode<T: DeserializeOwned>(bytes: &[u8]) -> T {
    serde_json::from_slice(bytes).expect("another rank of this recorder wrote it")
}
