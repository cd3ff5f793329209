/** The differences of two runs, below their timelines. */
const comparisonView = (() => {
  const NO_TIMELINE = by("none").textContent;
  let comparison = null, lines = [], current = -1;

  const amount = (value) => (comparison.measure === "seconds" ? seconds(value) : percent(value));
  const signed = (value, text) => `${value < 0 ? "−" : "+"}${text(Math.abs(value))}`;
  const line = (difference, index) => {
    const { depth, text, whole, a, b, share, paths } = difference;
    const row = make("tr", depth ? "part" : "use"), name = make("th");
    name.scope = "row";
    name.style.setProperty("--depth", depth);
    if (paths.some((path) => path.length) && comparison.timelines) {
      const button = make("button", "code", text);
      button.type = "button";
      button.addEventListener("click", () => pick(index));
      name.append(button);
    } else name.append(make("span", depth ? "code" : "", text));
    name.title = whole;
    const cells = [signed(b - a, amount), signed(share, percent), amount(a), amount(b)].map((value) => make("td", "number", value));
    cells[1].className = `number ${share < 0 ? "less" : "more"}`;
    cells[1].style.setProperty("--share", `${Math.min(60, Math.abs(share) * 100).toFixed(1)}%`);
    row.append(name, ...cells);
    return row;
  };
  /** The run with a change; the last is B. */
  const gained = ({ change, seconds: wall, gain, efficiency, lost }) => {
    const row = make("tr"), name = make("th", "code", change);
    name.scope = "row";
    row.append(name, ...[wall, gain, efficiency, lost].map((text) => make("td", "number", text)));
    return row;
  };
  const choose = (index) => {
    current = index;
    lines.forEach((row, at) => row.classList.toggle("chosen", at === current));
    timeline.markPlace(comparison?.differences[current]);
    keepAddress();
  };
  /** A second time undoes it. */
  const pick = (index) => {
    choose(index === current ? -1 : index);
    if (current >= 0) by("timeline").scrollIntoView({ block: "nearest" });
  };

  const load = (next) => {
    comparison = next ?? null;
    by("comparison").hidden = by("difference-table").hidden = !comparison;
    by("none").textContent = comparison ? "There are no timelines: not both runs have a trace." : NO_TIMELINE;
    by("sentences").replaceChildren(...(comparison?.sentences ?? []).map((sentence) => make("p", "", sentence)));
    const gains = comparison?.gains ?? [];
    by("gain-table").hidden = !gains.length;
    by("gain-rows").replaceChildren(...gains.map(gained));
    by("together").textContent = comparison?.together ?? "";
    by("comparison-notes").replaceChildren(...(comparison?.notes ?? []).map((note) => make("li", "", note)));
    by("difference-help").hidden = !comparison?.timelines;
    lines = (comparison?.differences ?? []).map(line);
    by("difference-rows").replaceChildren(...lines);
    choose(-1);
  };
  const kept = () => ({ difference: current < 0 ? "" : String(current + 1) });
  const restore = (wanted) => {
    const number = Number(wanted.get("difference"));
    if (Number.isInteger(number) && number > 0 && number <= lines.length) choose(number - 1);
  };
  return { load, kept, restore };
})();
