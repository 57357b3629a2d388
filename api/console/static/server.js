// Talking to the controller: the token, requests, and the stream with its own reconnecting.
// The stream is read with fetch: EventSource cannot carry the token in a header.

const SILENCE_MS = 25000; // two missed pings
const LONGEST_PAUSE_MS = 8000;

// The token comes in the address's fragment, which no server sees, and leaves it at once.
export function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem("token", given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem("token");
}

export class Refused extends Error {}

export class Server {
  constructor(token) {
    this.token = token;
    this.lastId = null;
  }

  request(path, options = {}) {
    const headers = { authorization: `Bearer ${this.token}`, ...options.headers };
    return fetch(`/api/v1/${path}`, { cache: "no-store", ...options, headers });
  }

  async get(path) {
    const answer = await this.request(path);
    if (!answer.ok) throw await refusal(answer);
    return answer;
  }

  async post(path, body) {
    const answer = await this.request(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10000),
    });
    if (!answer.ok) throw await refusal(answer);
  }

  // Calls take(name, data) for every event and tell(state) with "live", "lost" or "signed-out". Never returns unless signed out.
  async follow(take, tell) {
    let pause = 500;
    for (;;) {
      try {
        await this.once(take, () => {
          pause = 500;
          tell("live");
        });
      } catch (error) {
        if (error instanceof Refused && error.status === 401) return tell("signed-out");
      }
      tell("lost");
      await new Promise((done) => setTimeout(done, pause));
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
  }

  async once(take, opened) {
    const stop = new AbortController();
    let silence = setTimeout(() => stop.abort(), SILENCE_MS);
    try {
      const headers = this.lastId ? { "last-event-id": this.lastId } : {};
      const answer = await this.request("stream", { headers, signal: stop.signal });
      if (answer.status === 400) this.lastId = null;
      if (!answer.ok) throw await refusal(answer);
      opened();
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        clearTimeout(silence);
        silence = setTimeout(() => stop.abort(), SILENCE_MS);
        const blocks = (rest + value).split("\n\n");
        rest = blocks.pop();
        for (const block of blocks) this.event(block, take);
      }
    } finally {
      clearTimeout(silence);
    }
  }

  event(block, take) {
    const fields = { event: "message", data: "" };
    for (const line of block.split("\n")) {
      const at = line.indexOf(":");
      if (at > 0) fields[line.slice(0, at)] = line.slice(at + 1).replace(/^ /, "");
    }
    if (fields.id !== undefined) this.lastId = fields.id;
    if (fields.data) take(fields.event, JSON.parse(fields.data));
  }
}

async function refusal(answer) {
  const problem = await answer.json().catch(() => ({}));
  const error = new Refused(problem.detail ?? answer.statusText);
  error.status = answer.status;
  return error;
}
