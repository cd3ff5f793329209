//! Numbers of threads in their process. The one that loaded the recorder is 0; some may be kept for threads to come.

use std::sync::Mutex;

use crate::library;
use crate::lock::lock;

/// Whether each number is taken.
static TAKEN: Mutex<Vec<bool>> = Mutex::new(Vec::new());

/// Gives a thread a number: `wanted` if that is free.
pub(crate) fn take(wanted: Option<u32>) -> u32 {
    let mut taken = lock(&TAKEN);
    reserve_in(&mut taken, 1);
    let free = wanted.filter(|&number| number > 0 && taken.get(number as usize) == Some(&false));
    let number = match free {
        Some(number) => number,
        None if library::on_first_thread() => 0,
        None => {
            taken.push(false);
            taken.len() as u32 - 1
        }
    };
    taken[number as usize] = true;
    number
}

/// Takes back the number of a thread that is gone.
pub(crate) fn give_back(number: u32) {
    lock(&TAKEN)[number as usize] = false;
}

/// Keeps the numbers below `numbers` for the threads of the first thread's teams.
pub(crate) fn reserve(numbers: u32) {
    reserve_in(&mut lock(&TAKEN), numbers as usize);
}

fn reserve_in(taken: &mut Vec<bool>, numbers: usize) {
    if taken.len() < numbers {
        taken.resize(numbers, false);
    }
}
