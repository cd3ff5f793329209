/** The timelines of two runs as one, at one scale and each from its begin: the rows of A above those of B. */
const timelinesBeside = ([a, b]) => {
  const ticks = (column) => column.map((value) => (value * a.resolution) / b.resolution);
  const behind = (column, number) => column.map((value) => value + number);
  const ofRows = (column) => behind(column, a.rows.length);
  const joined = (one, other) => Object.fromEntries(Object.keys(one).map((name) => [name, [...one[name], ...other[name]]]));
  const bars = (all) => ({ ...all, region: behind(all.region, a.regions.length), since: ticks(all.since), duration: ticks(all.duration) });
  const named = (table, run) => ({ ...table, run: table.rank.map(() => run) });
  const [end, begun, ended] = ticks([b.duration, ...(b.measured ?? [])]);
  const { messages, waits, awaited } = b;
  return {
    resolution: a.resolution,
    begin: 0,
    duration: Math.max(a.duration, end),
    measured: a.measured && b.measured && [Math.min(a.measured[0], begun), Math.max(a.measured[1], ended)],
    regions: [...a.regions, ...b.regions],
    rows: [...a.rows.map((row) => ({ ...row, run: "A" })), ...b.rows.map((row) => ({ ...row, run: "B", levels: row.levels.map(bars) }))],
    messages: joined(a.messages, { ...messages, sender: ofRows(messages.sender), sent: ticks(messages.sent), receiver: ofRows(messages.receiver), received: ticks(messages.received) }),
    collectives: [...a.collectives, ...b.collectives.map(({ row, begin, end }) => ({ row: ofRows(row), begin: ticks(begin), end: ticks(end) }))],
    waits: joined(a.waits, { ...waits, row: ofRows(waits.row), since: ticks(waits.since), duration: ticks(waits.duration), waited: ticks(waits.waited), awaited: waits.awaited.map((number) => number && number + a.awaited.rank.length) }),
    awaited: joined(named(a.awaited, "A"), named(awaited, "B")),
    remarks: [...a.remarks.map((remark) => `A: ${remark}`), ...b.remarks.map((remark) => `B: ${remark}`)],
  };
};
