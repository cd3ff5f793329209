/** The timeline of the chosen program. */
const timeline = (() => {
  const { state, inSeconds, layOut, sort } = timelineLayout;
  const { draw, paint } = timelinePainter;
  const { fit, show, seek, seekBars, seekPaths, scrollTo } = timelineMoves;
  const { hide, button, pressed } = timelinePointer;
  const kinds = new Set();

  /** The parts of the critical path on the rows, in ticks. */
  const criticalPath = ({ units, critical }) => {
    const rowOf = new Map(state.rows.map((row, index) => [`${row.rank}.${row.thread}`, index]));
    const rows = entries(units).map(({ rank, thread }) => rowOf.get(`${rank}.${thread}`));
    const ticks = (at) => at * state.picture.resolution;
    return entries(critical.stretches).map(({ unit, begin, end }) => ({ row: rows[unit], begin: ticks(begin), end: ticks(end) }));
  };
  const load = (next, causes) => {
    state.picture = next ?? null;
    by("timeline").hidden = !state.picture;
    by("none").hidden = !!state.picture;
    if (!state.picture) return;
    state.rows = timelineRows(state.picture);
    state.messages = entries(state.picture.messages);
    state.critical = causes ? criticalPath(causes) : [];
    state.sequence = state.rows.map((_, index) => index);
    state.order = by("order").value = "rank";
    state.band = state.sought = state.marked = null;
    by("marked").textContent = by("sums").textContent = by("find").value = by("hits").textContent = "";
    delete by("timeline").dataset.selected;
    kinds.clear();
    for (const row of state.rows) for (const bars of row.levels) for (const bar of bars) kinds.add(state.picture.regions[bar.region].kind);
    state.hasLevels = true;
    layOut();
    if (state.bottom > 900) { state.hasLevels = false; layOut(); }
    state.hasLines = true;
    pressed("levels", state.hasLevels);
    pressed("lines", true);
    state.hasCritical = state.critical.length > 0;
    button("critical").hidden = !state.hasCritical;
    pressed("critical", state.hasCritical);
    button("measured").hidden = !state.picture.measured;
    by("remarks").replaceChildren(...state.picture.remarks.map((remark) => make("li", "", remark)));
    const legend = data.kinds.filter(({ kind }) => kinds.has(kind)).map(({ kind, title }) => {
      const item = make("li");
      const swatch = make("span", "swatch");
      swatch.style.background = `var(--${kind === "user" ? "user1" : kind})`;
      item.append(swatch, title);
      return item;
    });
    if (state.rows.some((row) => row.spans.some((span) => span.doing === "work"))) {
      const item = make("li");
      item.append(make("span", "swatch work"), "Work");
      legend.unshift(item);
    }
    const hasWaits = state.rows.some((row) => row.waits.length);
    button("previous").hidden = button("next").hidden = !hasWaits;
    if (hasWaits) {
      const item = make("li");
      item.append(make("span", "swatch wait"), "Waiting");
      legend.push(item);
    }
    if (state.hasCritical) {
      const item = make("li");
      item.append(make("span", "swatch critical"), "Critical path");
      legend.push(item);
    }
    by("legend").replaceChildren(...legend);
    fit(state.picture.measured);
  };

  const highlight = (choice, location) => {
    state.isChosen = choice;
    state.chosenLocation = location;
    state.current = -1;
    hide();
    state.chosenWaits = state.rows.flatMap((row) => (location && location !== `${row.rank}.${row.thread}` ? [] : row.waits.filter((wait) => choice(wait.finding))));
    state.chosenWaits.sort((a, b) => a.begin - b.begin || a.row - b.row);
    by("timeline").dataset.waits = state.chosenWaits.length;
    if (state.picture) { sort(); paint(); }
  };
  /** Zooms to where a problem is worst, and marks the rows that wait in it and those that they wait for; without one, goes back. */
  const mark = (problem) => {
    if (!state.picture) return;
    const before = state.marked?.before ?? [state.from, state.to];
    const ids = ({ locations }) => new Set(entries(locations).map(({ rank, thread }) => `${rank}.${thread}`));
    state.marked = problem && { waiting: ids(problem.waiting), culprits: ids(problem.culprits), worst: problem.worst, before };
    const worst = problem?.worst, margin = worst ? (worst.end - worst.begin) / 4 : 0;
    show(...(worst ? [Math.max(worst.begin - margin, -margin / 20), worst.end + margin] : before));
    by("marked").replaceChildren(...(problem ? marks(problem) : []));
    const { dataset } = by("timeline");
    for (const role of ["waiting", "culprits"]) dataset[role] = [...(state.marked?.[role] ?? [])].join(" ");
    const first = (role) => state.sequence.find((index) => state.marked?.[role].has(`${state.rows[index].rank}.${state.rows[index].thread}`));
    const row = first("culprits") ?? first("waiting");
    if (row !== undefined) scrollTo(row);
  };
  const marks = ({ worst, waiting, culprits }) => {
    const { begin, end, number } = worst ?? {};
    const when = worst ? `${number > 1 ? `The worst of ${number} intervals` : "The interval"}, ${seconds(inSeconds(begin))} to ${seconds(inSeconds(end))}:` : "When they wait is not known:";
    const group = (role, title, { words }) => [make("span", `swatch ${role}`), `${title}: ${words}`];
    return [make("b", "", when), ...group("waiting", "waiting", waiting), ...group("culprit", "awaited", culprits)];
  };
  /** Shows where a place is in both runs; without one, nothing is sought. */
  const markPlace = (place) => {
    if (!state.picture) return;
    by("find").value = "";
    if (place) seekPaths(place.paths); else seekBars(null);
    const number = (run) => (state.sought?.hits ?? []).filter((hit) => state.rows[hit.row].run === run).length;
    by("marked").replaceChildren(...(place ? [make("b", "", place.text), `${number("A")} times in A, ${number("B")} times in B`] : []));
  };
  /** What is looked at, as it stands in the address: nothing of what is so anyway. */
  const kept = () => (state.picture ? { from: Math.round(state.from), to: Math.round(state.to), find: by("find").value, order: state.order === "rank" ? "" : state.order } : {});
  const restore = (wanted) => {
    if (!state.picture) return;
    if (wanted.get("order") === "waiting") { state.order = by("order").value = "waiting"; sort(); }
    if (wanted.get("find")) { by("find").value = wanted.get("find"); seek(by("find").value); }
    const [begin, end] = [Number(wanted.get("from")), Number(wanted.get("to"))];
    if (wanted.has("to") && end > begin) show(begin, end);
  };
  return { load, draw, highlight, mark, markPlace, kept, restore };
})();
