/** The rows of a timeline, unpacked: bars by level, what is done at each time, and waits. */
const timelineRows = (picture) => {
  const unpackLevel = ({ region, since, duration, calls }, level) => {
    let begin = 0;
    return region.map((of, at) => {
      begin += since[at];
      return { region: of, begin, end: begin + duration[at], calls: calls[at], level };
    });
  };
  const unpack = ({ rank, thread, levels, run }) => {
    const unpacked = { rank, thread, run, levels: levels.map(unpackLevel), waits: [] };
    return { ...unpacked, spans: spansOf(unpacked) };
  };
  /** What a row does, at each time one thing: work, a kind of calls, or nothing where no team has any use for a thread. */
  const spansOf = (row) => {
    const kindOf = (bar) => picture.regions[bar.region].kind;
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

  const rows = picture.rows.map(unpack);
  const nameOf = ({ rank, thread, run }) => `${run ?? ""}${rank}.${thread}`;
  const rowOf = new Map(rows.map((row, index) => [nameOf(row), index]));
  const awaitedOnes = entries(picture.awaited).map((one) => ({ ...one, row: rowOf.get(nameOf(one)) }));
  let last = 0, before = -1;
  for (const { finding, row, since, duration, waits: count, waited, awaited } of entries(picture.waits)) {
    const begin = row === before ? last + since : since;
    [last, before] = [begin, row];
    rows[row].waits.push({ finding, row, begin, end: begin + duration, count, waited: waited || duration, awaited: awaitedOnes[awaited - 1] });
  }
  return rows;
};
