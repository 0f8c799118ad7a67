import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BadInput } from '../core/base/errors.ts';
import { unwritable } from '../data/recording/index.ts';
import { makeFolder } from '../research/report/index.ts';
import { exitCodes } from './process/exit-codes.ts';
import type { FirstDownload } from './first-download.ts';
import type { CandleData, NewFile } from './new-candle-files.ts';
import { scenarioPath } from './new-candle-files.ts';
import { newStrategyFiles, projectFiles } from './new-strategy-files.ts';
import type { Output } from './process/output.ts';
import { packageFolder } from './process/package.ts';

const nameShape = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const nameMax = 40;
const sampleFeed = 'backtest/feeds/sample';
/** Folder with what editors know of YAML files. */
const yamlSchemas = 'config/schema';

export interface NewStrategyCommand {
  readonly name: string;
  /** The project: a folder that has or gets `strategies/`. */
  readonly directory: string;
  readonly output: Output;
  readonly json: boolean;
}

/**
 * `godwit new strategy`: writes a strategy that runs as it stands, its README, and its test where the project has the
 * scene that tests play in. Never writes over a file. Throws `BadInput` for a bad name and where something stands.
 */
export function newStrategyCommand({ name, directory, output, json }: NewStrategyCommand): number {
  const fault = nameFault(name);
  if (fault !== undefined) throw new BadInput(fault);
  const isTested = existsSync(join(directory, 'test/core/strategy/scene.ts'));
  const sample = existsSync(join(directory, sampleFeed)) ? sampleFeed : packaged(directory, sampleFeed);
  const files = newStrategyFiles(name, sample).filter(({ path }) => isTested || !path.startsWith('test/'));
  const taken = files.find(({ path }) => existsSync(join(directory, path)));
  if (taken !== undefined) throw new BadInput(`new strategy: ${taken.path} is there already`);
  writeAll(files, directory);
  const written = files.map(({ path }) => path);
  if (json) {
    output.data(JSON.stringify({ name, written }));
    return exitCodes.done;
  }
  for (const path of written) output.data(path);
  output.progress(`Try it: npx godwit backtest ${sample} --strategy strategies/${name}`);
  return exitCodes.done;
}

export interface InitCommand extends NewStrategyCommand {
  /** Candles that are downloaded first: the project has a strategy on them then, and a scenario that runs it on them. */
  readonly download?: FirstDownload | undefined;
}

/**
 * `godwit init`: writes a project, which is a configuration for paper trading, a strategy, and a test that backtests it. The
 * `package.json` that `npm install` leaves in an empty folder is completed; any other one stays as it is. Never writes over a file. Rejects with `BadInput`, and with what a download rejects with.
 */
export async function initCommand(command: InitCommand): Promise<number> {
  const { name, directory, output, json, download } = command;
  const sample = packaged(directory, sampleFeed);
  const ofPackage = { sample, schemas: packaged(directory, yamlSchemas) };
  const isKept = existsSync(join(directory, 'package.json'));
  const filesOf = (candles?: CandleData): readonly NewFile[] => {
    const strategy = candles === undefined ? newStrategyFiles(name, sample) : [];
    const own = strategy.filter(({ path }) => !path.startsWith('test/'));
    return [...projectFiles(name, ofPackage, candles), ...own].filter(
      ({ path }) => !isKept || path !== 'package.json',
    );
  };
  refuseTaken(filesOf(download === undefined ? undefined : noCandles), directory);
  const first = await (download &&
    (await import('./first-download.ts')).downloadFirst(download, directory, output));
  const files = filesOf(first?.data);
  writeAll(files, directory);
  const manifest = isKept
    ? completeManifest(directory, projectFiles(name, ofPackage, first?.data))
    : 'written';
  const isCompleted = isKept && manifest === 'written';
  const written = [...(isCompleted ? ['package.json'] : []), ...files.map(({ path }) => path)];
  const said = first === undefined ? { name, written } : { name, written, data: first.data.folder };
  if (json) output.data(JSON.stringify(said));
  else for (const path of written) output.data(path);
  const tried = first === undefined ? sample : `--scenario ${scenarioPath(name)}`;
  if (!json && manifest === 'notModule')
    output.progress(
      'package.json stays as it is: add "type": "module" to it, which strategies and tests are',
    );
  const tested = manifest === 'written' ? 'npm test' : 'node --test';
  if (!json) output.progress(`Try it: npx godwit backtest ${tried}; then ${tested}`);
  return first?.code ?? exitCodes.done;
}

/** Members of the `package.json` that `npm install` leaves in an empty folder. */
const installedMembers = new Set(['dependencies', 'devDependencies', 'optionalDependencies']);

/**
 * Adds the members of a project to a `package.json` that has nothing but what was installed. One that has more is its owner's, and stays.
 * Returns whether the members are in it now, and of one that stays whether its files are modules.
 */
function completeManifest(directory: string, files: readonly NewFile[]): 'written' | 'module' | 'notModule' {
  const file = join(directory, 'package.json');
  const found = membersIn(file);
  const names = Object.keys(found);
  if (names.length === 0 || !names.every((name) => installedMembers.has(name)))
    return found['type'] === 'module' ? 'module' : 'notModule';
  const own = files.find(({ path }) => path === 'package.json')?.text ?? '{}';
  const members = { ...(JSON.parse(own) as object), ...found };
  const unfinished = `${file}.unfinished`;
  try {
    writeFileSync(unfinished, `${JSON.stringify(members, undefined, 2)}\n`);
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw unwritable(file, error);
  }
  return 'written';
}

/** None, where it is no object of JSON. */
function membersIn(file: string): Readonly<Record<string, unknown>> {
  try {
    const read = JSON.parse(readFileSync(file, 'utf8')) as unknown;
    return typeof read === 'object' && read !== null ? (read as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

/** Stands in for data that are not there yet: names of files do not depend on them. */
const noCandles: CandleData = {
  symbol: '-',
  period: 'M1',
  folder: '-',
  baseCurrency: '-',
  quoteCurrency: '-',
  balance: '1',
  quantity: '1',
};

function refuseTaken(files: readonly NewFile[], directory: string): void {
  const taken = files.find(({ path }) => existsSync(join(directory, path)));
  if (taken !== undefined) throw new BadInput(`init: ${taken.path} is there already`);
}

/** A file or folder of the package: by a path that stays right when the project moves, where the package is installed in it. */
function packaged(directory: string, path: string): string {
  const installed = join('node_modules', 'godwit', path);
  return existsSync(join(directory, installed)) ? installed : join(packageFolder(), path);
}

/** What is wrong with the name of a new strategy; `undefined` when nothing is. */
export function nameFault(name: string): string | undefined {
  return nameShape.test(name) && name.length <= nameMax
    ? undefined
    : `new strategy: expected a name of at most ${nameMax} lower case letters, digits and single dashes, such as my-maker, found ${JSON.stringify(name.slice(0, 80))}`;
}

/** All of them or none: what was begun goes when the disk refuses. */
function writeAll(files: readonly NewFile[], directory: string): void {
  const begun: string[] = [];
  for (const { path, text } of files) {
    const file = join(directory, path);
    try {
      makeFolder(dirname(file));
      writeFileSync(file, '', { flag: 'wx' });
      begun.push(file);
      writeFileSync(file, text);
    } catch (error) {
      for (const one of begun) rmSync(one, { force: true });
      throw unwritable(file, error);
    }
  }
}
