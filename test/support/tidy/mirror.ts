import type { Source } from './source.ts';
import { targetOf } from './source.ts';

/** Folders of `test/` whose tests are of whole systems, of commands from outside, or of the project itself. */
const wholes = [
  'api',
  'bench',
  'clients',
  'conformance',
  'limits',
  'package',
  'simulation',
  'soak',
  'strategies',
  'support',
  'system',
];

/** Sources that many tests write or start their subject with. An import of one does not say what is tested. */
const tools = [
  'src/core/base/',
  'src/core/model/',
  'src/core/strategy/index.ts',
  'src/data/open/market-data.ts',
  'src/app/cli/program.ts',
];

/**
 * A unit test stands where its source stands: at the path of a source file, or in the folder, or above the folder, that it
 * imports the most files of. A helper beside, above or below a test speaks for the folder of the test. Imports of types say
 * nothing.
 */
export function standsAtItsSource(tests: readonly Source[], sources: readonly Source[]): string[] {
  const paths = new Set(sources.map(({ path }) => path));
  return tests.flatMap(({ path, text }) => {
    if (!path.endsWith('.test.ts') || !isUnit(path)) return [];
    const place = folderOf(path);
    if (paths.has(`src/${path.slice('test/'.length).replace(/\.test\.ts$/, '.ts')}`)) return [];
    const counts = new Map<string, number>();
    for (const target of targetsOf(path, text)) {
      const folder = subjectOf(target, place);
      if (folder !== undefined) counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    const most = Math.max(0, ...counts.values());
    const tops = [...counts].filter(([, count]) => count === most).map(([folder]) => folder);
    if (tops.length === 0 || tops.some((folder) => isWithin(folder, place))) return [];
    return [`${path} imports most of src/${tops.join(', src/')}: it stands elsewhere`];
  });
}

/** The folder below `src` that an import of a test in `place` speaks for. */
function subjectOf(target: string, place: string): string | undefined {
  if (tools.some((tool) => target.startsWith(tool))) return undefined;
  if (target.startsWith('src/')) return folderOf(target);
  if (!isUnit(target)) return undefined;
  const folder = folderOf(target).replace(/\/(?:support|fixtures)(?:\/.*)?$/, '');
  return isWithin(place, folder) || isWithin(folder, place) ? place : undefined;
}

/** The project paths that a test imports values from. */
function targetsOf(path: string, text: string): ReadonlySet<string> {
  const imports = text.matchAll(/^import\s+(?!type\b)[^;'"]*?from\s+'(\.[^']+)'/gm);
  return new Set([...imports].map(([, specifier = '']) => targetOf(path, specifier) ?? ''));
}

/** The folder of a file, below `src` or `test`. */
function folderOf(path: string): string {
  return path.split('/').slice(1, -1).join('/');
}

function isUnit(path: string): boolean {
  const [top, folder = ''] = path.split('/');
  return top === 'test' && !folder.endsWith('.ts') && !wholes.includes(folder);
}

function isWithin(folder: string, other: string): boolean {
  return `${folder}/`.startsWith(`${other}/`);
}
