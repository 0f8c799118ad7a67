import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { run } from './support/run.ts';

interface Completed {
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly text: string }[];
}

/** What bash offers at the end of a line. */
async function offered(line: string): Promise<readonly string[]> {
  const { out } = await run('completion bash');
  const words = line.split(' ');
  const ask = `${out}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _godwit; echo "\${COMPREPLY[@]}"`;
  const said = spawnSync('bash', ['-c', ask, 'bash', ...words], { encoding: 'utf8' });
  expect([said.status, said.stderr]).toEqual([0, '']);
  return said.stdout.trim().split(' ');
}

test('bash completes commands, commands of a group, and options, whatever stands between', async () => {
  expect(await offered('godwit expl')).toEqual(['explain']);
  expect(await offered('godwit incident ')).toEqual(['export', '--help']);
  expect(await offered('godwit config show --ori')).toEqual(['--origin']);
  expect(await offered('godwit trade --mode paper --rec')).toEqual(['--record']);
  expect(await offered('godwit completion ')).toEqual(['bash', 'zsh', 'fish', '--json', '--help']);
});

test('every command of the help is in the scripts of all shells', async () => {
  const tree = JSON.parse((await run('completion bash --json')).out) as readonly Completed[];
  const help = (await run('--help')).out;
  const named = [...help.matchAll(/^ {2}([a-z][a-z-]+) /gm)].flatMap(([, name = '']) =>
    name === 'help' ? [] : [name],
  );
  const [root] = tree;
  expect(named.length).toBeGreaterThan(25);
  expect(named.filter((name) => !root?.words.some(({ word }) => word === name))).toEqual([]);
  const [zsh, fish] = [(await run('completion zsh')).out, (await run('completion fish')).out];
  for (const { path, words } of tree) {
    expect(zsh).toContain(`'${path === '' ? 'godwit' : path}' '${words.map(({ word }) => word).join(' ')}'`);
    if (path !== '') expect(fish).toContain(`__fish_seen_subcommand_from ${path.split(' ').at(-1)}`);
  }
});

test('another shell is refused with the names of those there are', async () => {
  const { code, err } = await run('completion tcsh');
  expect(code).toBe(2);
  expect(err).toContain('Allowed choices are bash, zsh, fish');
});
