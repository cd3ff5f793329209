//! The costs of communication in virtual time, in words: `latency=1us,bandwidth=10GB/s,overhead=200ns,eager=64KiB`,
//! and `progress=calls`.

use ats_model::mistakes::nearest;
use ats_model::mpi::Progress;
use ats_props::{Bytes, ParameterType, Seconds};
use ats_virtual::Network;
use thiserror::Error;

/// The keys of its words.
const KEYS: [&str; 5] = ["latency", "bandwidth", "overhead", "eager", "progress"];

/// Why words say no network.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NetworkError {
    /// There is no such key.
    #[error("a network has no `{key}`{}; it has {}", hint(.key), KEYS.join(", "))]
    Key {
        /// The key that was given.
        key: String,
    },
    /// A value that cannot be.
    #[error("{key}: {reason}")]
    Value {
        /// The key.
        key: &'static str,
        /// The mistake in its value.
        reason: String,
    },
    /// No value, or a second one.
    #[error("give each of {} once, as latency=1us,bandwidth=10GB/s", KEYS.join(", "))]
    Form,
}

fn hint(key: &str) -> String {
    nearest(key, KEYS).map(|near| format!(", did you mean {near}?")).unwrap_or_default()
}

/// Reads a network; what is not said of it is as in [`Network::default`].
///
/// # Errors
/// A key that is none or there twice, or a value that cannot be.
///
/// # Examples
/// ```
/// use ats_truth::{network, network_in_words};
///
/// let slow = network("latency=1us,bandwidth=10GB/s,eager=64KiB")?;
/// assert_eq!((slow.latency, slow.bandwidth, slow.eager_limit), (1e-6, 1e10, 65536));
/// assert_eq!(network(&network_in_words(&slow).unwrap())?, slow);
/// # Ok::<(), ats_truth::NetworkError>(())
/// ```
pub fn network(text: &str) -> Result<Network, NetworkError> {
    let mut network = Network::default();
    let mut given = Vec::new();
    for part in text.split(',') {
        let (name, value) = part.split_once('=').ok_or(NetworkError::Form)?;
        let name = name.trim();
        let key = KEYS.into_iter().find(|key| *key == name);
        let key = key.ok_or_else(|| NetworkError::Key { key: name.to_owned() })?;
        if given.contains(&key) {
            return Err(NetworkError::Form);
        }
        given.push(key);
        let wrong = |reason| NetworkError::Value { key, reason };
        match key {
            "latency" => network.latency = Seconds::parse(value).map_err(wrong)?.0,
            "overhead" => network.overhead = Seconds::parse(value).map_err(wrong)?.0,
            "bandwidth" => network.bandwidth = bandwidth(value).map_err(wrong)?,
            "eager" => network.eager_limit = bytes(value).map_err(wrong)? as usize,
            _ => network.progress = Some(progress(value).map_err(wrong)?),
        }
    }
    Ok(network)
}

fn bytes(text: &str) -> Result<u64, String> {
    let unknown = || format!("`{text}` cannot define the limit itself; give a number of bytes, as 64KiB");
    Bytes::parse(text)?.exactly().ok_or_else(unknown)
}

fn bandwidth(text: &str) -> Result<f64, String> {
    match text.trim().strip_suffix("/s").map(bytes) {
        Some(Ok(bytes)) if bytes > 0 => Ok(bytes as f64),
        _ => Err(format!("`{text}` is not a valid bandwidth; give bytes per second above 0, as 10GB/s")),
    }
}

fn progress(text: &str) -> Result<Progress, String> {
    let word = text.trim();
    Progress::ALL.into_iter().find(|progress| progress.name() == word).ok_or_else(|| {
        let words = Progress::ALL.map(Progress::name);
        let fix = nearest(word, words).map(|near| format!("did you mean {near}?"));
        format!(
            "`{text}` is not a kind of progress; {}",
            fix.unwrap_or_else(|| format!("give {}", words.join(" or ")))
        )
    })
}

/// The network in the words of [`network`]; none where communication costs nothing, and eager limit and progress are
/// the usual ones.
pub fn network_in_words(network: &Network) -> Option<String> {
    let Network { latency, bandwidth, overhead, eager_limit, progress } = *network;
    let usual = Network::default();
    let said = [
        (latency != usual.latency).then(|| format!("latency={latency}")),
        (bandwidth != usual.bandwidth).then(|| format!("bandwidth={bandwidth}B/s")),
        (overhead != usual.overhead).then(|| format!("overhead={overhead}")),
        (eager_limit != usual.eager_limit).then(|| format!("eager={eager_limit}")),
        progress.map(|progress| format!("progress={}", progress.name())),
    ];
    let said: Vec<String> = said.into_iter().flatten().collect();
    (!said.is_empty()).then(|| said.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_it_is_read_and_said_again() {
        let all = "latency=1us,bandwidth=10GB/s,overhead=200ns,eager=64KiB,progress=calls";
        let (overhead, progress) = (2e-7, Some(Progress::Calls));
        let expected = Network { latency: 1e-6, bandwidth: 1e10, overhead, eager_limit: 65536, progress };
        assert_eq!(network(all), Ok(expected));
        assert_eq!(network(&network_in_words(&expected).unwrap()), Ok(expected));
        assert_eq!(network("eager=0").unwrap(), Network { eager_limit: 0, ..Network::default() });
        assert_eq!(network_in_words(&Network::default()), None);
    }

    #[test]
    fn impossible_values_are_reported() {
        let error = |text| network(text).unwrap_err().to_string();
        let key = "a network has no `latnecy`, did you mean latency?; it has latency, bandwidth, overhead, eager, progress";
        assert_eq!(error("latnecy=1us"), key);
        for text in ["", "latency", "latency=1us,latency=2us", "latency=1us,"] {
            assert!(error(text).starts_with("give each of latency"), "{text}");
        }
        for (text, said) in [
            ("latency=-1us", "latency: `-1us` is out of range"),
            ("overhead=fast", "overhead: "),
            ("bandwidth=10GB", "bandwidth: `10GB` is not a valid bandwidth"),
            ("bandwidth=0B/s", "bandwidth: `0B/s` is not a valid bandwidth"),
            ("eager=-1", "eager: `-1` is not a valid amount of data"),
            ("eager=limit", "eager: `limit` cannot define the limit itself"),
            ("progress=call", "progress: `call` is not a kind of progress; did you mean calls?"),
            ("progress=7", "progress: `7` is not a kind of progress; give always or calls"),
            ("bandwidth=limit/s", "bandwidth: `limit/s` is not a valid bandwidth"),
        ] {
            assert!(error(text).starts_with(said), "{}", error(text));
        }
    }
}
