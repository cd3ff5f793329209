//! Makes every call of the real engine on an MPI library and verifies the data: `mpirun -np 4 conformance`. Ends with
//! a message and a non-zero exit code on the first mismatch. With a name it does something that is not allowed
//! (`misuse`).

mod check;
mod collectives;
mod delivery;
mod harness;
mod misuse;
mod neighbors;
mod patterns;
mod point_to_point;
mod requests;

use ats_mpi::Communicator;
use ats_mpi::real::Universe;

fn main() {
    let universe = Universe::init().expect("MPI starts");
    let world = universe.world();
    if let Some(name) = std::env::args().nth(1) {
        return misuse::by_name(&world, &name);
    }
    suite(&world);
    let halves =
        world.split(Some(world.rank() as u32 % 2), -(world.rank() as i32)).expect("a colour was given");
    assert_eq!(
        halves.size(),
        world.size().div_ceil(2) - usize::from(world.size() % 2 == 1 && world.rank() % 2 == 1)
    );
    suite(&*halves);
    assert!(world.split(None, 0).is_none(), "no colour, no communicator");
    suite(&*world.dup());
    harness::check(&world);
    delivery::check(&world);
    if world.rank() == 0 {
        println!("conformance on {} ranks of {}: ok", world.size(), ats_mpi::real::library_version());
    }
}

fn suite(c: &dyn Communicator) {
    point_to_point::check(c);
    requests::check(c);
    collectives::check(c, false);
    collectives::check(c, true);
    neighbors::check(c);
    patterns::check(c);
}
