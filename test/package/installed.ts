import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pinnedNode } from '../../bin/pinned-node.js';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** What `npm pack --json` says of the tarball. */
export interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The package in a project that holds nothing else, in a temporary folder. */
export class Installed {
  readonly packed: Packed;
  readonly folder: string;
  readonly #place: string;

  constructor() {
    this.#place = mkdtempSync(join(tmpdir(), 'godwit-package-'));
    this.folder = join(this.#place, 'project');
    mkdirSync(this.folder);
    const listed = npm(['pack', '--json', '--pack-destination', this.#place], root);
    // What the scripts of the package print stands before the document.
    const [packed] = Object.values(
      JSON.parse(listed.slice(listed.search(/^[[{]/m))) as Record<string, Packed>,
    );
    if (packed === undefined) throw new Error(`expected a package from npm pack, found ${listed}`);
    this.packed = packed;
    this.write('package.json', '{ "name": "project", "version": "1.0.0", "type": "module" }');
    npm(['install', join(this.#place, packed.filename)], this.folder);
  }

  /** Runs `npm ARGS` in the checkout. */
  npmInCheckout(args: readonly string[]): Ended {
    const { status, stdout, stderr } = spawnSync('npm', args, {
      cwd: root,
      encoding: 'utf8',
      env: plainEnvironment(),
    });
    return { code: status, out: stdout, err: stderr };
  }

  write(name: string, text: string): void {
    const file = join(this.folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** The newest Node of a major version, by the registry; `undefined` where there is none. */
  node(major: number): string | undefined {
    const pinned = pinnedNode() ?? process.execPath;
    if (Number.parseInt(process.versions.node, 10) === major) return pinned;
    const name = /node_modules[\\/](node-[\w-]+)/.exec(pinned)?.[1];
    if (name === undefined) return undefined;
    const folder = join(this.#place, `node-${major}`);
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    try {
      npm(['install', `${name}@${major}`], folder);
    } catch {
      return undefined;
    }
    return join(folder, 'node_modules', name, 'bin', 'node');
  }

  /** Runs `node` with arguments in the project. */
  run(node: string, args: readonly string[]): Ended {
    const { status, stdout, stderr } = spawnSync(node, args, {
      cwd: this.folder,
      encoding: 'utf8',
      env: environmentOf(node),
    });
    return { code: status, out: stdout, err: stderr };
  }

  /** Runs `npx godwit ARGS` in the project, with `node` first on the path. */
  npx(node: string, args: readonly string[]): Ended {
    const { status, stdout, stderr } = spawnSync('npx', ['godwit', ...args], {
      cwd: this.folder,
      encoding: 'utf8',
      env: environmentOf(node),
    });
    return { code: status, out: stdout, err: stderr };
  }

  /** Starts a command that runs until it is stopped, and waits for its first line. */
  async start(
    node: string,
    args: readonly string[],
  ): Promise<{ line: string; stop(): Promise<number | null> }> {
    const child = spawn(node, [this.launcher, ...args], {
      cwd: this.folder,
      env: environmentOf(node),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const line = await new Promise<string>((resolve, reject) => {
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
      });
      void ended.then((code) => reject(new Error(`ended with ${code} before its first line`)));
    });
    const stop = async (): Promise<number | null> => {
      child.kill('SIGTERM');
      return await ended;
    };
    return { line, stop };
  }

  readonly launcher = join('node_modules', 'godwit', 'bin', 'godwit.js');

  close(): void {
    rmSync(this.#place, { recursive: true, force: true });
  }
}

function environmentOf(node: string): NodeJS.ProcessEnv {
  return { ...plainEnvironment(), PATH: `${dirname(node)}${delimiter}${process.env['PATH'] ?? ''}` };
}

/** Without what npm and vitest set for their own processes. */
function plainEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_ENV$|NODE_OPTIONS$)/i.test(name)),
  );
}

function npm(args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(
    'npm',
    [...args, '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'],
    { cwd, encoding: 'utf8', env: plainEnvironment() },
  );
  if (status !== 0) throw new Error(`npm ${args.join(' ')} ended with ${status}: ${stderr.slice(-2_000)}`);
  return stdout;
}
