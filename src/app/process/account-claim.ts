import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import type { Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Clock } from '../../core/base/clock.ts';
import { seconds } from '../../core/base/clock.ts';
import { GodwitError } from '../../core/base/errors.ts';

/** Another daemon on this machine trades the account. */
export class AccountTaken extends GodwitError {
  override readonly code = 'GW_ACCOUNT_TAKEN';
}

export interface ClaimedAccount {
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The run directory: what the next daemon is told. */
  readonly directory: string;
}

/** How long a daemon that has the account may take to say where it runs. */
const answerLimit = seconds(1);
const answerMax = 4_096;

/**
 * Claims an account for this process, so that two daemons of one machine never trade it at the same time from different run directories:
 * each would take the orders of the other for somebody else's, and both would spend the same request budget. The claim is a local
 * socket that is named by a hash of address and key. It ends with the process, and whoever connects is told the run directory.
 *
 * Returns what ends the claim. Rejects with `AccountTaken`. Daemons on two machines, or in two containers, do not see each other.
 */
export async function claimAccount({
  clock,
  baseUrl,
  apiKey,
  directory,
}: ClaimedAccount): Promise<() => void> {
  const path = pathOf(baseUrl, apiKey);
  const words = `${resolve(directory)} (process ${process.pid})`;
  const first = await listenAt(path, words);
  if (first !== undefined) return () => void first.close();
  const other = await ownerAt(path, clock);
  // A killed process leaves the file of its socket where sockets are files.
  if (other === undefined && path.startsWith(tmpdir())) {
    rmSync(path, { force: true });
    const second = await listenAt(path, words);
    if (second !== undefined) return () => void second.close();
  }
  throw new AccountTaken(sentenceOf(baseUrl, other));
}

/** Why a claim would be refused now; `undefined` when it would not. Claims nothing. */
export async function claimRefusal({
  clock,
  baseUrl,
  apiKey,
}: Omit<ClaimedAccount, 'directory'>): Promise<string | undefined> {
  const other = await ownerAt(pathOf(baseUrl, apiKey), clock);
  return other === undefined ? undefined : sentenceOf(baseUrl, other);
}

function sentenceOf(baseUrl: string, other = ''): string {
  return `another daemon trades with this venue.api_key at ${baseUrl}${other === '' ? '' : `: ${other}`}; stop it first`;
}

/** Linux and Windows have names that no file stands for. */
function pathOf(baseUrl: string, apiKey: string): string {
  const hash = createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex').slice(0, 32);
  const name = `godwit-account-${hash}`;
  if (process.platform === 'linux') return `\0${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

/** `undefined` when the name is taken. Rejects with what else keeps it from being taken. */
function listenAt(path: string, words: string): Promise<Server | undefined> {
  return new Promise((done, failed) => {
    const server = createServer((peer) => {
      peer.on('error', () => {});
      peer.end(words);
    });
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') done(undefined);
      else failed(error);
    });
    server.listen(path, () => {
      server.unref();
      done(server);
    });
  });
}

/** What the process that has the name says of itself; `undefined` when nobody answers, empty when it says nothing. */
function ownerAt(path: string, clock: Clock): Promise<string | undefined> {
  return new Promise((done) => {
    const socket: Socket = connect(path);
    let words = '';
    let isThere = false;
    const end = (): void => {
      cancel();
      socket.destroy();
      done(isThere ? words.replaceAll(/\p{Cc}/gu, '?') : undefined);
    };
    const cancel = clock.after(answerLimit, end);
    socket.setEncoding('utf8');
    socket.on('connect', () => void (isThere = true));
    socket.on('data', (text: string) => {
      words += text;
      if (words.length > answerMax) end();
    });
    socket.once('end', end).once('error', end);
  });
}
