import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Cancel } from '../../core/base/clock.ts';
import { millis } from '../../core/base/clock.ts';
import { compiledCodeToRead } from '../../core/base/compiled-code.ts';
import { BadInput } from '../../core/base/errors.ts';
import { packagesAbove } from '../../core/strategy/framework.ts';
import { moduleUrl } from '../../core/base/module-url.ts';
import { SystemClock } from '../../core/base/system-clock.ts';
import type { CheckAnswer, CheckRequest, CheckTask, FromCheck, ToCheck, Touch } from './task.ts';
import { ConfigError } from '../../core/config/error.ts';
import { StrategyError } from '../run/strategy-plans.ts';
import { exitProcess } from '../process/exit.ts';
import type { StopCause } from '../process/stop-signal.ts';
import { exitCodeOfStop, onStopSignal } from '../process/stop-signal.ts';

const entry = fileURLToPath(moduleUrl(new URL('./child.ts', import.meta.url)));
const filesMax = 2_000;
const timeoutMsDefault = 3_600_000;
const clock = new SystemClock();

export interface CheckSetting {
  readonly task: Omit<CheckTask, 'pack' | 'strange'>;
  /** The data. */
  readonly bytes: Uint8Array;
  /** Files a run reads besides code, such as the scenario. */
  readonly reads: readonly string[];
  /** Files that a sealed process must not read wherever they lie: the recording. */
  readonly hides: readonly string[];
  /** How long a run may take; an hour when left out. */
  readonly timeoutMs?: number | undefined;
}

/** A strategy could not run, and had reached for something that was refused. */
export class WalledIn extends BadInput {
  readonly touches: readonly Touch[];

  constructor(why: string, touches: readonly Touch[]) {
    super(why);
    this.touches = touches;
  }
}

/**
 * A process of a check. `sealed`: it reads code and nothing else, has no environment, network, processes or threads, and
 * its ambient clock and random numbers are not those of the machine. It ends with this process, hung or not.
 */
export class CheckProcess {
  readonly #child: ChildProcess;
  readonly #timeoutMs: number;
  readonly #letGo: Cancel;
  #waiting: PromiseWithResolvers<FromCheck> | undefined;

  private constructor(child: ChildProcess, timeoutMs = timeoutMsDefault) {
    this.#child = child;
    this.#timeoutMs = timeoutMs;
    const kill = (): void => void child.kill('SIGKILL');
    const stopped = (cause: StopCause): never => exitProcess(exitCodeOfStop(cause));
    const letGo = onStopSignal(stopped, stopped);
    process.once('exit', kill);
    this.#letGo = () => {
      letGo();
      process.off('exit', kill);
    };
    child.on('message', (message) => this.#settle()?.resolve(message as FromCheck));
    child.once('exit', (code, signal) =>
      this.#settle()?.reject(
        new BadInput(
          `a process of the check was ended before its run was (${signal ?? `exit code ${code}`})`,
        ),
      ),
    );
    child.once('error', (error) => this.#settle()?.reject(error));
  }

  /** Starts a process, hands it the data, and leaves no file behind. */
  static async start(setting: CheckSetting, sealed: boolean): Promise<CheckProcess> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'godwit-check-')));
    try {
      const pack = join(folder, 'data.pack');
      writeFileSync(pack, setting.bytes, { mode: 0o600 });
      const compiled = compiledCodeToRead();
      const child = fork(entry, [], {
        execArgv: [
          '--disable-warning=ExperimentalWarning',
          ...(sealed ? [...wallsOf(setting, pack), ...compiled.permissions] : []),
        ],
        env: sealed ? { TZ: 'Pacific/Chatham', NODE_NO_WARNINGS: '1', ...compiled.environment } : process.env,
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      const made = new CheckProcess(child, setting.timeoutMs);
      try {
        await made.#ask({ task: { ...setting.task, pack, strange: sealed } });
      } catch (error) {
        made.close();
        throw error;
      }
      return made;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** Runs once more. One request at a time. Throws `BadInput` with what the run complained of, or when it hangs. */
  async run(request: CheckRequest): Promise<CheckAnswer> {
    const reply = await this.#ask({ request });
    if (!('answer' in reply)) throw new Error('expected an answer of a check, found something else');
    return reply.answer;
  }

  /** Ends the process. */
  close(): void {
    this.#letGo();
    this.#child.kill('SIGKILL');
  }

  async #ask(message: ToCheck): Promise<FromCheck> {
    this.#waiting = Promise.withResolvers<FromCheck>();
    this.#child.send(message);
    const { promise, reject } = this.#waiting;
    const cancel = clock.after(millis(this.#timeoutMs), () =>
      reject(new BadInput(hungText(this.#timeoutMs))),
    );
    const reply = await promise.finally(cancel);
    if (!('failed' in reply)) return reply;
    if (reply.touches.length > 0) throw new WalledIn(reply.failed, reply.touches);
    throw errorOf(reply.failed, reply.code);
  }

  #settle(): PromiseWithResolvers<FromCheck> | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting;
  }
}

/** The error that a process reported: what is wrong with the configuration keeps its exit code. */
function errorOf(failed: string, code: string | undefined): Error {
  if (code === undefined) return new Error(failed);
  if (code === 'GW_STRATEGY') return new StrategyError(failed);
  return code === 'GW_CONFIG' ? new ConfigError(failed) : new BadInput(failed);
}

function hungText(timeoutMs: number): string {
  return `a run of the check took longer than ${timeoutMs / 1_000} s: the strategy hangs, or needs a longer --timeout`;
}

/** Files that a sealed process may read: our code, its packages, the strategy's, and the data until it has read it. */
function wallsOf({ task, reads, hides }: CheckSetting, pack: string): readonly string[] {
  const { home } = task;
  const hidden = hides.flatMap((path) => [resolve(path), realOf(resolve(path))]);
  const allowed = new Set([
    join(home, 'src'),
    ...packagesFor(home),
    pack,
    ...reads.map((path) => resolve(path)),
  ]);
  for (const source of task.sources)
    for (const path of [...codeOf(source), ...packagesBeside(source, home)])
      if (!hidden.includes(path)) allowed.add(path);
  for (const path of task.imports) if (!hidden.includes(path)) allowed.add(path);
  // Node asks for the path behind a link, such as that of a shared `node_modules`.
  for (const path of allowed) allowed.add(realOf(path));
  for (const path of allowed) {
    const inside = hidden.find((one) => isIn(one, path));
    if (inside !== undefined)
      throw new BadInput(`${inside}: expected the data outside of ${path}, which the strategy may read`);
  }
  return ['--permission', ...[...allowed].map((path) => `--allow-fs-read=${path}`)];
}

/** Where a file that is none of ours finds packages. */
export function packagesBeside(file: string, home: string): readonly string[] {
  return packagesAbove(file).filter((path) => !isIn(home, path));
}

/** Files that Node reads to find the packages that our code imports. */
function packagesFor(home: string): readonly string[] {
  const above = home.indexOf(`${sep}node_modules${sep}`);
  if (above < 0) return ['node_modules', 'package.json', 'tsconfig.json'].map((name) => join(home, name));
  // Of an installed Godwit only the code is readable: it ships recordings too.
  const own = dirname(home);
  const packages = join(home.slice(0, above), 'node_modules');
  const manifests = [own, dirname(packages)].map((folder) => join(folder, 'package.json'));
  return [...manifests, join(own, 'node_modules'), ...outsideOf(own, packages)];
}

/** The contents of `folder` without `left`, in as few paths as it takes. */
function outsideOf(left: string, folder: string): readonly string[] {
  if (folder === left) return [];
  if (!isIn(left, folder)) return [folder];
  return readdirSync(folder).flatMap((name) => outsideOf(left, join(folder, name)));
}

/** A strategy's code: its folder, or a single file with those beside it that it could import. */
function codeOf(source: string): readonly string[] {
  if (statSync(source).isDirectory()) return [source];
  const names = readdirSync(dirname(source))
    .filter((name) => /\.([cm]?[jt]s|json)$/.test(name))
    .slice(0, filesMax);
  return [source, ...names.map((name) => join(dirname(source), name))];
}

/** The path behind a link; the path itself where there is nothing. */
function realOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}${sep}`);
}
