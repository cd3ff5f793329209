/** The colours of the style, light or dark. */
const probe = make("span");
probe.hidden = true;
document.body.append(probe);
let colours = {};
const colour = (name) => {
  if (!(name in colours)) {
    probe.style.color = `var(--${name})`;
    colours[name] = getComputedStyle(probe).color;
  }
  return colours[name];
};

const themes = ["auto", "light", "dark"];
const remember = {
  get: () => { try { return localStorage.getItem("ats-theme"); } catch { return null; } },
  set: (value) => { try { localStorage.setItem("ats-theme", value); } catch { /* a page from a file may not remember */ } },
};
const setTheme = (theme) => {
  if (theme === "auto") delete root.dataset.theme; else root.dataset.theme = theme;
  by("theme").textContent = { auto: "Auto", light: "Light", dark: "Dark" }[theme];
  by("theme").setAttribute("aria-label", `Colours: ${theme}`);
  colours = {};
  timeline.draw();
};
by("theme").addEventListener("click", () => {
  const next = themes[(themes.indexOf(root.dataset.theme ?? "auto") + 1) % themes.length];
  remember.set(next);
  setTheme(next);
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { colours = {}; timeline.draw(); });
