// The strategy: what the certificate plays, and nothing else.
//
// A state is a position on the way, and the node that speaks for it, if one does; states are never changed. A frame
// says which node applies and where each of its cells lies on the board.

// The kinds of nodes, as the tables number them.
const [DONE, MOVE, PAVE, REPLY, THREAT] = [0, 1, 2, 3, 4];

class Strategy {
  constructor(game, [steps, nodes, answers], root) {
    Object.assign(this, { game, steps, nodes, answers, root });
  }

  start() {
    const toBoard = [...Array(this.game.vertices).keys()];
    const frame = this.root === null ? null : { node: this.root, toBoard };
    return this.entered({ stones: this.game.start, played: 0, last: null, frame });
  }

  // The state after a stone of whoever's turn it is. `frame` is the one the strategy's own move leads to.
  after(state, cell, frame = state.frame) {
    const stones = state.stones.slice();
    stones[cell] = this.game.mover(state);
    return this.entered({ stones, played: state.played + 1, last: cell, frame });
  }

  // The same state; where a block node applies from here on, with the node.
  entered(state) {
    if (this.game.win || state.frame || this.game.mover(state) !== BLACK) return state;
    const line = this.line(state);
    return line && line.block ? { ...state, frame: { node: line.then, toBoard: line.toBoard } } : state;
  }

  // What the strategy plays in a state in which it is to move: the cell, why, and the frame this leads to.
  move(state) {
    const { game } = this;
    const wins = game.hold ? [] : game.threats(state.stones, game.holder).filter(({ cell }) => this.allowed(state, cell));
    // A win at hand is taken: the format gives such positions no line, and an attack node loses nothing by it.
    if (wins.length > 0) return { cell: wins[0].cell, by: "completion", frame: state.frame };
    if (state.frame) return game.win ? this.attack(state) : this.block(state);
    const line = this.line(state);
    if (!line || line.block) throw new Error("the certificate has no line for this position");
    return { cell: line.toBoard[line.then], by: "line", frame: null, line };
  }

  allowed(state, cell) {
    const { first, cover } = this.game;
    return (state.played > 0 || first[cell] === 1) && (!cover || cover[cell] === 1);
  }

  // The line of a position: it is brought to canonical form, looked up there, and brought back.
  line(state) {
    const { vertices, cover, stored } = this.game;
    const [black, white] = [new Uint8Array(vertices), new Uint8Array(vertices)];
    let elsewhere = 0;
    state.stones.forEach((player, cell) => {
      if (player === BLACK) black[cell] = 1;
      else if (player === WHITE && cover && !cover[cell]) elsewhere++;
      else if (player === WHITE) white[cell] = 1;
    });
    let form = null;
    for (const symmetry of stored) {
      const image = { black: moved(black, symmetry.image), white: moved(white, symmetry.image), symmetry };
      if (!form || (compare(image.black, form.black) || compare(image.white, form.white)) < 0) form = image;
    }
    const key = ["black", "white"].flatMap((name) => this.steps.key(name, form[name]));
    const row = this.steps.find(key.concat(this.steps.key("elsewhere", elsewhere)));
    if (row < 0) return null;
    const toBoard = [];
    form.symmetry.image.forEach((to, from) => (toBoard[to] = from));
    const [block, then] = [this.steps.number(row, "block") === 1, this.steps.number(row, "then")];
    return { row, block, then, toBoard, symmetry: form.symmetry };
  }

  // A node: `own` is its B or W, `open` its Z; cells as the node has them.
  node(index) {
    const end = index + 1 < this.nodes.rows ? this.nodes.number(index + 1, "first") : this.answers.rows;
    const answers = [];
    for (let row = this.nodes.number(index, "first"); row < end; row++) {
      const [cell, answer, child] = ["cell", "answer", "child"].map((name) => this.answers.number(row, name));
      answers.push({ cell, answer, child });
    }
    const [own, open] = ["own", "open"].map((name) => this.nodes.set(index, name, this.game.vertices));
    return { own, open, answers, kind: this.nodes.number(index, "kind"), cell: this.nodes.number(index, "cell") };
  }

  // White's answer to Black's last move, from the block node.
  block(state) {
    const { frame, last } = state;
    const node = this.node(frame.node);
    const place = frame.toBoard.indexOf(last);
    if (node.kind === PAVE) {
      const pair = node.answers.findIndex(({ cell, answer }) => cell === place || answer === place);
      if (pair < 0) return this.freely(state, frame, "unpaired");
      const { cell, answer } = node.answers[pair];
      const other = frame.toBoard[cell === place ? answer : cell];
      return this.own(state, other, frame, { by: "pair", pair });
    }
    // White threatens to complete a set, and Black has not parried.
    if (node.kind === THREAT && place !== node.cell) return { cell: frame.toBoard[node.cell], by: "completion", frame };
    const answered = this.answered(node.answers, node.own, node.open, place);
    if (!answered) return this.freely(state, frame, "outside");
    const toBoard = answered.image.map((cell) => frame.toBoard[cell]);
    // Without a child her answer completes a set of hers, and nothing comes after it.
    const next = { node: answered.child < this.nodes.rows ? answered.child : frame.node, toBoard };
    return this.own(state, toBoard[answered.answer], next, { by: "reply", turned: answered.name });
  }

  // Black's move from the attack node, after White's answer to the last one.
  attack(state) {
    let { frame } = state;
    if (frame.attacked) {
      const { own, open, cell, answers } = this.node(frame.node);
      own[cell] = 1;
      open[cell] = 0;
      // Outside what Black needs any of his answers will do.
      const place = frame.toBoard.indexOf(state.last);
      const answered = this.answered(answers, own, open, place) ?? { ...answers[0], image: null };
      const toBoard = answered.image ? answered.image.map((cell) => frame.toBoard[cell]) : frame.toBoard;
      frame = { node: answered.child, toBoard };
    }
    const { cell } = this.node(frame.node);
    return this.own(state, frame.toBoard[cell], { ...frame, attacked: true }, { by: "attack" });
  }

  // The answer to a cell of a node: its own, or that of an equal by a symmetry that keeps the node.
  answered(answers, own, open, place) {
    if (!open[place]) return null;
    const keeps = ({ image }, set) => image.every((to, from) => set[to] === set[from]);
    const keeping = this.game.symmetries.filter((symmetry) => keeps(symmetry, own) && keeps(symmetry, open));
    for (const answer of answers) {
      const symmetry = keeping.find(({ image }) => image[answer.cell] === place);
      if (symmetry) return { ...answer, ...symmetry };
    }
    throw new Error("the certificate has no answer to this move");
  }

  // A cell the node asks for. If it is the strategy's already, an extra stone anywhere does no harm.
  own(state, cell, frame, why) {
    return state.stones[cell] === EMPTY ? { cell, frame, ...why } : this.freely(state, frame, "owned", why);
  }

  // A stone that is free to go anywhere: where most winning sets are still open.
  freely(state, frame, because, why = {}) {
    const open = this.game.blackSets.filter(({ cells }) => cells.every((cell) => state.stones[cell] !== WHITE));
    const counts = new Map(this.game.choices(state).map((cell) => [cell, 0]));
    for (const { cells } of open) {
      for (const cell of cells) if (counts.has(cell)) counts.set(cell, counts.get(cell) + 1);
    }
    const [[cell]] = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    return { cell, frame, ...why, by: "free", because };
  }

  // The cells that matter in a state, as its node or the cover says, or null.
  zone(state) {
    if (!state.frame) return this.game.cover;
    const { open, own } = this.node(state.frame.node);
    const zone = new Uint8Array(this.game.vertices);
    state.frame.toBoard.forEach((cell, place) => (zone[cell] = open[place] | own[place]));
    return zone;
  }

  // The pairs of the paving that holds from here on, or null.
  pairs(state) {
    if (!state.frame || this.game.win) return null;
    const { kind, answers } = this.node(state.frame.node);
    if (kind !== PAVE) return null;
    return answers.map(({ cell, answer }) => [state.frame.toBoard[cell], state.frame.toBoard[answer]]);
  }
}

// The image of a set.
function moved(set, image) {
  const result = new Uint8Array(set.length);
  set.forEach((inside, cell) => (result[image[cell]] = inside));
  return result;
}

// Which of two sets is the smaller number: the highest cell decides.
function compare(a, b) {
  for (let cell = a.length - 1; cell >= 0; cell--) if (a[cell] !== b[cell]) return a[cell] - b[cell];
  return 0;
}
