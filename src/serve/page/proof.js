// A settled run: played against, walked through, taken home.

class ProofView {
  constructor(server) {
    this.server = server;
    this.latest = new Latest();
    byId("walk").addEventListener("toggle", () => this.walk());
  }

  // Opens the certificate of a run; whoever waits for it knows when it is there.
  async open(run) {
    if (this.id === run.id) return;
    this.close();
    const answer = await this.latest.of(this.server.get(`/api/runs/${run.id}/play`));
    if (!answer) return;
    if (answer.error) throw answer.error;
    const { facts, tables } = answer.value;
    facts.hexagonal = run.asked.family === "hexagonal";
    this.ended = new AbortController();
    this.player = new Player(facts, await tablesOf(facts, tables), this.ended.signal);
    this.id = run.id;
    byId("claim").textContent = claimOf(this.player.game);
    byId("role").textContent = roleIn(this.player.game);
    byId("no-proof").hidden = true;
    byId("proof").hidden = false;
    this.offer(run);
    const draw = this.player.draw.bind(this.player);
    this.player.draw = () => {
      draw();
      this.walk();
    };
    this.player.render();
  }

  close() {
    this.latest.number++;
    this.ended?.abort();
    [this.id, this.player] = [null, null];
    byId("no-proof").hidden = false;
    byId("proof").hidden = true;
    byId("choices").replaceChildren();
  }

  offer({ id }) {
    const files = [
      [`/api/runs/${id}/certificate`, "Certificate", "certificate"], [`/api/runs/${id}/files/page.html`, "Page to play", "page"],
      [`/api/runs/${id}/files/tree.svg`, "Tree, SVG", "svg"], [`/api/runs/${id}/files/tree.tex`, "Tree, TikZ", "tikz"],
      [`/api/runs/${id}/files/line.svg`, "Longest line, SVG", "line-svg"], [`/api/runs/${id}/files/line.tex`, "Longest line, TikZ", "line-tikz"],
      [`/api/runs/${id}/files/tree.json`, "JSON", "json"],
    ];
    byId("files").replaceChildren(...files.map(([href, text, name]) => made("a", { href, download: "", id: `file-${name}`, class: "file" }, text)));
  }

  // The choices from here, those that last longest first; a click plays one.
  async walk() {
    if (!this.player || !byId("walk").open) return;
    const { line: moves, outcome } = this.player.report();
    if (outcome) return byId("choices").replaceChildren(made("p", { class: "hint" }, "The game is over."));
    const line = moves.join(" ");
    const answer = await this.latest.of(this.server.get(`/api/runs/${this.id}/walk?after=${encodeURIComponent(line)}`));
    if (!answer || answer.error) return;
    const { groups, says, player } = answer.value;
    const rows = groups.map(({ cells, until, answer: reply }) => {
      const cell = made("button", { type: "button", class: "reply" }, cells[0]);
      cell.addEventListener("click", () => this.player.handles().play(cells[0]));
      const others = cells.length > 1 ? ` and ${cells.slice(1, 9).join(", ")}${cells.length > 9 ? " …" : ""}` : "";
      return made("li", {}, cell, made("span", {}, `${others}${reply ? ` → ${reply}` : ""}`), made("small", {}, `until turn ${until}`));
    });
    const who = player === "black" ? "Black" : "White";
    const title = rows.length > 0 ? made("p", { class: "hint" }, `${who} may play, the longest resistance first:`) : "";
    byId("choices").replaceChildren(title, made("ol", { class: "replies" }, ...rows), says ? made("p", { class: "hint" }, says) : "");
  }
}
