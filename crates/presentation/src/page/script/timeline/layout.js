/** The state of the timeline, and the places of rows and times on its canvas. */
const kindTitles = Object.fromEntries(data.kinds.map(({ kind, title }) => [kind, title]));

const timelineLayout = (() => {
  const LEVEL = 14, AXIS = 30, BETWEEN = 14;
  /** More rows than these are so low without levels that those of 64 locations are seen at once. */
  const MANY = 24;
  const state = {
    picture: null, rows: [], messages: [], tops: [],
    from: 0, to: 1, width: 0, gutter: 80,
    /** The heights of a row without levels, of the strip below a row, and of what is between two rows. */
    flat: 18, lane: 5, gap: 11,
    hasLevels: true, hasLines: true,
    /** The parts of the critical path: row, begin and end; and whether it is drawn. */
    critical: [], hasCritical: false,
    isChosen: () => true, chosenLocation: "", chosenWaits: [], current: -1,
    /** The numbers of the rows from top to bottom, and the end of the last one. */
    sequence: [], bottom: 0, order: "rank",
    /** The span that was drawn on the axis, and the regions that match the search. */
    band: null, sought: null,
    /** The rows and the interval of the chosen problem, and the view before it was chosen. */
    marked: null,
  };

  const inSeconds = (ticks) => ticks / state.picture.resolution;
  const depth = (row) => Math.max(1, row.levels.length);
  const rowHeight = (index) => (state.hasLevels ? depth(state.rows[index]) * LEVEL : state.flat) + state.lane + state.gap;
  const layOut = () => {
    const isLow = !state.hasLevels && state.rows.length > MANY;
    [state.flat, state.lane, state.gap] = isLow ? [5, 3, 2] : [18, 5, 11];
    state.bottom = AXIS;
    state.sequence.forEach((index, at) => {
      const before = state.rows[state.sequence[at - 1]];
      if (before && before.run !== state.rows[index].run) state.bottom += BETWEEN;
      state.tops[index] = state.bottom;
      state.bottom += rowHeight(index);
    });
  };
  /** The number of the row at this height. */
  const rowAt = (y) => state.sequence.findLast((index) => state.tops[index] <= y);
  /** By rank and thread, or those first that wait most in what is chosen; those of one run stay together. */
  const sort = () => {
    const waited = state.rows.map(() => 0);
    for (const wait of state.chosenWaits) waited[wait.row] += wait.waited;
    state.sequence = state.rows.map((_, index) => index);
    if (state.order === "waiting") state.sequence.sort((a, b) => (state.rows[a].run === "B") - (state.rows[b].run === "B") || waited[b] - waited[a] || a - b);
    by("timeline").dataset.order = state.sequence.map((index) => `${state.rows[index].rank}.${state.rows[index].thread}`).join(" ");
    layOut();
  };
  const x = (time) => state.gutter + ((time - state.from) / (state.to - state.from)) * (state.width - state.gutter);
  const time = (position) => state.from + ((position - state.gutter) / (state.width - state.gutter)) * (state.to - state.from);
  const top = (row) => state.tops[row];
  const anchor = (row) => top(row) + (rowHeight(row) - state.gap) / 2;
  /** The bar of a level at a time. */
  const find = (all, at) => {
    let low = 0, high = all.length;
    while (low < high) { const middle = (low + high) >> 1; if (all[middle].begin <= at) low = middle + 1; else high = middle; }
    // Calls that take no time may stand between.
    for (let i = low - 1; i >= Math.max(0, low - 4); i -= 1) if (all[i].end >= at) return all[i];
    return undefined;
  };
  return { LEVEL, AXIS, state, inSeconds, depth, rowHeight, layOut, rowAt, sort, x, time, top, anchor, find };
})();
