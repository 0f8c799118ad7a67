import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(join(root, 'docs/tutorial.md'), 'utf8');

/** A fenced block of the page: its language with what stands behind it, and its lines. */
interface Block {
  readonly kind: string;
  readonly text: string;
}

/** In the order of the page: what a reader would write, run and see. */
const blocks: readonly Block[] = [...page.matchAll(/^```([a-z ]+)\n([\s\S]*?)^```$/gm)].map((match) => ({
  kind: match[1] ?? '',
  text: match[2] ?? '',
}));

let project: string;

beforeAll(() => {
  // Inside the checkout, so that `godwit/strategy` is found as it is from `strategies/`.
  mkdirSync(join(root, '.godwit'), { recursive: true });
  project = mkdtempSync(join(root, '.godwit/tutorial-'));
  mkdirSync(join(project, 'test/strategies'), { recursive: true });
  symlinkSync(join(root, 'backtest'), join(project, 'backtest'));
  symlinkSync(join(root, 'test/core'), join(project, 'test/core'));
});

afterAll(() => {
  rmSync(project, { recursive: true, force: true });
});

function write({ text }: Block): void {
  const path = /^(?:\/\/|#) (\S+)\n/.exec(text)?.[1];
  if (path === undefined)
    throw new Error(`a file of the tutorial does not say its name: ${text.slice(0, 60)}`);
  const file = join(project, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** What a command printed and how it ended. */
interface Ended {
  readonly output: string;
  readonly code: number;
}

/** A line as it is run here: a band is nine runs more, and each thread of a sweep compiles the program anew. */
const adapted = (line: string): string =>
  line.replace(/^npx godwit backtest .*$/, '$& --no-band').replace(/^npx godwit sweep .*$/, '$& --workers 1');

async function command(line: string): Promise<Ended> {
  const [npx, name, ...rest] = adapted(line).split(' ');
  expect(npx).toBe('npx');
  const program = name === 'godwit' ? 'bin/godwit.js' : 'node_modules/vitest/vitest.mjs';
  const args =
    name === 'godwit' ? rest : [...rest, '--root', project, '--config', join(root, 'vitest.config.ts')];
  const env = { ...process.env, NO_COLOR: '1' };
  try {
    const { stdout, stderr } = await run(process.execPath, [join(root, program), ...args], {
      cwd: project,
      env,
    });
    return { output: stdout + stderr, code: 0 };
  } catch (error) {
    const { stdout, stderr, code } = error as { stdout?: string; stderr?: string; code?: number };
    return { output: `${stdout ?? ''}${stderr ?? ''}`, code: code ?? -1 };
  }
}

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ');

async function runAll({ kind, text }: Block): Promise<string> {
  const outputs: string[] = [];
  for (const line of text.trim().split('\n')) {
    const { output, code } = await command(line);
    const ends = kind === 'sh fails' ? code !== 0 : code === 0;
    expect(ends, `${line}\nended with ${code}:\n${output.slice(-2_000)}`).toBe(true);
    outputs.push(output);
  }
  return outputs.join('\n');
}

/** A command that needs a network is not run, but its verb and each of its options must be known. */
async function isKnown({ text }: Block): Promise<string> {
  const words = text.trim().split(' ');
  const { output } = await command(`npx godwit ${words[2] ?? ''} --help`);
  for (const word of words) if (word.startsWith('--')) expect(output).toContain(word);
  return output;
}

function expectLines(output: string, lines: string): string {
  for (const line of lines.trim().split('\n')) expect(plain(output)).toContain(plain(line));
  return output;
}

test('every file and command of the tutorial does what the page says', async () => {
  // Commands between two files do not depend on each other, so they run side by side.
  let running: Promise<string>[] = [];
  for (const block of blocks) {
    const { kind, text } = block;
    if (kind === 'ts' || kind === 'yaml') {
      await Promise.all(running);
      running = [];
      write(block);
    } else if (kind === 'text') {
      const printed = running.pop();
      if (printed === undefined) throw new Error(`an output follows no command: ${text}`);
      running.push(printed.then((output) => expectLines(output, text)));
    } else {
      running.push(kind === 'sh live' ? isKnown(block) : runAll(block));
    }
  }
  await Promise.all(running);
  expect(blocks.length).toBeGreaterThan(12);
});

test('every command of the tutorial stands in a block that is run', () => {
  const outside = page.replaceAll(/^```[\s\S]*?^```$/gm, '');
  expect(outside).not.toMatch(/^npx /m);
  expect(new Set(blocks.map(({ kind }) => kind))).toEqual(
    new Set(['ts', 'yaml', 'sh', 'sh fails', 'sh live', 'text']),
  );
});
