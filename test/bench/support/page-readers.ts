import { Agent, get } from 'node:http';
import { benchToken } from './operated.ts';

// Readers of a daemon as the dashboard is one: the stream of live state, and the book twice a second. A process of its own.
// It receives `{ url, token, count, symbol }`, and leaves when it receives `{ leave: true }`. Both times it answers: with `ready` once every reader
// has a state, and with what they read, in bytes, events and books.

interface Reported {
  readonly url?: string;
  readonly token?: string;
  readonly count?: number;
  readonly symbol?: string;
  readonly leave?: boolean;
}

const bookEveryMs = 500;
let leave: () => void = () => {};
let bytes = 0;
let events = 0;
let books = 0;

process.on('message', (noted: Reported) => {
  if (noted.leave === true) {
    leave();
    process.send?.({ bytes, events, books });
    bytes = 0;
    events = 0;
    books = 0;
    return;
  }
  const { url = '', token = benchToken, count = 0, symbol = '' } = noted;
  const headers = { authorization: `Bearer ${token}` };
  const ends: (() => void)[] = [];
  let waiting = count;
  const arrived = (): void => {
    waiting -= 1;
    if (waiting === 0) process.send?.('ready');
  };
  for (let at = 0; at < count; at++) ends.push(read({ url, symbol, headers, arrived }));
  if (count === 0) process.send?.('ready');
  leave = () => {
    for (const end of ends) end();
  };
});
process.on('disconnect', () => process.exit(0));
process.send?.('here');

interface ReaderParts {
  readonly url: string;
  readonly symbol: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly arrived: () => void;
}

function read({ url, symbol, headers, arrived }: ReaderParts): () => void {
  const agent = new Agent({ keepAlive: true });
  let isFirst = true;
  const stream = get(`${url}/api/events`, { headers }, (answer) => {
    answer.setEncoding('utf8').on('data', (text: string) => {
      bytes += text.length;
      events += text.split('\n\n').length - 1;
      if (!isFirst || !text.includes('event: state')) return;
      isFirst = false;
      arrived();
    });
    answer.on('error', () => {});
  });
  stream.on('error', () => {});
  const timer = setInterval(() => {
    get(`${url}/api/books/${symbol}`, { headers, agent }, (answer) => {
      answer.resume();
      if (answer.statusCode === 200) books += 1;
    }).on('error', () => {});
  }, bookEveryMs);
  return () => {
    clearInterval(timer);
    stream.destroy();
    agent.destroy();
  };
}
