/** Moves of the timeline: zooming, selecting a span, searching. */
const timelineMoves = (() => {
  const { state, inSeconds, rowHeight, top, find } = timelineLayout;
  const { draw } = timelinePainter;
  const canvas = by("canvas");

  /** Begin and end of all that is there. */
  const whole = () => [state.picture.begin, state.picture.duration];
  const fit = (span) => {
    const [begin, end] = span ?? whole();
    const margin = (end - begin) * 0.01 || 1;
    show(begin - margin, end + margin);
  };
  const show = (begin, end) => {
    if (!state.picture) return;
    const [first, last] = whole(), length = Math.max(last - first, 1);
    const least = Math.max(length / 1e7, 1e-3);
    if (end - begin < least) { const middle = (begin + end) / 2; begin = middle - least / 2; end = middle + least / 2; }
    const [left, right] = [first - 0.02 * length, first + 1.02 * length];
    if (end - begin > right - left) { begin = left; end = right; }
    if (begin < left) { end += left - begin; begin = left; }
    if (end > right) { begin -= end - right; end = right; }
    state.from = begin; state.to = end;
    by("timeline").dataset.zoom = ((state.to - state.from) / length).toFixed(4);
    keepAddress();
    draw();
  };
  /** What is done in a span, over all rows. */
  const sumUp = (begin, end) => {
    const within = (one) => Math.max(0, Math.min(one.end, end) - Math.max(one.begin, begin));
    const sums = new Map();
    const add = (name, ticks) => ticks > 0 && sums.set(name, (sums.get(name) ?? 0) + ticks);
    for (const row of state.rows) {
      for (const span of row.spans) add(span.doing === "work" ? "Work" : span.doing === "nothing" ? "No work for a thread" : kindTitles[span.doing], within(span));
      for (const wait of row.waits) {
        const share = within(wait) / Math.max(1, wait.end - wait.begin);
        add(`waiting: ${data.properties[program.rows[wait.finding].property].title}`, wait.waited * share);
      }
    }
    const total = (end - begin) * state.rows.length;
    const parts = [...sums].sort((a, b) => a[0].startsWith("waiting") - b[0].startsWith("waiting") || b[1] - a[1]);
    return parts.map(([name, ticks]) => `${name} ${seconds(inSeconds(ticks))} (${percent(ticks / total)})`).join("  ·  ");
  };
  const select = (begin, end) => {
    state.band = begin === undefined ? null : [Math.max(whole()[0], Math.min(begin, end)), Math.min(whole()[1], Math.max(begin, end))];
    by("sums").replaceChildren();
    delete by("timeline").dataset.selected;
    if (state.band) {
      const span = `${seconds(inSeconds(state.band[0]))} to ${seconds(inSeconds(state.band[1]))}`;
      by("sums").append(make("b", "", `${span}, ${state.rows.length} locations`), `: ${sumUp(...state.band)}`);
      by("timeline").dataset.selected = span;
    }
    draw();
  };
  /** The bars that are sought, and intervals between bars; all other bars fade. */
  const seekBars = (isHit, gaps = []) => {
    const bars = isHit ? state.rows.flatMap((row, index) => row.levels.flat().filter(isHit).map((bar) => ({ ...bar, row: index }))) : [];
    const hits = [...bars, ...gaps].sort((a, b) => a.begin - b.begin || a.row - b.row);
    state.sought = isHit ? { isHit, gaps, hits, at: -1 } : null;
    by("hits").textContent = isHit ? `${hits.length}` : "";
    draw();
  };
  /** Bars whose region has this in its name. */
  const seek = (text) => {
    const word = text.trim().toLowerCase();
    const has = state.picture.regions.map(({ name, label }) => (label ?? name).toLowerCase().includes(word));
    seekBars(word && ((bar) => has[bar.region]));
  };
  /** Bars at the end of a call path, of which each run has its own, or the intervals between two calls that its end names. Names
      that no bar has are left out: a trace may know functions by their calls alone. */
  const seekPaths = (paths) => {
    const { regions } = state.picture;
    const isNamed = (bar, name) => bar && [regions[bar.region].name, regions[bar.region].label].includes(name);
    const known = new Set(regions.flatMap(({ name, label }) => [name, label]));
    const among = new Set(), gaps = [];
    state.rows.forEach(({ run, levels }, row) => {
      const whole = paths[run === "B" ? 1 : 0];
      const path = whole.filter((name) => known.has(name)), ends = whole.at(-1)?.match(/ between (\S+) and (\S+)$/);
      const isAround = (bar, up) => isNamed(find(levels[bar.level - up] ?? [], (bar.begin + bar.end) / 2), path.at(-1 - up));
      const isAtEnd = (bar) => path.length > 0 && isNamed(bar, path.at(-1)) && path.slice(1).every((_, at) => isAround(bar, at + 1));
      if (!ends) { for (const bar of levels.flat()) if (isAtEnd(bar)) among.add(bar); return; }
      const isAt = (bar, place) => regions[bar.region].label?.endsWith(`(${place})`);
      const calls = levels.flat().filter((bar) => regions[bar.region].label).sort((a, b) => a.begin - b.begin);
      calls.slice(1).forEach((next, at) => {
        const { end } = calls[at];
        if (isAt(calls[at], ends[1]) && isAt(next, ends[2]) && end < next.begin) gaps.push({ row, begin: end, end: next.begin });
      });
    });
    seekBars((bar) => among.has(bar), gaps);
  };
  const nextHit = () => {
    if (!state.sought?.hits.length) return;
    state.sought.at = (state.sought.at + 1) % state.sought.hits.length;
    const hit = state.sought.hits[state.sought.at], length = Math.max(1, hit.end - hit.begin);
    by("hits").textContent = `${state.sought.at + 1} of ${state.sought.hits.length}`;
    show(hit.begin - length, hit.end + length);
    scrollTo(hit.row);
  };
  const scrollTo = (row) => {
    const scroller = canvas.parentElement, y = top(row);
    if (y < scroller.scrollTop || y + rowHeight(row) > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = y - scroller.clientHeight / 2;
  };
  const zoom = (factor, around = (state.from + state.to) / 2) => show(around - (around - state.from) * factor, around + (state.to - around) * factor);
  const move = (share) => { const by = (state.to - state.from) * share; show(state.from + by, state.to + by); };

  return { fit, show, select, seek, seekBars, seekPaths, nextHit, scrollTo, zoom, move };
})();
