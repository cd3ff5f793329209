//! The costs of operations in virtual time, in words: `miss=80ns,l1=32KiB`.

use ats_model::mistakes::nearest;
use ats_props::{Bytes, ParameterType, Seconds};
use ats_virtual::{CostKey, Costs};

/// Reads costs; those that are not named are as in [`Costs::default`].
///
/// # Errors
/// A key is unknown or there twice, or a value is wrong.
///
/// # Examples
/// ```
/// use ats_truth::{costs, costs_in_words};
///
/// let slow = costs("miss=100ns,l1=64KiB")?;
/// assert_eq!((slow.miss, slow.l1), (1e-7, 65536.0));
/// assert_eq!(costs(&costs_in_words(&slow).unwrap())?, slow);
/// # Ok::<(), String>(())
/// ```
pub fn costs(text: &str) -> Result<Costs, String> {
    let mut costs = Costs::default();
    let mut given = Vec::new();
    for part in text.split(',') {
        let form = || format!("`{part}` is no cost; write name=value, as miss=80ns");
        let (name, value) = part.split_once('=').ok_or_else(form)?;
        let key = key(name.trim())?;
        if given.contains(&key.name) {
            return Err(format!("`{}` is given twice", key.name));
        }
        given.push(key.name);
        *(key.field)(&mut costs) = parsed(key, value).map_err(|reason| format!("{}: {reason}", key.name))?;
    }
    Ok(costs)
}

fn key(name: &str) -> Result<&'static CostKey, String> {
    let names = || Costs::KEYS.iter().map(|key| key.name);
    Costs::KEYS.iter().find(|key| key.name == name).ok_or_else(|| {
        let near = nearest(name, names()).map(|near| format!(", did you mean {near}?")).unwrap_or_default();
        format!("there is no cost `{name}`{near}; there are {}", names().collect::<Vec<_>>().join(", "))
    })
}

fn parsed(key: &CostKey, value: &str) -> Result<f64, String> {
    if !key.is_bytes {
        return Ok(Seconds::parse(value)?.0);
    }
    let bytes = Bytes::parse(value)?.exactly();
    Ok(bytes.ok_or_else(|| format!("`{value}` is no size; give a number of bytes, as 32KiB"))? as f64)
}

/// Costs in the words of [`costs`]; none if all are the usual ones.
pub fn costs_in_words(costs: &Costs) -> Option<String> {
    let (mut costs, mut usual) = (*costs, Costs::default());
    let mut words = Vec::new();
    for key in Costs::KEYS {
        let (value, usual) = (*(key.field)(&mut costs), *(key.field)(&mut usual));
        if value != usual {
            words.push(format!("{}={value}", key.name));
        }
    }
    (!words.is_empty()).then(|| words.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_named() {
        for (text, said) in [
            ("mis=1ns", "there is no cost `mis`, did you mean miss?"),
            ("miss", "`miss` is no cost; write name=value"),
            ("miss=1ns,miss=2ns", "`miss` is given twice"),
            ("miss=fast", "miss: "),
            ("l1=limit", "l1: `limit` is no size"),
        ] {
            let error = costs(text).unwrap_err();
            assert!(error.starts_with(said), "{error}");
        }
        assert_eq!(costs_in_words(&Costs::default()), None);
        assert_eq!(costs_in_words(&costs("miss=0.0000001").unwrap()).unwrap(), "miss=0.0000001");
    }
}
