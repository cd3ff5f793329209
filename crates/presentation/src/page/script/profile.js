/** The profile of a program: call paths with bars, a histogram over the locations, and the source by lines. */
const profileView = (() => {
  let profile = null, metric = null, values = [];
  let isWhole = true, isOrdered = false, path = -1, unit = -1, file = -1;
  let units = [], paths = [], children = [], depths = [];
  const folded = new Set();
  const list = (pane) => by(pane).querySelector(".rows");

  const amount = (value) => (metric.unit === "s" ? seconds(value) : `${value.toLocaleString("en", { maximumFractionDigits: 3 })}${metric.unit === "occ" || !metric.unit ? "" : ` ${metric.unit}`}`);
  const nameOf = (index) => {
    if (index >= units.length) return `${profile.omitted} others`;
    const { rank, thread } = units[index];
    return units.some((other) => other.thread > 0) ? `rank ${rank}, thread ${thread}` : `rank ${rank}`;
  };
  const regionOf = (index) => profile.regions[paths[index].region];
  const label = (index) => regionOf(index)?.label ?? "smaller call paths";

  /** By call path, the values of all locations, of the path alone. */
  const unpack = ({ values, scale }) => {
    const width = units.length + 1;
    const rows = paths.map(() => new Float64Array(width));
    for (const [index, packed, few] of values) {
      if (!Array.isArray(packed)) rows[index].fill(packed, 0, width - 1);
      else if (few) packed.forEach((unit, at) => (rows[index][unit] = few[at]));
      else packed.forEach((value, at) => (rows[index][at] = value));
      for (let at = 0; at < width; at += 1) rows[index][at] *= scale;
    }
    return rows;
  };
  const total = (row) => (unit >= 0 ? row[unit] : row.reduce((sum, value) => sum + value, 0));
  const inside = (own) => {
    const whole = [...own];
    for (let index = own.length - 1; index >= 0; index -= 1) {
      const { parent } = paths[index];
      if (parent !== null) whole[parent] += whole[index];
    }
    return whole;
  };
  /** By location, what is in the chosen path, or in all. */
  const spread = () => {
    const sums = new Float64Array(units.length + 1);
    const isMeant = values.map(() => path < 0);
    values.forEach((row, index) => {
      isMeant[index] ||= index === path || (isWhole && isMeant[paths[index].parent]);
      if (isMeant[index]) row.forEach((value, at) => (sums[at] += value));
    });
    return sums;
  };

  const row = ({ key, text, title, depth, numbers, shares, isCode, isChosen, isLit }) => {
    const element = make("div", `${numbers.length > 1 ? "row" : "row only"}${isLit ? " lit" : ""}`);
    element.setAttribute("role", "treeitem");
    element.setAttribute("aria-level", depth + 1);
    element.setAttribute("aria-selected", isChosen);
    element.tabIndex = -1;
    element.dataset.key = key;
    element.style.setProperty("--depth", Math.min(depth, 30));
    const name = make("span", isCode ? "label code" : "label");
    name.title = title ?? text;
    name.append(text);
    element.append(name, ...numbers.map((number) => make("span", "number", number)));
    const meter = make("span", "meter");
    for (const [className, share] of shares) {
      const bar = make("i", className);
      bar.style.width = `${Math.max(0, share) * 100}%`;
      meter.append(bar);
    }
    element.append(meter);
    return element;
  };
  const fill = (pane, rows, chosen) => {
    const into = list(pane);
    const focused = into.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    into.replaceChildren(...(rows.length ? rows : [make("p", "empty", "Nothing here.")]));
    const entry = rows.find((row) => row.dataset.key === (focused ?? chosen)) ?? rows[0];
    if (entry) entry.tabIndex = 0;
    if (focused !== null) entry?.focus();
    const top = entry ? entry.offsetTop - into.offsetTop : 0;
    if (entry && (top < into.scrollTop || top + entry.offsetHeight > into.scrollTop + into.clientHeight)) into.scrollTop = top - into.clientHeight / 2;
  };

  const showTree = () => {
    const own = values.map(total), whole = inside(own);
    const sizes = isWhole ? whole : own;
    const largest = Math.max(1e-300, ...whole);
    const rows = [];
    const add = (indices) => {
      for (const index of [...indices].sort((a, b) => sizes[b] - sizes[a] || a - b)) {
        if (whole[index] === 0) continue;
        const place = regionOf(index);
        const line = row({
          key: String(index), text: cut(label(index)), title: place?.file ? `${place.label}, ${place.file}:${place.lines[0]}` : label(index),
          depth: depths[index], numbers: [amount(whole[index]), amount(own[index])], isCode: true, isChosen: index === path, isLit: lit.paths.has(index),
          shares: [["whole", whole[index] / largest], ["alone", own[index] / largest]],
        });
        if (children[index].some((child) => whole[child] !== 0)) {
          const isFolded = folded.has(index);
          line.setAttribute("aria-expanded", !isFolded);
          const twist = make("span", "twist", isFolded ? "▸" : "▾");
          twist.addEventListener("click", (event) => { event.stopPropagation(); fold(index, !isFolded); });
          line.querySelector(".label").prepend(twist);
        }
        line.addEventListener("click", () => pickPath(index));
        rows.push(line);
        if (!folded.has(index)) add(children[index]);
      }
    };
    add(paths.flatMap(({ parent }, index) => (parent === null ? [index] : [])));
    fill("profile-calls", rows, String(path));
  };

  const showLocations = () => {
    const sums = spread();
    const shown = units.map((_, index) => index);
    if (isOrdered) shown.sort((a, b) => sums[b] - sums[a] || a - b);
    const of = shown.map((index) => sums[index]);
    const largest = Math.max(1e-300, ...of), mean = of.reduce((sum, value) => sum + value, 0) / (of.length || 1);
    const rows = shown.map((index) => row({
      key: String(index), text: nameOf(index), depth: 0, numbers: [amount(sums[index])], isChosen: index === unit, isLit: lit.locations.has(`${units[index].rank}.${units[index].thread}`), shares: [["alone", sums[index] / largest]],
    }));
    rows.forEach((line, at) => line.addEventListener("click", () => pickUnit(shown[at])));
    fill("profile-locations", rows, String(unit));
    if (profile.omitted) list("profile-locations").append(make("p", "empty", `and ${nameOf(units.length)} with ${amount(sums[units.length])} together`));
    const width = 240 / (of.length || 1), gap = width > 3 ? 1 : 0;
    const bars = (is) => shown.map((index, at) => (is(index) ? `M${(at * width).toFixed(2)} 40v${(-40 * sums[index] / largest).toFixed(2)}h${(width - gap).toFixed(2)}V40z` : "")).join("");
    const svg = by("histogram").querySelector("svg");
    svg.querySelector(".all").setAttribute("d", bars((index) => index !== unit));
    svg.querySelector(".one").setAttribute("d", bars((index) => index === unit));
    svg.querySelector(".mean").setAttribute("d", `M0 ${(40 - 40 * mean / largest).toFixed(2)}H240`);
    const least = of.length ? Math.min(...of) : 0;
    by("spread").textContent = `${amount(least)} to ${amount(of.length ? Math.max(...of) : 0)}, ${amount(mean)} on average`;
    by("histogram").setAttribute("aria-pressed", isOrdered);
    by("histogram").setAttribute("aria-label", `${metric.title} by location, ${by("spread").textContent}: ${isOrdered ? "stand by amount; put them in the order of ranks" : "stand by rank; order them by amount"}`);
    by("view").dataset.profileOrder = shown.join(" ");
  };

  const showPlace = () => {
    const region = path >= 0 ? regionOf(path) : null;
    const place = by("place");
    place.replaceChildren();
    if (path < 0) { place.textContent = profile.files.length ? "A call path that is chosen says where it is in the source." : ""; return; }
    place.append(make("b", "", label(path)));
    if (region?.file) {
      const { file: name, lines: [first, last] } = region;
      place.append(` in ${name}${last > first ? `, lines ${first} to ${last}` : `, line ${first}`}`);
    } else place.append(": the trace does not say where it is in the source.");
  };

  /** The source of the file that is chosen: what a line has is that of the regions that begin in it, over all locations. */
  const showSource = () => {
    const box = by("lines"), one = profile.files[file];
    by("source").hidden = !one;
    if (!one) { box.replaceChildren(); return; }
    by("file").value = file;
    by("read").textContent = one.why ? `Not shown: ${one.why}. What is known of its lines:` : `As it was in ${one.path} when this page was made.`;
    const lines = entries(one.lines);
    const at = Map.groupBy ? Map.groupBy(lines, ({ first }) => first) : lines.reduce((map, line) => map.set(line.first, [...(map.get(line.first) ?? []), line]), new Map());
    const longest = Math.max(1e-300, ...lines.map((line) => line.inclusive ?? 0));
    const chosen = path >= 0 ? paths[path].region : null;
    const texts = one.text === undefined ? [] : one.text.replace(/\n$/, "").split(/\r?\n/);
    const body = make("tbody");
    const isIn = lines.find((line) => line.region === chosen);
    const add = (number, text, line, isFirst) => {
      const tr = make("tr", isIn && number >= isIn.first && number <= Math.max(isIn.first, isIn.last) ? "in" : "");
      const { region, visits, exclusive: own, inclusive: whole, waiting } = line ?? {};
      const head = make("th", "number", isFirst ? number : "");
      head.scope = "row";
      tr.append(head);
      const known = [visits?.toLocaleString("en"), own != null ? seconds(own) : "", whole != null ? seconds(whole) : "", waiting ? seconds(waiting) : ""];
      known.forEach((shown) => tr.append(make("td", "number", line ? shown ?? "" : "")));
      if (line) { tr.dataset.region = profile.regions[region].label; tr.title = tr.dataset.region; tr.style.setProperty("--share", `${((whole ?? 0) / longest) * 100}%`); tr.classList.add("known"); }
      const code = make("td", "code");
      code.append(make("code", text === null ? "name" : "", text ?? tr.dataset.region));
      tr.append(code);
      body.append(tr);
      return tr;
    };
    let target = null;
    const numbers = new Set([...texts.keys()].map((index) => index + 1).concat([...at.keys()]));
    for (const number of [...numbers].sort((a, b) => a - b)) {
      const [first, ...others] = at.get(number) ?? [];
      const tr = add(number, texts[number - 1] ?? null, first, true);
      if (number === isIn?.first) target = tr;
      // Several regions may begin in a line: the others stand below it by their names.
      for (const other of others) add(number, null, other, false);
    }
    const head = make("thead"), heads = make("tr");
    for (const name of ["Line", "Visits", "Alone", "With all inside", "Waits", "Source"]) { const cell = make("th", name === "Source" ? "" : "number", name); cell.scope = "col"; heads.append(cell); }
    head.append(heads);
    const table = make("table");
    table.append(head, body);
    box.replaceChildren(table);
    box.scrollTop = target ? Math.max(0, target.offsetTop - 90) : 0;
  };

  const show = () => {
    showTree();
    showLocations();
    showPlace();
    showSource();
    const { dataset } = by("view");
    dataset.path = path < 0 ? "" : path;
    dataset.unit = unit < 0 ? "" : nameOf(unit);
    keepAddress();
  };
  const fold = (index, isFolded) => { if (isFolded) folded.add(index); else folded.delete(index); showTree(); };
  const pickPath = (index) => {
    path = path === index ? -1 : index;
    const name = path >= 0 ? regionOf(path)?.file : undefined;
    file = path < 0 ? -1 : profile.files.findIndex((one) => one.name === name);
    show();
  };
  const pickUnit = (index) => { unit = unit === index ? -1 : index; show(); };
  const pickMetric = (name) => {
    metric = profile.metrics.find((one) => one.name === name) ?? profile.metrics[0];
    by("metric").value = metric.name;
    values = unpack(metric);
  };

  walk(list("profile-calls"), (item) => pickPath(Number(item)), (item, isFolded) => fold(Number(item), isFolded), () => path >= 0 && pickPath(path));
  walk(list("profile-locations"), (item) => pickUnit(Number(item)), () => {}, () => unit >= 0 && pickUnit(unit));
  by("metric").addEventListener("change", (event) => { pickMetric(event.target.value); show(); });
  by("extent").addEventListener("change", (event) => { isWhole = event.target.value === "whole"; show(); });
  by("histogram").addEventListener("click", () => { isOrdered = !isOrdered; showLocations(); keepAddress(); });
  by("file").addEventListener("change", (event) => { file = Number(event.target.value); showSource(); });

  const option = (value, text) => { const one = make("option", "", text); one.value = value; return one; };
  const load = (next) => {
    units = next ? entries(next.units) : [];
    paths = next ? entries(next.paths) : [];
    profile = paths.length && next.metrics.length ? next : null;
    by("profile").hidden = !profile;
    by("source").hidden = true;
    if (!profile) return;
    [isWhole, isOrdered, path, unit, file] = [true, false, -1, -1, -1];
    by("extent").value = "whole";
    const groups = [...new Set(profile.metrics.map((one) => one.group))];
    const order = ["", "Wait states", "Idle threads", "Root causes", "Messages", "Counters"];
    groups.sort((a, b) => order.indexOf(a) - order.indexOf(b));
    by("metric").replaceChildren(...groups.flatMap((group) => {
      const options = profile.metrics.filter((one) => one.group === group).map((one) => option(one.name, one.title));
      if (!group) return options;
      const box = make("optgroup");
      box.label = group;
      box.append(...options);
      return [box];
    }));
    by("file").replaceChildren(...profile.files.map((one, index) => option(index, one.name)));
    children = paths.map(() => []);
    depths = [];
    paths.forEach(({ parent }, index) => { depths.push(parent === null ? 0 : depths[parent] + 1); children[parent]?.push(index); });
    pickMetric("time");
    folded.clear();
    // What is less than a hundredth of all is folded at first.
    const whole = inside(values.map(total));
    const all = Math.max(...whole);
    whole.forEach((value, index) => { if (value < all / 100 && children[index].length) folded.add(index); });
    show();
  };
  /** What is looked at, as it stands in the address. */
  const kept = () => (profile ? {
    metric: metric === profile.metrics.find((one) => one.name === "time") ? "" : metric.name, extent: isWhole ? "" : "alone",
    path: path < 0 ? "" : String(path), unit: unit < 0 ? "" : String(unit), bars: isOrdered ? "amount" : "",
  } : {});
  const restore = (wanted) => {
    if (!profile) return;
    const number = (name, most) => { const value = Number(wanted.get(name) || -1); return Number.isInteger(value) && value >= 0 && value < most ? value : -1; };
    if (wanted.get("metric")) pickMetric(wanted.get("metric"));
    isWhole = wanted.get("extent") !== "alone";
    by("extent").value = isWhole ? "whole" : "alone";
    isOrdered = wanted.get("bars") === "amount";
    unit = number("unit", units.length);
    const at = number("path", paths.length);
    if (at >= 0) pickPath(at); else show();
  };
  /** The seconds that each location spends in each function alone, by name. */
  const byFunction = () => {
    const sums = new Map(), time = profile?.metrics.find(({ name }) => name === "time");
    if (time) unpack(time).forEach((row, index) => {
      const name = label(index), known = sums.get(name);
      sums.set(name, known ? known.map((value, at) => value + row[at]) : row);
    });
    return sums;
  };
  const draw = () => { if (profile) { showTree(); showLocations(); } };
  return { load, draw, byFunction, nameOf, kept, restore };
})();
