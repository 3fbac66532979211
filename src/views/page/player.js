// The player: the visitor's moves against a certificate, the tree of all that was tried, and what is shown of it.

class Player {
  // `signal` ends it: another game may take its place on the page.
  constructor(facts, tables, signal) {
    this.signal = signal;
    this.game = new Game(facts);
    this.strategy = new Strategy(this.game, tables, facts.tables.root);
    this.reasons = new Reasons(this.game, this.strategy);
    byId("board").replaceChildren();
    this.board = new Board(this.game, byId("board"), (cell) => this.play(cell), { signal });
    this.root = { parent: null, children: [], state: this.strategy.start(), says: this.reasons.opening() };
    this.shown = { threats: true, pairs: true, zone: false };
    this.offer();
    this.listen();
    this.restart();
  }

  // The visitor plays a cell, and the strategy answers. Returns whether the move was possible.
  play(cell) {
    const { game } = this;
    const { state } = this.current;
    const possible = !game.outcome(state) && game.mover(state) === game.visitor && game.choices(state).includes(cell);
    if (!possible) {
      if (!game.outcome(state)) this.tell(`${game.cellName(cell)} is not free.`);
      return false;
    }
    const after = this.strategy.after(state, cell);
    this.step(cell, after, this.reasons.ofVisitor(state, cell, after), null);
    this.answer();
    return true;
  }

  // The strategy moves while it is its turn.
  answer() {
    const { game, strategy } = this;
    while (!game.outcome(this.current.state) && game.mover(this.current.state) === game.holder) {
      const { state } = this.current;
      const move = strategy.move(state);
      const after = strategy.after(state, move.cell, move.frame);
      this.step(move.cell, after, this.reasons.ofStrategy(state, move, after), move);
    }
    this.render();
  }

  // One move on in the tree, on a branch that is there already or on a new one.
  step(cell, state, says, move) {
    let child = this.current.children.find((known) => known.cell === cell);
    if (!child) {
      child = { parent: this.current, children: [], cell, player: this.game.mover(this.current.state), state, says, move };
      this.current.children.push(child);
    }
    this.current = child;
  }

  // Back to the visitor's last choice. What was played stays in the tree.
  undo() {
    let place = this.current.parent;
    while (place && this.game.mover(place.state) !== this.game.visitor) place = place.parent;
    if (!place) return false;
    this.goTo(place);
    return true;
  }

  restart() {
    this.goTo(this.root);
  }

  goTo(place) {
    this.current = place;
    this.answer();
  }

  path() {
    const path = [];
    for (let place = this.current; place.parent; place = place.parent) path.unshift(place);
    return path;
  }

  // What tests and curious people ask.
  report() {
    const { game, current } = this;
    const { state } = current;
    const outcome = game.outcome(state);
    return {
      line: this.path().map(({ cell }) => game.cellName(cell)),
      turn: state.played,
      outcome: outcome?.kind ?? null,
      completed: outcome?.set?.cells.map((cell) => game.cellName(cell)) ?? null,
      choices: outcome ? [] : game.choices(state).map((cell) => game.cellName(cell)),
      threats: game.threats(state.stones, game.holder).map(({ cell }) => game.cellName(cell)),
      why: this.sentences(),
    };
  }

  // The visitor's last move and the answers to it.
  sentences() {
    const sentences = [];
    for (let place = this.current; place; place = place.parent) {
      sentences.unshift(place.says);
      if (!place.parent || place.player === this.game.visitor) break;
    }
    return sentences.length > 1 && !this.path().some(({ player }) => player === this.game.visitor)
      ? sentences.slice(1) : sentences;
  }

  // ----------------------------------------------------------------------------------------------------- what is shown

  // Drawn once for all moves made until the browser wants a picture.
  render() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  draw() {
    const { game, strategy, current, shown } = this;
    const { state } = current;
    const outcome = game.outcome(state);
    const pairs = strategy.pairs(state);
    const threats = outcome ? [] : [...game.threats(state.stones, game.visitor), ...game.threats(state.stones, game.holder)];
    this.board.draw({
      stones: state.stones,
      last: state.last,
      threats: shown.threats ? threats : [],
      completed: outcome?.set ?? null,
      pairs: shown.pairs ? pairs : null,
      zone: shown.zone ? strategy.zone(state) : null,
      choices: outcome ? [] : game.choices(state),
      visitor: game.visitor,
    });
    this.tell(...this.sentences());
    const verdict = this.reasons.verdict(state);
    byId("verdict").textContent = verdict;
    byId("verdict").hidden = !verdict;
    byId("source").textContent = this.reasons.source(current.move);
    const turn = outcome ? `Over after turn ${state.played}` : `Turn ${state.played + 1}: you play ${NAMES[game.visitor]}`;
    byId("turn").textContent = turn;
    byId("turn").dataset.player = outcome ? "" : NAMES[game.visitor].toLowerCase();
    byId("undo").disabled = !this.path().some(({ player }) => player === game.visitor);
    byId("line").replaceChildren(this.branch(this.root, new Set(this.path())));
    byId("line").querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  tell(...sentences) {
    const kept = [...byId("why").children].map((line) => line.textContent);
    if (kept.join("\n") === sentences.join("\n")) return;
    byId("why").replaceChildren(...sentences.map((sentence) => made("p", {}, sentence)));
  }

  // The tree from a place on: the line that is shown in one row, what else was tried set in behind the move it replaced.
  branch(place, path) {
    const list = made("ol", { class: "moves" });
    while (place.children.length > 0) {
      const next = place.children.find((child) => path.has(child)) ?? place.children[0];
      list.append(made("li", {}, this.moveButton(next, path)));
      for (const other of place.children.filter((child) => child !== next)) {
        list.append(made("li", { class: "others" }, this.branch({ children: [other] }, path)));
      }
      place = next;
    }
    return list;
  }

  moveButton(place, path) {
    const name = this.game.cellName(place.cell);
    const attributes = { type: "button", class: `move ${NAMES[place.player].toLowerCase()}`, title: place.says,
      "aria-label": `Turn ${place.state.played}, ${NAMES[place.player]} ${name}` };
    if (path.has(place)) attributes.class += " played";
    if (place === this.current) attributes["aria-current"] = "step";
    const button = made("button", attributes, made("span", { class: "count" }, String(place.state.played)),
      made("span", { class: "pebble" }), name);
    button.addEventListener("click", () => this.goTo(place));
    return button;
  }

  // What of the game can be shown on the board at all.
  offer() {
    const { game } = this;
    byId("toggle-pairs").hidden = !(this.strategy.nodes.rows > 0 && !game.win);
    byId("toggle-zone").hidden = !(this.strategy.nodes.rows > 0 || game.cover);
    byId("zone-name").textContent = game.cover ? "Cover" : "Zone";
    byId("zone-title").textContent = "hatched: cells that do not matter";
    byId("torus").hidden = !game.board?.torus;
  }

  listen() {
    const { signal } = this;
    byId("undo").addEventListener("click", () => this.undo(), { signal });
    byId("restart").addEventListener("click", () => this.restart(), { signal });
    for (const name of Object.keys(this.shown)) {
      byId(name).checked = this.shown[name];
      byId(name).addEventListener("change", (event) => {
        this.shown[name] = event.target.checked;
        this.render();
      }, { signal });
    }
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || byId("board").offsetParent === null) return;
      // Letters typed into a field are for the field.
      if (event.target.matches("input:not([type=checkbox]), select, textarea")) return;
      if (event.key === "u") this.undo();
      if (event.key === "r") this.restart();
      const toggle = { t: "threats", p: "pairs", z: "zone" }[event.key];
      if (toggle) byId(toggle).click();
    }, { signal });
  }

  // Handles for tests and curious people.
  handles() {
    const cellOf = (name) => this.board.cells.findIndex((_, cell) => this.game.cellName(cell) === name);
    return {
      play: (name) => this.play(cellOf(name)),
      undo: () => this.undo(),
      restart: () => this.restart(),
      report: () => this.report(),
    };
  }
}

function byId(id) {
  return document.getElementById(id);
}

// A new element of the page; text among its children stays text.
function made(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// What is certified, and what the visitor is to do about it.
function claimOf({ facts, hold, holder }) {
  const claim = !hold ? `${NAMES[holder]} wins by turn ${facts.last}`
    : facts.last ? `Black cannot win by turn ${facts.last}` : "White holds: Black never wins";
  return `${claim}, ${facts.rule} rule`;
}

function roleIn({ board, visitor, holder }) {
  return `You are ${NAMES[visitor]}: play any free ${board ? "cell" : "vertex"}, ${NAMES[holder]} has an answer to each.`;
}

// The tables of a certificate, out of the text they travel as.
function tablesOf(facts, text) {
  const { steps, nodes, answers } = facts.tables;
  return readTables(text, [steps, nodes, answers]);
}
