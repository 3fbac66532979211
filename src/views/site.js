// The filters of the atlas. Without scripts everything is shown.

const filters = document.getElementById("filters");
const grid = document.getElementById("grid");
const chips = [...grid.querySelectorAll(".chip")];

function filter() {
  const wanted = new FormData(filters);
  const size = wanted.get("size");
  let shown = 0;
  for (const chip of chips) {
    const { rule, topology, verdict, differs } = chip.dataset;
    const fits = (name, value) => !wanted.get(name) || wanted.get(name) === value;
    const passes = fits("rule", rule) && fits("topology", topology) && fits("verdict", verdict)
      && (!wanted.get("differs") || differs === "true")
      && (!size || chip.closest("tbody").dataset.size === size);
    chip.hidden = !passes;
    if (passes) shown++;
  }
  // Rows, sizes and columns without a game are hidden with it.
  const some = (place) => place.querySelector(".chip:not([hidden])") !== null;
  for (const row of grid.querySelectorAll("tr.shape")) row.hidden = !some(row);
  for (const body of grid.tBodies) body.hidden = !some(body);
  const rows = [...grid.querySelectorAll("tr.shape")];
  [...grid.tHead.rows[0].cells].forEach((head, column) => {
    if (column === 0) return;
    const empty = !rows.some((row) => some(row.cells[column]));
    head.hidden = empty;
    for (const row of rows) row.cells[column].hidden = empty;
  });
  document.getElementById("count").textContent = `${shown} of ${chips.length} games`;
  document.getElementById("none").hidden = shown > 0;
}

filters.addEventListener("input", filter);
filters.addEventListener("submit", (event) => event.preventDefault());
filters.hidden = false;
filter();

// Escape closes what is open, and the focus goes back to where it came from.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || location.hash.length < 2) return;
  const chip = grid.querySelector(`.chip[href="${CSS.escape(location.hash).replace("\\#", "#")}"]`);
  location.hash = "#grid";
  chip?.focus();
});
