//! The costs of communication in virtual time, in words: `latency=1us,bandwidth=10GB/s,overhead=200ns,eager=64KiB`,
//! `progress=calls`, `node=4,node-latency=200ns,node-bandwidth=50GB/s` and `collectives=ring`.

use ats_model::mistakes::nearest;
use ats_model::mpi::Progress;
use ats_props::{Bytes, ParameterType, Seconds};
use ats_virtual::{Algorithm, Network, Node};
use thiserror::Error;

/// The keys of its words.
const KEYS: [&str; 9] = [
    "latency",
    "bandwidth",
    "overhead",
    "eager",
    "progress",
    "node",
    "node-latency",
    "node-bandwidth",
    "collectives",
];

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
    /// Nodes of unknown size.
    #[error("give the number of ranks on a node, too, as node=4")]
    Node,
    /// No value, or a second one.
    #[error("give each of {} once, as latency=1us,bandwidth=10GB/s", KEYS.join(", "))]
    Form,
}

fn hint(key: &str) -> String {
    nearest(key, KEYS).map(|near| format!(", did you mean {near}?")).unwrap_or_default()
}

/// Reads a network; what is not said of it is as in [`Network::default`], and within nodes as between them.
///
/// # Errors
/// A key that is none or there twice, a value that cannot be, or nodes of unknown size.
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
    match network_on_known_nodes(text)? {
        Network { node: Some(Node { ranks: None, .. }), .. } => Err(NetworkError::Node),
        network => Ok(network),
    }
}

/// The same, where a trace may tell which ranks share a node.
///
/// # Errors
/// As [`network`], but that nodes may be of unknown size.
pub fn network_on_known_nodes(text: &str) -> Result<Network, NetworkError> {
    let mut network = Network::default();
    let (mut ranks, mut node_latency, mut node_bandwidth) = (None, None, None);
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
            "progress" => {
                let progress = named(value, "progress", &Progress::ALL, Progress::name);
                network.progress = Some(progress.map_err(wrong)?);
            }
            "node" => ranks = Some(number(value).map_err(wrong)?),
            "node-latency" => node_latency = Some(Seconds::parse(value).map_err(wrong)?.0),
            "node-bandwidth" => node_bandwidth = Some(bandwidth(value).map_err(wrong)?),
            _ => {
                let algorithm = named(value, "algorithm", &Algorithm::ALL, Algorithm::name);
                network.collectives = Some(algorithm.map_err(wrong)?);
            }
        }
    }
    network.node = given.iter().any(|key| key.starts_with("node")).then(|| Node {
        ranks,
        latency: node_latency.unwrap_or(network.latency),
        bandwidth: node_bandwidth.unwrap_or(network.bandwidth),
    });
    Ok(network)
}

fn number(text: &str) -> Result<u32, String> {
    let number = text.trim().parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| format!("`{text}` is not a number of ranks; give 1 or more"))
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

/// The member of `all` that a word names.
fn named<T: Copy>(text: &str, kind: &str, all: &[T], name: fn(T) -> &'static str) -> Result<T, String> {
    let word = text.trim();
    all.iter().copied().find(|one| name(*one) == word).ok_or_else(|| {
        let words = || all.iter().map(|one| name(*one));
        let fix = nearest(word, words()).map(|near| format!("did you mean {near}?"));
        let (last, others) = words()
            .collect::<Vec<_>>()
            .split_last()
            .map_or(("", String::new()), |(last, others)| (*last, others.join(", ")));
        format!(
            "`{text}` is not a kind of {kind}; {}",
            fix.unwrap_or_else(|| format!("give {others} or {last}"))
        )
    })
}

/// The network in the words of [`network`]; none where communication costs nothing, and eager limit and progress are
/// the usual ones.
pub fn network_in_words(network: &Network) -> Option<String> {
    let Network { latency, bandwidth, overhead, eager_limit, progress, node, collectives } = *network;
    let usual = Network::default();
    let said = [
        (latency != usual.latency).then(|| format!("latency={latency}")),
        (bandwidth != usual.bandwidth).then(|| format!("bandwidth={bandwidth}B/s")),
        (overhead != usual.overhead).then(|| format!("overhead={overhead}")),
        (eager_limit != usual.eager_limit).then(|| format!("eager={eager_limit}")),
        progress.map(|progress| format!("progress={}", progress.name())),
        node.and_then(|node| Some(format!("node={}", node.ranks?))),
        node.filter(|node| node.latency != latency || node.ranks.is_none())
            .map(|node| format!("node-latency={}", node.latency)),
        node.filter(|node| node.bandwidth != bandwidth)
            .map(|node| format!("node-bandwidth={}B/s", node.bandwidth)),
        collectives.map(|algorithm| format!("collectives={}", algorithm.name())),
    ];
    let said: Vec<String> = said.into_iter().flatten().collect();
    (!said.is_empty()).then(|| said.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_it_is_read_and_said_again() {
        let all = "latency=1us,bandwidth=10GB/s,overhead=200ns,eager=64KiB,progress=calls,\
                   node=4,node-latency=100ns,node-bandwidth=50GB/s,collectives=ring";
        let expected = Network {
            latency: 1e-6,
            bandwidth: 1e10,
            overhead: 2e-7,
            eager_limit: 65536,
            progress: Some(Progress::Calls),
            node: Some(Node { ranks: Some(4), latency: 1e-7, bandwidth: 5e10 }),
            collectives: Some(Algorithm::Ring),
        };
        assert_eq!(network(all), Ok(expected));
        assert_eq!(network(&network_in_words(&expected).unwrap()), Ok(expected));
        assert_eq!(network("eager=0").unwrap(), Network { eager_limit: 0, ..Network::default() });
        assert_eq!(network_in_words(&Network::default()), None);
    }

    #[test]
    fn nodes_are_as_the_network_where_nothing_else_is_said() {
        let on = |ranks| Some(Node { ranks, latency: 1e-6, bandwidth: 1e9 });
        assert_eq!(network("node=2,latency=1us,bandwidth=1GB/s").unwrap().node, on(Some(2)));
        let known = network_on_known_nodes("node-latency=1us,bandwidth=1GB/s").unwrap();
        assert_eq!(known.node, on(None));
        assert_eq!(network_on_known_nodes(&network_in_words(&known).unwrap()), Ok(known));
        assert_eq!(network("node-latency=1us"), Err(NetworkError::Node));
    }

    #[test]
    fn impossible_values_are_reported() {
        let error = |text| network(text).unwrap_err().to_string();
        let key = "a network has no `latnecy`, did you mean latency?; it has latency, bandwidth, overhead, eager, progress, \
                   node, node-latency, node-bandwidth, collectives";
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
            ("node=0", "node: `0` is not a number of ranks; give 1 or more"),
            ("node-bandwidth=1", "node-bandwidth: `1` is not a valid bandwidth"),
            ("collectives=rign", "collectives: `rign` is not a kind of algorithm; did you mean ring?"),
            (
                "collectives=7",
                "collectives: `7` is not a kind of algorithm; give linear, binomial, doubling or ring",
            ),
            ("bandwidth=limit/s", "bandwidth: `limit/s` is not a valid bandwidth"),
        ] {
            assert!(error(text).starts_with(said), "{}", error(text));
        }
    }
}
