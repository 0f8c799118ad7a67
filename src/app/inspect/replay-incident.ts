import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BadInput } from '../../core/base/errors.ts';
import type { Tree } from '../../core/config/layers.ts';
import { isTree } from '../../core/config/layers.ts';
import { home } from '../process/package.ts';
import type { ReplayCommand } from '../replay/command.ts';
import { strategyPath } from '../run/strategy-path.ts';
import { unpackArchive } from './archive.ts';

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
      const { name, path } = one;
      const unpacked = join(folder, 'strategies', String(name));
      // A shipped one is here, too, wherever it was there.
      if (!existsSync(unpacked)) return { ...one, path: shippedPath(String(path)) };
      // A strategy that is one file is the only one there.
      const [file = ''] = readdirSync(unpacked);
      return { ...one, path: String(path).endsWith('.ts') ? join(unpacked, file) : unpacked };
    }),
  };
}

function shippedPath(path: string): string {
  return existsSync(path) ? path : strategyPath(path.split(/[\\/]/).at(-1) ?? path, home);
}
