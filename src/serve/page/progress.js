// A run under way and what came of it: turns refuted one by one, levels of the defender, numbers, time.

const STATES = {
  queued: "waiting", running: "searching", settled: "settled", open: "not settled in its time", stopped: "stopped",
  interrupted: "interrupted", failed: "failed",
};

// 12 s, 3:07 min.
function timeOf(seconds) {
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")} min`;
}

// What a run has found, in one sentence.
function findingOf({ state, verdict, seen, remark }) {
  if (verdict) {
    if (verdict.word === "win") return `Black wins by turn ${verdict.by}`;
    return verdict.word === "loss" ? `White wins by turn ${verdict.by}` : "White holds: Black never wins";
  }
  const refuted = seen.refuted.at(-1);
  const level = seen.levels.at(-1);
  const known = [refuted && `no win by turn ${refuted.at}`, level && `no paving after ${level.at} of White's moves`].filter((word) => word);
  return known.length > 0 ? `${known.join(", ")}` : state === "failed" ? remark ?? "" : "nothing refuted yet";
}

class RunView {
  // `actions` are what a visitor can do with a run: stop, again, forget, and open what is proved.
  constructor(actions) {
    this.actions = actions;
  }

  show(run) {
    const { seen, verdict, effort, state } = run;
    const parts = [made("p", { class: `state ${state}`, id: "run-state" }, this.headline(run))];
    if (verdict) parts.push(made("p", { class: "verdict", id: "run-verdict" }, `${findingOf(run)}.`), ...this.proved(run));
    if (run.remark) parts.push(made("p", { class: "remark" }, run.remark));
    parts.push(this.time(run), this.turns(run), this.levels(run), this.figures(seen, effort), this.buttons(run));
    // What is pressed must not be replaced under the finger: buttons stay as long as they are the same.
    const kept = byId("run").querySelector(".controls");
    const fresh = parts.at(-1);
    if (kept && kept.dataset.key === fresh.dataset.key) parts[parts.length - 1] = kept;
    byId("run").replaceChildren(...parts.filter((part) => part));
  }

  headline({ state, title, ahead }) {
    const waits = state === "queued" && ahead > 0 ? `, ${ahead} before it` : "";
    return made("span", {}, made("b", {}, STATES[state] + waits), ` · ${title}`);
  }

  proved({ verdict }) {
    const least = { searched: "No earlier turn wins (searched, not certified).", stones: "No earlier turn wins: too few stones." }[verdict.least];
    const lines = [least, verdict.first_move && `First move ${verdict.first_move}.`,
      verdict.white_open && "Whether White wins herself is open.",
      `Certificate accepted: ${verdict.lines.toLocaleString("en")} lines, ${verdict.bytes.toLocaleString("en")} bytes, blake3 ${verdict.hash.slice(0, 16)}.`];
    return lines.filter((line) => line).map((line) => made("p", { class: "soft" }, line));
  }

  time({ seen, effort, state }) {
    const bar = made("progress", { max: effort.seconds, value: Math.min(seen.seconds, effort.seconds), "aria-label": "Time" });
    const words = isOver({ state }) ? `${timeOf(seen.seconds)}` : `${timeOf(seen.seconds)} of ${timeOf(effort.seconds)}`;
    return made("p", { class: "time" }, bar, made("span", {}, words));
  }

  // Turn by turn: refuted, under way, won.
  turns({ seen, verdict, state }) {
    const chips = seen.refuted.map(({ at, seconds }) => {
      const label = `no win by turn ${at}, after ${timeOf(seconds)}`;
      return made("li", { class: "refuted", title: label, "aria-label": label }, String(at), made("small", {}, timeOf(seconds)));
    });
    if (verdict?.word === "win") {
      chips.push(made("li", { class: "won", "aria-label": `won by turn ${verdict.by}` }, String(verdict.by), made("small", {}, "won")));
    } else if (state === "running" && seen.turn && seen.turn > (seen.refuted.at(-1)?.at ?? 0)) {
      chips.push(made("li", { class: "now", "aria-label": `turn ${seen.turn} is under way` }, String(seen.turn), made("small", {}, "…")));
    }
    if (chips.length === 0) return null;
    return made("div", {}, made("h3", {}, "Black by turn"), made("ol", { class: "steps" }, ...chips));
  }

  levels({ seen }) {
    if (seen.levels.length === 0) return null;
    const chips = seen.levels.map(({ at, seconds }) => {
      const label = `no paving after ${at} of White's moves, after ${timeOf(seconds)}`;
      return made("li", { class: "refuted", title: label, "aria-label": label }, String(at), made("small", {}, timeOf(seconds)));
    });
    return made("div", {}, made("h3", {}, "White: no pairs yet after so many moves"), made("ol", { class: "steps" }, ...chips));
  }

  figures(seen, effort) {
    const number = (count) => count.toLocaleString("en");
    const rows = [["Positions", number(seen.nodes)], ["Table", `${(seen.fill / 10).toFixed(1)} % of ${number(effort.memory)} MiB`],
      ["Cores", String(effort.cores)]];
    if (seen.numbers) rows.push(["Proof number", number(seen.numbers[0])], ["Disproof number", number(seen.numbers[1])]);
    if (seen.proving) rows.push(["Now", "writing the proof down"]);
    return made("dl", { class: "figures" }, ...rows.map(([name, value]) => made("div", {}, made("dt", {}, name), made("dd", {}, value))));
  }

  buttons(run) {
    const { state } = run;
    const list = [];
    if (state === "settled") list.push(["play-proof", "Play against the proof", "main", () => this.actions.open(run)]);
    if (!isOver(run)) list.push(["stop", "Stop", "", () => this.actions.stop(run)]);
    else if (state !== "settled") list.push(["again", "Again, four times as long", "", () => this.actions.again(run)]);
    if (isOver(run)) list.push(["forget", "Forget", "", () => this.actions.forget(run)]);
    const buttons = list.map(([id, text, name, click]) => {
      const button = made("button", { type: "button", id: `run-${id}`, class: name }, text);
      button.addEventListener("click", click);
      return button;
    });
    return made("div", { class: "controls", "data-key": `${run.id} ${list.map(([id]) => id).join()}` }, ...buttons);
  }
}
