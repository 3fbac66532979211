// The server, as the page sees it: questions with their token, and runs to watch.

class Server {
  // The token is of this start of the server; after a restart a new one is asked for.
  async hello() {
    const answer = await fetch("/api/hello");
    if (!answer.ok) throw new Error(`the server says ${answer.status}`);
    const hello = await answer.json();
    this.token = hello.token;
    return hello;
  }

  async get(path) {
    return this.read(await fetch(path));
  }

  async send(path, body, method = "POST") {
    const request = () => fetch(path, {
      method,
      headers: { "content-type": "application/json", "x-harary-token": this.token },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    let answer = await request();
    if (answer.status === 403) {
      await this.hello();
      answer = await request();
    }
    return this.read(answer);
  }

  async read(answer) {
    const text = await answer.text();
    const value = text === "" ? null : JSON.parse(text);
    if (!answer.ok) throw new Error(value?.error ?? `the server says ${answer.status}`);
    return value;
  }

  // Tells of a run until it is over. Where the stream of events breaks, the run is asked for now and then.
  watch(id, tell) {
    let [over, source] = [false, null];
    const told = (run) => {
      if (over) return;
      over = isOver(run);
      if (over) source?.close();
      tell(run);
    };
    const ask = async () => {
      while (!over) {
        await new Promise((done) => setTimeout(done, 2000));
        if (over || source.readyState === EventSource.OPEN) continue;
        await this.get(`/api/runs/${id}`).then(told, () => {});
      }
    };
    source = new EventSource(`/api/runs/${id}/events`);
    source.addEventListener("message", (event) => told(JSON.parse(event.data)));
    ask();
    return () => {
      over = true;
      source.close();
    };
  }
}

function isOver({ state }) {
  return state !== "queued" && state !== "running";
}

// One thing after the other: of several questions only the answer to the last counts.
class Latest {
  constructor() {
    this.number = 0;
  }

  async of(question) {
    const number = ++this.number;
    const answer = await question.then((value) => ({ value }), (error) => ({ error }));
    return number === this.number ? answer : null;
  }
}
