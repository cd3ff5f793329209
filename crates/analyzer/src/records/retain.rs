//! Lists that lose items, and the new numbers of the others.

/// The numbers of items once those that are not kept are gone.
pub(crate) fn numbers(kept: &[bool]) -> Vec<u32> {
    let mut next = 0;
    let number = |&is_kept: &bool| {
        let number = next;
        next += u32::from(is_kept);
        number
    };
    kept.iter().map(number).collect()
}

/// Rids a list of the items that are not kept.
pub(crate) fn retain<T>(items: &mut Vec<T>, kept: &[bool]) {
    let mut kept = kept.iter();
    items.retain(|_| kept.next().copied().unwrap_or(true));
    if items.capacity() > 4 * items.len() + 1024 {
        items.shrink_to(2 * items.len());
    }
}
