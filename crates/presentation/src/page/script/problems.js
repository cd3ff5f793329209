/** The problems of a run, beside its timeline. */
const problemsView = (() => {
  const list = by("problem-list");
  let problems = [], current = -1;

  /** Words with names, which stand between backticks. */
  const withNames = (element, text) => {
    element.append(...text.split("`").map((part, at) => (at % 2 ? make("code", "", part) : part)));
    return element;
  };
  const item = ({ cause, text, seconds: lost, share, place }, index) => {
    const row = make("li", "row problem");
    row.setAttribute("role", "option");
    row.dataset.key = index;
    row.append(make("span", "label", `${index + 1}. ${cause}`), make("span", "number", seconds(lost)), make("span", "number", percent(share)), withNames(make("span", "text"), text));
    if (place) {
      const line = make("code", "place", place.split("/").at(-1));
      line.title = place;
      row.append(line);
    }
    row.addEventListener("click", () => pick(index));
    return row;
  };
  const choose = (index) => {
    current = index;
    [...list.children].forEach((row, at) => {
      row.setAttribute("aria-selected", at === current);
      row.tabIndex = at === Math.max(current, 0) ? 0 : -1;
    });
    timeline.mark(problems[current] ?? null);
    keepAddress();
  };
  /** A second time undoes it. */
  const pick = (index) => {
    choose(index === current ? -1 : index);
    if (current >= 0) by("timeline").scrollIntoView({ block: "nearest" });
  };
  const forget = () => { if (current >= 0) choose(-1); };
  walk(list, (key) => pick(Number(key)), null, forget);
  by("canvas").addEventListener("keydown", (event) => { if (event.key === "Escape") forget(); });

  const load = (explanation) => {
    by("problems").hidden = !explanation;
    problems = explanation?.problems ?? [];
    current = -1;
    list.replaceChildren(...problems.map(item));
    list.hidden = !problems.length;
    by("no-problem").hidden = problems.length > 0;
    by("no-problem").textContent = explanation?.no_problem ?? "";
    by("efficiency").textContent = explanation?.efficiency ?? "";
    by("problem-notes").replaceChildren(...(explanation?.notes ?? []).map((note) => withNames(make("li"), note)));
    choose(-1);
  };
  const kept = () => ({ problem: current < 0 ? "" : String(current + 1) });
  const restore = (wanted) => {
    const number = Number(wanted.get("problem"));
    if (Number.isInteger(number) && number > 0 && number <= problems.length) choose(number - 1);
  };
  return { load, kept, restore };
})();
