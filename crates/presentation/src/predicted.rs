//! Predicted times over a parameter, beside those that their model was made of.

use ats_documents::prediction::PredictedSize;
use ats_documents::{Models, Prediction};

use crate::curves::{Form, Line, Picture, Point};

/// Draws the time of the program over the parameter that was varied, as an SVG file of its own: the prediction in the area of its
/// bounds, and the runs that the models were made of. `None` if no parameter was varied.
pub fn prediction_svg(document: &Prediction, models: Option<&Models>) -> Option<String> {
    let [first, .., last] = &document.sizes[..] else { return None };
    let is_varied = |(name, value): &(&String, &f64)| last.parameters.get(*name) != Some(*value);
    let (name, _) = first.parameters.iter().find(is_varied)?;
    let sizes: Vec<(f64, &PredictedSize)> =
        document.sizes.iter().filter_map(|size| Some((*size.parameters.get(name)?, size))).collect();
    let runs = models.map(|models| runs(models, name, first)).unwrap_or_default();
    let all = || sizes.iter().map(|(at, _)| *at).chain(runs.iter().map(|(at, _)| *at));
    let [least, most] = [all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max)];
    // Values double at equal steps, as those that are predicted.
    let across = |at: f64| (at / least).ln() / (most / least).ln();
    let point = |at: f64, value: f64, spread| Point {
        across: across(at),
        value,
        spread,
        is_marked: false,
        title: format!("{name}={at}: {value:.4} s"),
    };
    let predicted = |(at, size): &(f64, &PredictedSize)| {
        let time = size.whole.time;
        point(*at, time.value, Some([time.low, time.high]))
    };
    let measured = |(at, seconds): &(f64, Vec<f64>)| {
        let [low, high] =
            [f64::min as fn(f64, f64) -> f64, f64::max].map(|of| seconds.iter().copied().reduce(of));
        let mean = seconds.iter().sum::<f64>() / seconds.len() as f64;
        point(*at, mean, low.zip(high).filter(|(low, high)| low < high).map(|(low, high)| [low, high]))
    };
    let model = models.and_then(|models| models.whole.time.as_ref());
    let model = model.map(|model| format!("predicted, by {}", model.expression));
    let mut lines = vec![Line {
        name: model.unwrap_or_else(|| "predicted".to_owned()),
        points: sizes.iter().map(predicted).collect(),
        form: Form::Area,
    }];
    if !runs.is_empty() {
        let points = runs.iter().map(measured).collect();
        lines.push(Line { name: "measured".to_owned(), points, form: Form::Dots });
    }
    let application = models.map_or(document.source.as_str(), |models| models.application.as_str());
    let picture = Picture {
        title: &format!("{application}: time in seconds"),
        across: sizes.iter().map(|(at, _)| (across(*at), at.to_string())).collect(),
        lines,
        over: name,
        omitted: 0,
        in_percent: false,
        mark: None,
    };
    Some(picture.svg())
}

/// The times of the runs that differ from the size in one parameter alone, by its value.
fn runs(models: &Models, name: &str, size: &PredictedSize) -> Vec<(f64, Vec<f64>)> {
    let names = || models.parameters.iter().map(|parameter| &parameter.name);
    let Some(place) = names().position(|of| of == name) else { return Vec::new() };
    let is_like = |values: &[f64]| {
        names().zip(values).all(|(of, value)| of == name || size.parameters.get(of) == Some(value))
    };
    let points = models.whole.time.iter().flat_map(|time| &time.points);
    let alike = points.filter(|point| is_like(&point.values) && !point.measured.is_empty());
    alike.map(|point| (point.values[place], point.measured.clone())).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use ats_documents::models::{ModelParameter, ModelPoint, Modelled, RegionModels};
    use ats_documents::prediction::{Bounded, PredictedCosts};

    use super::*;

    fn sizes(of: &[(f64, [f64; 3])]) -> Prediction {
        let size = |&(ranks, [low, value, high]): &(f64, [f64; 3])| PredictedSize {
            parameters: BTreeMap::from([("ranks".to_owned(), ranks), ("n".to_owned(), 100.0)]),
            whole: PredictedCosts { time: Bounded::new(value, [low, high]), ..PredictedCosts::default() },
            ..PredictedSize::default()
        };
        Prediction {
            source: "models.json".to_owned(),
            sizes: of.iter().map(size).collect(),
            ..Prediction::default()
        }
    }

    fn models() -> Models {
        let point = |values: [f64; 2], measured: &[f64]| ModelPoint {
            values: values.to_vec(),
            measured: measured.to_vec(),
        };
        let parameter = |name: &str| ModelParameter { name: name.to_owned(), values: Vec::new() };
        let time = Modelled {
            expression: "40 * ranks^-1".to_owned(),
            points: vec![
                point([100.0, 4.0], &[10.0, 11.0]),
                point([100.0, 8.0], &[5.0]),
                point([200.0, 8.0], &[44.0]),
            ],
            ..Modelled::default()
        };
        Models {
            application: "heat".to_owned(),
            parameters: vec![parameter("n"), parameter("ranks")],
            whole: RegionModels { time: Some(time), ..RegionModels::default() },
            ..Models::default()
        }
    }

    #[test]
    fn points_model_and_bounds_are_in_one_picture() {
        let of = sizes(&[(4.0, [9.0, 10.0, 12.0]), (8.0, [4.5, 5.0, 6.0]), (16.0, [1.0, 2.5, 4.0])]);
        insta::assert_snapshot!(prediction_svg(&of, Some(&models())).unwrap());
    }

    #[test]
    fn runs_of_other_sizes_and_single_sizes_are_not_drawn() {
        let of = sizes(&[(4.0, [9.0, 10.0, 12.0]), (8.0, [4.5, 5.0, 6.0])]);
        let drawn = prediction_svg(&of, Some(&models())).unwrap();
        assert_eq!(drawn.matches("<circle ").count(), 2 + 1, "two points, and the legend: {drawn}");
        assert!(!prediction_svg(&of, None).unwrap().contains("<circle"));
        assert_eq!(prediction_svg(&sizes(&[(4.0, [9.0, 10.0, 12.0])]), None), None);
        assert_eq!(prediction_svg(&sizes(&[]), None), None);
    }
}
