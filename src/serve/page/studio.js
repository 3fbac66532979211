// The studio: the game that is asked for, its runs, and which of the views is shown.

const TABS = ["position", "progress", "proof"];

class Studio {
  async start() {
    this.server = new Server();
    const { most, shapes } = await this.server.hello();
    Object.assign(this, { most, catalogues: shapes, runs: new Map(), watched: new Map(), latest: new Latest(), sets: null });
    for (const [id, value] of [["cores", most.cores], ["memory", Math.min(512, most.memory)], ["seconds", Math.min(300, most.seconds)]]) {
      byId(id).max = most[id];
      byId(id).value = value;
    }
    this.drawing = new Drawing(() => this.changed());
    this.position = new PositionView(this.server, () => this.asked(), (asked) => this.take(asked));
    this.runView = new RunView({ stop: (run) => this.stop(run), again: (run) => this.again(run), forget: (run) => this.forget(run),
      open: (run) => this.openProof(run) });
    this.proof = new ProofView(this.server);
    this.listen();
    this.showTab("position");
    await this.ofAddress();
    await this.refresh();
  }

  // ------------------------------------------------------------------------------------------------- what is asked for

  asked() {
    if (this.sets) return { sets: this.sets };
    const number = (id) => Math.max(0, Math.floor(Number(byId(id).value) || 0));
    const goal = byId("goal").value;
    const target = { shapes: () => this.drawing.target(), row: () => `row${number("row")}`, lines: () => "lines", hex: () => "hex" }[goal]();
    const layers = number("depth") > 1 ? `x${number("depth")}` : "";
    const rule = goal === "hex" ? null : document.querySelector("input[name=rule]:checked").value;
    const asked = { target, board: `${number("width")}x${number("height")}${layers}`, family: goal === "hex" ? "hexagonal" : byId("family").value, rule };
    if (number("handicap") > 0) asked.handicap = number("handicap");
    const stones = [number("stones-each"), number("stones-first")];
    if (stones.some((count) => count !== 1)) asked.stones = stones;
    return asked;
  }

  // Fills the form with a game, and waits until the server has told about it.
  async take(asked) {
    this.sets = asked.sets ?? null;
    if (!this.sets) {
      const [width, height, depth] = asked.board.split("x");
      const values = { width, height, depth: depth ?? 1, family: asked.family || "plain", handicap: asked.handicap ?? 0,
        "stones-each": asked.stones?.[0] ?? 1, "stones-first": asked.stones?.[1] ?? 1 };
      for (const [id, value] of Object.entries(values)) byId(id).value = value;
      const rule = document.querySelector(`input[name=rule][value=${asked.rule === "weak" ? "weak" : "strong"}]`);
      rule.checked = true;
      this.takeTarget(asked.target);
    }
    await this.changed(this.sets !== null);
  }

  takeTarget(target) {
    const row = /^row(\d+)$/.exec(target);
    byId("goal").value = row ? "row" : target === "lines" || target === "hex" ? target : "shapes";
    if (row) byId("row").value = row[1];
    if (byId("goal").value !== "shapes") return;
    this.drawing.hexagonal = byId("family").value === "hexagonal";
    const cells = target.split("+").map((word) => this.cellsOf(word.trim())).filter((found) => found);
    this.drawing.shapes = [new Set()];
    this.drawing.current = 0;
    cells.forEach((shape, place) => {
      if (place > 0) this.drawing.shapes.push(new Set());
      this.drawing.current = place;
      this.drawing.put(shape);
    });
    this.drawing.pick(0);
  }

  // The cells of a name, or of a list of cells.
  cellsOf(word) {
    const catalogue = byId("family").value === "hexagonal" ? this.catalogues.hexagons : this.catalogues.squares;
    const small = word.toLowerCase();
    const known = catalogue.find(({ name, aliases }) => [name, ...aliases].some((other) => other.toLowerCase() === small));
    if (known) return known.cells;
    const cells = word.split(/\s+/).map((cell) => cell.split(",").map(Number));
    return cells.every((cell) => cell.length === 2 && cell.every(Number.isInteger)) ? cells : null;
  }

  // The address may name a game: a link of the atlas does.
  async ofAddress() {
    const wanted = new URLSearchParams(location.search);
    const target = wanted.get("target")?.replaceAll("_", " ") ?? "";
    if (!target) return this.changed();
    return this.take({ target, board: wanted.get("board") ?? "7x7", family: wanted.get("family") ?? "plain", rule: wanted.get("rule") ?? "strong" });
  }

  // The game is another now: everything that is known of it is asked for. A game of sets stays until the form is touched.
  async changed(keepSets = false) {
    if (!keepSets) this.sets = null;
    const goal = byId("goal").value;
    byId("row-label").hidden = goal !== "row";
    byId("shapes").hidden = goal !== "shapes";
    // Hex has cells and a rule of its own.
    for (const field of [byId("family"), ...document.querySelectorAll("input[name=rule]")]) field.disabled = goal === "hex";
    if (this.drawing.hexagonal !== (byId("family").value === "hexagonal")) {
      this.drawing.hexagonal = !this.drawing.hexagonal;
      this.drawing.build();
    }
    this.listCatalogue();
    const asked = this.asked();
    if (!this.sets && asked.target === "") {
      this.latest.number++;
      this.drawing.list([]);
      return this.nothing("Draw a shape", "");
    }
    const answer = await this.latest.of(this.server.send("/api/game", asked));
    if (!answer) return;
    if (answer.error) {
      this.drawing.list([]);
      return this.nothing("No such game", answer.error.message);
    }
    this.tell(answer.value);
  }

  nothing(title, trouble) {
    byId("game-title").textContent = title;
    byId("trouble").textContent = trouble;
    byId("known").replaceChildren(made("p", { class: "soft" }, "Click some cells of the drawing board, or pick a shape from the catalogue."));
    byId("shape-name").textContent = "";
    byId("command").textContent = "";
    byId("settle").disabled = true;
  }

  tell(about) {
    const { title, facts, parts, atlas, law, command, sets } = about;
    byId("trouble").textContent = "";
    byId("game-title").textContent = title;
    byId("command").textContent = command ?? "";
    byId("settle").disabled = false;
    this.drawing.list(parts);
    const part = parts[Math.min(this.drawing.current, parts.length - 1)];
    const pieces = { true: ", a polyomino", false: ", not in one piece" }[part?.animal] ?? "";
    const kind = part?.cells ? `${part.cells.length} ${part.cells.length === 1 ? "cell" : "cells"}${pieces}` : "";
    byId("shape-name").textContent = part ? [part.name ?? "no name", kind].filter((word) => word).join(" · ") : "";
    byId("known").replaceChildren(...this.known(atlas, law), made("p", { class: "soft" }, `${sets.toLocaleString("en")} winning sets.`));
    this.position.show(facts);
  }

  known(atlas, law) {
    const line = (text, name = "") => made("p", { class: name }, text);
    const lines = [];
    if (atlas) {
      lines.push(line(`The atlas: ${atlas.sentence}`, "told"));
      if (atlas.refutation) lines.push(line(atlas.refutation, "soft"));
      const facts = [atlas.first && `First move ${atlas.first}`, atlas.certificate, atlas.day].filter((word) => word);
      if (facts.length > 0) lines.push(line(`${facts.join(" · ")}.`, "soft"));
      if (atlas.open) lines.push(line("Help settle it: press Settle, or run", "soft"), made("p", { class: "command" }, made("code", {}, atlas.command)));
    }
    if (law) {
      lines.push(line(`By a law between games: ${law.sentence}`, "told"));
      if (law.reason) lines.push(line(`It follows ${law.reason}.`, "soft"));
    }
    return lines.length > 0 ? lines : [line("Neither the atlas nor a law says who wins. Settle it.", "told")];
  }

  listCatalogue() {
    const hexagonal = byId("family").value === "hexagonal";
    if (this.listed === hexagonal) return;
    this.listed = hexagonal;
    const options = (hexagonal ? this.catalogues.hexagons : this.catalogues.squares)
      .flatMap(({ name, aliases }) => [name, ...aliases]).map((name) => made("option", { value: name }));
    byId("catalogue-names").replaceChildren(...options);
  }

  // ------------------------------------------------------------------------------------------------------------ runs

  async settle(asked = this.asked(), factor = 1, effort = null) {
    const value = (id) => Math.max(1, Math.floor(Number(byId(id).value) || 1));
    const given = effort ?? { cores: value("cores"), memory: value("memory"), seconds: value("seconds") };
    try {
      const run = await this.server.send("/api/runs", { asked, effort: { ...given, seconds: given.seconds * factor } });
      byId("trouble").textContent = "";
      this.take_in(run);
      this.select(run.id);
    } catch (error) {
      byId("trouble").textContent = `That does not work: ${error.message}.`;
    }
  }

  // A run, new or changed. It is watched as long as it is under way.
  take_in(run) {
    const before = this.runs.get(run.id);
    this.runs.set(run.id, run);
    this.list();
    if (this.selected === run.id) {
      this.runView.show(run);
      if (run.state === "settled" && before && before.state !== "settled") this.proof.open(run).catch((error) => this.say(error));
    }
    if (isOver(run)) this.watched.delete(run.id);
    else if (!this.watched.has(run.id)) this.watched.set(run.id, this.server.watch(run.id, (news) => this.take_in(news)));
  }

  say(error) {
    byId("trouble").textContent = error.message;
  }

  async refresh() {
    for (const run of (await this.server.get("/api/runs")).reverse()) this.take_in(run);
    this.list();
  }

  // Shows a run: its search, or its proof if there is one.
  select(id) {
    this.selected = id;
    const run = this.runs.get(id);
    this.proof.close();
    this.runView.show(run);
    this.list();
    this.showTab("progress");
    byId("game-title").scrollIntoView({ block: "nearest" });
    if (run.state === "settled") this.proof.open(run).catch((error) => this.say(error));
  }

  async openProof(run) {
    await this.proof.open(run).catch((error) => this.say(error));
    this.showTab("proof");
    byId("board").querySelector("[tabindex='0']")?.focus({ preventScroll: true });
  }

  async stop(run) {
    await this.server.send(`/api/runs/${run.id}/stop`).then((news) => this.take_in(news), (error) => this.say(error));
  }

  again(run) {
    return this.settle(run.asked, 4, run.effort);
  }

  async forget(run) {
    try {
      await this.server.send(`/api/runs/${run.id}`, undefined, "DELETE");
    } catch (error) {
      return this.say(error);
    }
    this.runs.delete(run.id);
    if (this.selected === run.id) {
      this.selected = null;
      this.proof.close();
      byId("run").replaceChildren(made("p", { class: "hint" }, "Forgotten."));
    }
    this.list();
  }

  list() {
    const runs = [...this.runs.values()].sort((a, b) => b.made - a.made || (a.id < b.id ? 1 : -1));
    const kept = new Map([...byId("runs").children].map((row) => [row.dataset.id, row]));
    const rows = runs.map((run) => {
      const current = run.id === this.selected;
      const words = [run.title, STATES[run.state], findingOf(run), String(current)];
      const row = kept.get(run.id);
      if (row?.dataset.key === words.join("|")) return row;
      const button = made("button", { type: "button", class: `run ${run.state}` }, made("span", { class: "dot-of-state" }),
        made("span", { class: "run-title" }, run.title), made("span", { class: "run-finding" }, `${STATES[run.state]} · ${findingOf(run)}`));
      if (current) button.setAttribute("aria-current", "true");
      button.addEventListener("click", () => {
        this.take(run.asked);
        this.select(run.id);
      });
      return made("li", { "data-id": run.id, "data-key": words.join("|") }, button);
    });
    if (rows.length === 0) rows.push(made("li", { class: "hint" }, "None yet. Runs stay here, also when the server is started again."));
    const shown = [...byId("runs").children];
    if (shown.length !== rows.length || shown.some((row, place) => row !== rows[place])) byId("runs").replaceChildren(...rows);
  }

  // ------------------------------------------------------------------------------------------------------------ tabs

  showTab(name) {
    for (const other of TABS) {
      byId(`panel-${other}`).hidden = other !== name;
      byId(`tab-${other}`).setAttribute("aria-selected", String(other === name));
      byId(`tab-${other}`).tabIndex = other === name ? 0 : -1;
    }
    if (name === "proof") this.proof.player?.render();
  }

  listen() {
    for (const [place, name] of TABS.entries()) {
      byId(`tab-${name}`).addEventListener("click", () => this.showTab(name));
      byId(`tab-${name}`).addEventListener("keydown", ({ key }) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
        if (!step) return;
        const next = TABS[modulo(place + step, TABS.length)];
        this.showTab(next);
        byId(`tab-${next}`).focus();
      });
    }
    const form = ["goal", "row", "width", "height", "depth", "family", "handicap", "stones-each", "stones-first"];
    for (const id of form) byId(id).addEventListener("input", () => this.changed());
    for (const rule of document.querySelectorAll("input[name=rule]")) rule.addEventListener("input", () => this.changed());
    byId("clear").addEventListener("click", () => this.drawing.clear());
    byId("catalogue").addEventListener("change", ({ target }) => {
      const cells = this.cellsOf(target.value.trim());
      byId("trouble").textContent = cells || !target.value ? "" : `The catalogue has no '${target.value}'.`;
      if (!cells) return;
      this.drawing.put(cells);
      this.changed();
      target.value = "";
    });
    byId("settle").addEventListener("click", () => this.settle());
  }
}

// For tests: `await studio.ready` first.
const studio = new Studio();
window.studio = {
  ready: studio.start().then(() => true, (error) => {
    byId("trouble").textContent = `The studio cannot start: ${error.message}.`;
    throw error;
  }),
  // The game against the proof, when there is one.
  get player() {
    return studio.proof.player?.handles();
  },
};
