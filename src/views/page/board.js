// The board, drawn: a grid of cells one can walk over with the arrow keys, and above it stones, sets and marks.
//
// A torus shows a rim of its own cells around itself, so that a winning set across the edge goes out on one side and
// comes in on the other. Vertices without a board lie where their names say (a1 at the bottom left), or in rows; each has
// its name or number on it. A Hex board is drawn as one: hexagons, each row half a cell to the right of the one below, the
// sides that each player joins in her colour.

const SVG = "http://www.w3.org/2000/svg";
const SIDE = 44;
// From the middle of a hexagon to its corners, and from row to row.
const RADIUS = SIDE / Math.sqrt(3);
const ROW = RADIUS * 1.5;

class Board {
  // `prefix` keeps the ids of several boards on a page apart, `signal` ends what the board listens to, `words` are for
  // what lies in a cell: nothing, something black, something white.
  constructor(game, holder, onPlay, { prefix = "cell", signal, words = ["empty", "black stone", "white stone"] } = {}) {
    Object.assign(this, { game, onPlay, prefix, signal, words });
    this.places = game.board ? null : game.facts.places ?? null;
    const across = Math.ceil(Math.sqrt(game.vertices));
    const rows = { width: across, height: Math.ceil(game.vertices / across) };
    const { width, height, torus } = game.board ?? this.boxOfPlaces() ?? rows;
    // Rows are counted from below on a board, from above in a list.
    this.fromBelow = game.board !== null || this.places !== null;
    Object.assign(this, { width, height, torus: torus === true, hex: game.facts.hex ?? (game.facts.hexagonal ? "cells" : null) });
    const rim = this.torus ? SIDE : 0;
    const [wide, high] = this.hex
      ? [(width + (height - 1) / 2) * SIDE, (height - 1) * ROW + 2 * RADIUS]
      : [width * SIDE, height * SIDE];
    // Letters that can be read on a telephone, 360 points wide, whatever the size of the board.
    this.letters = Math.min(Math.max(10, wide / 36), SIDE / 2);
    const [names, edge] = [rim + 8 + this.letters, rim + 4];
    const [left, right, top, bottom] = game.board ? [names, edge, edge, names] : [4, 4, 4, 4];
    const box = [-left, -top, wide + left + right, high + top + bottom];
    this.svg = element("svg", {
      viewBox: box.join(" "), role: "grid", class: "board", "aria-label": this.label(), "aria-describedby": "keys",
    }, holder);
    // As large as the window allows, but a cell is never larger than a thumb.
    this.svg.style.setProperty("--ratio", box[2] / box[3]);
    this.svg.style.setProperty("--letters", `${this.letters}px`);
    this.svg.style.maxWidth = `${box[2] * 1.9}px`;
    this.defs();
    if (this.torus) this.drawRim();
    this.drawCells();
    this.drawNames();
    const clip = this.torus ? { "clip-path": `url(#${prefix}-rim)`, mask: `url(#${prefix}-fade)` } : {};
    this.over = element("g", { "aria-hidden": "true", class: "over", ...clip }, this.svg);
    const frame = { width: width * SIDE, height: height * SIDE, class: "edge" };
    if (game.board) element("rect", frame, this.svg);
    if (this.hex && this.hex !== "cells") this.drawSides();
    const round = this.hex ? SIDE / 2 : 7;
    this.focusRing = element("rect", { class: "focus", width: SIDE - 4, height: SIDE - 4, rx: round }, this.svg);
    this.focused = this.startCell();
    this.listen();
  }

  label() {
    const { board, vertices } = this.game;
    if (!board) return `${vertices} vertices`;
    return `Board, ${board.width} columns, ${board.height} rows${board.torus ? ", a torus" : ""}`;
  }

  startCell() {
    const cell = this.cellAt(this.width >> 1, this.height >> 1) ?? 0;
    return Math.min(cell, this.game.vertices - 1);
  }

  // The rectangle around vertices that have places.
  boxOfPlaces() {
    if (!this.places) return null;
    const [width, height] = [0, 1].map((axis) => Math.max(...this.places.map((place) => place[axis])) + 1);
    return { width, height };
  }

  // Column and row of a cell, and the cell there.
  place(cell) {
    return this.places ? this.places[cell] : [cell % this.width, Math.floor(cell / this.width)];
  }

  cellAt(x, y) {
    if (!this.places) return x + this.width * y;
    const cell = this.places.findIndex((place) => place[0] === x && place[1] === y);
    return cell < 0 ? undefined : cell;
  }

  // Where a cell is drawn: a1 is at the bottom left, vertices start at the top left.
  corner(cell) {
    return this.at(...this.place(cell));
  }

  at(x, y) {
    if (this.hex) return [(x + y / 2) * SIDE, (this.height - 1 - y) * ROW + RADIUS - SIDE / 2];
    return [x * SIDE, (this.fromBelow ? this.height - 1 - y : y) * SIDE];
  }

  // The corners of a hexagon, clockwise from the top.
  corners(x, y) {
    const [left, top] = this.at(x, y);
    const steps = [[0, -1], [1, -0.5], [1, 0.5], [0, 1], [-1, 0.5], [-1, -0.5]];
    return steps.map(([right, down]) => [left + SIDE / 2 * (1 + right), top + SIDE / 2 + RADIUS * down]);
  }

  // The ground of a cell.
  tile(x, y, attributes, parent) {
    if (this.hex) {
      const points = this.corners(x, y).map((point) => point.map((value) => value.toFixed(2)).join(",")).join(" ");
      return element("polygon", { points, ...attributes }, parent);
    }
    const [left, top] = this.at(x, y);
    return element("rect", { x: left, y: top, width: SIDE, height: SIDE, ...attributes }, parent);
  }

  // The sides of a Hex board, in the colour of who joins them.
  drawSides() {
    const sides = element("g", { class: "sides", "aria-hidden": "true" }, this.svg);
    const [across, up] = [[...Array(this.width).keys()], [...Array(this.height).keys()].reverse()];
    const [right, high] = [this.width - 1, this.height - 1];
    const lists = [
      ["rows", across.flatMap((x) => [4, 3, 2].map((corner) => this.corners(x, 0)[corner]))],
      ["rows", across.flatMap((x) => [5, 0, 1].map((corner) => this.corners(x, high)[corner]))],
      ["columns", up.flatMap((y) => [0, 5, 4].map((corner) => this.corners(0, y)[corner]))],
      ["columns", up.flatMap((y) => [1, 2, 3].map((corner) => this.corners(right, y)[corner]))],
    ];
    for (const [joined, points] of lists) {
      const text = points.map((point) => point.map((value) => value.toFixed(2)).join(",")).join(" ");
      element("polyline", { points: text, class: joined === this.hex ? "black" : "white" }, sides);
    }
  }

  defs() {
    const defs = element("defs", {}, this.svg);
    const hatch = element("pattern", {
      id: `${this.prefix}-hatch`, width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)",
    }, defs);
    element("rect", { width: 2, height: 7, class: "hatch" }, hatch);
    for (const [id, class1, class2] of [["black", "black-high", "black-low"], ["white", "white-high", "white-low"]]) {
      const gradient = element("radialGradient", { id: `${this.prefix}-stone-${id}`, cx: "36%", cy: "30%", r: "75%" }, defs);
      element("stop", { offset: 0, class: class1 }, gradient);
      element("stop", { offset: 1, class: class2 }, gradient);
    }
    if (!this.torus) return;
    const frame = { x: -SIDE, y: -SIDE, width: (this.width + 2) * SIDE, height: (this.height + 2) * SIDE };
    element("rect", frame, element("clipPath", { id: `${this.prefix}-rim` }, defs));
    // On the rim everything is a copy, and fainter.
    const mask = element("mask", { id: `${this.prefix}-fade` }, defs);
    element("rect", { ...frame, fill: "#555" }, mask);
    element("rect", { width: this.width * SIDE, height: this.height * SIDE, fill: "#fff" }, mask);
  }

  drawRim() {
    const rim = element("g", { class: "rim", "aria-hidden": "true" }, this.svg);
    for (let y = -1; y <= this.height; y++) {
      for (let x = -1; x <= this.width; x++) {
        if (x >= 0 && x < this.width && y >= 0 && y < this.height) continue;
        const [left, top] = this.at(x, y);
        element("rect", { x: left, y: top, width: SIDE, height: SIDE }, rim);
      }
    }
  }

  drawCells() {
    this.cells = [];
    for (let row = 0; row < this.height; row++) {
      const y = this.fromBelow ? this.height - 1 - row : row;
      const line = element("g", { role: "row" }, this.svg);
      for (let x = 0; x < this.width; x++) {
        const cell = this.cellAt(x, y);
        if (cell === undefined || cell >= this.game.vertices) continue;
        const [left, top] = this.at(x, y);
        const group = element("g", { role: "gridcell", class: "cell", tabindex: -1, "data-cell": cell }, line);
        group.id = `${this.prefix}-${this.game.cellName(cell)}`;
        this.tile(x, y, {}, group);
        if (!this.game.board) {
          element("text", { x: left + SIDE / 2, y: top + SIDE / 2, class: "number" }, group)
            .textContent = this.game.cellName(cell);
        }
        element("circle", { cx: left + SIDE / 2, cy: top + SIDE / 2, r: SIDE * 0.38, class: "preview" }, group);
        this.cells[cell] = group;
      }
    }
  }

  drawNames() {
    if (!this.game.board) return;
    const names = element("g", { class: "names", "aria-hidden": "true" }, this.svg);
    const off = this.torus ? SIDE : 0;
    for (let x = 0; x < this.width; x++) {
      const place = { x: (x + 0.5) * SIDE, y: this.height * SIDE + off + 4 + this.letters / 2 };
      element("text", place, names).textContent = String.fromCharCode(97 + x);
    }
    for (let y = 0; y < this.height; y++) {
      const place = { x: -off - 4 - this.letters / 2, y: (this.height - 0.5 - y) * SIDE };
      element("text", place, names).textContent = y + 1;
    }
  }

  // Draws a scene: stones, the last move, threats, a completed set, pairs, the cells that matter, whose turn it is.
  draw(scene) {
    const { stones, last, threats, completed, pairs, zone, choices, visitor, filled, notes } = scene;
    // A stone appears softly when it is put, not when something else changes.
    this.fresh = last !== this.drawnLast;
    this.drawnLast = last;
    this.over.replaceChildren();
    const pairOf = new Map();
    (pairs ?? []).forEach((pair, index) => pair.forEach((cell) => pairOf.set(cell, index)));
    const threatened = new Map(threats.map((threat) => [threat.cell, threat]));
    for (const [cell, index] of pairOf) this.drawPair(cell, index, stones[cell] === EMPTY);
    if (zone) stones.forEach((_, cell) => zone[cell] || this.everywhere(cell, (x, y) => this.square(x, y, "outside").setAttribute("fill", `url(#${this.prefix}-hatch)`)));
    for (const player of [BLACK, WHITE]) {
      const sets = threats.filter((threat) => threat.player === player).map((threat) => threat.set);
      this.drawSets(sets, `threat by-${NAMES[player].toLowerCase()}`);
    }
    if (completed) this.drawSets([completed], "completed");
    filled?.forEach((inside, cell) => inside && this.everywhere(cell, (x, y) => this.square(x, y, "filled")));
    stones.forEach((player, cell) => {
      if (player !== EMPTY) this.everywhere(cell, (x, y) => this.drawStone(x, y, player, cell === last, completed?.cells.includes(cell)));
    });
    for (const { cell, player } of threats) this.everywhere(cell, (x, y) => this.drawThreat(x, y, player));
    for (const [cell, note] of notes ?? []) this.drawNote(cell, note);
    const open = new Set(choices);
    this.cells.forEach((group, cell) => {
      group.classList.toggle("open", open.has(cell));
      group.setAttribute("aria-label", this.describe(cell, filled ?? stones, threatened, pairOf, zone, cell === last, notes?.get(cell)));
      group.setAttribute("aria-disabled", String(!open.has(cell)));
    });
    this.svg.dataset.visitor = NAMES[visitor].toLowerCase();
    this.moveFocus(this.focused, false);
  }

  describe(cell, stones, threatened, pairOf, zone, last, note) {
    const parts = [this.game.cellName(cell), this.words[stones[cell]]];
    if (threatened.has(cell)) parts.push(`threatened by ${NAMES[threatened.get(cell).player]}`);
    if (pairOf.has(cell)) parts.push(`pair ${pairLetter(pairOf.get(cell))}`);
    if (zone && !zone[cell]) parts.push("does not matter");
    if (last) parts.push("last move");
    if (note) parts.push(note.says);
    return parts.join(", ");
  }

  // Draws something at a cell, on a torus at its copies on the rim as well.
  everywhere(cell, draw) {
    const [x, y] = this.place(cell);
    if (!this.torus) return draw(x, y);
    for (const dx of [-this.width, 0, this.width]) {
      for (const dy of [-this.height, 0, this.height]) {
        const [cx, cy] = [x + dx, y + dy];
        if (cx >= -1 && cx <= this.width && cy >= -1 && cy <= this.height) draw(cx, cy);
      }
    }
  }

  square(x, y, name) {
    return this.tile(x, y, { class: name }, this.over);
  }

  drawPair(cell, index, empty) {
    // Steps of the golden angle: neighbours in the list never look alike.
    const hue = Math.round(index * 137.508) % 360;
    this.everywhere(cell, (x, y) => {
      this.square(x, y, "pair").style.setProperty("--hue", hue);
      const [left, top] = this.at(x, y);
      if (!empty) return;
      const place = { x: left + SIDE / 2, y: top + SIDE / 2, class: "letter" };
      element("text", place, this.over).textContent = pairLetter(index);
    });
  }

  // A word on a cell, and what it means for those who hear the page.
  drawNote(cell, { text, kind }) {
    const [left, top] = this.corner(cell);
    const group = element("g", { class: `note ${kind}` }, this.over);
    const [across, high] = [SIDE * 0.84, SIDE * 0.5];
    element("rect", { x: left + (SIDE - across) / 2, y: top + (SIDE - high) / 2, width: across, height: high, rx: high / 2 }, group);
    element("text", { x: left + SIDE / 2, y: top + SIDE / 2 }, group).textContent = text;
  }

  // Sets in one colour, together.
  drawSets(sets, name) {
    const group = element("g", { class: `set ${name}` }, this.over);
    sets.forEach((set) => this.drawSet(set, group));
  }

  // A set as a body of one piece: its cells, joined where they touch. Without a board there is nothing to join.
  drawSet(set, group) {
    const points = set.points ?? set.cells.map((cell) => this.place(cell));
    const shifts = this.torus ? [-1, 0, 1] : [0];
    for (const right of shifts) {
      for (const up of shifts) {
        const centres = points.map(([x, y]) => this.at(x + right * this.width, y + up * this.height));
        const path = centres.map(([x, y]) => `M${x + SIDE / 2} ${y + SIDE / 2}h0`);
        points.forEach(([x, y], from) => points.forEach(([a, b], to) => {
          if (!set.points || from >= to || Math.abs(x - a) + Math.abs(y - b) !== 1) return;
          const ends = [centres[from], centres[to]].map((end) => end.map((value) => value + SIDE / 2).join(" "));
          path.push(`M${ends[0]}L${ends[1]}`);
        }));
        element("path", { d: path.join(""), "stroke-width": SIDE * 0.86 }, group);
        const bridges = this.bridges(set.points ?? [])
          .map((ends) => `M${ends.map((end) => centres[end].map((value) => value + SIDE / 2).join(" ")).join("L")}`);
        if (bridges.length > 0) element("path", { d: bridges.join(""), "stroke-width": SIDE * 0.12 }, group);
      }
    }
  }

  // The pieces of a set that is not in one, by the shortest lines that join them; points by their places in the list.
  bridges(points) {
    const distance = (a, b) => Math.abs(points[a][0] - points[b][0]) + Math.abs(points[a][1] - points[b][1]);
    const [joined, bridges] = [[0], []];
    const rest = new Set(points.keys());
    rest.delete(0);
    while (points.length > 0 && rest.size > 0) {
      const ways = joined.flatMap((from) => [...rest].map((to) => [from, to]));
      const way = ways.reduce((best, other) => (distance(...other) < distance(...best) ? other : best));
      if (distance(...way) > 1) bridges.push(way);
      joined.push(way[1]);
      rest.delete(way[1]);
    }
    return bridges;
  }

  drawStone(x, y, player, last, winning) {
    const [left, top] = this.at(x, y);
    const [cx, cy] = [left + SIDE / 2, top + SIDE / 2];
    const name = NAMES[player].toLowerCase();
    element("circle", { cx, cy, r: SIDE * 0.38, class: `stone ${name}${last && this.fresh ? " fresh" : ""}${winning ? " winning" : ""}`,
      fill: `url(#${this.prefix}-stone-${name})` }, this.over);
    if (last) element("circle", { cx, cy, r: SIDE * 0.09, class: `dot ${name}` }, this.over);
  }

  drawThreat(x, y, player) {
    const [left, top] = this.at(x, y);
    const [cx, cy, name] = [left + SIDE / 2, top + SIDE / 2, `mark by-${NAMES[player].toLowerCase()}`];
    element("circle", { cx, cy, r: SIDE * 0.25, class: name }, this.over);
    element("circle", { cx, cy, r: SIDE * 0.06, class: `${name} point` }, this.over);
  }

  // One cell of the grid can be reached with the tab key; the arrows lead from there to the others.
  moveFocus(cell, take) {
    this.cells[this.focused].setAttribute("tabindex", -1);
    this.focused = cell;
    this.cells[cell].setAttribute("tabindex", 0);
    const [left, top] = this.corner(cell);
    this.focusRing.setAttribute("x", left + 2);
    this.focusRing.setAttribute("y", top + 2);
    if (take) this.cells[cell].focus({ preventScroll: true });
  }

  listen() {
    const cellOf = (event) => event.target.closest("[data-cell]")?.dataset.cell;
    this.svg.addEventListener("click", (event) => {
      const cell = cellOf(event);
      if (cell === undefined) return;
      this.moveFocus(Number(cell), false);
      this.onPlay(Number(cell));
    });
    // Heard on the parent: Chromium takes a drawing that listens for focus for something to stop at.
    this.svg.parentElement.addEventListener("focusin", (event) => {
      const cell = cellOf(event);
      if (cell !== undefined) this.moveFocus(Number(cell), false);
    }, { signal: this.signal });
    this.svg.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        this.onPlay(this.focused);
        return;
      }
      const up = this.fromBelow ? 1 : -1;
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, up], ArrowDown: [0, -up] }[event.key];
      if (!step) return;
      event.preventDefault();
      const [x, y] = this.place(this.focused).map((at, axis) => at + step[axis]);
      const [column, row] = this.torus
        ? [modulo(x, this.width), modulo(y, this.height)]
        : [Math.min(Math.max(x, 0), this.width - 1), Math.min(Math.max(y, 0), this.height - 1)];
      const cell = this.cellAt(column, row);
      if (cell < this.game.vertices) this.moveFocus(cell, true);
    });
  }
}

// The shape by itself, small.
function drawShape(shape, holder) {
  const [width, height] = [0, 1].map((axis) => Math.max(...shape.map((cell) => cell[axis])) + 1);
  const svg = element("svg", { viewBox: `-1 -1 ${width * 10 + 2} ${height * 10 + 2}`, class: "shape", role: "img",
    "aria-label": `The shape: ${shape.map((cell) => cell.join(",")).join(" ")}` }, holder);
  svg.style.width = `${width * 14}px`;
  for (const [x, y] of shape) {
    element("rect", { x: x * 10 + 0.5, y: (height - 1 - y) * 10 + 0.5, width: 9, height: 9, rx: 2 }, svg);
  }
}

// A new element of the drawing.
function element(name, attributes, parent) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent.append(made);
  return made;
}
