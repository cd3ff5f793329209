/** The chosen program, and its three trees: wait states, call paths and locations. */
let program = null;
let tool = 0;
/** Whether its timeline has threads. */
let isThreaded = false;
const chosen = { property: "", call: "", location: "" };
/** The call paths of the profile and the locations that cause the chosen waits; of a location, the names of the regions. */
const lit = { paths: new Set(), locations: new Map() };

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
      for (const column of columns()) node.sums[column] = (node.sums[column] ?? 0) + (amounts(row, column)?.amount ?? 0);
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
    label.append(cut(item.name));
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
/** Of two runs all waits are shown, and no trees: those are of one run. */
const showCompared = () => {
  for (const part of [document.querySelector(".panes"), by("unanalyzed"), by("warnings")]) part.hidden = true;
  by("definition").replaceChildren();
  timeline.highlight(() => true, "");
  keepAddress();
};
const showProgram = () => {
  if (program.comparison) { showCompared(); return; }
  const rows = program.rows.filter((row) => columns().some((column) => amounts(row, column)));
  const properties = tree(rows, groupsOf);
  document.querySelector(".panes").hidden = !rows.length;
  if (chosen.property === "") {
    const first = flat(properties)[0];
    chosen.property = first ? first.key : "";
  }
  const isCount = chosen.property.startsWith("Counts");
  const total = program.location_seconds;
  const hasShare = (item) => total && !item.key.startsWith(OUTSIDE);
  const share = (value, item) => (item.key.startsWith("Counts") ? `${value} ×` : hasShare(item) ? percent(value / total) : seconds(value));
  const plain = (value) => (isCount ? `${value} ×` : seconds(value));
  showRows("properties", flat(properties), "property", share);
  const ofProperties = rows.filter(ofProperty);
  showRows("calls", flat(tree(ofProperties, (row) => row.path)), "call", plain);

  const locations = new Map();
  const selected = ofProperties.filter(ofCall);
  for (const row of selected) {
    for (const column of columns()) {
      const shares = amounts(row, column)?.locations;
      for (const { rank, thread, seconds: value } of shares ? entries(shares) : []) {
        const id = `${rank}.${thread}`;
        if (!locations.has(id)) locations.set(id, { key: id, rank, thread, depth: 0, sums: {} });
        const { sums } = locations.get(id);
        sums[column] = (sums[column] ?? 0) + value;
      }
    }
  }
  const hasThreads = [...locations.values()].some((location) => location.thread > 0) || isThreaded;
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
  const unanalyzed = program.not_analyzed[tool] ?? [];
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
    const name = make(property.reference ? "a" : "b", "", property.title);
    if (property.reference) name.href = property.reference;
    definition.append(name, `: ${property.definition}`);
  }
  const numbers = new Set(selected.map((row) => program.rows.indexOf(row)));
  causesView.follow(numbers);
  timeline.highlight((row) => numbers.has(row), chosen.location);
  const { dataset } = by("view");
  dataset.property = chosen.property.replaceAll("\u0000", "/");
  dataset.call = chosen.call.replaceAll("\u0000", "/");
  dataset.location = chosen.location;
  keepAddress();
};
