import { describe, expect, test } from 'vitest';
import type { Looked } from '../../../bin/forebears.js';
import { isOrphaned, managedBy } from '../../../bin/forebears.js';

const underNpm = { npm_command: 'exec' };

/** Processes by command line, this one first, each the child of the next; the last stands below process 1. */
function chain(...lines: readonly string[]): Map<number, Looked> {
  const processes = lines.map((line, index) => ({
    pid: 100 - index,
    parent: index === lines.length - 1 ? 1 : 99 - index,
    session: 7,
    words: line.split(' '),
  }));
  return new Map(
    [...processes, { pid: 1, parent: 0, session: 1, words: ['init'] }].map((one) => [one.pid, one]),
  );
}

function managed(processes: Map<number, Looked>, environment: Record<string, string> = underNpm) {
  return managedBy({ environment, look: (pid) => processes.get(pid), pid: 100 }).map(({ parent }) => parent);
}

describe('what a launcher may not outlive', () => {
  test.each([
    ['npx', ['node godwit trade', 'sh -c godwit trade', 'npm exec godwit trade', '-bash'], [99, 98]],
    [
      'npm start',
      ['node bin/godwit.js demo', 'sh -c node bin/godwit.js demo', 'npm start', 'bash'],
      [99, 98],
    ],
    ['npx through a shell that makes way', ['node godwit trade', 'npm exec godwit trade', '-zsh'], [99]],
    ['npm by its script', ['node godwit', 'sh -c godwit', 'node /usr/bin/npx godwit', 'bash'], [99, 98]],
    [
      'npm within npm',
      ['node g', 'sh -c g', 'npm run g', 'sh -c npm run g', 'npm start', 'bash'],
      [99, 98, 97, 96],
    ],
    ['pnpm', ['node godwit', 'sh -c godwit', 'node /opt/pnpm/bin/pnpm.cjs godwit', 'bash'], [99, 98]],
  ])('under %s: every process up to the package manager', (_name, lines, parents) => {
    expect(managed(chain(...lines))).toEqual(parents);
  });

  test.each([
    ['a terminal', ['node bin/godwit.js trade', '-bash']],
    ['a script of the shell', ['node bin/godwit.js trade', 'bash -c node bin/godwit.js trade', 'sshd']],
    ['a test that npm runs', ['node bin/godwit.js trade', 'node vitest', 'sh -c vitest run', 'npm test']],
    ['a service manager', ['node bin/godwit.js trade']],
  ])('under %s: nothing', (_name, lines) => {
    expect(managed(chain(...lines))).toEqual([]);
  });

  test('a shell that started npm may end: it left npm in the background', () => {
    const lines = ['node g', 'sh -c g', 'npm exec g', 'bash -c nohup npx g &', 'sshd'];
    expect(managed(chain(...lines))).toEqual([99, 98]);
  });

  test('without the marks of a package manager, and in a session of its own: nothing', () => {
    const processes = chain('node g', 'sh -c g', 'npm exec g', 'bash');
    expect(managed(processes, {})).toEqual([]);
    processes.set(100, { ...(processes.get(100) as Looked), session: 100 });
    expect(managed(processes)).toEqual([]);
  });

  test('it is orphaned when any of them has another parent, or is gone', () => {
    const processes = chain('node g', 'sh -c g', 'npm exec g', 'bash');
    const look = (pid: number): Looked | undefined => processes.get(pid);
    const links = managedBy({ environment: underNpm, look, pid: 100 });
    expect(isOrphaned(links, look)).toBe(false);
    const shell = processes.get(99) as Looked;
    processes.set(99, { ...shell, parent: 1 });
    expect(isOrphaned(links, look)).toBe(true);
    processes.delete(99);
    expect(isOrphaned(links, look)).toBe(true);
    expect(isOrphaned([], look)).toBe(false);
  });
});
