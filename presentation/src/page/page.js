(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const root = document.documentElement;
  const by = (id) => document.getElementById(id);
  const make = (tag, className, text) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  };
  root.classList.add("scripted");

  // Numbers ---------------------------------------------------------------------------------------------------------

  const seconds = (value) => {
    const size = Math.abs(value);
    const [scale, unit] = size >= 1 || size === 0 ? [1, "s"] : size >= 1e-3 ? [1e3, "ms"] : size >= 1e-6 ? [1e6, "µs"] : [1e9, "ns"];
    const scaled = value * scale;
    return `${scaled.toFixed(Math.abs(scaled) >= 100 ? 1 : Math.abs(scaled) >= 10 ? 2 : 3)} ${unit}`;
  };
  const percent = (share) => `${(share * 100).toFixed(2)} %`;

  // Colours ---------------------------------------------------------------------------------------------------------

  const probe = make("span");
  probe.hidden = true;
  document.body.append(probe);
  let colours = {};
  const colour = (name) => {
    if (!(name in colours)) {
      probe.style.color = `var(--${name})`;
      colours[name] = getComputedStyle(probe).color;
    }
    return colours[name];
  };

  const themes = ["auto", "light", "dark"];
  const remember = {
    get: () => { try { return localStorage.getItem("ats-theme"); } catch { return null; } },
    set: (value) => { try { localStorage.setItem("ats-theme", value); } catch { /* a page from a file may not remember */ } },
  };
  const setTheme = (theme) => {
    if (theme === "auto") delete root.dataset.theme; else root.dataset.theme = theme;
    by("theme").textContent = { auto: "Auto", light: "Light", dark: "Dark" }[theme];
    by("theme").setAttribute("aria-label", `Colours: ${theme}`);
    colours = {};
    timeline.draw();
  };
  by("theme").addEventListener("click", () => {
    const next = themes[(themes.indexOf(root.dataset.theme ?? "auto") + 1) % themes.length];
    remember.set(next);
    setTheme(next);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { colours = {}; timeline.draw(); });

  // Scorecard -------------------------------------------------------------------------------------------------------

  const score = by("score");
  if (score) {
    const filter = () => {
      const words = by("search").value.toLowerCase().split(/\s+/).filter(Boolean);
      const onlyDifferences = by("differences").checked;
      let shown = 0;
      for (const body of score.tBodies) {
        const text = body.textContent.toLowerCase();
        const differs = body.querySelector('.cell:not([data-kind="found"], [data-kind="consistent"]), .remark') !== null;
        body.hidden = !words.every((word) => text.includes(word)) || (onlyDifferences && !differs);
        if (!body.hidden) shown += 1;
      }
      score.dataset.shown = shown;
    };
    by("filter").addEventListener("input", filter);
    by("filter").addEventListener("submit", (event) => event.preventDefault());
    filter();
  }

  if (data.experiments) experimentsView({ by, make, seconds }, data.experiments);

  // A program: what is chosen, and the three trees --------------------------------------------------------------------

  let program = null;
  let tool = 0;
  const chosen = { property: "", call: "", location: "" };

  const columns = () => [program.known ? "truth" : null, program.tools.length ? "found" : null].filter(Boolean);
  const amounts = (row, column) => (column === "truth" ? row.truth : row.found[tool]);
  const OUTSIDE = "Outside the measured part";
  const groupsOf = (row) => {
    const property = data.properties[row.property];
    return row.ambient ? [OUTSIDE, property.title] : [...property.groups, property.title];
  };
  const key = (names) => names.join("\u0000");
  const isWithin = (names, choice) => choice === "" || key(names) === choice || key(names).startsWith(choice + "\u0000");
  const ofProperty = (row) => isWithin(groupsOf(row), chosen.property);
  const ofCall = (row) => isWithin(row.path, chosen.call);

  /** Sums the rows into a tree of names; a node has the sum of all that is in it, by column. */
  const tree = (rows, namesOf) => {
    const top = { children: new Map(), depth: -1 };
    for (const row of rows) {
      let node = top;
      const names = namesOf(row);
      names.forEach((name, index) => {
        if (!node.children.has(name)) {
          node.children.set(name, { name, key: key(names.slice(0, index + 1)), depth: index, children: new Map(), sums: {}, row });
        }
        node = node.children.get(name);
        for (const column of columns()) node.sums[column] = (node.sums[column] ?? 0) + (amounts(row, column)?.[0] ?? 0);
      });
    }
    return top;
  };
  const flat = (node, into = []) => {
    const size = (child) => Math.max(0, ...Object.values(child.sums));
    const place = (child) => (child.depth === 0 ? order.indexOf(child.name) : -1);
    for (const child of [...node.children.values()].sort((a, b) => place(a) - place(b) || size(b) - size(a))) {
      into.push(child);
      if (!folded.has(child.key)) flat(child, into);
    }
    return into;
  };
  const folded = new Set();
  /** What is at the top of the property tree divides seconds anew each: it keeps this order, whatever its sums. */
  const order = ["Waiting", "Idle", "Counts", OUTSIDE];

  const showRows = (pane, items, choose, unit) => {
    const list = by(pane).querySelector(".rows");
    const hadFocus = list.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const heads = make("span", "heads");
    for (const column of columns()) heads.append(make("span", "", column));
    const title = by(pane).querySelector("h3");
    title.querySelector(".heads")?.remove();
    title.append(heads);
    list.replaceChildren();
    if (!items.length) list.append(make("p", "empty", "Nothing here."));
    const largest = Math.max(1e-300, ...items.flatMap((item) => Object.values(item.sums)));
    for (const item of items) {
      const row = make("div", columns().length > 1 ? "row" : "row only");
      row.setAttribute("role", "treeitem");
      row.setAttribute("aria-level", item.depth + 1);
      row.setAttribute("aria-selected", chosen[choose] === item.key);
      row.tabIndex = -1;
      row.dataset.key = item.key;
      row.style.setProperty("--depth", item.depth);
      const label = make("span", choose === "call" ? "label code" : "label");
      label.title = item.name;
      if (item.children?.size) {
        const isFolded = folded.has(item.key);
        const twist = make("span", "twist", isFolded ? "▸" : "▾");
        twist.addEventListener("click", (event) => { event.stopPropagation(); fold(item.key, !isFolded); });
        row.setAttribute("aria-expanded", !isFolded);
        label.append(twist);
      }
      label.append(item.name);
      row.append(label);
      const differs = columns().length > 1 && Math.abs((item.sums.truth ?? 0) - (item.sums.found ?? 0)) > 0.01 * Math.max(item.sums.truth ?? 0, item.sums.found ?? 0) + 1e-9;
      for (const column of columns()) {
        const classes = column === "truth" ? "number truth" : differs ? "number differs" : "number";
        row.append(make("span", classes, unit(item.sums[column] ?? 0, item)));
      }
      const meter = make("span", "meter");
      const bar = make("i");
      bar.style.width = `${((item.sums.found ?? item.sums.truth ?? 0) / largest) * 100}%`;
      meter.append(bar);
      if (columns().length > 1) {
        const line = make("b");
        line.style.left = `${((item.sums.truth ?? 0) / largest) * 100}%`;
        meter.append(line);
      }
      row.append(meter);
      row.addEventListener("click", () => pick(choose, item.key));
      list.append(row);
    }
    const entry = [...list.children].find((row) => row.dataset.key === (hadFocus ?? chosen[choose])) ?? list.firstElementChild;
    if (entry?.dataset.key !== undefined) entry.tabIndex = 0;
    if (hadFocus !== null) entry?.focus();
  };

  const fold = (item, isFolded) => {
    if (isFolded) folded.add(item); else folded.delete(item);
    showProgram();
  };
  const pick = (choose, item) => {
    const isSame = chosen[choose] === item;
    if (choose === "property") { chosen.property = item; chosen.call = ""; chosen.location = ""; }
    else if (choose === "call") { chosen.call = isSame ? "" : item; chosen.location = ""; }
    else chosen.location = isSame ? "" : item;
    showProgram();
  };
  /** Keys walk through the rows of a list: they choose, fold, and forget what is chosen. */
  const walk = (list, choose, fold, forget) => {
    list.addEventListener("keydown", (event) => {
      const rows = [...event.currentTarget.querySelectorAll(".row")];
      const at = rows.indexOf(document.activeElement);
      const go = (index) => { const next = rows[Math.max(0, Math.min(rows.length - 1, index))]; rows.forEach((row) => (row.tabIndex = -1)); next.tabIndex = 0; next.focus(); };
      if (at < 0) return;
      const item = rows[at].dataset.key;
      const isOpen = rows[at].getAttribute("aria-expanded");
      if (event.key === "ArrowDown") go(at + 1);
      else if (event.key === "ArrowUp") go(at - 1);
      else if (event.key === "Home") go(0);
      else if (event.key === "End") go(rows.length - 1);
      else if (event.key === "ArrowRight" && isOpen === "false") fold(item, false);
      else if (event.key === "ArrowLeft" && isOpen === "true") fold(item, true);
      else if (event.key === "Enter" || event.key === " ") choose(item);
      else if (event.key === "Escape" && forget) forget();
      else return;
      event.preventDefault();
    });
  };
  for (const [pane, choose] of [["properties", "property"], ["calls", "call"], ["locations", "location"]]) {
    const forget = choose === "property" ? null : () => pick(choose, chosen[choose]);
    walk(by(pane).querySelector(".rows"), (item) => pick(choose, item), fold, forget);
  }

  const MOST_LOCATIONS = 300;
  const showProgram = () => {
    const rows = program.rows.filter((row) => columns().some((column) => amounts(row, column)));
    const properties = tree(rows, groupsOf);
    document.querySelector(".panes").hidden = !rows.length;
    if (chosen.property === "") {
      const first = flat(properties)[0];
      chosen.property = first ? first.key : "";
    }
    const isCount = chosen.property.startsWith("Counts");
    const hasShare = (item) => program.total && !item.key.startsWith(OUTSIDE);
    const share = (value, item) => (item.key.startsWith("Counts") ? `${value} ×` : hasShare(item) ? percent(value / program.total) : seconds(value));
    const plain = (value) => (isCount ? `${value} ×` : seconds(value));
    showRows("properties", flat(properties), "property", share);
    const ofProperties = rows.filter(ofProperty);
    showRows("calls", flat(tree(ofProperties, (row) => row.path)), "call", plain);

    const locations = new Map();
    const selected = ofProperties.filter(ofCall);
    for (const row of selected) {
      for (const column of columns()) {
        for (const [rank, thread, value] of amounts(row, column)?.[2] ?? []) {
          const id = `${rank}.${thread}`;
          if (!locations.has(id)) locations.set(id, { key: id, rank, thread, depth: 0, sums: {} });
          const { sums } = locations.get(id);
          sums[column] = (sums[column] ?? 0) + value;
        }
      }
    }
    const hasThreads = [...locations.values()].some((location) => location.thread > 0) || program.hasThreads;
    let list = [...locations.values()].sort((a, b) => a.rank - b.rank || a.thread - b.thread);
    const left = list.length - MOST_LOCATIONS;
    if (left > 0) {
      const size = (location) => Math.max(0, ...Object.values(location.sums));
      const most = new Set([...list].sort((a, b) => size(b) - size(a)).slice(0, MOST_LOCATIONS));
      list = list.filter((location) => most.has(location));
    }
    for (const location of list) location.name = hasThreads ? `rank ${location.rank}, thread ${location.thread}` : `rank ${location.rank}`;
    showRows("locations", list, "location", seconds);
    if (left > 0) by("locations").querySelector(".rows").append(make("p", "empty", `and ${left} more that wait less`));
    if (!list.length && selected.length && isCount) by("locations").querySelector(".rows").replaceChildren(make("p", "empty", "A count is one number over all locations."));

    const definition = by("definition");
    definition.replaceChildren();
    const unanalyzed = program.notAnalyzed[tool] ?? [];
    const showRemarks = (id, texts) => {
      by(id).hidden = !texts.length;
      by(id).querySelector("ul").replaceChildren(...texts.map((text) => make("li", "", text)));
    };
    showRemarks("unanalyzed", unanalyzed);
    showRemarks("warnings", program.warnings[tool] ?? []);
    if (!rows.length) {
      const among = unanalyzed.length ? " among what is analyzed" : "";
      definition.textContent = program.known ? "There is nothing to be found in this program, and nothing was." : `Nothing was found${among}.`;
    }
    const leaf = new Set(selected.map((row) => row.property));
    if (leaf.size === 1) {
      const property = data.properties[[...leaf][0]];
      definition.append(make("b", "", property.title), `: ${property.definition}`);
    }
    const numbers = new Set(selected.map((row) => program.rows.indexOf(row)));
    timeline.highlight((row) => numbers.has(row), chosen.location);
    const view = by("view").dataset;
    view.property = chosen.property.replaceAll("\u0000", "/");
    view.call = chosen.call.replaceAll("\u0000", "/");
    view.location = chosen.location;
    keepAddress();
  };

  // Timeline ----------------------------------------------------------------------------------------------------------

  const kindTitles = Object.fromEntries(data.kinds);

  const timeline = (() => {
    const canvas = by("canvas");
    const context = canvas.getContext("2d");
    const LEVEL = 14, LANE = 5, GAP = 11, AXIS = 30;
    let picture = null, rows = [], tops = [];
    let from = 0, to = 1, width = 0, gutter = 80;
    let hasLevels = true, hasLines = true;
    let isChosen = () => true, chosenLocation = "", chosenWaits = [], current = -1;
    /** Numbers of rows in the order in which they stand, and where the last one ends. */
    let sequence = [], bottom = 0, order = "rank";
    /** A span that was drawn, and what is done in it; and the regions that are looked for. */
    let band = null, sought = null;
    const kinds = new Set();

    const unpack = (row) => {
      const levels = [];
      let level = -1, last = 0;
      for (let i = 0; i < row.bars.length; i += 5) {
        if (row.bars[i] !== level) { level = row.bars[i]; last = 0; }
        last += row.bars[i + 2];
        (levels[level] ??= []).push({ region: row.bars[i + 1], begin: last, end: last + row.bars[i + 3], calls: row.bars[i + 4], level });
      }
      const unpacked = { ...row, levels: Array.from(levels, (bars) => bars ?? []), waits: [] };
      return { ...unpacked, spans: spansOf(unpacked) };
    };
    /** What a row does, at each time one thing: work, a kind of calls, or nothing where no team has any use for a thread. */
    const spansOf = (row) => {
      const kindOf = (bar) => picture.regions[bar.region][1];
      const calls = row.levels.flat().filter((bar) => kindOf(bar) !== "user").sort((a, b) => a.begin - b.begin || a.level - b.level);
      const whole = row.levels.flat().reduce(([begin, end], bar) => [Math.min(begin, bar.begin), Math.max(end, bar.end)], [Infinity, 0]);
      const spans = [], open = [];
      let at = whole[0];
      const until = (end) => {
        if (end <= at) return;
        const call = open.at(-1);
        const doing = call ? (kindOf(call) === "omp" ? "work" : kindOf(call)) : row.thread === 0 ? "work" : "nothing";
        const last = spans.at(-1);
        if (last && last.doing === doing) last.end = end; else spans.push({ begin: at, end, doing });
        at = end;
      };
      for (const call of calls) {
        while (open.length && open.at(-1).end <= call.begin) { until(open.at(-1).end); open.pop(); }
        until(call.begin);
        open.push(call);
      }
      while (open.length) { until(open.at(-1).end); open.pop(); }
      until(whole[1]);
      return spans;
    };

    const load = (next) => {
      picture = next;
      by("timeline").hidden = !picture;
      by("none").hidden = !!picture;
      if (!picture) return;
      rows = picture.rows.map(unpack);
      const rowOf = new Map(rows.map((row, index) => [`${row.rank}.${row.thread}`, index]));
      const awaitedOnes = picture.awaited.map(([rank, thread]) => ({ rank, thread, row: rowOf.get(`${rank}.${thread}`) }));
      for (let i = 0, at = 0, before = -1; i < picture.waits.length; i += 7) {
        const [finding, row, since, length, count, together, awaited] = picture.waits.slice(i, i + 7);
        const begin = row === before ? at + since : since, waited = together || length;
        [at, before] = [begin, row];
        rows[row].waits.push({ finding, row, begin, end: begin + length, count, waited, awaited: awaitedOnes[awaited - 1] });
      }
      sequence = rows.map((_, index) => index);
      order = by("order").value = "rank";
      band = sought = null;
      by("sums").textContent = by("find").value = by("hits").textContent = "";
      delete by("timeline").dataset.selected;
      kinds.clear();
      for (const row of rows) for (const bars of row.levels) for (const bar of bars) kinds.add(picture.regions[bar.region][1]);
      hasLevels = true;
      layOut();
      if (bottom > 900) { hasLevels = false; layOut(); }
      hasLines = true;
      pressed("levels", hasLevels);
      pressed("lines", true);
      button("measured").hidden = !picture.measured;
      by("remarks").replaceChildren(...picture.remarks.map((remark) => make("li", "", remark)));
      const legend = data.kinds.filter(([kind]) => kinds.has(kind)).map(([kind, title]) => {
        const item = make("li");
        const swatch = make("span", "swatch");
        swatch.style.background = `var(--${kind === "user" ? "user1" : kind})`;
        item.append(swatch, title);
        return item;
      });
      if (rows.some((row) => row.spans.some((span) => span.doing === "work"))) {
        const item = make("li");
        item.append(make("span", "swatch work"), "Work");
        legend.unshift(item);
      }
      button("previous").hidden = button("next").hidden = !picture.waits.length;
      if (picture.waits.length) {
        const item = make("li");
        item.append(make("span", "swatch wait"), "Waiting");
        legend.push(item);
      }
      by("legend").replaceChildren(...legend);
      fit(picture.measured);
    };

    const button = (name) => by("timeline").querySelector(`[data-do="${name}"]`);
    const pressed = (name, is) => button(name).setAttribute("aria-pressed", is);
    const inSeconds = (ticks) => ticks / picture.resolution;
    const depth = (row) => Math.max(1, row.levels.length);
    const rowHeight = (index) => (hasLevels ? depth(rows[index]) * LEVEL : LEVEL + 4) + LANE + GAP;
    const layOut = () => {
      bottom = AXIS;
      for (const index of sequence) { tops[index] = bottom; bottom += rowHeight(index); }
    };
    /** The number of the row at this height. */
    const rowAt = (y) => sequence.findLast((index) => tops[index] <= y);
    /** By rank and thread, or those first that wait most in what is chosen. */
    const sort = () => {
      const waited = rows.map(() => 0);
      for (const wait of chosenWaits) waited[wait.row] += wait.waited;
      sequence = rows.map((_, index) => index);
      if (order === "waiting") sequence.sort((a, b) => waited[b] - waited[a] || a - b);
      by("timeline").dataset.order = sequence.map((index) => `${rows[index].rank}.${rows[index].thread}`).join(" ");
      layOut();
    };
    const x = (time) => gutter + ((time - from) / (to - from)) * (width - gutter);
    const time = (position) => from + ((position - gutter) / (width - gutter)) * (to - from);
    const top = (row) => tops[row];

    const fit = (span) => {
      const [begin, end] = span ?? [0, picture.length];
      const margin = (end - begin) * 0.01 || 1;
      show(begin - margin, end + margin);
    };
    const show = (begin, end) => {
      if (!picture) return;
      const whole = Math.max(picture.length, 1);
      const least = Math.max(whole / 1e7, 1e-3);
      if (end - begin < least) { const middle = (begin + end) / 2; begin = middle - least / 2; end = middle + least / 2; }
      const most = whole * 1.04;
      if (end - begin > most) { begin = -0.02 * whole; end = 1.02 * whole; }
      if (begin < -0.02 * whole) { end += -0.02 * whole - begin; begin = -0.02 * whole; }
      if (end > 1.02 * whole) { begin -= end - 1.02 * whole; end = 1.02 * whole; }
      from = begin; to = end;
      by("timeline").dataset.zoom = ((to - from) / whole).toFixed(4);
      keepAddress();
      draw();
    };
    /** What is done in a span, over all rows. */
    const sumUp = (begin, end) => {
      const within = (one) => Math.max(0, Math.min(one.end, end) - Math.max(one.begin, begin));
      const sums = new Map();
      const add = (name, ticks) => ticks > 0 && sums.set(name, (sums.get(name) ?? 0) + ticks);
      for (const row of rows) {
        for (const span of row.spans) add(span.doing === "work" ? "Work" : span.doing === "nothing" ? "No work for a thread" : kindTitles[span.doing], within(span));
        for (const wait of row.waits) {
          const share = within(wait) / Math.max(1, wait.end - wait.begin);
          add(`waiting: ${data.properties[program.rows[wait.finding].property].title}`, wait.waited * share);
        }
      }
      const total = (end - begin) * rows.length;
      const parts = [...sums].sort((a, b) => a[0].startsWith("waiting") - b[0].startsWith("waiting") || b[1] - a[1]);
      return parts.map(([name, ticks]) => `${name} ${seconds(inSeconds(ticks))} (${percent(ticks / total)})`).join("  ·  ");
    };
    const select = (begin, end) => {
      band = begin === undefined ? null : [Math.max(0, Math.min(begin, end)), Math.min(picture.length, Math.max(begin, end))];
      by("sums").replaceChildren();
      delete by("timeline").dataset.selected;
      if (band) {
        const span = `${seconds(inSeconds(band[0]))} to ${seconds(inSeconds(band[1]))}`;
        by("sums").append(make("b", "", `${span}, ${rows.length} locations`), `: ${sumUp(...band)}`);
        by("timeline").dataset.selected = span;
      }
      draw();
    };
    /** Bars whose region has this in its name; all others fade. */
    const seek = (text) => {
      const word = text.trim().toLowerCase();
      const isHit = picture.regions.map(([name, , label]) => (label ?? name).toLowerCase().includes(word));
      const hits = word ? rows.flatMap((row, index) => row.levels.flat().filter((bar) => isHit[bar.region]).map((bar) => ({ ...bar, row: index }))) : [];
      hits.sort((a, b) => a.begin - b.begin || a.row - b.row);
      sought = word ? { isHit, hits, at: -1 } : null;
      by("hits").textContent = word ? `${hits.length}` : "";
      draw();
    };
    const nextHit = () => {
      if (!sought?.hits.length) return;
      sought.at = (sought.at + 1) % sought.hits.length;
      const hit = sought.hits[sought.at], length = Math.max(1, hit.end - hit.begin);
      by("hits").textContent = `${sought.at + 1} of ${sought.hits.length}`;
      show(hit.begin - length, hit.end + length);
      scrollTo(hit.row);
    };
    const scrollTo = (row) => {
      const scroller = canvas.parentElement, y = top(row);
      if (y < scroller.scrollTop || y + rowHeight(row) > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = y - scroller.clientHeight / 2;
    };
    const zoom = (factor, around = (from + to) / 2) => show(around - (around - from) * factor, around + (to - around) * factor);
    const move = (share) => { const by = (to - from) * share; show(from + by, to + by); };

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
      if (!picture || by("view").hidden) return;
      const ratio = Math.min(devicePixelRatio || 1, 3);
      width = canvas.parentElement.clientWidth;
      if (!width) return;
      gutter = width < 520 ? 46 : 84;
      const height = bottom + 4;
      // Browsers draw nothing on a canvas that is too high.
      const scale = Math.min(ratio, 16000 / height);
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
      canvas.style.height = `${height}px`;
      context.setTransform(scale, 0, 0, scale, 0, 0);
      context.clearRect(0, 0, width, height);
      hatch = hatched();
      const font = getComputedStyle(document.body).fontFamily;
      context.textBaseline = "middle";
      axis(height, font);
      context.save();
      context.beginPath();
      context.rect(gutter, 0, width - gutter, height);
      context.clip();
      rows.forEach((row, index) => bars(row, index, font));
      if (hasLines) { collectives(); messages(); }
      partner();
      if (band) {
        context.globalAlpha = 0.13;
        context.fillStyle = colour("accent");
        context.fillRect(x(band[0]), 0, x(band[1]) - x(band[0]), height);
        context.globalAlpha = 1;
      }
      context.restore();
      labels(font);
      canvas.setAttribute("aria-label", `${rows.length} locations, ${seconds(inSeconds(Math.max(0, from)))} to ${seconds(inSeconds(Math.min(to, picture.length)))}, ${chosenWaits.length} waits marked`);
    };

    const axis = (height, font) => {
      context.font = `11px ${font}`;
      const span = inSeconds(to - from);
      const rough = span / Math.max(2, (width - gutter) / 110);
      const power = 10 ** Math.floor(Math.log10(rough));
      const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? power * 10;
      const [scale, unit] = step >= 0.5 ? [1, "s"] : step >= 5e-4 ? [1e3, "ms"] : step >= 5e-7 ? [1e6, "µs"] : [1e9, "ns"];
      const digits = Math.max(0, -Math.floor(Math.log10(step * scale) + 1e-9));
      context.strokeStyle = colour("line");
      context.fillStyle = colour("quiet");
      context.lineWidth = 1;
      context.textAlign = "center";
      const first = Math.ceil(Math.max(0, inSeconds(from)) / step);
      for (let i = first; i * step <= inSeconds(Math.min(to, picture.length)) + 1e-15; i += 1) {
        const at = Math.round(x(i * step * picture.resolution)) + 0.5;
        if (at < gutter - 1) continue;
        context.beginPath(); context.moveTo(at, AXIS - 8); context.lineTo(at, height); context.stroke();
        const label = `${(i * step * scale).toFixed(digits)} ${unit}`;
        const half = context.measureText(label).width / 2;
        if (at - half > 0 && at + half < width) context.fillText(label, at, 11);
      }
    };

    const bars = (row, index, font) => {
      const y0 = top(index);
      const isDimmed = chosenLocation !== "" && chosenLocation !== `${row.rank}.${row.thread}`;
      context.globalAlpha = isDimmed ? 0.35 : 1;
      context.font = `10.5px ${font}`;
      context.textAlign = "left";
      const names = [];
      row.levels.forEach((all, level) => {
        const y = y0 + (hasLevels ? level * LEVEL : 0);
        const height = hasLevels ? LEVEL - 1 : LEVEL + 4;
        let drawn = -1;
        for (const bar of all) {
          if (bar.end < from || bar.begin > to) continue;
          const left = Math.max(x(bar.begin), gutter - 2), right = Math.min(x(bar.end), width + 2);
          if (right - left < 0.6 && right <= drawn) continue;
          drawn = Math.ceil(Math.max(right, left + 0.6));
          const [name, kind] = picture.regions[bar.region];
          context.fillStyle = colour(kind === "user" ? `user${level % 3}` : kind);
          context.globalAlpha = (isDimmed ? 0.35 : 1) * (sought && !sought.isHit[bar.region] ? 0.25 : 1);
          const space = right - left > 4 ? 0.7 : 0;
          context.fillRect(left, y, Math.max(right - left - space, 0.6), height);
          if (right - left > 34 && (hasLevels || level === row.levels.length - 1)) {
            names.push([bar.calls > 1 ? `${bar.calls} calls, longest ${name}` : name, left, right, y, height, kind]);
          }
        }
      });
      const lane = y0 + rowHeight(index) - GAP - LANE;
      context.globalAlpha = isDimmed ? 0.35 : 1;
      context.fillStyle = colour("work");
      let drawn = -1;
      for (const span of row.spans) {
        if (span.doing !== "work" || span.end < from || span.begin > to) continue;
        const left = Math.max(x(span.begin), gutter - 2), right = Math.min(Math.max(x(span.end), left + 0.6), width + 2);
        if (right <= drawn) continue;
        drawn = right;
        context.fillRect(left, hasLevels ? lane + 1 : y0, right - left, hasLevels ? LANE - 1 : LEVEL + 4);
      }
      for (const wait of row.waits) {
        if (wait.end < from || wait.begin > to) continue;
        const left = x(wait.begin), right = Math.max(x(wait.end), left + 1);
        const isOn = isChosen(wait.finding);
        context.globalAlpha = isDimmed || !isOn ? 0.16 : 1;
        context.fillStyle = colour("wait");
        context.fillRect(left, lane + 1, right - left, LANE - 1);
        if (isOn) {
          context.globalAlpha = isDimmed ? 0.1 : 0.45;
          context.fillStyle = hatch;
          const y = hasLevels ? y0 + waitLevel(row, wait) * LEVEL : y0;
          context.fillRect(left, y, right - left, hasLevels ? LEVEL - 1 : lane - y);
        }
        if (wait === chosenWaits[current]) {
          context.globalAlpha = 1;
          context.strokeStyle = colour("ink");
          context.lineWidth = 1.5;
          context.strokeRect(left - 1, lane - 0.5, right - left + 2, LANE + 2);
        }
      }
      context.globalAlpha = isDimmed ? 0.5 : 1;
      for (const [name, left, right, y, height, kind] of names) {
        context.save();
        context.beginPath(); context.rect(left, y, right - left - 5, height); context.clip();
        // On a hatched bar a name needs its own ground.
        context.fillStyle = colour(kind === "user" ? `user${Math.round((y - y0) / LEVEL) % 3}` : kind);
        const start = Math.max(left, gutter);
        context.fillRect(start + 1, y, context.measureText(name).width + 6, height);
        context.fillStyle = colour(kind === "user" ? "on-user" : `on-${kind}`);
        context.fillText(name, start + 4, y + height / 2 + 0.5);
        context.restore();
      }
      context.globalAlpha = 1;
    };
    /** The level of the call that waits: the deepest bar around the wait. */
    const waitLevel = (row, wait) => {
      if (wait.level === undefined) {
        const middle = (wait.begin + wait.end) / 2;
        wait.level = Math.max(0, row.levels.findLastIndex((all) => find(all, middle)));
      }
      return wait.level;
    };
    const find = (all, at) => {
      let low = 0, high = all.length;
      while (low < high) { const middle = (low + high) >> 1; if (all[middle].begin <= at) low = middle + 1; else high = middle; }
      // Calls that take no time may stand between.
      for (let i = low - 1; i >= Math.max(0, low - 4); i -= 1) if (all[i].end >= at) return all[i];
      return undefined;
    };

    const anchor = (row) => top(row) + (rowHeight(row) - GAP) / 2;
    /** From the one that the chosen wait is for, to the one that waits. */
    const partner = () => {
      const wait = chosenWaits[current];
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
      const all = picture.messages;
      const visible = [], last = new Map();
      for (let i = 0; i < all.length; i += 6) {
        if (all[i + 3] < from || all[i + 1] > to) continue;
        // Of messages on the same way within two pixels one is enough.
        const way = all[i] * rows.length + all[i + 2], at = x(all[i + 1]);
        if (at - (last.get(way) ?? -9) < 2) continue;
        last.set(way, at);
        visible.push(i);
      }
      context.strokeStyle = context.fillStyle = colour("message");
      context.lineWidth = visible.length > 600 ? 0.5 : 1;
      context.globalAlpha = visible.length > 600 ? 0.35 : 0.75;
      for (const i of visible) {
        const [row, sent, other, received] = all.slice(i, i + 4);
        const x0 = x(sent), y0 = anchor(row), x1 = x(received), y1 = anchor(other);
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
    const collectives = () => {
      let last = -Infinity;
      for (const [, parts] of picture.collectives) {
        const steps = [];
        for (let i = 0; i < parts.length; i += 3) steps.push([anchor(parts[i]), x(parts[i + 1]), x(parts[i + 2])]);
        if (steps.every(([, , end]) => end < gutter) || steps.every(([, begin]) => begin > width)) continue;
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
      context.clearRect(0, AXIS - 8, gutter - 1, bottom + 4);
      context.textAlign = "left";
      const hasThreads = rows.some((row) => row.thread > 0);
      const isNarrow = gutter < 60;
      rows.forEach((row, index) => {
        const isChosenRow = chosenLocation === `${row.rank}.${row.thread}`;
        context.font = `${isChosenRow ? "700 " : ""}11.5px ${font}`;
        context.fillStyle = colour(isChosenRow ? "ink" : "quiet");
        const name = hasThreads ? (isNarrow ? `${row.rank}.${row.thread}` : `rank ${row.rank}.${row.thread}`) : isNarrow ? `${row.rank}` : `rank ${row.rank}`;
        context.fillText(name, 2, anchor(index));
      });
    };

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
    const nameOf = (row) => (rows.some((other) => other.thread > 0) ? `rank ${row.rank}, thread ${row.thread}` : `rank ${row.rank}`);
    const waitText = (wait) => {
      const row = program.rows[wait.finding];
      const property = data.properties[row.property], long = seconds(inSeconds(wait.waited));
      const times = wait.count > 1 ? `${wait.count} waits, together ` : "waits ";
      const later = wait.count > 1 ? "" : property.isHeld ? ", which has it" : `, which came ${long} later`;
      const whom = wait.awaited ? ` for ${nameOf(wait.awaited)}${later}${wait.awaited.row === undefined ? " (not shown)" : ""}` : "";
      return `${times}${long}${whom}: ${property.title}`;
    };
    const near = (px, py) => {
      if (!hasLines) return -1;
      const all = picture.messages;
      for (let i = 0; i < all.length; i += 6) {
        if (all[i + 3] < from || all[i + 1] > to) continue;
        const x0 = x(all[i + 1]), y0 = anchor(all[i]), x1 = x(all[i + 3]), y1 = anchor(all[i + 2]);
        const squared = (x1 - x0) ** 2 + (y1 - y0) ** 2 || 1;
        const along = Math.max(0, Math.min(1, ((px - x0) * (x1 - x0) + (py - y0) * (y1 - y0)) / squared));
        if (Math.hypot(px - x0 - along * (x1 - x0), py - y0 - along * (y1 - y0)) < 3.5) return i;
      }
      return -1;
    };
    const describe = (px, py) => {
      const index = rowAt(py);
      const row = rows[index];
      if (!row || px < gutter) return false;
      const at = time(px);
      const message = near(px, py);
      if (message >= 0) {
        const [sender, sent, receiver, received, bytes, tag] = picture.messages.slice(message, message + 6);
        lines(`Message from ${nameOf(rows[sender])} to ${nameOf(rows[receiver])}`, [`${bytes} bytes, tag ${tag}`], [`sent at ${seconds(inSeconds(sent))}, ${seconds(inSeconds(received - sent))} under way`]);
        return true;
      }
      const within = py - top(index);
      const upTo = hasLevels && within < depth(row) * LEVEL ? Math.floor(within / LEVEL) : depth(row) - 1;
      let bar;
      for (let level = Math.min(upTo, row.levels.length - 1); level >= 0 && !bar; level -= 1) bar = find(row.levels[level], at);
      const waits = row.waits.filter((wait) => wait.begin <= at && at <= wait.end);
      if (!bar && !waits.length) return false;
      const [name, kind, label] = bar ? picture.regions[bar.region] : ["Waiting", "user"];
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
      drawing = pointers.size === 1 && picture && px >= gutter && (event.shiftKey || py < AXIS - 6) ? time(px) : null;
      if (pointers.size === 2) {
        const [a, b] = [...pointers.values()];
        pinch = { distance: Math.max(20, Math.abs(a[0] - b[0])), middle: time((a[0] + b[0]) / 2), from, to };
      }
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!picture) return;
      const [px, py] = position(event);
      const last = pointers.get(event.pointerId);
      if (last && pointers.size === 1) {
        const delta = px - last[0];
        moved += Math.abs(delta);
        pointers.set(event.pointerId, [px, py]);
        if (drawing !== null) { hide(); select(drawing, time(px)); return; }
        if (delta) { hide(); move(-delta / (width - gutter)); }
        return;
      }
      if (last && pinch) {
        pointers.set(event.pointerId, [px, py]);
        const [a, b] = [...pointers.values()];
        const factor = pinch.distance / Math.max(20, Math.abs(a[0] - b[0]));
        const span = (pinch.to - pinch.from) * factor;
        const share = ((a[0] + b[0]) / 2 - gutter) / (width - gutter);
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
          if (band && moved >= 4 && kind === "pointerup") { show(...band); return; }
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
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey) { event.preventDefault(); move((event.deltaX || event.deltaY) / (width - gutter)); return; }
      if (!isMeant) return;
      event.preventDefault();
      zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) / 120), time(position(event)[0]));
    }, { passive: false });

    const toWait = (step) => {
      if (!chosenWaits.length) return;
      current = (current + step + chosenWaits.length) % chosenWaits.length;
      const wait = chosenWaits[current];
      const length = Math.max(wait.end - wait.begin, 1);
      if (wait.begin < from || wait.end > to || length < (to - from) / 12) show(wait.begin - 2 * length, wait.end + 2 * length);
      lines(`${current + 1} of ${chosenWaits.length}: ${nameOf(rows[wait.row])}`, [waitText(wait), "waits"], [`${program.rows[wait.finding].path.at(-1) ?? ""}, from ${seconds(inSeconds(wait.begin))}`]);
      paint();
      scrollTo(wait.row);
      const y = top(wait.row);
      const box = canvas.getBoundingClientRect();
      place(box.left + Math.max(gutter, Math.min(width - 20, x((wait.begin + wait.end) / 2))), box.top + y + rowHeight(wait.row));
    };
    const actions = {
      in: () => zoom(0.5), out: () => zoom(2), all: () => fit(null), measured: () => fit(picture.measured),
      next: () => toWait(1), previous: () => toWait(current < 0 ? 0 : -1),
      levels: () => { hasLevels = !hasLevels; layOut(); pressed("levels", hasLevels); paint(); },
      lines: () => { hasLines = !hasLines; pressed("lines", hasLines); paint(); },
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
    by("order").addEventListener("change", (event) => { order = event.target.value; sort(); draw(); keepAddress(); });
    new ResizeObserver(draw).observe(canvas.parentElement);
    addEventListener("beforeprint", paint);

    const highlight = (choice, location) => {
      isChosen = choice;
      chosenLocation = location;
      current = -1;
      hide();
      chosenWaits = rows.flatMap((row) => (location && location !== `${row.rank}.${row.thread}` ? [] : row.waits.filter((wait) => choice(wait.finding))));
      chosenWaits.sort((a, b) => a.begin - b.begin || a.row - b.row);
      by("timeline").dataset.waits = chosenWaits.length;
      if (picture) { sort(); paint(); }
    };
    /** What is looked at, as it stands in the address: nothing of what is so anyway. */
    const kept = () => (picture ? { from: Math.round(from), to: Math.round(to), find: by("find").value, order: order === "rank" ? "" : order } : {});
    const restore = (wanted) => {
      if (!picture) return;
      if (wanted.get("order") === "waiting") { order = by("order").value = "waiting"; sort(); }
      if (wanted.get("find")) { by("find").value = wanted.get("find"); seek(by("find").value); }
      const [begin, end] = [Number(wanted.get("from")), Number(wanted.get("to"))];
      if (wanted.has("to") && end > begin) show(begin, end);
    };
    return { load, draw, highlight, kept, restore };
  })();

  const profile = profileView({ by, make, seconds, walk, keep: () => keepAddress() });

  // Which program is looked into: the part of the address behind # ------------------------------------------------------

  const nameOfProgram = (entry) => `${entry.name}/${entry.size}`;
  /** The address that was written last, and whether one may be written: while a view is built it may not. */
  let written = null, writing = 0, isRouting = true;
  const keepAddress = () => {
    if (isRouting || !program) return;
    const choices = Object.fromEntries(Object.entries(chosen).map(([name, value]) => [name, value.replaceAll("\u0000", "›")]));
    const view = new URLSearchParams(Object.entries({ ...choices, ...timeline.kept(), ...profile.kept() }).filter(([, value]) => value !== ""));
    written = `#${encodeURIComponent(nameOfProgram(program))}?${view}`;
    by("view").dataset.address = written;
    // Browsers refuse addresses that change too often.
    clearTimeout(writing);
    writing = setTimeout(() => {
      try { history.replaceState(null, "", written); } catch { /* a frame without an address of its own */ }
    }, 200);
  };
  const route = () => {
    clearTimeout(writing);
    if (location.hash === written) return;
    isRouting = true;
    const [name, view] = location.hash.slice(1).split(/\?(?=[^?]*$)/);
    const wanted = decodeURIComponent(name);
    const asked = new URLSearchParams(view ?? "");
    const only = !score && data.programs.length === 1 ? data.programs[0] : null;
    program = data.programs.find((entry) => nameOfProgram(entry) === wanted) ?? only;
    const wasHidden = by("view").hidden;
    by("view").hidden = !program;
    by("overview").hidden = !!program;
    root.dataset.view = program ? "program" : "overview";
    by("tip").hidden = true;
    if (!program) return;
    Object.assign(chosen, { property: "", call: "", location: "" });
    folded.clear();
    tool = 0;
    program.hasThreads = program.timeline?.rows.some((row) => row.thread > 0) ?? false;
    by("name").replaceChildren(...program.name.split("_").flatMap((part, index) => (index ? ["_", make("wbr"), part] : [part])), " ", make("span", "size", program.size));
    const facts = Object.entries(program.parameters ?? {}).map(([name, value]) => `${name} = ${value}`);
    if (program.wall) facts.push(`${seconds(program.wall)} measured`);
    facts.push(...(program.formulas ?? []));
    by("facts").textContent = facts.join("  ·  ");
    by("pick").hidden = program.tools.length < 2;
    by("tool").replaceChildren(...program.tools.map((name, index) => { const option = make("option", "", name); option.value = index; return option; }));
    document.querySelector(".back").hidden = !!only;
    timeline.load(program.timeline);
    profile.load(program.profile);
    for (const choice of Object.keys(chosen)) chosen[choice] = (asked.get(choice) ?? "").replaceAll("›", "\u0000");
    if (!program.rows.some(ofProperty)) Object.assign(chosen, { property: "", call: "", location: "" });
    showProgram();
    timeline.restore(asked);
    profile.restore(asked);
    isRouting = false;
    if (wasHidden && wanted) { scrollTo(0, 0); by("name").focus({ preventScroll: true }); }
  };
  by("tool").addEventListener("change", (event) => { tool = Number(event.target.value); showProgram(); });
  addEventListener("hashchange", route);

  const theme = remember.get();
  setTheme(themes.includes(theme) ? theme : "auto");
  route();
  root.dataset.ready = "true";
})();
