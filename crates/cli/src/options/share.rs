//! Shares on the command line.

/// A share from 0 to 1.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("give a share from 0 to 1, such as 0.01 for 1 %".to_owned()),
    }
}
