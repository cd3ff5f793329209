//! Times along a line.

/// A unit of time, and how many of it a second has.
const UNITS: [(&str, f64); 4] = [("s", 1.0), ("ms", 1e3), ("us", 1e6), ("ns", 1e9)];

/// Round times in the `length` seconds after `first`, about so `many`: the seconds from there, and their names, `20 ms`.
pub(super) fn ticks(first: f64, length: f64, many: usize) -> Vec<(f64, String)> {
    if length.is_nan() || length <= 0.0 {
        return Vec::new();
    }
    let least = length / many.max(1) as f64;
    let power = 10f64.powf(least.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|times| times * power);
    let step = step.into_iter().find(|step| *step >= least * (1.0 - 1e-9)).unwrap_or(10.0 * power);
    let (unit, per_second) =
        UNITS.into_iter().find(|(_, per_second)| step * per_second >= 0.999).unwrap_or(UNITS[3]);
    let [from, to] = [first, first + length].map(|time| time / step);
    ((from - 1e-9 * from).ceil() as u64..=(to + 1e-9 * to).floor() as u64)
        .map(|tick| {
            let seconds = tick as f64 * step;
            (seconds - first, format!("{} {unit}", round(seconds * per_second)))
        })
        .collect()
}

/// A number without the errors of arithmetic.
fn round(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_not_beyond_the_end() {
        let names =
            |length, many| ticks(0.0, length, many).into_iter().map(|(_, name)| name).collect::<Vec<_>>();
        assert_eq!(names(0.6, 6), ["0 ms", "100 ms", "200 ms", "300 ms", "400 ms", "500 ms", "600 ms"]);
        assert_eq!(names(0.13, 4), ["0 ms", "50 ms", "100 ms"]);
        assert_eq!(names(7.0, 4), ["0 s", "2 s", "4 s", "6 s"]);
        assert_eq!(names(3e-9, 3), ["0 ns", "1 ns", "2 ns", "3 ns"]);
        assert_eq!(names(0.0, 3), [""; 0]);
        let from = ticks(0.312, 0.1, 4);
        assert_eq!(from.iter().map(|(_, name)| &name[..]).collect::<Vec<_>>(), ["350 ms", "400 ms"]);
        assert!((from[0].0 - 0.038).abs() < 1e-12);
        assert!((ticks(0.0, 0.6, 6)[3].0 - 0.3).abs() < 1e-12);
    }
}
