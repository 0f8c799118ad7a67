import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { bundledModule } from '../../../bin/bundle.js';
import type { Micros } from '../../../src/core/base/clock.ts';
import { seconds } from '../../../src/core/base/clock.ts';
import { until } from './until.ts';

export const home = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
/** The program: in a run of tests the bundle of the sources, which starts in half of the time. */
export const main = startedFrom('app/cli/main.ts');

/**
 * Flags with which tests start Node. What lives for seconds never gets back what the optimising compiler costs, a tenth of its time.
 * Loading the program fills a small young generation over and over: one that begins with 16 MiB saves 3 to 9 % of a start.
 */
export const shortLived = [
  '--disable-warning=ExperimentalWarning',
  '--no-turbofan',
  '--min-semi-space-size=16',
] as const;

/** As people start it. */
export const launcher = [process.execPath, `${home}/bin/godwit.js`] as const;

/** A source, named from `src` on, as the processes of a run of tests load it. */
export function startedFrom(source: string): string {
  const { BUNDLE_OF_TESTS: bundle } = process.env;
  return bundle === undefined ? join(home, 'src', source) : bundledModule(bundle, source);
}

export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A `godwit` process of its own. Kill it in a `finally`. */
export class Cli {
  readonly child: ChildProcess;
  out = '';
  err = '';
  readonly #exit: Promise<number>;

  /**
   * `launched`: by a command line, such as that of `bin/godwit.js`; otherwise the program itself, as that would start it. `cwd`: the folder
   * in which it runs. `flags`: more of those of Node.
   */
  constructor(
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    launched?: readonly [string, ...string[]],
    cwd: string = home,
    flags: readonly string[] = [],
  ) {
    const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
    const own = { PATH, HOME, NODE_COMPILE_CACHE, NO_COLOR: '1' };
    const [program, ...first] = launched ?? [process.execPath, ...shortLived, ...flags, main];
    this.child = spawn(program, [...first, ...args], {
      cwd,
      env: launched === undefined ? { ...own, GODWIT_HANDED_FD: '3' } : { ...own, ...environment },
      stdio: ['ignore', 'pipe', 'pipe', launched === undefined ? 'pipe' : 'ignore'],
    });
    const handed = this.child.stdio[3];
    if (handed instanceof Writable) {
      handed.on('error', () => {});
      handed.end(JSON.stringify({ environment, hangUpIgnored: false }));
    }
    this.child.stdout?.on('data', (chunk: Buffer) => (this.out += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.err += chunk.toString()));
    const codes: Readonly<Record<string, number>> = {
      SIGKILL: 137,
      SIGTERM: 143,
      SIGINT: 130,
      SIGHUP: 129,
      SIGABRT: 134,
    };
    this.#exit = once(this.child, 'close').then(([code, signal]: unknown[]) =>
      typeof code === 'number' ? code : (codes[String(signal)] ?? -1),
    );
  }

  /** Waits for the end. */
  async end(): Promise<Said> {
    const code = await this.#exit;
    return { code, out: this.out, err: this.err };
  }

  /** The first line of standard output, as soon as it is whole. */
  firstLine(limit: Micros = seconds(40)): Promise<string> {
    return until(`a line of output; standard error: ${this.err}`, () => /^(.+)\n/.exec(this.out)?.[1], limit);
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.child.kill(signal);
  }
}

/** Runs a command to its end, which it must find by itself. */
export async function godwit(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Said> {
  const cli = new Cli(args, environment);
  try {
    return await cli.end();
  } finally {
    cli.kill();
  }
}
