// The game of a certificate: its winning sets, the symmetries of its board, and what can be read off the stones.
//
// Everything follows the words of the certificate format, so that canonical forms here are those of the file.

const [EMPTY, BLACK, WHITE] = [0, 1, 2];
const NAMES = ["nobody", "Black", "White"];

class Game {
  constructor(facts) {
    this.facts = facts;
    this.vertices = facts.vertices;
    this.board = facts.board ?? null;
    this.win = facts.claim === "win";
    this.hold = facts.claim === "hold";
    this.holder = this.win ? BLACK : WHITE;
    this.visitor = this.win ? WHITE : BLACK;
    this.strong = facts.rule === "strong";
    this.turns = [...facts.turns].map((letter) => (letter === "B" ? BLACK : WHITE));
    // The last turn that counts.
    this.last = Math.min(facts.last ?? this.turns.length, this.turns.length);
    this.cover = facts.cover ? setOfHex(facts.cover, this.vertices) : null;
    this.first = setOfHex(facts.first, this.vertices);
    this.start = new Uint8Array(this.vertices);
    facts.start.forEach((hex, index) => {
      cellsOf(setOfHex(hex, this.vertices)).forEach((cell) => (this.start[cell] = index === 0 ? BLACK : WHITE));
    });
    if (this.board) {
      this.blackSets = this.placements(facts.shape);
      this.whiteSets = this.blackSets;
      this.symmetries = this.boardSymmetries();
    } else {
      const listed = (sets) => sets.map((hex) => ({ cells: cellsOf(setOfHex(hex, this.vertices)), points: null }));
      this.blackSets = listed(facts.black);
      this.whiteSets = listed(facts.white);
      this.symmetries = [{ image: [...Array(this.vertices).keys()], name: "" }];
    }
    if (facts.generators) this.symmetries = this.generated(facts.generators);
    if (!this.strong) this.whiteSets = [];
    // Those that positions are stored up to; the first is the identity.
    const keepsCover = ({ image }) => !this.cover || image.every((to, from) => this.cover[to] === this.cover[from]);
    this.stored = facts.symmetric ? this.symmetries.filter(keepsCover) : this.symmetries.slice(0, 1);
  }

  // The image of (x, y) under one of the eight rotations and reflections of the plane.
  static turned(turn, [x, y]) {
    if (turn & 4) [x, y] = [y, x];
    return [turn & 1 ? -x : x, turn & 2 ? -y : y];
  }

  // Every image of the shape, each set once, with the points it was drawn at: on a torus they may lie off the board.
  placements(shape) {
    const { width, height, torus } = this.board;
    const found = new Map();
    for (let turn = 0; turn < 8; turn++) {
      const image = shape.map((point) => Game.turned(turn, point));
      for (let cell = 0; cell < this.vertices; cell++) {
        const [left, low] = [(cell % width) - image[0][0], Math.floor(cell / width) - image[0][1]];
        const points = image.map(([x, y]) => [left + x, low + y]);
        const inside = points.every(([x, y]) => x >= 0 && x < width && y >= 0 && y < height);
        if (!inside && !torus) continue;
        const cells = [...new Set(points.map(([x, y]) => modulo(x, width) + width * modulo(y, height)))];
        cells.sort((a, b) => a - b);
        // Of the pictures of one set, one that lies on the board is best.
        const known = found.get(cells.join());
        if (cells.length === shape.length && (!known || (inside && !known.inside))) {
          found.set(cells.join(), { cells, points, inside });
        }
      }
    }
    return [...found.values()];
  }

  // 8 of a square, 4 of a rectangle, on a torus each with all translations; in the order of their images, so that the
  // identity is the first.
  boardSymmetries() {
    const { width, height, torus } = this.board;
    const turns = ["", "mirrored left to right", "mirrored top to bottom", "turned by a half", "mirrored at a diagonal",
      "turned by a quarter", "turned by a quarter", "mirrored at a diagonal"];
    const found = new Map();
    for (let turn = 0; turn < 8; turn++) {
      if (turn & 4 && width !== height) continue;
      for (let dy = 0; dy < (torus ? height : 1); dy++) {
        for (let dx = 0; dx < (torus ? width : 1); dx++) {
          const image = [];
          for (let cell = 0; cell < this.vertices; cell++) {
            const [x, y] = Game.turned(turn, [cell % width, Math.floor(cell / width)]);
            // Modulo the width, -x - 1 is the column x counted from the other side.
            const [right, up] = [x - (turn & 1 ? 1 : 0) + dx, y - (turn & 2 ? 1 : 0) + dy];
            image.push(modulo(right, width) + width * modulo(up, height));
          }
          const shifted = dx || dy ? "shifted around the torus" : "";
          const name = [turns[turn], shifted].filter((part) => part).join(" and ");
          if (!found.has(image.join())) found.set(image.join(), { image, name });
        }
      }
    }
    const least = (a, b) => {
      const place = a.image.findIndex((to, from) => to !== b.image[from]);
      return place < 0 ? 0 : a.image[place] - b.image[place];
    };
    return [...found.values()].sort(least);
  }

  // All that the generators of the certificate make; the first is the identity.
  generated(generators) {
    const group = [{ image: [...Array(this.vertices).keys()], name: "" }];
    const known = new Set([group[0].image.join()]);
    for (const { image } of group) {
      for (const generator of generators) {
        const product = image.map((cell) => generator[cell]);
        if (known.has(product.join())) continue;
        known.add(product.join());
        group.push({ image: product, name: "turned by a symmetry of the game" });
      }
    }
    return group;
  }

  cellName(cell) {
    if (!this.board) return this.facts.names?.[cell] ?? String(cell);
    return String.fromCharCode(97 + (cell % this.board.width)) + (Math.floor(cell / this.board.width) + 1);
  }

  mover(state) {
    return this.turns[state.played];
  }

  // The cells the next stone may be put on.
  choices(state) {
    const allowed = (cell) => state.stones[cell] === EMPTY && (state.played > 0 || this.first[cell] === 1);
    return [...state.stones.keys()].filter(allowed);
  }

  setsOf(player) {
    return player === BLACK ? this.blackSets : this.whiteSets;
  }

  // A set this player has completed, if there is one.
  completed(stones, player) {
    return this.setsOf(player).find((set) => set.cells.every((cell) => stones[cell] === player)) ?? null;
  }

  // Sets of which the player lacks one cell, and that cell is empty; one for each cell, in the order of the cells.
  threats(stones, player) {
    const found = new Map();
    for (const set of this.setsOf(player)) {
      const missing = set.cells.filter((cell) => stones[cell] !== player);
      if (missing.length === 1 && stones[missing[0]] === EMPTY && !found.has(missing[0])) found.set(missing[0], set);
    }
    return [...found].map(([cell, set]) => ({ cell, set, player })).sort((a, b) => a.cell - b.cell);
  }

  // How many cells a player's nearest set free of the other lacks, and how many sets are that near.
  nearest(stones, player = BLACK) {
    let [missing, count] = [Infinity, 0];
    for (const { cells } of this.setsOf(player)) {
      if (cells.some((cell) => stones[cell] !== player && stones[cell] !== EMPTY)) continue;
      const lacking = cells.filter((cell) => stones[cell] === EMPTY).length;
      if (lacking < missing) [missing, count] = [lacking, 0];
      if (lacking === missing) count++;
    }
    return { missing, count };
  }

  // Black's moves from the next turn up to the last that counts.
  movesLeft(played) {
    return this.turns.slice(played, this.last).filter((player) => player === BLACK).length;
  }

  // How a line of play has ended, or null.
  outcome(state) {
    const black = this.completed(state.stones, BLACK);
    if (black) return { kind: "black", set: black };
    const white = this.completed(state.stones, WHITE);
    if (white) return { kind: "white", set: white };
    const left = this.movesLeft(state.played);
    const { missing } = this.nearest(state.stones);
    if (this.hold && missing === Infinity) return { kind: "blocked" };
    if (this.hold && missing > left) return { kind: this.facts.last ? "late" : "full" };
    return state.played >= this.turns.length ? { kind: "full" } : null;
  }
}

function modulo(number, by) {
  return ((number % by) + by) % by;
}
