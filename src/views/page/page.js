// The page of one certificate: what it says about its game, and the player.

function writeFacts({ game }) {
  const { facts, board } = game;
  const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
  const name = facts.name ?? (board ? `A shape of ${facts.shape.length} cells` : `A game of ${facts.vertices} vertices`);
  const place = board ? ` on ${board.width}×${board.height}${board.torus ? " torus" : ""}` : "";
  byId("title").textContent = name.charAt(0).toUpperCase() + name.slice(1) + place;
  byId("claim").textContent = claimOf(game);
  byId("role").textContent = roleIn(game);
  if (board) drawShape(facts.shape, byId("shape"));
  const checked = [[facts.positions, "position"], [facts.nodes, "node"]].filter(([number]) => number > 0);
  byId("about").textContent = `${facts.sentence}. Every answer on this page is read from a certificate of ` +
    `${count(facts.lines, "line")}; harary ${facts.version} checked it by the rules of the game alone ` +
    `(${checked.map(([number, noun]) => count(number, noun)).join(", ") || "nothing was left to follow"}) before it made the page.`;
  const alternating = game.turns.every((player, turn) => player === (turn % 2 === 0 ? BLACK : WHITE));
  if (!alternating) byId("about").textContent += ` Turns: ${facts.turns}.`;
}

async function open() {
  const facts = JSON.parse(byId("facts").textContent);
  const tables = await tablesOf(facts, byId("tables").textContent);
  byId("tables").remove();
  const player = new Player(facts, tables);
  writeFacts(player);
  return player.handles();
}

// For tests: `await harary.ready` first.
window.harary = {
  ready: open().then(
    (handles) => Object.assign(window.harary, handles) && true,
    (error) => {
      byId("why").textContent = `This page cannot be shown: ${error.message}. It needs a browser of 2023 or later.`;
      throw error;
    },
  ),
};
