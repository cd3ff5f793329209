//! Shares on the command line.

/// The share below which a row of a long table is one of those in its last line: most rows of real programs are smaller, and
/// take a few per cent together. A larger one would hide what a user looks for.
pub(crate) const SMALL: f64 = 0.001;

/// A share from 0 to 1, or in per cent: `1%`.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    let (number, unit) = text.strip_suffix('%').map_or((text, 1.0), |number| (number.trim_end(), 100.0));
    match number.parse::<f64>().map(|number| number / unit) {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("give a share from 0 to 1, such as 0.01 for 1 %".to_owned()),
    }
}
