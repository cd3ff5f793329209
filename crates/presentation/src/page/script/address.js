/** The address: the part behind # names the program and what is chosen in it. */
const nameOfProgram = (entry) => `${entry.name}/${entry.size}`;
/** The address that was written last, and whether one may be written: while a view is built it may not. */
let written = null, writing = 0, isRouting = true;
const keepAddress = () => {
  if (isRouting || !program) return;
  const choices = Object.fromEntries(Object.entries(chosen).map(([name, value]) => [name, value.replaceAll("\u0000", "›")]));
  const view = new URLSearchParams(Object.entries({ ...choices, ...timeline.kept(), ...problemsView.kept(), ...comparisonView.kept(), ...causesView.kept(), ...profileView.kept() }).filter(([, value]) => value !== ""));
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
  isThreaded = program.timeline?.rows.some((row) => row.thread > 0) ?? false;
  by("name").replaceChildren(...program.name.split("_").flatMap((part, index) => (index ? ["_", make("wbr"), part] : [part])), " ", make("span", "size", program.size));
  const facts = Object.entries(program.parameters).map(([name, value]) => `${name} = ${value}`);
  if (program.wall_time && !program.comparison) facts.push(`${seconds(program.wall_time)} measured`);
  facts.push(...program.formulas);
  by("facts").textContent = facts.join("  ·  ");
  by("pick").hidden = program.tools.length < 2 || !!program.comparison;
  by("tool").replaceChildren(...program.tools.map((name, index) => { const option = make("option", "", name); option.value = index; return option; }));
  document.querySelector(".back").hidden = !!only;
  causesView.load(program.causes);
  const pair = program.comparison?.timelines;
  timeline.load(pair ? timelinesBeside(pair) : program.timeline, program.causes);
  comparisonView.load(program.comparison);
  problemsView.load(program.explanation);
  profileView.load(program.profile);
  processesView.load(program.profile, program.communication);
  for (const choice of Object.keys(chosen)) chosen[choice] = (asked.get(choice) ?? "").replaceAll("›", "\u0000");
  if (!program.rows.some(ofProperty)) Object.assign(chosen, { property: "", call: "", location: "" });
  causesView.restore(asked);
  showProgram();
  problemsView.restore(asked);
  comparisonView.restore(asked);
  timeline.restore(asked);
  profileView.restore(asked);
  isRouting = false;
  if (wasHidden && wanted) { scrollTo(0, 0); by("name").focus({ preventScroll: true }); }
};
by("tool").addEventListener("change", (event) => { tool = Number(event.target.value); showProgram(); });
addEventListener("hashchange", route);

const theme = remember.get();
setTheme(themes.includes(theme) ? theme : "auto");
route();
root.dataset.ready = "true";
