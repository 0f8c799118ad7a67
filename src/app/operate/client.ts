import type { ClientRequest, IncomingMessage } from 'node:http';
import { GodwitError } from '../../core/base/errors.ts';
import { exitCodes } from '../process/exit-codes.ts';
import type { RunFile } from './run-file.ts';
import { dashboardAddress } from './open-page.ts';
import { findRunFile, jsonOrNothing } from './run-file.ts';

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
/** An act that loads code of a strategy: it may take its `loadMs`, a minute by default, and the daemon tells when that is over. */
const loadTimeoutMs = 90_000;
const loadingActs: ReadonlySet<unknown> = new Set(['startStrategy', 'setParams', 'reload', 'promote']);
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
  readonly #tokenFrom: string;

  /** Throws `OperateFailed` when no daemon runs. */
  constructor(target: OperateTarget) {
    const { url, token } = found(target);
    this.#url = url.replace(/\/$/, '');
    this.#token = token;
    this.#tokenFrom = target.url === undefined ? 'operate.json of the run directory' : 'GODWIT_TOKEN';
  }

  /** With the token. */
  get dashboard(): string {
    return dashboardAddress({ url: this.#url, token: this.#token });
  }

  get(path: string): Promise<unknown> {
    return this.#ask('GET', path, undefined, timeoutMs);
  }

  act(body: Readonly<Record<string, unknown>>): Promise<unknown> {
    const longest = loadingActs.has(body['act']) ? loadTimeoutMs : timeoutMs;
    return this.#ask('POST', '/api/acts', JSON.stringify(body), longest);
  }

  /** Live state as it is streamed, until the stream ends or `signal` is aborted. Throws `OperateFailed` when it does not begin. */
  async *events(signal: AbortSignal): AsyncGenerator<StreamedEvent> {
    const headers = { authorization: `Bearer ${this.#token}` };
    const url = new URL(`${this.#url}/api/events`);
    const answer = await answerOf(url, { method: 'GET', headers, signal }).catch((error: unknown) => {
      throw this.#unanswered(error);
    });
    if (answer.statusCode !== 200)
      throw this.#refused(answer.statusCode ?? 0, jsonOrNothing(await textOf(answer)));
    let text = '';
    for await (const chunk of answer.setEncoding('utf8')) {
      const blocks = (text + (chunk as string)).split('\n\n');
      text = blocks.pop() ?? '';
      if (text.length > eventLengthMax)
        throw new OperateFailed('the daemon sent an event that does not end', exitCodes.failed);
      for (const block of blocks) {
        const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
        if (event !== undefined && data !== undefined) yield { event, data: jsonOrNothing(data) };
      }
    }
  }

  async #ask(
    method: 'GET' | 'POST',
    path: string,
    body: string | undefined,
    longestMs: number,
  ): Promise<unknown> {
    const headers = {
      authorization: `Bearer ${this.#token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    let status: number;
    let text: string;
    try {
      const signal = AbortSignal.timeout(longestMs);
      const answer = await answerOf(new URL(`${this.#url}${path}`), { method, headers, signal }, body);
      status = answer.statusCode ?? 0;
      text = await textOf(answer);
    } catch (error) {
      throw this.#unanswered(error, longestMs);
    }
    const value = jsonOrNothing(text);
    if (status === 200) return value;
    throw this.#refused(status, value);
  }

  #refused(status: number, value: unknown): OperateFailed {
    if (status === 401 || status === 429)
      return new OperateFailed(
        this.#token === ''
          ? `the daemon at ${this.#url} runs, and asks for its token: set GODWIT_TOKEN`
          : `the daemon at ${this.#url} runs, and does not accept this token: ${this.#tokenFrom} holds another than it was started with`,
        exitCodes.failed,
      );
    return new OperateFailed(
      messageOf(value) ?? `the daemon at ${this.#url} answered ${status}`,
      exitOfStatus[status] ?? exitCodes.failed,
    );
  }

  /** Why there is no answer. Only where nothing listens is no daemon there. */
  #unanswered(error: unknown, longestMs = timeoutMs): OperateFailed {
    const { name = '', code = '' } = error as Partial<NodeJS.ErrnoException>;
    const at = this.#url;
    if (name === 'AbortError' || name === 'TimeoutError')
      return new OperateFailed(
        `the daemon at ${at} did not answer within ${longestMs / 1_000} s`,
        exitCodes.timedOut,
      );
    if (code === 'ECONNREFUSED') return new OperateFailed(`no daemon answers at ${at}`, exitCodes.notRunning);
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      return new OperateFailed(`the host of ${at} is not known (${code})`, exitCodes.notFound);
    if (/CERT|SIGNATURE|SELF_SIGNED|ERR_TLS/.test(code))
      return new OperateFailed(
        `a server answers at ${at}, but its certificate is not trusted (${code}): NODE_EXTRA_CA_CERTS names the file of its authority`,
        exitCodes.failed,
      );
    if (/^(HPE_|EPROTO|ERR_SSL)/.test(code))
      return new OperateFailed(
        `a server answers at ${at} in another protocol (${code}): expected http:// or https:// as operate.tls has it`,
        exitCodes.failed,
      );
    return new OperateFailed(
      `no daemon answers at ${at}${code === '' ? '' : ` (${code})`}`,
      exitCodes.notRunning,
    );
  }
}

interface Asked {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * Node's own client, and not by an import, which reads each export of `node:http`: that of `WebSocket` loads `undici`, HTTP/2 and TLS, and these
 * take longer than a daemon to answer.
 */
function answerOf(url: URL, asked: Asked, body?: string): Promise<IncomingMessage> {
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
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
  if (url !== undefined) return { url: addressOf(url), token: tokenOf(token) };
  const file = findRunFile(directory);
  if (file !== undefined) return file;
  throw new OperateFailed(
    `no daemon of this configuration runs (${directory}): start one with godwit trade or npm start, or name one with --url`,
    exitCodes.notRunning,
  );
}

function addressOf(url: string): string {
  if (/^https?:\/\/[^/]/.test(url) && URL.canParse(url)) return url;
  throw new OperateFailed(
    `--url: expected an address such as https://bot.example, found ${JSON.stringify(url)}`,
    exitCodes.usage,
  );
}

/** As the daemon reads it: without the space around it that a file or a shell adds. */
function tokenOf(token = ''): string {
  const text = token.trim();
  if (/^[\x21-\x7e]*$/.test(text)) return text;
  throw new OperateFailed('GODWIT_TOKEN: expected ASCII without spaces, found others', exitCodes.usage);
}

function messageOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('error' in value)) return undefined;
  const { error } = value;
  if (typeof error !== 'object' || error === null || !('message' in error)) return undefined;
  return typeof error.message === 'string' ? error.message : undefined;
}
