// Reasons: a sentence or two for each move, and where in the certificate the answer was found.

class Reasons {
  constructor(game, strategy) {
    Object.assign(this, { game, strategy });
    this.goal = game.board ? game.facts.name ?? "the shape" : "a winning set";
  }

  names(cells) {
    const names = cells.map((cell) => this.game.cellName(cell));
    return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  }

  // Before the first move.
  opening() {
    const { game } = this;
    if (game.win) return "Black is about to begin.";
    if (!game.hold) return `You are Black. White completes ${this.goal} by turn ${game.facts.last}.`;
    return game.facts.last
      ? `You are Black and begin. White keeps you from ${this.goal} up to turn ${game.facts.last}.`
      : `You are Black and begin anywhere you like. White keeps you from ${this.goal} for ever.`;
  }

  // A move of the visitor's.
  ofVisitor(before, cell, after) {
    const { game } = this;
    const [player, name] = [NAMES[game.visitor], game.cellName(cell)];
    const end = this.ending(after, cell);
    if (end) return end;
    const threatened = game.threats(before.stones, game.holder).map((threat) => threat.cell);
    const open = threatened.filter((other) => other !== cell);
    let text = `${player} plays ${name}.`;
    if (threatened.includes(cell)) text = `${player} blocks at ${name}.`;
    if (game.mover(after) === game.holder && open.length > 0 && !game.hold) {
      text = threatened.includes(cell)
        ? `${player} blocks at ${name}, but ${this.names(open)} is open.`
        : `${player} plays ${name} and leaves ${this.names(open)} open.`;
    }
    if (game.cover && !game.cover[cell]) text += " That is outside the cover: the strategy only counts it.";
    return text + this.threatens(after, game.visitor);
  }

  // A move of the strategy's.
  ofStrategy(before, move, after) {
    const { game } = this;
    const [player, name] = [NAMES[game.holder], game.cellName(move.cell)];
    const end = this.ending(after, move.cell);
    if (end) return end;
    const blocked = game.threats(before.stones, game.visitor).some(({ cell }) => cell === move.cell);
    const text = blocked ? `${player} blocks at ${name}` : `${player} plays ${name}`;
    if (!game.hold) return `${text}${blocked ? "." : this.quiet(after)}${this.threatens(after, game.holder)}`;
    return `${text}${this.defence(move, after)}`;
  }

  // What a move without a threat is good for.
  quiet(after) {
    if (this.game.threats(after.stones, this.game.holder).length > 0) return ".";
    const { missing, count } = this.game.nearest(after.stones, this.game.holder);
    const lacking = missing === 1 ? "one stone" : `${missing} stones`;
    const sets = count === 1 ? "one winning set lacks" : `${count} winning sets lack`;
    return `: no threat yet, ${sets} ${lacking}.`;
  }

  threatens(state, player) {
    const { game } = this;
    const other = player === BLACK ? WHITE : BLACK;
    const cells = game.threats(state.stones, player).map((threat) => threat.cell);
    if (cells.length === 0) return "";
    if (cells.length === 1) {
      // Who can complete a set at once need not block.
      const must = game.mover(state) === other && game.threats(state.stones, other).length === 0;
      return must ? ` ${NAMES[other]} must block at ${this.names(cells)}.` : ` A threat at ${this.names(cells)}.`;
    }
    const count = ["Two", "Three", "Four", "Five", "Six"][cells.length - 2] ?? cells.length;
    return ` ${count} threats: ${this.names(cells)}.`;
  }

  // Why White's answer holds.
  defence(move, after) {
    const { game, strategy } = this;
    const letter = move.pair === undefined ? "" : pairLetter(move.pair);
    if (move.by === "pair") return `: she answers in the pair ${letter}.`;
    if (move.by === "free") {
      const because = {
        outside: "Black played outside the cells that matter, so she may play anywhere",
        unpaired: "Black's cell belongs to no pair, so she may play anywhere",
        owned: letter ? `the pair ${letter} is hers already, so she may play anywhere`
          : "the answer stands there already, so she may play anywhere",
      };
      return `: ${because[move.because]}.`;
    }
    const pairs = strategy.pairs(after);
    if (move.by === "reply" && pairs) return `: from here on she answers in pairs, ${pairs.length} of them.`;
    if (move.by === "reply") {
      const zone = cellsOf(strategy.zone(after)).filter((cell) => after.stones[cell] === EMPTY);
      return `: now only ${zone.length} empty cells matter.`;
    }
    const own = this.threatens(after, WHITE);
    if (own) return `.${own}`;
    const { missing, count } = game.nearest(after.stones);
    const lacking = missing === 1 ? "one stone" : `${missing} stones`;
    return `: Black's nearest ${count === 1 ? "set lacks" : `${count} sets lack`} ${lacking}.`;
  }

  ending(state, cell) {
    const { game } = this;
    const outcome = game.outcome(state);
    if (!outcome) return null;
    const name = game.cellName(cell);
    switch (outcome.kind) {
      case "black":
        return `Black completes ${this.goal} at ${name}: turn ${state.played}.`;
      case "white":
        return `White completes ${this.goal} at ${name}${game.hold ? " first: Black has not won" : `: turn ${state.played}`}.`;
      case "blocked":
        return `${NAMES[state.stones[cell]]} plays ${name}. Every winning set holds a stone of White's: Black can no longer win.`;
      case "late":
        return `${NAMES[state.stones[cell]]} plays ${name}. Black can no longer win by turn ${game.facts.last}.`;
      default:
        return `${NAMES[state.stones[cell]]} plays ${name}. Black has too few moves left: he can no longer win.`;
    }
  }

  // How the game went, in a few words.
  verdict(state) {
    const outcome = this.game.outcome(state);
    if (!outcome) return "";
    if (outcome.kind === "black") {
      return `Black wins at turn ${state.played}; certified was turn ${this.game.facts.last} at the latest.`;
    }
    if (outcome.kind === "white" && !this.game.hold) {
      return `White wins at turn ${state.played}; certified was turn ${this.game.facts.last} at the latest.`;
    }
    if (outcome.kind === "late") return `White has held up to turn ${this.game.facts.last}.`;
    return outcome.kind === "white" ? "White wins." : "White has held.";
  }

  // Where the certificate has the answer.
  source(move) {
    const count = (number) => number.toLocaleString("en");
    const { steps, nodes } = this.strategy;
    if (!move) return "";
    if (move.line) {
      const { name } = move.line.symmetry;
      const place = `Position ${count(move.line.row + 1)} of ${count(steps.rows)} in the certificate`;
      return name ? `${place}, which has it ${name}.` : `${place}.`;
    }
    if (move.by === "completion") return "Completing needs no line in the certificate.";
    const place = `Node ${count(move.frame.node + 1)} of ${count(nodes.rows)} in the certificate`;
    return move.turned ? `${place}, which has this answer ${move.turned}.` : `${place}.`;
  }
}

// Pairs have letters, in the order of the certificate, as on the command line: x and o would look like stones.
function pairLetter(index) {
  const letters = [..."abcdefghijklmnpqrstuvwyzABCDEFGHIJKLMNPQRSTUVWYZ"];
  const rest = Math.floor(index / letters.length);
  return (rest > 0 ? pairLetter(rest - 1) : "") + letters[index % letters.length];
}
