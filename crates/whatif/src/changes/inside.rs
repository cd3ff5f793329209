//! The position of a location in a selection.

use ats_model::definitions::LocationDefinition;
use ats_model::event::RegionRef;

use super::plan::Selected;

/// The position of a location in a selection, as the teams that it starts have it from the begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Position {
    /// Whether it is in what is selected.
    is_there: bool,
    /// Whether it is in the regions that the selection is limited to.
    is_within: bool,
}

/// A selection, and the position of a location in it.
pub(crate) struct Inside<'p> {
    pub(crate) selected: &'p Selected,
    /// Whether it concerns the location.
    pub(crate) concerns: bool,
    /// The position of the master of its team when it started that.
    inherited: Position,
    /// The number of regions that the selection is limited to, and of selected ones, that the location is in.
    depth_of_limit: u32,
    depth: u32,
    /// Whether it is in the selected segment.
    is_between: bool,
}

impl<'p> Inside<'p> {
    pub(crate) fn new(selected: &'p Selected, definition: &LocationDefinition) -> Self {
        let concerns = selected.has_location(definition);
        let inherited = Position::default();
        Inside { selected, concerns, inherited, depth_of_limit: 0, depth: 0, is_between: false }
    }

    /// Enters a region; returns whether the location came into the selection.
    pub(crate) fn enter(&mut self, region: RegionRef) -> bool {
        let is_one = self.is_selected(region);
        self.depth += u32::from(is_one);
        self.depth_of_limit += u32::from(self.selected.is_limited_to(region));
        is_one && self.depth == 1
    }

    /// Leaves a region; returns whether the location came out of the selection.
    pub(crate) fn leave(&mut self, region: RegionRef) -> bool {
        let is_limit = self.selected.is_limited_to(region);
        self.depth_of_limit = self.depth_of_limit.saturating_sub(u32::from(is_limit));
        let is_one = self.is_selected(region);
        self.depth = self.depth.saturating_sub(u32::from(is_one));
        is_one && self.depth == 0
    }

    /// Passes from one call to the next; returns whether the location came into the selection.
    pub(crate) fn pass(&mut self, from: Option<RegionRef>, to: Option<RegionRef>) -> bool {
        let segment = self.selected.segment();
        self.is_between = self.is_within() && segment.is_some_and(|segment| segment.is_between(from, to));
        self.is_between
    }

    /// Comes to a call; returns whether the location came out of the selection.
    pub(crate) fn end_segment(&mut self) -> bool {
        std::mem::take(&mut self.is_between)
    }

    fn is_selected(&self, region: RegionRef) -> bool {
        self.selected.has_region(region) && self.is_within()
    }

    fn is_within(&self) -> bool {
        !self.selected.is_limited() || self.depth_of_limit > 0 || self.inherited.is_within
    }

    /// Whether the location is in selected regions, or in the selected segment.
    pub(crate) fn is_visiting(&self) -> bool {
        self.depth > 0 || self.is_between
    }

    /// Whether it is there, or in a team that was started there.
    pub(crate) fn is_there(&self) -> bool {
        self.is_visiting() || self.inherited.is_there || self.selected.has_all_regions()
    }

    /// The position of the teams that it starts. Segments are outside of them.
    pub(crate) fn position(&self) -> Position {
        Position { is_there: self.is_there() && !self.is_between, is_within: self.is_within() }
    }

    /// It works for a team whose master is at this position.
    pub(crate) fn inherit(&mut self, position: Position) {
        self.inherited = position;
    }

    pub(crate) fn is_in(&self) -> bool {
        self.concerns && self.is_there()
    }
}
