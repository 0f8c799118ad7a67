import type { Row, RuleRow } from './row.ts';
import { testsOf } from './row.ts';

/** What rows are held against. Files are named from the root of the project. */
export interface Facts {
  /** Text of a file, or `undefined` where there is none. */
  readonly read: (path: string) => string | undefined;
  readonly ids: readonly string[];
  /** Rules of `core/orders/controls/table.ts`, by name. */
  readonly rules: readonly string[];
  readonly marks: readonly string[];
  /** Text of all files of the simulation. */
  readonly simulation: string;
  readonly proved: readonly string[];
}

/** One sentence for each thing that is wrong with the rows; none where every row stands. */
export function troubles(rows: readonly (Row | RuleRow)[], facts: Facts): string[] {
  const found: string[] = [];
  const ids = rows.map(({ id }) => id);
  for (const id of [...facts.ids, ...facts.rules])
    if (!ids.includes(id)) found.push(`${id}: expected a row, found none`);
  for (const id of ids)
    if (!facts.ids.includes(id) && !facts.rules.includes(id))
      found.push(`${id}: a row that the catalogue does not have`);
  for (const id of new Set(ids.filter((one, at) => ids.indexOf(one) !== at)))
    found.push(`${id}: has two rows`);
  for (const row of rows) {
    if (row.tests.length === 0) found.push(`${row.id}: expected a test, found none`);
    if (row.where.length === 0) found.push(`${row.id}: expected a file of src, found none`);
    for (const file of row.where)
      if (facts.read(`src/${file}`) === undefined) found.push(`${row.id}: src/${file} is not there`);
    if (facts.rules.includes(row.id) && (!('inFlight' in row) || row.inFlight.length === 0))
      found.push(`${row.id}: expected a test with orders in flight, or the reason for none`);
    for (const test of testsOf(row)) {
      const why = missing(test, facts);
      if (why !== undefined) found.push(`${row.id}: ${why}`);
    }
  }
  return found;
}

/** The reason why there is no such test, or `undefined` where there is. */
function missing(test: string, { read, marks, simulation, proved }: Facts): string | undefined {
  const [kind = ''] = test.split(' ', 1);
  const name = test.slice(kind.length + 1);
  if (kind === 'check')
    return simulation.includes(`'${name}'`) ? undefined : `the simulation has no check of ${name}`;
  if (kind === 'mark') return marks.includes(name) ? undefined : `the simulation wants no mark ${name}`;
  if (kind === 'prove')
    return proved.includes(name.split(' ')[0] ?? '') ? undefined : `npm run prove has no row ${name}`;
  const file = `test/${kind.replace(/:$/, '')}`;
  const text = read(file);
  if (text === undefined) return `${file} is not there`;
  return hasTest(text, name) ? undefined : `${file} has no test ${JSON.stringify(name)}`;
}

/** Whether a file has a test of that title, which runs. */
export function hasTest(text: string, title: string): boolean {
  for (const quote of ["'", '`', '"']) {
    const written = `${quote}${title.replaceAll(quote, `\\${quote}`)}${quote}`;
    for (let at = text.indexOf(written); at >= 0; at = text.indexOf(written, at + 1)) {
      const before = text.slice(0, at).trimEnd();
      const call = /(?:^|[^\w.])(?:test|scenario)(?:\.(?!skip\b|todo\b)\w+)*\($|\)\($/.test(
        before.slice(-60),
      );
      if (call && !/\bdescribe(?:\.\w+)*\($/.test(before) && /^\s*,/.test(text.slice(at + written.length)))
        return true;
    }
  }
  return false;
}
