/** The data of the page, elements by their names, and numbers as text. */
const data = JSON.parse(document.getElementById("data").textContent);
/** The entries of a table of the data, which has them by column. */
const entries = (table) => {
  const names = Object.keys(table);
  return table[names[0]].map((_, at) => Object.fromEntries(names.map((name) => [name, table[name][at]])));
};
const root = document.documentElement;
const by = (id) => document.getElementById(id);
const make = (tag, className, text) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
};
/** A name with signatures cut. */
const cut = (name) => data.short[name] ?? name;
root.classList.add("scripted");

const seconds = (value) => {
  const size = Math.abs(value);
  const [scale, unit] = size >= 1 || size === 0 ? [1, "s"] : size >= 1e-3 ? [1e3, "ms"] : size >= 1e-6 ? [1e6, "µs"] : [1e9, "ns"];
  const scaled = value * scale;
  return `${scaled.toFixed(Math.abs(scaled) >= 100 ? 1 : Math.abs(scaled) >= 10 ? 2 : 3)} ${unit}`;
};
const percent = (share) => `${(share * 100).toFixed(2)} %`;
