// The drawing board: one shape or several, cell by cell.

const DRAWN = 8;

class Drawing {
  constructor(onChange) {
    this.onChange = onChange;
    this.shapes = [new Set()];
    this.current = 0;
    this.hexagonal = false;
    this.build();
  }

  // A grid of squares or of hexagons, large enough for what is drawn.
  build() {
    const points = this.shapes.flatMap((shape) => [...shape].map((point) => point.split(",").map(Number)));
    const side = Math.min(19, Math.max(DRAWN, ...points.flat().map((at) => at + 1)));
    this.side = side;
    const places = Array.from({ length: side * side }, (_, cell) => [cell % side, Math.floor(cell / side)]);
    const cellName = (cell) => String.fromCharCode(97 + (cell % side)) + (Math.floor(cell / side) + 1);
    const game = { vertices: side * side, board: null, cellName, facts: { places, hexagonal: this.hexagonal } };
    this.ended?.abort();
    this.ended = new AbortController();
    byId("drawing").replaceChildren();
    const words = ["empty", "in the shape"];
    this.board = new Board(game, byId("drawing"), (cell) => this.toggle(cell), { prefix: "draw", signal: this.ended.signal, words });
    this.board.svg.setAttribute("aria-label", "Drawing board");
    this.draw();
  }

  toggle(cell) {
    const point = this.board.place(cell).join();
    const shape = this.shapes[this.current];
    if (!shape.delete(point)) shape.add(point);
    this.draw();
    this.onChange();
  }

  // Replaces the shape in hand, lying in a corner of the board with a row free.
  put(cells) {
    const off = cells.every((cell) => Math.max(...cell) < DRAWN - 1) ? 1 : 0;
    this.shapes[this.current] = new Set(cells.map(([x, y]) => `${x + off},${y + off}`));
    this.build();
  }

  clear() {
    this.shapes = [new Set()];
    this.current = 0;
    this.build();
    this.onChange();
  }

  another() {
    this.shapes.push(new Set());
    this.current = this.shapes.length - 1;
    this.build();
    this.onChange();
  }

  remove(place) {
    this.shapes.splice(place, 1);
    if (this.shapes.length === 0) this.shapes.push(new Set());
    this.current = Math.min(this.current, this.shapes.length - 1);
    this.build();
    this.onChange();
  }

  pick(place) {
    this.current = place;
    this.draw();
    this.onChange();
  }

  // In the words of the server; an empty shape is none.
  target() {
    const shapes = this.shapes.filter((shape) => shape.size > 0);
    // Where on the drawing board it lies does not matter.
    const inCorner = (shape) => {
      const points = [...shape].map((point) => point.split(",").map(Number));
      const [left, low] = [0, 1].map((axis) => Math.min(...points.map((point) => point[axis])));
      return points.map(([x, y]) => `${x - left},${y - low}`).sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    };
    return shapes.map((shape) => inCorner(shape).join(" ")).join(" + ");
  }

  draw() {
    const { vertices } = this.board.game;
    const filled = new Uint8Array(vertices);
    for (const point of this.shapes[this.current]) {
      const cell = this.board.cellAt(...point.split(",").map(Number));
      if (cell !== undefined) filled[cell] = 1;
    }
    this.board.draw({
      stones: new Uint8Array(vertices), filled, last: null, threats: [], completed: null, pairs: null, zone: null,
      choices: [...filled.keys()], visitor: BLACK,
    });
  }

  // The shapes as small pictures to choose from; `parts` is what the server calls them.
  list(parts) {
    let place = 0;
    const chips = this.shapes.map((shape, index) => {
      const part = shape.size > 0 ? parts[place++] : null;
      const name = part?.name ?? (shape.size > 0 ? `${shape.size} cells` : "empty");
      const pick = made("button", { type: "button", class: "part", "aria-pressed": String(index === this.current) }, name);
      pick.addEventListener("click", () => this.pick(index));
      if (this.shapes.length === 1) return pick;
      const drop = made("button", { type: "button", class: "drop", "aria-label": `Leave out ${name}` }, "×");
      drop.addEventListener("click", () => this.remove(index));
      return made("span", { class: "pair-of-buttons" }, pick, drop);
    });
    const more = made("button", { type: "button", id: "another", class: "part" }, "+ another shape");
    more.disabled = this.shapes.some((shape) => shape.size === 0);
    more.addEventListener("click", () => this.another());
    byId("parts").replaceChildren(...chips, more);
  }
}
