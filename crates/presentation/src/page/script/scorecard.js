/** Search in the scorecard. */
const score = by("score");
if (score) {
  const filter = () => {
    const words = by("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const onlyDifferences = by("differences").checked;
    let shown = 0;
    for (const body of score.tBodies) {
      const text = body.textContent.toLowerCase();
      const differs = body.querySelector('.cell:not([data-kind="found"], [data-kind="consistent"]), .remark') !== null;
      body.hidden = !words.every((word) => text.includes(word)) || (onlyDifferences && !differs);
      if (!body.hidden) shown += 1;
    }
    score.dataset.shown = shown;
  };
  by("filter").addEventListener("input", filter);
  by("filter").addEventListener("submit", (event) => event.preventDefault());
  filter();
}
