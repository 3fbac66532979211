// A position to look at: stones in turn or put anywhere, what each move is worth, a hint, pairs.

const WORTHS = {
  wins: (turn) => ({ text: `✓ ${turn}`, kind: "wins" }),
  loses: (turn) => ({ text: `✗ ${turn}`, kind: "loses" }),
  even: () => ({ text: "=", kind: "even" }),
  safe: () => ({ text: "≥", kind: "even" }),
  open: (turn) => ({ text: turn ? `? ${turn}` : "?", kind: "open" }),
};

class PositionView {
  constructor(server, asked, onLoad) {
    Object.assign(this, { server, asked, onLoad });
    this.latest = new Latest();
    this.listen();
  }

  // Another game: its board, empty.
  show(facts) {
    const same = this.game && JSON.stringify(this.game.facts) === JSON.stringify(facts);
    if (same) return;
    this.game = new Game(facts);
    this.ended?.abort();
    this.ended = new AbortController();
    byId("position").replaceChildren();
    this.board = new Board(this.game, byId("position"), (cell) => this.click(cell), { prefix: "at", signal: this.ended.signal });
    this.clear();
  }

  clear() {
    this.put = null;
    this.moves = [];
    this.changed();
  }

  get tool() {
    return document.querySelector("input[name=tool]:checked").value;
  }

  // The stones on the board.
  stones() {
    const stones = this.put ? this.put.slice() : this.game.start.slice();
    this.moves.forEach((cell, turn) => (stones[cell] = this.moverAt(turn)));
    return stones;
  }

  // Whose turn is so many moves after the start: where stones were put, the players alternate.
  moverAt(turn) {
    if (!this.put) return this.game.turns[turn];
    const first = byId("to-move").value === "white" ? WHITE : BLACK;
    return turn % 2 === 0 ? first : BLACK + WHITE - first;
  }

  outcome(stones) {
    for (const player of [BLACK, WHITE]) {
      const set = this.game.completed(stones, player);
      if (set) return { player, set };
    }
    return stones.every((stone) => stone !== EMPTY) ? { player: EMPTY, set: null } : null;
  }

  click(cell) {
    const stones = this.stones();
    if (this.tool === "turns") {
      const first = this.moves.length === 0 && !this.put;
      const allowed = stones[cell] === EMPTY && !this.outcome(stones) && (!first || this.game.first[cell] === 1);
      if (!allowed) return;
      this.moves.push(cell);
    } else {
      stones[cell] = { black: BLACK, white: WHITE, erase: EMPTY }[this.tool];
      this.put = stones;
      this.moves = [];
    }
    this.changed();
  }

  undo() {
    if (this.moves.length > 0) this.moves.pop();
    else this.put = null;
    this.changed();
  }

  // The position in the words of the server.
  request() {
    const names = (cells) => cells.map((cell) => this.game.cellName(cell)).join(" ");
    const request = { asked: this.asked(), moves: names(this.moves), seconds: Number(byId("think").value) };
    if (!this.put) return request;
    const of = (player) => names([...this.put.keys()].filter((cell) => this.put[cell] === player));
    return { ...request, black: of(BLACK), white: of(WHITE), to_move: byId("to-move").value };
  }

  changed() {
    [this.notes, this.pairs, this.extra] = [null, null, null];
    this.latest.number++;
    byId("to-move-label").hidden = !this.put;
    this.draw();
    this.say();
  }

  draw() {
    const stones = this.stones();
    const end = this.outcome(stones);
    const mover = this.moverAt(this.moves.length) ?? BLACK;
    const threats = end ? [] : [BLACK, WHITE].flatMap((player) => this.game.threats(stones, player));
    if (this.extra !== null) stones[this.extra] = WHITE;
    this.board.draw({
      stones, last: this.moves.at(-1) ?? null, threats: this.notes || this.pairs ? [] : threats, completed: end?.set ?? null,
      pairs: this.pairs, zone: null, choices: end ? [] : [...stones.keys()].filter((cell) => stones[cell] === EMPTY),
      visitor: mover, notes: this.notes,
    });
    const turn = end ? "Over" : `Turn ${this.moves.length + 1}: ${NAMES[mover]} to move`;
    byId("position-turn").textContent = turn;
    byId("position-turn").dataset.player = end ? "" : NAMES[mover].toLowerCase();
    for (const id of ["worth", "hint"]) byId(id).disabled = end !== null;
    byId("back").disabled = this.moves.length === 0 && !this.put;
  }

  say(...sentences) {
    const end = this.outcome(this.stones());
    if (sentences.length === 0 && end) {
      sentences = [end.player === EMPTY ? "The board is full." : `${NAMES[end.player]} has completed ${this.game.facts.name ?? "a set"}.`];
    }
    byId("position-says").replaceChildren(...sentences.map((sentence) => made("p", {}, sentence)));
  }

  // Asks something about the position; what comes too late is dropped.
  async ask(path, tell) {
    this.say("Thinking …");
    const answer = await this.latest.of(this.server.send(path, this.request()));
    if (!answer) return;
    if (answer.error) this.say(`That does not work: ${answer.error.message}.`);
    else tell(answer.value);
  }

  cellOf(name) {
    return this.board.cells.findIndex((_, cell) => this.game.cellName(cell) === name);
  }

  noted(moves) {
    return new Map(moves.map((move) => [this.cellOf(move.cell), { ...WORTHS[move.worth](move.turn), says: move.sentence }]));
  }

  worth() {
    return this.ask("/api/position", ({ moves, exact, to_move: mover }) => {
      [this.notes, this.pairs] = [this.noted(moves), null];
      this.draw();
      const count = (worth) => moves.filter((move) => move.worth === worth).length;
      const kinds = [["wins", "win"], ["even", "hold"], ["safe", "hold at least"], ["loses", "lose"], ["open", "are not known"]];
      const told = kinds.filter(([worth]) => count(worth) > 0).map(([worth, word]) => `${count(worth)} ${word}`);
      const who = mover === "white" ? "White's" : "Black's";
      this.say(`Of ${who} ${moves.length} moves ${told.join(", ")}.`, exact ? "Every position of this board is known." : "Searched just now, not certified.",
        "✓ 9: wins by turn 9. ✗ 9: loses by turn 9. =: holds. ? 9: not known, and not lost by turn 9.");
    });
  }

  hint() {
    return this.ask("/api/hint", ({ moves }) => {
      if (moves.length === 0) return this.say("There is nothing to play.");
      [this.notes, this.pairs] = [this.noted(moves), null];
      this.draw();
      const [{ cell, sentence, worth, turn }] = moves;
      const lasts = worth === "loses" ? ` No move lasts longer than turn ${turn}.` : "";
      this.say(`Play ${cell}: ${sentence}.${lasts}`);
    });
  }

  pave() {
    return this.ask("/api/paving", ({ paved, pairs, first, proved }) => {
      this.notes = null;
      this.pairs = paved ? pairs.map((pair) => pair.map((name) => this.cellOf(name))) : null;
      this.extra = first ? this.cellOf(first) : null;
      this.draw();
      const how = proved ? "The checker has accepted it: White holds." : "White holds from here (not certified).";
      const once = first ? ` once White plays ${first}` : "";
      if (paved === null) this.say("Whether there are pairs was not decided in this time.");
      else if (!paved) this.say("There are no pairs that hold: White needs more than answering in pairs, or loses.");
      else this.say(`${pairs.length} pairs hold${once}: whenever Black takes one cell of a pair, White takes the other. ${how}`);
    });
  }

  async save() {
    return this.ask("/api/text", ({ text }) => {
      byId("text").value = text;
      this.say("Copy the text; it can be loaded here and by harary play --load.");
    });
  }

  async load() {
    this.say("Reading …");
    const answer = await this.latest.of(this.server.send("/api/read", { text: byId("text").value }));
    if (!answer) return;
    if (answer.error) return this.say(`That is no game: ${answer.error.message}.`);
    await this.onLoad(answer.value.asked);
    this.put = null;
    this.moves = answer.value.moves.split(" ").filter((name) => name).map((name) => this.cellOf(name));
    this.changed();
  }

  listen() {
    const clicks = { worth: () => this.worth(), hint: () => this.hint(), pave: () => this.pave(), back: () => this.undo(),
      empty: () => this.clear(), save: () => this.save(), load: () => this.load() };
    for (const [id, click] of Object.entries(clicks)) byId(id).addEventListener("click", click);
    byId("to-move").addEventListener("change", () => this.changed());
  }
}
