/** The rows of a timeline, unpacked: bars by level, what is done at each time, and waits. */
const timelineRows = (picture) => {
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

  const rows = picture.rows.map(unpack);
  const rowOf = new Map(rows.map((row, index) => [`${row.rank}.${row.thread}`, index]));
  const awaitedOnes = picture.awaited.map(([rank, thread]) => ({ rank, thread, row: rowOf.get(`${rank}.${thread}`) }));
  for (let i = 0, at = 0, before = -1; i < picture.waits.length; i += 7) {
    const [finding, row, since, length, count, together, awaited] = picture.waits.slice(i, i + 7);
    const begin = row === before ? at + since : since, waited = together || length;
    [at, before] = [begin, row];
    rows[row].waits.push({ finding, row, begin, end: begin + length, count, waited, awaited: awaitedOnes[awaited - 1] });
  }
  return rows;
};
