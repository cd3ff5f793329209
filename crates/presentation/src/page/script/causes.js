/** Root causes: who makes whom wait, and the critical path. */
const causesView = (() => {
  const MOST_CAUSES = 50, MOST_FINDINGS = 12, MOST_LINES = 12;
  let causes = null, units = [], paths = [], caused = [], costs = [];
  /** The chosen call path of causes, and the chosen findings. */
  let path = -1, followed = new Set();

  const nameOf = (index) => {
    if (index === null) return "other locations";
    const { rank, thread } = units[index];
    return units.some((other) => other.thread > 0) ? `rank ${rank}, thread ${thread}` : `rank ${rank}`;
  };
  const named = (index, shown) => paths[index].names.map(shown).join("/") || "outside all regions";
  const pathOf = (index) => named(index, (name) => name), shortOf = (index) => named(index, cut);
  const rowOf = (index) => program.rows[caused[index].finding];
  const titleOf = (index) => `${data.properties[rowOf(index).property].title} at ${cut(rowOf(index).path.at(-1) ?? "the program")}`;
  const cost = ({ direct, indirect }) => direct + indirect;
  const total = (some) => some.reduce((sum, one) => sum + cost(one), 0);
  /** How waits come from a cause: directly, or through others. */
  const way = (some) => {
    const indirect = some.reduce((sum, one) => sum + one.indirect, 0), all = total(some);
    if (!(indirect > 0)) return "direct";
    const mean = some.reduce((sum, one) => sum + one.hops * one.indirect, 0) / indirect;
    const through = `through ${Number(mean.toFixed(1))} wait${mean.toFixed(1) === "1.0" ? "" : "s"}`;
    return indirect < all ? `${percent(1 - indirect / all)} direct, else ${through}` : through;
  };
  /** The costs that are meant, in groups by what is asked for, the most costly group first. */
  const grouped = (some, ask) => {
    const groups = new Map();
    for (const one of some) groups.set(ask(one), [...(groups.get(ask(one)) ?? []), one]);
    return [...groups].sort((a, b) => total(b[1]) - total(a[1]));
  };

  const button = (text, choose, className, title) => {
    const element = make("button", className ?? "", text);
    element.type = "button";
    element.title = title ?? text;
    element.addEventListener("click", choose);
    return element;
  };
  const head = (scope, content) => {
    const cell = make("th");
    cell.scope = scope;
    cell.append(content);
    return cell;
  };
  const pickPath = (index) => { path = path === index ? -1 : index; showProgram(); };
  /** The trees follow what is chosen here. */
  const pickFinding = (index) => {
    const row = rowOf(index);
    Object.assign(chosen, { property: key(groupsOf(row)), call: key(row.path), location: "" });
    showProgram();
  };
  const pickCost = (of, at) => { path = at; pickFinding(of); };

  const showMatrix = () => {
    const shown = caused.slice(0, MOST_FINDINGS).map((_, index) => index);
    const heads = make("tr");
    heads.append(head("col", "Cause"));
    for (const of of shown) {
      const cell = head("col", button(titleOf(of), () => pickCost(of, -1)));
      cell.className = isFollowed(of) ? "number chosen" : "number";
      heads.append(cell);
    }
    by("caused").replaceChildren(heads);
    const rows = grouped(costs, (one) => one.path);
    by("costs").replaceChildren(...rows.slice(0, MOST_CAUSES).map(([at, some]) => {
      const line = make("tr", at === path ? "chosen" : "");
      line.dataset.path = pathOf(at);
      line.append(head("row", button(shortOf(at), () => pickPath(at), "code", pathOf(at))));
      for (const of of shown) {
        const value = total(some.filter((one) => one.of === of));
        const cell = make("td", "number");
        if (value > 0) {
          cell.style.setProperty("--share", `${(55 * value / caused[of].total).toFixed(1)}%`);
          cell.append(button(seconds(value), () => pickCost(of, at)));
        }
        line.append(cell);
      }
      return line;
    }));
    const left = [[rows.length - MOST_CAUSES, "causes"], [caused.length - MOST_FINDINGS, "waits"], [causes.omitted, "small costs"]];
    const more = left.filter(([number]) => number > 0).map(([number, what]) => `${number} more ${what}`);
    by("more-causes").textContent = `The seconds of a wait that a cause accounts for. ${more.length ? `Not shown: ${more.join(", ")}.` : ""}`;
  };
  const isFollowed = (of) => followed.size === 1 && followed.has(of);

  /** What the chosen wait is caused by, or what the chosen call path costs whom. */
  const showChain = (some) => {
    const list = make("ul"), box = by("chain");
    const item = (value, share, text) => list.append(make("li", "", `${seconds(value)}${share} ${text}`));
    const rest = (left) => { if (left.length) item(total(left.flatMap((one) => one[1] ?? one)), "", `in ${left.length} more`); };
    box.hidden = !some.length;
    if (path >= 0) {
      box.replaceChildren(make("b", "", shortOf(path)), ` costs ${seconds(total(some))}`, list);
      const groups = grouped(some, (one) => one.of);
      for (const [of, those] of groups.slice(0, MOST_LINES)) {
        const whom = entries(rowOf(of).found.find((found) => found)?.locations ?? { rank: [] });
        const from = grouped(those, (one) => one.unit).slice(0, 3).map(([unit]) => nameOf(unit)).join("; ");
        item(total(those), ` (${percent(total(those) / caused[of].total)})`, `of ${titleOf(of)}, ${way(those)}, from ${from}; ${whom.length} location${whom.length === 1 ? "" : "s"} wait${whom.length === 1 ? "s" : ""}`);
      }
      rest(groups.slice(MOST_LINES));
      return;
    }
    const [of] = followed;
    box.replaceChildren(make("b", "", some.length ? titleOf(of) : ""), list);
    for (const one of some.slice(0, MOST_LINES)) item(cost(one), ` (${percent(cost(one) / caused[of].total)})`, `${shortOf(one.path)}, ${nameOf(one.unit)}: ${way([one])}`);
    rest(some.slice(MOST_LINES));
    if (some.length && caused[of].unattributed > 0) item(caused[of].unattributed, "", "without a cause");
  };
  const showCritical = () => {
    const { length, profile } = causes.critical;
    by("critical-title").textContent = `Critical path, ${seconds(length)}`;
    by("critical").replaceChildren(...entries(profile).map(({ path: at, seconds: value, imbalance }) => {
      const line = make("tr", at === path ? "chosen" : "");
      line.append(head("row", button(shortOf(at), () => pickPath(at), "code", pathOf(at))));
      for (const text of [seconds(value), percent(value / (length || 1)), seconds(imbalance)]) line.append(make("td", "number", text));
      return line;
    }));
  };

  /** Lights up the causes of these rows of the program, if it is one wait, or a cause is chosen. */
  const follow = (numbers) => {
    lit.paths.clear();
    lit.locations.clear();
    if (!causes) return;
    followed = new Set(caused.flatMap(({ finding }, index) => (numbers.has(finding) ? [index] : [])));
    const some = path >= 0 ? costs.filter((one) => one.path === path) : followed.size === 1 ? costs.filter((one) => followed.has(one.of)) : [];
    some.sort((a, b) => cost(b) - cost(a));
    for (const { path: at, unit } of some) {
      for (const place of paths[at].places) lit.paths.add(place);
      if (unit === null) continue;
      const location = `${units[unit].rank}.${units[unit].thread}`;
      const regions = lit.locations.get(location) ?? new Set();
      lit.locations.set(location, regions.add(paths[at].names.at(-1)));
    }
    showMatrix();
    showChain(some);
    showCritical();
    const { dataset } = by("causes");
    dataset.lit = [...lit.locations.keys()].join(" ");
    dataset.path = path < 0 ? "" : pathOf(path);
    profileView.draw();
  };
  const load = (next) => {
    causes = next ?? null;
    by("causes").hidden = !causes;
    path = -1;
    followed = new Set();
    lit.paths.clear();
    lit.locations.clear();
    units = causes ? entries(causes.units) : [];
    paths = causes ? entries(causes.paths) : [];
    caused = causes ? entries(causes.caused) : [];
    costs = causes ? entries(causes.costs) : [];
  };
  const kept = () => ({ cause: path < 0 ? "" : String(path) });
  const restore = (wanted) => {
    const at = Number(wanted.get("cause") || -1);
    if (Number.isInteger(at) && at >= 0 && at < paths.length) path = at;
  };
  return { load, follow, kept, restore };
})();
