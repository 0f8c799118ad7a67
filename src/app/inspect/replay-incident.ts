import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BadInput } from '../../core/base/errors.ts';
import type { Tree } from '../../core/config/layers.ts';
import { isTree } from '../../core/config/layers.ts';
import { home } from '../process/package.ts';
import type { ReplayCommand } from '../replay/command.ts';
import { strategyPath } from '../run/strategy-path.ts';
import { unpackArchive } from './archive.ts';
import { shadowFolder } from './incident.ts';

/**
 * Replays the run of an archive of `incident export` with the strategies that are in it, unpacked into a folder that is removed
 * afterwards. Throws `BadInput` when the archive is none, or holds no recording.
 */
export async function replayIncident(
  path: string,
  command: ReplayCommand,
  replay: (command: ReplayCommand) => Promise<number>,
): Promise<number> {
  if (!existsSync(path))
    throw new BadInput(`${path}: expected an archive of godwit incident export, found nothing`);
  const folder = mkdtempSync(join(tmpdir(), 'godwit-replay-'));
  try {
    await unpackArchive(path, folder);
    const recording = join(folder, 'recording');
    if (!existsSync(recording))
      throw new BadInput(`${path}: it holds no recording of the run, which a replay needs`);
    const configure = (recorded: Tree) => command.configure(withStrategiesOf(recorded, folder));
    const journal = command.journal ?? join(folder, 'journal');
    return await replay({ ...command, configure, recordings: [recording], journal });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The recorded configuration, its strategies at the places where they were unpacked. */
function withStrategiesOf(recorded: Tree, folder: string): Tree {
  const { strategies } = recorded;
  if (!Array.isArray(strategies)) return recorded;
  return {
    ...recorded,
    strategies: strategies.map((one: unknown) => {
      if (!isTree(one)) return one;
      const { name, path, shadow } = one;
      const own = join(folder, 'strategies', String(name));
      const other = join(folder, 'strategies', shadowFolder(String(name)));
      if (!isTree(shadow) || shadow['path'] === undefined) return { ...one, path: unpackedPath(own, path) };
      // A shadow of the same code has no files of its own. One that was promoted before the run has changed places.
      const beside = existsSync(other) ? other : own;
      const isSwapped = path === configuredShadow(folder, name);
      const [live, inShadow] = isSwapped ? [beside, own] : [own, beside];
      const shadowPath = unpackedPath(inShadow, shadow['path']);
      return { ...one, path: unpackedPath(live, path), shadow: { ...shadow, path: shadowPath } };
    }),
  };
}

function unpackedPath(unpacked: string, path: unknown): string {
  // A shipped one is here, too, wherever it was there.
  if (!existsSync(unpacked)) return shippedPath(String(path));
  // A strategy that is one file is the only one there.
  const [file = ''] = readdirSync(unpacked);
  return String(path).endsWith('.ts') ? join(unpacked, file) : unpacked;
}

/** The path that the configuration of the archive has for the shadow of a strategy. */
function configuredShadow(folder: string, name: unknown): unknown {
  const config: unknown = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
  const strategies = isTree(config) ? config['strategies'] : undefined;
  const found = Array.isArray(strategies)
    ? strategies.find((one: unknown) => isTree(one) && one['name'] === name)
    : undefined;
  const shadow: unknown = isTree(found) ? found['shadow'] : undefined;
  return isTree(shadow) ? shadow['path'] : undefined;
}

function shippedPath(path: string): string {
  return existsSync(path) ? path : strategyPath(path.split(/[\\/]/).at(-1) ?? path, home);
}
