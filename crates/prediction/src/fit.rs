//! Models of points: terms in the parameters, chosen by the points that they would have predicted.
