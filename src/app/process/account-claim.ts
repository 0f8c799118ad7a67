import { createHash } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { hostname, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import type { Clock } from '../../core/base/clock.ts';
import { microsPerMilli, seconds } from '../../core/base/clock.ts';
import { BadInput, GodwitError } from '../../core/base/errors.ts';

/** Another daemon of this user on this machine trades with the key. */
export class AccountTaken extends GodwitError {
  override readonly code = 'GW_ACCOUNT_TAKEN';
}

export interface ClaimedAccount {
  readonly clock: Clock;
  readonly apiKey: string;
  readonly baseUrl: string;
  /**
   * The venue is an exchange on this machine, of which each port is another one: exchanges that are started with one seed give out the
   * same keys. A key of any other venue is claimed alone, because no spelling of an address proves that it leads to another venue.
   */
  readonly isLocalExchange: boolean;
  /** The run directory: what the next daemon is told. */
  readonly directory: string;
  /** Address at which the daemon serves programs of others; none when left out. */
  readonly gateway?: string | undefined;
  /** Where `claimsVariable` is looked up. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/**
 * Names the folder of claims in place of the one in the home directory: for a daemon that can write no home directory, or is alone in its
 * /tmp. Daemons that are to see each other name the same one.
 */
export const claimsVariable = 'GODWIT_CLAIMS';

/** How long a daemon that has the key may take to say where it runs. */
const answerLimit = seconds(3);
const answerMax = 4_096;
const attemptsMax = 3;
/** How old a socket is before another key's daemon takes it for one that was left. */
const leftMs = 60_000;
/** Bytes of the name of a socket with the separator before it: two hashes, a port, a process. */
const nameMax = '/'.length + 24 + '.65535.'.length + 6 + '.4194304'.length;
/** Bytes of the address of a local socket, by the smallest limit of the systems that have them. */
const pathMax = 103;
/** The first word of a socket whose daemon has not looked for others yet. */
const asking = 'asks';
const trading = 'trades';

/**
 * Claims a key for this process, so that two daemons of one user on one machine never trade with it at the same time from different run
 * directories: each would take the orders of the other for somebody else's, and both would spend the same request budget.
 *
 * The claim is a local socket in a folder that this user alone may enter. Its name is a hash of the key, the port of an exchange on this
 * machine (or `any`), the host and the process. The daemon listens first and looks for others afterwards, so of two that start at once at
 * least one sees the other; of two that both still ask, the one whose name comes first goes on. A socket of this host that refuses a
 * connection was left by a process that was killed, and is removed.
 *
 * Returns what ends the claim, which also ends with the process. Rejects with `AccountTaken`, with `BadInput` where no folder can be
 * written. Daemons of two users, on two machines, or in two containers do not see each other.
 */
export async function claimAccount(account: ClaimedAccount): Promise<() => void> {
  const { clock, baseUrl, directory } = account;
  const asked = askedOf(account);
  const own = { name: `${asked.own}${process.pid}`, state: asking };
  const serves = account.gateway === undefined ? '' : `, a gateway for programs at ${account.gateway}`;
  const words = `at ${baseUrl}: ${resolve(directory)} (process ${process.pid})${serves}`;
  const named = namedFolder(account.environment);
  const server = await listenAt(join(folderOfClaims(named), own.name), clock, () => `${own.state}\n${words}`);
  const seen = new Set([own.name]);
  // A daemon that began to listen meanwhile may have seen this one still asking, and gone on: so the last look finds nothing new.
  for (;;) {
    const others = socketsOf(asked, named).filter(({ name }) => !seen.has(name));
    if (others.length === 0) break;
    for (const { name, path } of others) {
      seen.add(name);
      const said = await answerOf(path, clock);
      // A home directory may be shared by hosts, and a socket leads to a process of its own host alone.
      if (said === 'refused') {
        if (name.startsWith(asked.own)) rmSync(path, { force: true });
      } else if (said !== undefined && !(said.state === asking && own.name < name)) {
        server.close();
        throw new AccountTaken(sentenceOf(said));
      }
    }
  }
  own.state = trading;
  await removeLeft(clock, named);
  return () => void server.close();
}

/** Why a claim would be refused now; `undefined` when it would not. Claims nothing. */
export async function claimRefusal({
  clock,
  ...account
}: Omit<ClaimedAccount, 'directory' | 'gateway'>): Promise<string | undefined> {
  for (const { path } of socketsOf(askedOf(account), namedFolder(account.environment))) {
    const said = await answerOf(path, clock);
    if (said !== undefined && said !== 'refused') return sentenceOf(said);
  }
  return undefined;
}

interface Answer {
  readonly state: string;
  readonly words: string;
}

function sentenceOf({ words }: Answer): string {
  const who = `another daemon trades with this venue.api_key${words === '' ? '' : ` ${words}`}`;
  return `${who}; stop it first, or run these strategies in it: programs that share a key go through one daemon (docs/gateway.md), and what has to run apart needs the key of a sub-account (docs/order-life.md, "Orders of others")`;
}

interface Asked {
  /** How the names of all sockets of the key begin. */
  readonly key: string;
  readonly port: string;
  /** How the name of an own one begins. */
  readonly own: string;
}

const anyPort = 'any';

function askedOf({
  apiKey,
  baseUrl,
  isLocalExchange,
}: Pick<ClaimedAccount, 'apiKey' | 'baseUrl' | 'isLocalExchange'>): Asked {
  const key = `${hash(apiKey, 24)}.`;
  const port = isLocalExchange ? portOf(new URL(baseUrl)) : anyPort;
  return { key, port, own: `${key}${port}${ofThisHost()}` };
}

function ofThisHost(): string {
  return `.${hash(hostname(), 6)}.`;
}

function hash(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits);
}

function portOf({ port, protocol }: URL): string {
  if (port !== '') return port;
  return protocol === 'https:' ? '443' : '80';
}

/** The sockets with which a claim does not go together. */
function socketsOf(
  { key, port }: Asked,
  named: string | undefined,
): readonly { readonly name: string; readonly path: string }[] {
  return foldersOfClaims(named).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => {
        if (!name.startsWith(key)) return false;
        const [other = ''] = name.slice(key.length).split('.');
        return port === anyPort || other === anyPort || other === port;
      })
      .map((name) => ({ name, path: join(folder, name) })),
  );
}

const pipes = '\\\\.\\pipe\\';
const shared = '/tmp';

/** The folder that the environment names. Throws `BadInput` where its name leaves no room for that of a socket. */
function namedFolder(environment: ClaimedAccount['environment']): string | undefined {
  const named = environment?.[claimsVariable] ?? '';
  if (named === '' || process.platform === 'win32') return undefined;
  const folder = resolve(named);
  if (Buffer.byteLength(folder) + nameMax <= pathMax) return folder;
  throw new BadInput(
    `${claimsVariable}: expected a folder whose path has at most ${pathMax - nameMax} bytes, found ${folder}`,
  );
}

/**
 * The folder for a claim: the one that is named, or of the home directory that the system knows, so that nothing else in the
 * environment of a process counts.
 */
function folderOfClaims(named: string | undefined): string {
  if (process.platform === 'win32') return pipes;
  if (named !== undefined) {
    if (isMade(named)) return named;
    throw new BadInput(
      `${claimsVariable}: expected a folder of this user that can be written, found that ${named} is none`,
    );
  }
  const home = homeFolder();
  if (home !== undefined && isMade(home)) return home;
  const found = foldersOfClaims(undefined).find((folder) => folder !== home);
  try {
    // Another user may have taken any one name here; what is added at random he cannot guess.
    return found ?? mkdtempSync(sharedStart());
  } catch (cause) {
    throw new BadInput(
      `expected a folder for the claim of venue.api_key, ${home ?? 'a home directory'} or one in ${shared}, found that neither can be written; name one that can be with ${claimsVariable}, or mount a tmpfs at ${shared}`,
      { cause },
    );
  }
}

/** A service may have no home directory, or one that it cannot write. */
function isMade(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    return isOwn(folder);
  } catch {
    return false;
  }
}

/** Every folder of this user in which a claim may be. What another user made, or could write, is none. */
function foldersOfClaims(named: string | undefined): readonly string[] {
  if (process.platform === 'win32') return [pipes];
  const home = homeFolder();
  const names = existsSync(shared) ? readdirSync(shared) : [];
  const found = names
    .map((name) => join(shared, name))
    .filter((path) => path.startsWith(sharedStart()))
    .toSorted();
  const first = [named, home].filter((folder) => folder !== undefined);
  return [...new Set([...first, ...found])].filter(isOwn);
}

function sharedStart(): string {
  return join(shared, `godwit-${process.getuid?.() ?? 0}-`);
}

/** `undefined` for a user without an entry in the system's list, and where a name in it would be too long for an address. */
function homeFolder(): string | undefined {
  try {
    const folder = join(userInfo().homedir, '.local', 'state', 'godwit', 'claims');
    return Buffer.byteLength(folder) + nameMax <= pathMax ? folder : undefined;
  } catch {
    return undefined;
  }
}

function isOwn(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
}

/** Removes what killed processes left of claims of other keys and ports. One that is young may be about to listen. */
async function removeLeft(clock: Clock, named: string | undefined): Promise<void> {
  if (process.platform === 'win32') return;
  const old = clock.now() / microsPerMilli - leftMs;
  const paths = foldersOfClaims(named)
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => {
      const found = lstatSync(path, { throwIfNoEntry: false });
      return path.includes(ofThisHost()) && found?.isSocket() === true && found.mtimeMs < old;
    });
  await Promise.all(
    paths.map(async (path) => {
      if ((await answerOf(path, clock, false)) === 'refused') rmSync(path, { force: true });
    }),
  );
}

/** Listens at `path`; a socket of this name was left by an earlier process of the same number, unless it answers. */
async function listenAt(path: string, clock: Clock, words: () => string): Promise<Server> {
  const first = await tryToListen(path, words);
  if (first !== undefined) return first;
  const said = await answerOf(path, clock);
  if (said !== undefined && said !== 'refused') throw new AccountTaken(sentenceOf(said));
  rmSync(path, { force: true });
  const second = await tryToListen(path, words);
  if (second !== undefined) return second;
  throw new AccountTaken(sentenceOf({ state: '', words: '' }));
}

/** `undefined` when the name is taken. Rejects with what else keeps it from being taken. */
function tryToListen(path: string, words: () => string): Promise<Server | undefined> {
  return new Promise((done, failed) => {
    const server = createServer((peer) => {
      peer.on('error', () => {});
      peer.end(words());
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

/**
 * What the process behind a socket says of itself: empty when it says nothing in time, since one that stands still has the key too;
 * `refused` when no process has it; `undefined` when it is gone. Without `isHeard` what it says is not waited for.
 */
async function answerOf(path: string, clock: Clock, isHeard = true): Promise<Answer | 'refused' | undefined> {
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const said = await askOnce(path, clock, isHeard);
    // Its daemon has just let go: then the next attempt finds no socket.
    if (said !== 'cut') return said;
  }
  return { state: '', words: '' };
}

function askOnce(
  path: string,
  clock: Clock,
  isHeard: boolean,
): Promise<Answer | 'refused' | 'cut' | undefined> {
  return new Promise((done) => {
    const socket: Socket = connect(path);
    let text = '';
    const end = (answer: Answer | 'refused' | 'cut' | undefined): void => {
      cancel();
      socket.destroy();
      done(answer);
    };
    const heard = (): void => {
      const [state = '', words = ''] = text.split('\n');
      end({ state, words: words.replaceAll(/\p{Cc}/gu, '?') });
    };
    const cancel = clock.after(answerLimit, heard);
    socket.setEncoding('utf8');
    if (!isHeard) socket.once('connect', heard);
    socket.on('data', (part: string) => {
      text += part;
      if (text.length > answerMax) heard();
    });
    socket.once('end', () => (text === '' ? end('cut') : heard()));
    socket.once('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ECONNREFUSED') end('refused');
      else if (code === 'ENOENT') end(undefined);
      else if (code === 'ECONNRESET' || code === 'EPIPE') end('cut');
      else heard();
    });
  });
}
