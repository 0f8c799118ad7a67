import type { ClientRequest, IncomingMessage } from 'node:http';
import { GodwitError } from '../../core/base/errors.ts';
import { exitCodes } from '../process/exit-codes.ts';
import type { RunFile } from './run-file.ts';
import { dashboardAddress, findRunFile } from './run-file.ts';

/** What the daemon answered, or why it did not: one sentence, and the exit code that says so. */
export class OperateFailed extends GodwitError {
  override readonly code = 'GW_OPERATE';
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

export interface OperateTarget {
  /** Of a daemon elsewhere; its token is then in `token`. */
  readonly url: string | undefined;
  readonly token: string | undefined;
  /** The run directory of this configuration. */
  readonly directory: string;
}

/** What the daemon tells without being asked again. */
export interface StreamedEvent {
  readonly event: string;
  readonly data: unknown;
}

const timeoutMs = 5_000;
const eventLengthMax = 4_000_000;
const exitOfStatus: Readonly<Record<number, number>> = {
  400: exitCodes.usage,
  404: exitCodes.notFound,
  409: exitCodes.refusedByRiskControl,
};

/** Asks the daemon of a configuration, or one at an address. */
export class OperateClient {
  readonly #url: string;
  readonly #token: string;

  /** Throws `OperateFailed` when no daemon runs. */
  constructor(target: OperateTarget) {
    const { url, token } = found(target);
    this.#url = url.replace(/\/$/, '');
    this.#token = token;
  }

  /** With the token. */
  get dashboard(): string {
    return dashboardAddress({ url: this.#url, token: this.#token });
  }

  get(path: string): Promise<unknown> {
    return this.#ask('GET', path, undefined);
  }

  act(body: Readonly<Record<string, unknown>>): Promise<unknown> {
    return this.#ask('POST', '/api/acts', JSON.stringify(body));
  }

  /** Live state as it is streamed, until the stream ends or `signal` is aborted. Throws `OperateFailed` when it does not begin. */
  async *events(signal: AbortSignal): AsyncGenerator<StreamedEvent> {
    const headers = { authorization: `Bearer ${this.#token}` };
    const url = new URL(`${this.#url}/api/events`);
    const answer = await answerOf(url, { method: 'GET', headers, signal });
    if (answer.statusCode !== 200) {
      const why = messageOf(valueOf(await textOf(answer))) ?? `the daemon answered ${answer.statusCode}`;
      throw new OperateFailed(why, exitCodes.failed);
    }
    let text = '';
    for await (const chunk of answer.setEncoding('utf8')) {
      const blocks = (text + (chunk as string)).split('\n\n');
      text = blocks.pop() ?? '';
      if (text.length > eventLengthMax)
        throw new OperateFailed('the daemon sent an event that does not end', exitCodes.failed);
      for (const block of blocks) {
        const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
        if (event !== undefined && data !== undefined) yield { event, data: valueOf(data) };
      }
    }
  }

  async #ask(method: 'GET' | 'POST', path: string, body: string | undefined): Promise<unknown> {
    const headers = {
      authorization: `Bearer ${this.#token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    let status: number;
    let text: string;
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const answer = await answerOf(new URL(`${this.#url}${path}`), { method, headers, signal }, body);
      status = answer.statusCode ?? 0;
      text = await textOf(answer);
    } catch (error) {
      if (error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError'))
        throw new OperateFailed(`the daemon at ${this.#url} did not answer within 5 s`, exitCodes.timedOut);
      throw new OperateFailed(`no daemon answers at ${this.#url}`, exitCodes.notRunning);
    }
    const value = valueOf(text);
    if (status === 200) return value;
    throw new OperateFailed(
      messageOf(value) ?? `the daemon answered ${status}`,
      exitOfStatus[status] ?? exitCodes.failed,
    );
  }
}

interface Asked {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Node's own client: the package `undici` takes longer to load than a daemon to answer. */
async function answerOf(url: URL, asked: Asked, body?: string): Promise<IncomingMessage> {
  const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
  return new Promise((resolve, reject) => {
    const call: ClientRequest = request(url, { ...asked, agent: false }, resolve);
    call.on('error', reject);
    call.end(body);
  });
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function found({ url, token, directory }: OperateTarget): Pick<RunFile, 'url' | 'token'> {
  if (url !== undefined) return { url, token: token ?? '' };
  const file = findRunFile(directory);
  if (file !== undefined) return file;
  throw new OperateFailed(
    `no daemon of this configuration runs (${directory}): start one with godwit trade or npm start, or name one with --url`,
    exitCodes.notRunning,
  );
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function messageOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('error' in value)) return undefined;
  const { error } = value;
  if (typeof error !== 'object' || error === null || !('message' in error)) return undefined;
  return typeof error.message === 'string' ? error.message : undefined;
}
