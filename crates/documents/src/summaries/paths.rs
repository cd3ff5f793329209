//! Values by call path, so that those inside a path lie side by side.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use crate::profile::values::{Access, Cursor, Values};
use crate::profile::{Profile, Value};

/// The places of call paths depth first.
#[derive(Clone)]
pub(super) struct Inside {
    /// By path, its place, and how many paths are inside it, itself included.
    places: Rc<[(u32, u32)]>,
    /// The path at each place.
    paths: Rc<[u32]>,
}

impl Inside {
    pub(super) fn new(profile: &Profile) -> Self {
        let mut places = vec![(0, 1); profile.call_tree.len()];
        for node in profile.call_tree.iter().rev() {
            if let Some(parent) = node.parent {
                places[parent as usize].1 += places[node.id as usize].1;
            }
        }
        // By path, where the next of those inside it comes; and of the outermost ones.
        let (mut next, mut outermost) = (vec![0; places.len()], 0);
        for node in &profile.call_tree {
            let (place, paths) = &mut places[node.id as usize];
            let free = node.parent.map_or(&mut outermost, |parent| &mut next[parent as usize]);
            *place = *free;
            *free += *paths;
            next[node.id as usize] = *place + 1;
        }
        let mut paths = vec![0; places.len()];
        (0..).zip(&places).for_each(|(path, &(place, _))| paths[place as usize] = path);
        Inside { places: places.into(), paths: paths.into() }
    }

    /// The place of a path alone.
    pub(super) fn own(&self, path: u32) -> Range<u32> {
        let (place, _) = self.places[path as usize];
        place..place + 1
    }

    /// The places of a path and of all inside it.
    pub(super) fn range(&self, path: u32) -> Range<u32> {
        let (place, paths) = self.places[path as usize];
        place..place + paths
    }
}

/// The values of a metric, in the order of the places of their paths.
#[derive(Clone)]
pub(super) struct ByPath<'a>(Form<'a>);

#[derive(Clone)]
enum Form<'a> {
    Memory {
        values: &'a [Value],
        /// The positions of the entries in `values`.
        order: Rc<[u32]>,
        /// By place, where in `order` its values begin; at the end their number.
        begins: Rc<[u32]>,
    },
    File {
        cursor: Rc<RefCell<Cursor<'a>>>,
        inside: Inside,
    },
}

impl<'a> ByPath<'a> {
    pub(super) fn new(values: &'a Values, inside: &Inside) -> Self {
        let values = match values.access() {
            Access::Memory(values) => values,
            Access::File(cursor) => {
                let cursor = Rc::new(RefCell::new(cursor));
                return ByPath(Form::File { cursor, inside: inside.clone() });
            }
        };
        let place = |path: u32| inside.places[path as usize].0 as usize;
        let mut begins = vec![0; inside.places.len() + 1];
        values.iter().for_each(|&(path, ..)| begins[place(path) + 1] += 1);
        for place in 1..begins.len() {
            begins[place] += begins[place - 1];
        }
        let mut next = begins.clone();
        let mut order = vec![0; values.len()];
        for (at, &(path, ..)) in (0..).zip(values) {
            let free: &mut u32 = &mut next[place(path)];
            order[*free as usize] = at;
            *free += 1;
        }
        ByPath(Form::Memory { values, order: order.into(), begins: begins.into() })
    }

    /// Those of these places.
    pub(super) fn values(&self, places: Range<u32>) -> impl Iterator<Item = Value> + use<'_, 'a> {
        let (memory, file) = match &self.0 {
            Form::Memory { values, order, begins } => {
                let [begin, end] = [places.start, places.end].map(|place| begins[place as usize] as usize);
                (Some(order[begin..end].iter().map(|&at| values[at as usize])), None)
            }
            Form::File { cursor, inside } => {
                let paths = &inside.paths[places.start as usize..places.end as usize];
                (None, Some(paths.iter().flat_map(|&path| cursor.borrow_mut().read(path))))
            }
        };
        memory.into_iter().flatten().chain(file.into_iter().flatten())
    }
}
