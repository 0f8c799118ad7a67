/** How long one request may take, and from when on a silent daemon counts as gone: it says something each second. In milliseconds. */
const answerMax = 5_000;
const pauseFirst = 500;
const pauseMax = 10_000;

/** Asks the daemon once. Rejects when it does not answer. */
export async function ask(token, path, body, limit = answerMax) {
  const answer = await fetch(path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(limit),
  });
  return { ok: answer.ok, status: answer.status, value: await answer.json() };
}

/** Whether the daemon answers at all; that needs no token. */
async function isAnswering() {
  try {
    await fetch('/health', { signal: AbortSignal.timeout(answerMax) });
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads live state, and again after every break: the pause before it doubles up to ten seconds. `heard` gets the name and the value of
 * each event. A token that is refused is not tried again: it stays wrong.
 */
export class Connection {
  #token;
  #listener;
  #abort = new AbortController();
  #closed = false;
  #pause = pauseFirst;

  /** The listener has `opened`, `heard(name, value)`, `broken(retryMs)`, then `reached(answers)`, and `refused(message)`. */
  constructor(token, listener) {
    this.#token = token;
    this.#listener = listener;
    void this.#run();
  }

  close() {
    this.#closed = true;
    this.#abort.abort();
  }

  async #run() {
    while (!this.#closed) {
      this.#abort = new AbortController();
      let refusal;
      try {
        refusal = await this.#read();
      } catch {
        // It ended, or there was nobody.
      }
      if (this.#closed) return;
      if (refusal !== undefined) {
        this.#closed = true;
        this.#listener.refused(refusal);
        return;
      }
      const wait = this.#pause * (0.75 + Math.random() / 2);
      this.#listener.broken(wait);
      const answers = await isAnswering();
      if (this.#closed) return;
      this.#listener.reached(answers);
      this.#pause = Math.min(pauseMax, this.#pause * 2);
      await new Promise((resolve) => {
        setTimeout(resolve, wait);
      });
    }
  }

  /** Ends with the stream. Returns why the token is refused, if it is. */
  async #read() {
    const abort = this.#abort;
    let timer = setTimeout(() => abort.abort(), answerMax);
    const answer = await fetch('/api/events', {
      headers: { authorization: `Bearer ${this.#token}` },
      signal: abort.signal,
    });
    if (answer.status === 401) return 'token';
    if (answer.status === 429) return 'locked';
    if (!answer.ok) throw new Error(`the daemon answered ${answer.status}`);
    this.#listener.opened();
    const decoder = new TextDecoder();
    let text = '';
    for (const reader = answer.body.getReader(); ;) {
      const { done, value } = await reader.read();
      clearTimeout(timer);
      if (done) return undefined;
      timer = setTimeout(() => abort.abort(), answerMax);
      this.#pause = pauseFirst;
      text += decoder.decode(value, { stream: true });
      const events = text.split('\n\n');
      text = events.pop();
      for (const event of events) this.#take(event);
    }
  }

  #take(event) {
    const found = /^event: (\w+)\ndata: (.*)$/.exec(event);
    if (found !== null) this.#listener.heard(found[1], JSON.parse(found[2]));
  }
}
