/** What each process does with its time, and what it sends to whom. */
const processesView = (() => {
  /** Colours of functions that are no calls, or not the first of their kind; all but the largest functions share the last. */
  const COLOURS = ["found", "wrong", "failed", "work", "sync", "cause", "other", "missed", "user2"], OTHERS = "user1";
  const MOST_LABELS = 8;
  let communication = null;

  const total = (values) => values.reduce((sum, value) => sum + value, 0);
  /** A colour for each of these functions: as in the timeline, that of the kind of calls for the first of each kind. */
  const coloured = (names) => {
    const kinds = new Map(program.timeline?.regions.map(({ name, label, kind }) => [label ?? name, kind]));
    const used = new Set(["user"]);
    return names.map((name) => {
      const kind = kinds.get(name) ?? "user";
      const colour = used.has(kind) ? COLOURS.find((one) => !used.has(one)) : kind;
      used.add(colour);
      return colour;
    });
  };
  const showFunctions = (units) => {
    const all = [...profileView.byFunction()].filter(([, values]) => total(values) > 0);
    by("functions").hidden = !all.length || !units.length;
    if (by("functions").hidden) return;
    all.sort((a, b) => total(b[1]) - total(a[1]));
    const largest = all.slice(0, COLOURS.length), colourOf = coloured(largest.map(([name]) => name));
    const parts = largest.map(([name, values], at) => ({ name: cut(name), values, colour: colourOf[at] }));
    const others = all.slice(COLOURS.length).map(([, values]) => values);
    if (others.length) parts.push({ name: `${others.length} others`, values: others.reduce((sum, values) => sum.map((value, at) => value + values[at])), colour: OTHERS });
    const sums = units.map((_, unit) => total(parts.map(({ values }) => values[unit])));
    const longest = Math.max(...sums);
    by("function-key").replaceChildren(...parts.map(({ name, colour }) => {
      const item = make("li"), swatch = make("span", "swatch");
      swatch.style.background = `var(--${colour})`;
      item.append(swatch, name);
      return item;
    }));
    by("function-rows").replaceChildren(...units.map((_, unit) => {
      const row = make("div", "spent"), bar = make("span", "stack");
      for (const { name, values, colour } of parts.filter(({ values }) => values[unit] > 0)) {
        const part = make("i");
        part.style.cssText = `width: ${(values[unit] / longest) * 100}%; background: var(--${colour})`;
        part.title = `${name}: ${seconds(values[unit])}, ${percent(values[unit] / sums[unit])}`;
        bar.append(part);
      }
      row.append(make("span", "", profileView.nameOf(unit)), bar, make("span", "number", seconds(sums[unit])));
      return row;
    }));
  };

  const blockName = (block) => {
    const first = block * communication.block, last = Math.min(first + communication.block, communication.ranks) - 1;
    return first === last ? `${first}` : `${first}–${last}`;
  };
  const showMatrix = () => {
    const { ranks, block } = communication, isBytes = by("sent").value === "bytes";
    const all = entries(communication.cells), number = Math.ceil(ranks / block), every = Math.ceil(number / MOST_LABELS);
    const amount = ({ bytes, messages }) => (isBytes ? bytes : messages);
    const largest = Math.max(...all.map(amount)), grid = by("cells");
    const at = (element, row, column) => { element.style.gridArea = `${row} / ${column}`; return element; };
    const words = ({ messages, bytes }) => `${messages.toLocaleString("en")} message${messages === 1 ? "" : "s"}, ${bytes.toLocaleString("en")} bytes`;
    grid.style.gridTemplate = `auto repeat(${number}, minmax(0, 1fr)) / auto repeat(${number}, minmax(0, 1fr))`;
    grid.style.setProperty("--blocks", number);
    const labels = Array.from({ length: Math.ceil(number / every) }, (_, index) => index * every);
    const ground = make("span", "ground");
    ground.style.gridArea = `2 / 2 / ${number + 2} / ${number + 2}`;
    grid.replaceChildren(ground, ...labels.flatMap((label) => [at(make("b", "", label * block), label + 2, 1), at(make("b", "", label * block), 1, label + 2)]), ...all.map((cell) => {
      const element = at(make("i"), cell.sender + 2, cell.receiver + 2);
      element.style.setProperty("--share", `${(12 + 88 * (largest ? amount(cell) / largest : 1)).toFixed(1)}%`);
      element.title = `rank ${blockName(cell.sender)} to rank ${blockName(cell.receiver)}: ${words(cell)}`;
      return element;
    }));
    const sum = { messages: total(all.map(({ messages }) => messages)), bytes: total(all.map(({ bytes }) => bytes)) };
    const blocks = block > 1 ? ` Each cell is of ${block} × ${block} ranks together.` : "";
    by("sent-words").textContent = `${words(sum)}, from the rank of the row to that of the column; the strongest cell has ${largest.toLocaleString("en")}${isBytes ? " bytes" : ""}. Collective operations are not in it.${blocks}`;
    grid.setAttribute("aria-label", `${number} × ${number} cells, ${all.length} with messages`);
  };
  by("sent").addEventListener("change", showMatrix);

  const load = (profile, sent) => {
    showFunctions(profile ? entries(profile.units) : []);
    communication = sent?.cells.sender.length ? sent : null;
    by("communication").hidden = !communication;
    by("processes").hidden = by("functions").hidden && !communication;
    by("sent").value = "bytes";
    if (communication) showMatrix();
  };
  return { load };
})();
