/** Pointers and keys on the timeline, and the text under the pointer. */
const timelinePointer = (() => {
  const { AXIS, LEVEL, state, inSeconds, depth, rowHeight, layOut, rowAt, sort, x, time, top, anchor, find } = timelineLayout;
  const { draw, paint } = timelinePainter;
  const { fit, show, select, seek, nextHit, scrollTo, zoom, move } = timelineMoves;
  const canvas = by("canvas");
  const button = (name) => by("timeline").querySelector(`[data-do="${name}"]`);
  const pressed = (name, is) => button(name).setAttribute("aria-pressed", is);

  // What is under the pointer.

  const tip = by("tip");
  const hide = () => { tip.hidden = true; };
  const place = (left, below) => {
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(6, Math.min(left + 14, innerWidth - box.width - 6))}px`;
    tip.style.top = `${below + 18 + box.height > innerHeight ? Math.max(6, below - box.height - 12) : below + 18}px`;
  };
  const lines = (title, ...more) => {
    tip.replaceChildren(make("b", "", title));
    for (const [text, className] of more) tip.append(make("span", className ?? "", text));
  };
  const nameOf = (row) => `${row.run ? `${row.run}, ` : ""}rank ${row.rank}${state.rows.some((other) => other.thread > 0) ? `, thread ${row.thread}` : ""}`;
  const waitText = (wait) => {
    const row = program.rows[wait.finding];
    const property = data.properties[row.property], long = seconds(inSeconds(wait.waited));
    const times = wait.count > 1 ? `${wait.count} waits, together ` : "waits ";
    const later = wait.count > 1 ? "" : property.held ? ", which has it" : `, which came ${long} later`;
    const whom = wait.awaited ? ` for ${nameOf(wait.awaited)}${later}${wait.awaited.row === undefined ? " (not shown)" : ""}` : "";
    return `${times}${long}${whom}: ${property.title}`;
  };
  const near = (px, py) => {
    if (!state.hasLines) return null;
    for (const message of state.messages) {
      const { sender, sent, receiver, received } = message;
      if (received < state.from || sent > state.to) continue;
      const x0 = x(sent), y0 = anchor(sender), x1 = x(received), y1 = anchor(receiver);
      const squared = (x1 - x0) ** 2 + (y1 - y0) ** 2 || 1;
      const along = Math.max(0, Math.min(1, ((px - x0) * (x1 - x0) + (py - y0) * (y1 - y0)) / squared));
      if (Math.hypot(px - x0 - along * (x1 - x0), py - y0 - along * (y1 - y0)) < 3.5) return message;
    }
    return null;
  };
  const describe = (px, py) => {
    const index = rowAt(py);
    const row = state.rows[index];
    if (!row || px < state.gutter) return false;
    const at = time(px);
    const message = near(px, py);
    if (message) {
      const { sender, sent, receiver, received, bytes, tag } = message;
      lines(`Message from ${nameOf(state.rows[sender])} to ${nameOf(state.rows[receiver])}`, [`${bytes} bytes, tag ${tag}`], [`sent at ${seconds(inSeconds(sent))}, ${seconds(inSeconds(received - sent))} under way`]);
      return true;
    }
    const within = py - top(index);
    const upTo = state.hasLevels && within < depth(row) * LEVEL ? Math.floor(within / LEVEL) : depth(row) - 1;
    let bar;
    for (let level = Math.min(upTo, row.levels.length - 1); level >= 0 && !bar; level -= 1) bar = find(row.levels[level], at);
    const waits = row.waits.filter((wait) => wait.begin <= at && at <= wait.end);
    if (!bar && !waits.length) return false;
    const { name, kind, label } = bar ? state.picture.regions[bar.region] : { name: "Waiting", kind: "user" };
    const more = [[`${nameOf(row)}, at ${seconds(inSeconds(at))}`]];
    if (bar) more.push([`${kindTitles[kind]}, ${seconds(inSeconds(bar.end - bar.begin))}${bar.calls > 1 ? `, ${bar.calls} short calls together` : ""}`]);
    for (const wait of waits) more.push([waitText(wait), "waits"]);
    lines(bar && bar.calls > 1 ? `${name} and others` : label ?? name, ...more);
    return true;
  };

  // Pointers: one moves, two pinch.

  const pointers = new Map();
  let pinch = null, moved = 0, drawing = null;
  const position = (event) => { const box = canvas.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
  canvas.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, position(event));
    try { canvas.setPointerCapture(event.pointerId); } catch { /* a made-up event has no pointer */ }
    moved = 0;
    const [px, py] = position(event);
    // On the axis, or with Shift, a span is drawn.
    drawing = pointers.size === 1 && state.picture && px >= state.gutter && (event.shiftKey || py < AXIS - 6) ? time(px) : null;
    if (pointers.size === 2) {
      const [a, b] = [...pointers.values()];
      pinch = { distance: Math.max(20, Math.abs(a[0] - b[0])), middle: time((a[0] + b[0]) / 2), from: state.from, to: state.to };
    }
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!state.picture) return;
    const [px, py] = position(event);
    const last = pointers.get(event.pointerId);
    if (last && pointers.size === 1) {
      const delta = px - last[0];
      moved += Math.abs(delta);
      pointers.set(event.pointerId, [px, py]);
      if (drawing !== null) { hide(); select(drawing, time(px)); return; }
      if (delta) { hide(); move(-delta / (state.width - state.gutter)); }
      return;
    }
    if (last && pinch) {
      pointers.set(event.pointerId, [px, py]);
      const [a, b] = [...pointers.values()];
      const factor = pinch.distance / Math.max(20, Math.abs(a[0] - b[0]));
      const span = (pinch.to - pinch.from) * factor;
      const share = ((a[0] + b[0]) / 2 - state.gutter) / (state.width - state.gutter);
      show(pinch.middle - share * span, pinch.middle + (1 - share) * span);
      return;
    }
    if (describe(px, py)) place(event.clientX, event.clientY); else hide();
  });
  for (const kind of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(kind, (event) => {
      pointers.delete(event.pointerId);
      if (pointers.size < 2) pinch = null;
      if (drawing !== null) {
        drawing = null;
        if (state.band && moved >= 4 && kind === "pointerup") { show(...state.band); return; }
        select();
      }
      if (kind === "pointerup" && moved < 4) { const [px, py] = position(event); if (describe(px, py)) place(event.clientX, event.clientY); else hide(); }
    });
  }
  canvas.addEventListener("pointerleave", () => { if (!pointers.size) hide(); });
  canvas.addEventListener("dblclick", (event) => zoom(0.4, time(position(event)[0])));
  canvas.addEventListener("wheel", (event) => {
    // A page must stay scrollable past a timeline that nobody has chosen.
    const isMeant = event.ctrlKey || event.metaKey || document.activeElement === canvas;
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey) { event.preventDefault(); move((event.deltaX || event.deltaY) / (state.width - state.gutter)); return; }
    if (!isMeant) return;
    event.preventDefault();
    zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) / 120), time(position(event)[0]));
  }, { passive: false });

  const toWait = (step) => {
    if (!state.chosenWaits.length) return;
    state.current = (state.current + step + state.chosenWaits.length) % state.chosenWaits.length;
    const wait = state.chosenWaits[state.current];
    const length = Math.max(wait.end - wait.begin, 1);
    if (wait.begin < state.from || wait.end > state.to || length < (state.to - state.from) / 12) show(wait.begin - 2 * length, wait.end + 2 * length);
    lines(`${state.current + 1} of ${state.chosenWaits.length}: ${nameOf(state.rows[wait.row])}`, [waitText(wait), "waits"], [`${program.rows[wait.finding].path.at(-1) ?? ""}, from ${seconds(inSeconds(wait.begin))}`]);
    paint();
    scrollTo(wait.row);
    const y = top(wait.row);
    const box = canvas.getBoundingClientRect();
    place(box.left + Math.max(state.gutter, Math.min(state.width - 20, x((wait.begin + wait.end) / 2))), box.top + y + rowHeight(wait.row));
  };
  const actions = {
    in: () => zoom(0.5), out: () => zoom(2), all: () => fit(null), measured: () => fit(state.picture.measured),
    next: () => toWait(1), previous: () => toWait(state.current < 0 ? 0 : -1),
    levels: () => { state.hasLevels = !state.hasLevels; layOut(); pressed("levels", state.hasLevels); paint(); },
    critical: () => { state.hasCritical = !state.hasCritical; pressed("critical", state.hasCritical); paint(); },
    lines: () => { state.hasLines = !state.hasLines; pressed("lines", state.hasLines); paint(); },
  };
  by("timeline").addEventListener("click", (event) => actions[event.target.dataset?.do]?.());
  canvas.addEventListener("keydown", (event) => {
    const keys = { ArrowLeft: () => move(-0.15), ArrowRight: () => move(0.15), "+": actions.in, "=": actions.in, "-": actions.out, 0: actions.all, Home: actions.all, n: actions.next, p: actions.previous, N: actions.next, P: actions.previous, Escape: () => { hide(); select(); }, "/": () => by("find").focus() };
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    keys[event.key]();
    event.preventDefault();
  });
  canvas.addEventListener("blur", hide);
  by("find").addEventListener("input", (event) => { seek(event.target.value); keepAddress(); });
  by("find").addEventListener("keydown", (event) => {
    if (event.key === "Enter") { event.preventDefault(); nextHit(); }
    if (event.key === "Escape") { event.target.value = ""; seek(""); keepAddress(); canvas.focus(); }
  });
  by("order").addEventListener("change", (event) => { state.order = event.target.value; sort(); draw(); keepAddress(); });
  new ResizeObserver(draw).observe(canvas.parentElement);
  addEventListener("beforeprint", paint);

  return { hide, button, pressed };
})();
