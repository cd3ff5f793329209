/** Compared experiments: time and speed-up of a region over the locations that they had. */
const showExperiments = (compared) => {
  const SVG = by("times").namespaceURI;
  const draw = (tag, attributes, text) => {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    return element;
  };
  /** Powers in a span, a few at most. */
  const ticks = (from, to) => {
    for (const base of [2, 4, 10, 100, 1e4]) {
      const [first, last] = [Math.ceil(Math.log(from) / Math.log(base) - 1e-9), Math.floor(Math.log(to) / Math.log(base) + 1e-9)];
      if (last - first < 6) return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => base ** (first + index));
    }
    return [from, to];
  };
  const chart = (svg, curves, ideals, text) => {
    const all = [...curves.flatMap((curve) => curve.points), ...ideals.flat()];
    svg.replaceChildren();
    if (!all.length) { svg.append(draw("text", { x: 150, y: 75, class: "middle" }, "nothing to draw")); return; }
    const span = (at, factor) => { const values = all.map((point) => point[at]); return [Math.min(...values) / factor, Math.max(...values) * factor]; };
    const [x0, x1] = span(0, 1.15), [y0, y1] = span(1, 1.25);
    const x = (value) => 44 + 246 * Math.log(value / x0) / Math.log(x1 / x0), y = (value) => 134 - 126 * Math.log(value / y0) / Math.log(y1 / y0);
    for (const tick of ticks(x0, x1)) svg.append(draw("path", { class: "grid", d: `M${x(tick)} 8V134` }), draw("text", { x: x(tick), y: 146, class: "middle" }, String(tick)));
    for (const tick of ticks(y0, y1)) svg.append(draw("path", { class: "grid", d: `M44 ${y(tick)}H290` }), draw("text", { x: 40, y: y(tick) + 3, class: "end" }, text(tick)));
    const path = (points) => points.map(([at, value], index) => `${index ? "L" : "M"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join("");
    for (const ideal of ideals) svg.append(draw("path", { class: "ideal", d: path(ideal) }));
    for (const { points, number } of curves) {
      const group = draw("g", { class: `line${number % 4}` });
      group.append(draw("path", { d: path(points) }));
      for (const [at, value, title] of points) {
        const dot = draw("circle", { cx: x(at), cy: y(value), r: 3 });
        dot.append(draw("title", {}, title));
        group.append(dot);
      }
      svg.append(group);
    }
  };
  const speed = (value) => value.toFixed(2);
  const show = () => {
    const { name: region, times, speed_ups: speedUps } = compared.regions[Number(by("region").value)] ?? { name: "", times: [], speed_ups: [] };
    const picked = (values, text) => compared.curves.map((curve, number) => ({ number, points: curve.points.flatMap(({ locations, size, sequential }, at) => {
      const value = values[number]?.[at];
      // The sequential run is what others are compared with, and no point of their curve.
      return value > 0 && !sequential ? [[locations, value, `${curve.name}, ${size}: ${text(value)}`]] : [];
    }) }));
    const ups = picked(speedUps, speed);
    const isThere = (number) => times[number]?.some((time) => time !== null);
    const ideal = (curve, { locations, base }) => locations / curve.points[base].locations;
    const ideals = compared.curves.flatMap((curve, number) => {
      const line = curve.points.filter((point) => !point.sequential).map((point) => [point.locations, ideal(curve, point)]);
      return line.length > 1 && ups[number].points.length ? [line] : [];
    });
    chart(by("times"), picked(times, seconds), [], seconds);
    chart(by("speed-ups"), ups, ideals, (value) => String(Number(value.toPrecision(3))));
    by("experiments").dataset.region = region;
    const rows = [];
    compared.curves.forEach((curve, number) => isThere(number) && curve.points.forEach((point, at) => {
      const time = times[number]?.[at] ?? null, up = speedUps[number]?.[at] ?? null;
      const row = make("tr");
      const head = make("th", "", at ? "" : curve.name);
      head.scope = "row";
      row.append(head, make("td", "", point.size), ...[point.runs, time === null ? "–" : seconds(time), up === null ? "–" : speed(up), up === null ? "–" : `${(100 * up / ideal(curve, point)).toFixed(0)} %`].map((text) => make("td", "number", String(text))), make("td", "", curve.points[point.base].size));
      rows.push(row);
    }));
    by("bases").replaceChildren(...compared.curves.flatMap((curve, number) => {
      if (!isThere(number)) return [];
      const item = make("li");
      item.append(make("span", `dash line${number % 4}`), `${curve.name}: against ${curve.against}`);
      return [item];
    }));
    by("experiment-rows").replaceChildren(...rows);
  };
  by("region").replaceChildren(...compared.regions.map(({ name }, index) => { const one = make("option", "", name); one.value = index; return one; }));
  by("region").addEventListener("change", show);
  by("left-regions").textContent = compared.omitted ? `${compared.omitted} more regions took less time and are not shown.` : "";
  show();
};
if (data.experiments) showExperiments(data.experiments);
