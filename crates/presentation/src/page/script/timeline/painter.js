/** The timeline on its canvas. */
const timelinePainter = (() => {
  const { LEVEL, AXIS, state, inSeconds, rowHeight, x, top, anchor, find } = timelineLayout;
  const canvas = by("canvas");
  const context = canvas.getContext("2d");
  let hatch = null;
  const hatched = () => {
    const tile = make("canvas");
    tile.width = tile.height = 8;
    const pen = tile.getContext("2d");
    pen.strokeStyle = colour("wait");
    pen.lineWidth = 2;
    for (const shift of [-8, 0, 8]) { pen.beginPath(); pen.moveTo(shift - 2, 10); pen.lineTo(shift + 10, -2); pen.stroke(); }
    return context.createPattern(tile, "repeat");
  };

  let frame = 0;
  const draw = () => {
    if (!frame) frame = requestAnimationFrame(() => { frame = 0; paint(); });
  };
  const paint = () => {
    if (!state.picture || by("view").hidden) return;
    const ratio = Math.min(devicePixelRatio || 1, 3);
    state.width = canvas.parentElement.clientWidth;
    if (!state.width) return;
    state.gutter = state.width < 520 ? 46 : 84;
    const height = state.bottom + 4;
    // Browsers draw nothing on a canvas that is too high.
    const scale = Math.min(ratio, 16000 / height);
    canvas.width = Math.round(state.width * scale);
    canvas.height = Math.round(height * scale);
    canvas.style.height = `${height}px`;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, state.width, height);
    hatch = hatched();
    const font = getComputedStyle(document.body).fontFamily;
    context.textBaseline = "middle";
    axis(height, font);
    context.save();
    context.beginPath();
    context.rect(state.gutter, 0, state.width - state.gutter, height);
    context.clip();
    state.rows.forEach((row, index) => bars(row, index, font));
    gaps();
    if (state.hasLines) { collectives(); messages(); }
    if (state.hasCritical) critical();
    partner();
    const { worst } = state.marked ?? {};
    for (const [begin, end] of [worst && [worst.begin, worst.end], state.band].filter(Boolean)) {
      context.globalAlpha = 0.13;
      context.fillStyle = colour("accent");
      context.fillRect(x(begin), 0, x(end) - x(begin), height);
      context.globalAlpha = 1;
    }
    context.restore();
    labels(font);
    canvas.setAttribute("aria-label", `${state.rows.length} locations, ${seconds(inSeconds(Math.max(0, state.from)))} to ${seconds(inSeconds(Math.min(state.to, state.picture.duration)))}, ${state.chosenWaits.length} waits marked`);
  };

  const axis = (height, font) => {
    context.font = `11px ${font}`;
    const span = inSeconds(state.to - state.from);
    const rough = span / Math.max(2, (state.width - state.gutter) / 110);
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? power * 10;
    const [scale, unit] = step >= 0.5 ? [1, "s"] : step >= 5e-4 ? [1e3, "ms"] : step >= 5e-7 ? [1e6, "µs"] : [1e9, "ns"];
    const digits = Math.max(0, -Math.floor(Math.log10(step * scale) + 1e-9));
    context.strokeStyle = colour("line");
    context.fillStyle = colour("quiet");
    context.lineWidth = 1;
    context.textAlign = "center";
    const first = Math.ceil(inSeconds(Math.max(state.picture.begin, state.from)) / step - 1e-9);
    for (let i = first; i * step <= inSeconds(Math.min(state.to, state.picture.duration)) + 1e-15; i += 1) {
      const at = Math.round(x(i * step * state.picture.resolution)) + 0.5;
      if (at < state.gutter - 1) continue;
      context.beginPath(); context.moveTo(at, AXIS - 8); context.lineTo(at, height); context.stroke();
      const label = `${(i * step * scale).toFixed(digits)} ${unit}`;
      const half = context.measureText(label).width / 2;
      if (at - half > 0 && at + half < state.width) context.fillText(label, at, 11);
    }
  };

  const bars = (row, index, font) => {
    const y0 = top(index);
    const isDimmed = state.chosenLocation !== "" && state.chosenLocation !== `${row.rank}.${row.thread}`;
    context.globalAlpha = isDimmed ? 0.35 : 1;
    context.font = `10.5px ${font}`;
    context.textAlign = "left";
    const names = [], causing = lit.locations.get(`${row.rank}.${row.thread}`);
    row.levels.forEach((all, level) => {
      const y = y0 + (state.hasLevels ? level * LEVEL : 0);
      const height = state.hasLevels ? LEVEL - 1 : state.flat;
      let drawn = -1;
      for (const bar of all) {
        if (bar.end < state.from || bar.begin > state.to) continue;
        const left = Math.max(x(bar.begin), state.gutter - 2), right = Math.min(x(bar.end), state.width + 2);
        if (right - left < 0.6 && right <= drawn) continue;
        drawn = Math.ceil(Math.max(right, left + 0.6));
        const { name, kind } = state.picture.regions[bar.region];
        context.fillStyle = colour(kind === "user" ? `user${level % 3}` : kind);
        context.globalAlpha = (isDimmed ? 0.35 : 1) * (state.sought && !state.sought.isHit(bar) ? 0.25 : 1);
        const space = right - left > 4 ? 0.7 : 0;
        context.fillRect(left, y, Math.max(right - left - space, 0.6), height);
        if (causing?.has(name)) { context.fillStyle = colour("cause"); context.fillRect(left, y + height - 3, Math.max(right - left - space, 0.6), 3); }
        if (right - left > 34 && height > 10 && (state.hasLevels || level === row.levels.length - 1)) {
          names.push([bar.calls > 1 ? `${bar.calls} calls, longest ${name}` : name, left, right, y, height, kind]);
        }
      }
    });
    const lane = y0 + rowHeight(index) - state.gap - state.lane;
    context.globalAlpha = isDimmed ? 0.35 : 1;
    context.fillStyle = colour("work");
    let drawn = -1;
    for (const span of row.spans) {
      if (span.doing !== "work" || span.end < state.from || span.begin > state.to) continue;
      const left = Math.max(x(span.begin), state.gutter - 2), right = Math.min(Math.max(x(span.end), left + 0.6), state.width + 2);
      if (right <= drawn) continue;
      drawn = right;
      context.fillRect(left, state.hasLevels ? lane + 1 : y0, right - left, state.hasLevels ? state.lane - 1 : state.flat);
    }
    for (const wait of row.waits) {
      if (wait.end < state.from || wait.begin > state.to) continue;
      const left = x(wait.begin), right = Math.max(x(wait.end), left + 1);
      const isOn = state.isChosen(wait.finding);
      context.globalAlpha = isDimmed || !isOn ? 0.16 : 1;
      context.fillStyle = colour("wait");
      context.fillRect(left, lane + 1, right - left, state.lane - 1);
      if (isOn) {
        context.globalAlpha = isDimmed ? 0.1 : 0.45;
        context.fillStyle = hatch;
        const y = state.hasLevels ? y0 + waitLevel(row, wait) * LEVEL : y0;
        context.fillRect(left, y, right - left, state.hasLevels ? LEVEL - 1 : lane - y);
      }
      if (wait === state.chosenWaits[state.current]) {
        context.globalAlpha = 1;
        context.strokeStyle = colour("ink");
        context.lineWidth = 1.5;
        context.strokeRect(left - 1, lane - 0.5, right - left + 2, state.lane + 2);
      }
    }
    context.globalAlpha = isDimmed ? 0.5 : 1;
    for (const [name, left, right, y, height, kind] of names) {
      context.save();
      context.beginPath(); context.rect(left, y, right - left - 5, height); context.clip();
      // On a hatched bar a name needs its own ground.
      context.fillStyle = colour(kind === "user" ? `user${Math.round((y - y0) / LEVEL) % 3}` : kind);
      const start = Math.max(left, state.gutter);
      context.fillRect(start + 1, y, context.measureText(name).width + 6, height);
      context.fillStyle = colour(kind === "user" ? "on-user" : `on-${kind}`);
      context.fillText(name, start + 4, y + height / 2 + 0.5);
      context.restore();
    }
    context.globalAlpha = 1;
  };
  /** What is sought between bars. */
  const gaps = () => {
    context.fillStyle = colour("cause");
    for (const { row, begin, end } of state.sought?.gaps ?? []) {
      if (end < state.from || begin > state.to) continue;
      const height = rowHeight(row) - state.gap - state.lane - 1;
      context.fillRect(x(begin), top(row), Math.max(x(end) - x(begin), 1), height);
    }
  };
  /** The level of the call that waits: the deepest bar around the wait. */
  const waitLevel = (row, wait) => {
    if (wait.level === undefined) {
      const middle = (wait.begin + wait.end) / 2;
      wait.level = Math.max(0, row.levels.findLastIndex((all) => find(all, middle)));
    }
    return wait.level;
  };

  /** From the one that the chosen wait is for, to the one that waits. */
  const partner = () => {
    const wait = state.chosenWaits[state.current];
    by("timeline").dataset.partner = wait?.awaited ? `${wait.awaited.rank}.${wait.awaited.thread}` : "";
    if (wait?.awaited?.row === undefined) return;
    const at = x(wait.end), y0 = anchor(wait.awaited.row), y1 = anchor(wait.row), way = Math.sign(y1 - y0);
    context.strokeStyle = context.fillStyle = colour("wait");
    context.lineWidth = 2.5;
    context.beginPath(); context.moveTo(at, y0); context.lineTo(at, y1 - 5 * way); context.stroke();
    context.beginPath(); context.arc(at, y0, 4, 0, 7); context.fill();
    context.beginPath(); context.moveTo(at, y1); context.lineTo(at - 5, y1 - 8 * way); context.lineTo(at + 5, y1 - 8 * way); context.fill();
  };
  const messages = () => {
    const visible = [], last = new Map();
    for (const message of state.messages) {
      const { sender, sent, receiver, received } = message;
      if (received < state.from || sent > state.to) continue;
      // Of messages on the same way within two pixels one is enough.
      const way = sender * state.rows.length + receiver, at = x(sent);
      if (at - (last.get(way) ?? -9) < 2) continue;
      last.set(way, at);
      visible.push(message);
    }
    context.strokeStyle = context.fillStyle = colour("message");
    context.lineWidth = visible.length > 600 ? 0.5 : 1;
    context.globalAlpha = visible.length > 600 ? 0.35 : 0.75;
    for (const { sender, sent, receiver, received } of visible) {
      const x0 = x(sent), y0 = anchor(sender), x1 = x(received), y1 = anchor(receiver);
      context.beginPath(); context.moveTo(x0, y0); context.lineTo(x1, y1); context.stroke();
      if (visible.length > 600) continue;
      const angle = Math.atan2(y1 - y0, x1 - x0);
      context.beginPath(); context.moveTo(x1, y1);
      context.lineTo(x1 - 7 * Math.cos(angle - 0.35), y1 - 7 * Math.sin(angle - 0.35));
      context.lineTo(x1 - 7 * Math.cos(angle + 0.35), y1 - 7 * Math.sin(angle + 0.35));
      context.fill();
    }
    context.globalAlpha = 1;
  };
  /** The critical path, below what it goes through. It is led from location to location only where it stays on both for some
      pixels: else it would cover what is below, and where parts are left out between two it does not lead from one to the other. */
  const critical = () => {
    const LEAST = 4;
    context.strokeStyle = colour("cause");
    context.lineWidth = 2.5;
    context.beginPath();
    const drawn = new Map();
    let before = null, ways = 0;
    for (const { row, begin, end } of state.critical) {
      const isSeen = row !== undefined && end >= state.from && begin <= state.to;
      if (!isSeen) { before = null; continue; }
      const y = top(row) + rowHeight(row) - state.gap + 3, left = x(begin), right = x(end);
      const isLong = right - left >= LEAST;
      if (isLong && before && Math.abs(left - before.right) < LEAST) { context.moveTo(before.right, before.y); context.lineTo(left, y); ways += 1; }
      // Of parts of one row within a pixel one is enough.
      if (right - (drawn.get(row) ?? -Infinity) >= 1) {
        context.moveTo(left, y);
        context.lineTo(Math.max(right, left + 1), y);
        drawn.set(row, Math.max(right, left + 1));
      }
      before = isLong ? { y, right } : null;
    }
    context.stroke();
    by("timeline").dataset.ways = ways;
  };
  const collectives = () => {
    let last = -Infinity;
    for (const parts of state.picture.collectives) {
      const steps = parts.row.map((row, at) => [anchor(row), x(parts.begin[at]), x(parts.end[at])]);
      if (steps.every(([, , end]) => end < state.gutter) || steps.every(([, begin]) => begin > state.width)) continue;
      // Where they are too close to be told apart, one stands for its neighbours.
      if (steps[0][1] - last < 5 && steps[0][1] >= last) continue;
      last = steps[0][1];
      context.beginPath();
      steps.forEach(([y, begin]) => context.lineTo(begin, y));
      [...steps].reverse().forEach(([y, , end]) => context.lineTo(end, y));
      context.closePath();
      context.fillStyle = colour("coll");
      context.globalAlpha = 0.12;
      context.fill();
      context.globalAlpha = 0.8;
      context.strokeStyle = colour("coll");
      context.lineWidth = 1;
      context.setLineDash([4, 3]);
      context.beginPath();
      steps.forEach(([y, begin]) => context.lineTo(begin, y));
      context.stroke();
      context.setLineDash([]);
      context.globalAlpha = 1;
    }
  };

  const labels = (font) => {
    context.clearRect(0, AXIS - 8, state.gutter - 1, state.bottom + 4);
    context.textAlign = "left";
    const hasThreads = state.rows.some((row) => row.thread > 0);
    const isNarrow = state.gutter < 60;
    state.rows.forEach((row, index) => {
      const isChosenRow = state.chosenLocation === `${row.rank}.${row.thread}`;
      context.font = `${isChosenRow ? "700 " : ""}${state.flat > 10 || state.hasLevels ? 11.5 : 9.5}px ${font}`;
      context.fillStyle = colour(lit.locations.has(`${row.rank}.${row.thread}`) ? "cause" : isChosenRow ? "ink" : "quiet");
      const name = hasThreads ? (isNarrow ? `${row.rank}.${row.thread}` : `rank ${row.rank}.${row.thread}`) : isNarrow ? `${row.rank}` : `rank ${row.rank}`;
      context.fillText(row.run ? `${row.run} ${name}` : name, 2, anchor(index));
      marks(row, index);
    });
  };
  /** Beside its name: whether a row waits in the chosen problem, hatched, or others wait for it. */
  const marks = (row, index) => {
    const id = `${row.rank}.${row.thread}`;
    for (const [role, style, right] of [["waiting", hatch, 11], ["culprits", colour("cause"), 5]]) {
      if (!state.marked?.[role].has(id)) continue;
      context.fillStyle = style;
      context.fillRect(state.gutter - right, top(index), 4, rowHeight(index) - state.gap);
    }
  };

  return { draw, paint };
})();
