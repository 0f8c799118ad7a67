import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FigureLine } from '../prove/figure-lines.ts';
import { catalogueIds } from './catalogue.ts';
import type { Facts } from './troubles.ts';

// All is read as text: to load the simulation would take longer than everything else here.

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Text of a file of the project, or `undefined` where there is none. */
export function read(path: string): string | undefined {
  return existsSync(`${root}${path}`) ? readFileSync(`${root}${path}`, 'utf8') : undefined;
}

function readAll(pattern: string): string {
  const paths = globSync(pattern, { cwd: root }).toSorted();
  return paths.map((path) => read(path) ?? '').join('\n');
}

/** Kinds of faults of the simulation, each with the rows of the catalogue that it stands for. */
export function faultKindsByRow(): ReadonlyMap<string, readonly string[]> {
  const kinds = new Map<string, string[]>();
  const form = /^ {2}(\w+): (?:\w+\(|\{\s+(?:rows: |\.\.\.\w+\())'([A-Z0-9 ]+)'/gm;
  for (const [, kind = '', rows = ''] of readAll('test/simulation/faults-*.ts').matchAll(form))
    for (const row of rows.split(' ')) kinds.set(row, [...(kinds.get(row) ?? []), kind]);
  return kinds;
}

/** Names of the rules in `core/orders/controls/table.ts`, in the order in which they are asked. */
function ruleNames(): string[] {
  const table = read('src/core/orders/controls/table.ts') ?? '';
  const [, list = ''] = /^const rules = \[([^\]]*)\]/m.exec(table) ?? [];
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function marks(): string[] {
  const [, list = ''] =
    /^export const branches(?:: readonly string\[\])? = \[([^\]]*)\]/m.exec(
      readAll('test/simulation/*.ts'),
    ) ?? [];
  return [...list.matchAll(/'([^']+)'/g)].map(([, name = '']) => name);
}

/** Figures that `npm run prove -- --keep` wrote; none before it has. */
export function keptFigures(): readonly FigureLine[] {
  const text = read('test/prove/figures.json');
  return text === undefined ? [] : (JSON.parse(text) as readonly FigureLine[]);
}

/** The project as it is. */
export function facts(): Facts {
  return {
    read,
    ids: catalogueIds,
    rules: ruleNames(),
    marks: marks(),
    simulation: readAll('test/simulation/*.ts'),
    proved: [...readAll('test/prove/rows/*.ts').matchAll(/^\s+name: '([a-z0-9-]+)',$/gm)].map(
      ([, name = '']) => name,
    ),
  };
}
