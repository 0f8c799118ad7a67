import { existsSync, readFileSync } from 'node:fs';
import { moduleUrl } from '../../core/base/module-url.ts';
import { isTree, mergeLayers, setLayers } from '../../core/config/layers.ts';
import type { OperateTarget } from './client.ts';
import type { Asker } from './commands.ts';
import type { View } from '../../operate/views/view.ts';
import type { Output } from '../process/output.ts';
import { defaultRunDirectory } from '../config/default-directory.ts';

/** A command that asks a daemon, or halts it, and needs nothing of the configuration but where the run is kept. */
interface QuickLook {
  readonly verb: string;
  /** Of `params`: whose. */
  readonly strategy: string | undefined;
  readonly target: OperateTarget;
  readonly json: boolean;
  /** Of `halt`: by whom, and why. */
  readonly by: Asker;
}

/**
 * Runs a command that only sees a running daemon, or halts it, without the command line and the configuration, which take four times
 * as long to load. `undefined` when that is not enough: the whole program then runs, and says what is wrong where something is.
 */
export async function quickLook(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  output: Output,
): Promise<number | undefined> {
  const look = await lookOf(args, environment);
  if (look === undefined) return undefined;
  const { verb, strategy, target, json, by } = look;
  const [{ findRunFile }, commands] = await Promise.all([import('./run-file.ts'), import('./commands.ts')]);
  if (target.url === undefined && findRunFile(target.directory) === undefined) return undefined;
  const command = { target, output, json };
  if (verb === 'halt')
    return await commands.actCommand(command, commands.askedBy({ act: 'halt' }, by, environment));
  if (verb === 'status') return await commands.statusCommand(command);
  if (strategy !== undefined) return await commands.paramsCommand(command, strategy);
  const view = await viewOf(verb);
  return view === undefined ? undefined : await commands.listCommand(command, view);
}

/** File of a list. It is loaded without the others, each of which needs modules of its own. */
function fileOf(verb: string): URL | undefined {
  if (!/^[a-z]+$/.test(verb)) return undefined;
  const file = moduleUrl(new URL(`../../operate/views/${verb}.ts`, import.meta.url));
  return existsSync(file) ? file : undefined;
}

async function viewOf(verb: string): Promise<View | undefined> {
  const file = fileOf(verb);
  if (file === undefined) return undefined;
  const exported = (await import(file.href)) as Readonly<Record<string, View | undefined>>;
  return exported[`${verb}View`];
}

async function lookOf(
  [verb = '', ...rest]: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<QuickLook | undefined> {
  if (!['status', 'params', 'halt'].includes(verb) && fileOf(verb) === undefined) return undefined;
  if (Object.keys(environment).some((name) => name.startsWith('GODWIT__'))) return undefined;
  const files: string[] = [];
  const sets: string[] = [];
  let url: string | undefined;
  let json = false;
  let strategy: string | undefined;
  const by: { why?: string; who?: string } = {};
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? '';
    if (word === '--json') {
      json = true;
      continue;
    }
    if (verb === 'params' && strategy === undefined && !word.startsWith('-')) {
      strategy = word;
      continue;
    }
    at += 1;
    const value = rest[at];
    if (value === undefined) return undefined;
    if (word === '--config') files.push(value);
    else if (word === '--url') url = value;
    else if (verb === 'halt' && word === '--why') by.why = value;
    else if (verb === 'halt' && word === '--who') by.who = value;
    else if (word === '--set' && value.startsWith('run.directory=')) sets.push(value);
    else return undefined;
  }
  if (verb === 'params' && strategy === undefined) return undefined;
  const directory = await directoryOf(files, sets);
  if (directory === undefined) return undefined;
  return { verb, strategy, target: { url, token: environment['GODWIT_TOKEN'], directory }, json, by };
}

/** Where the run is kept; `undefined` where that needs a closer look. */
async function directoryOf(files: readonly string[], sets: readonly string[]): Promise<string | undefined> {
  try {
    const layers = setLayers(sets);
    if (files.length > 0) {
      const { parseYaml } = await import('../../core/config/parse-yaml.ts');
      const trees = files.map((file) => ({ file, tree: parseYaml(readFileSync(file, 'utf8'), file) }));
      for (const { file, tree } of trees.toReversed()) {
        if (!isTree(tree)) return undefined;
        layers.unshift({ origin: file, tree });
      }
    }
    const { run = {} } = mergeLayers(layers, new Map());
    if (!isTree(run)) return undefined;
    const { directory = defaultRunDirectory } = run;
    return typeof directory === 'string' && directory !== '' ? directory : undefined;
  } catch {
    return undefined;
  }
}
