/** Moves of the timeline: zooming, selecting a span, searching. */
const timelineMoves = (() => {
  const { state, inSeconds, rowHeight, top } = timelineLayout;
  const { draw } = timelinePainter;
  const canvas = by("canvas");

  const fit = (span) => {
    const [begin, end] = span ?? [0, state.picture.duration];
    const margin = (end - begin) * 0.01 || 1;
    show(begin - margin, end + margin);
  };
  const show = (begin, end) => {
    if (!state.picture) return;
    const whole = Math.max(state.picture.duration, 1);
    const least = Math.max(whole / 1e7, 1e-3);
    if (end - begin < least) { const middle = (begin + end) / 2; begin = middle - least / 2; end = middle + least / 2; }
    const most = whole * 1.04;
    if (end - begin > most) { begin = -0.02 * whole; end = 1.02 * whole; }
    if (begin < -0.02 * whole) { end += -0.02 * whole - begin; begin = -0.02 * whole; }
    if (end > 1.02 * whole) { begin -= end - 1.02 * whole; end = 1.02 * whole; }
    state.from = begin; state.to = end;
    by("timeline").dataset.zoom = ((state.to - state.from) / whole).toFixed(4);
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
    state.band = begin === undefined ? null : [Math.max(0, Math.min(begin, end)), Math.min(state.picture.duration, Math.max(begin, end))];
    by("sums").replaceChildren();
    delete by("timeline").dataset.selected;
    if (state.band) {
      const span = `${seconds(inSeconds(state.band[0]))} to ${seconds(inSeconds(state.band[1]))}`;
      by("sums").append(make("b", "", `${span}, ${state.rows.length} locations`), `: ${sumUp(...state.band)}`);
      by("timeline").dataset.selected = span;
    }
    draw();
  };
  /** Bars whose region has this in its name; all others fade. */
  const seek = (text) => {
    const word = text.trim().toLowerCase();
    const isHit = state.picture.regions.map(({ name, label }) => (label ?? name).toLowerCase().includes(word));
    const hits = word ? state.rows.flatMap((row, index) => row.levels.flat().filter((bar) => isHit[bar.region]).map((bar) => ({ ...bar, row: index }))) : [];
    hits.sort((a, b) => a.begin - b.begin || a.row - b.row);
    state.sought = word ? { isHit, hits, at: -1 } : null;
    by("hits").textContent = word ? `${hits.length}` : "";
    draw();
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

  return { fit, show, select, seek, nextHit, scrollTo, zoom, move };
})();
