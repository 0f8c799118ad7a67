import { readdirSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { rowSchema } from '../../../src/operate/view-schemas.ts';
import { viewCards, views } from '../../../src/operate/views/all.ts';
import type { Operated } from '../support.ts';
import { ask, boughtPart, operated, reportMargin } from '../support.ts';
import { pageWithLists } from './table.ts';

let run: Operated | undefined;
afterEach(async () => {
  await run?.server.close();
  run = undefined;
});

test('docs/steering.md lists what src/operate/views holds', () => {
  const { made, written } = pageWithLists();
  expect(written, 'run: npx node test/operate/views/table.ts --write').toBe(made);
});

test('the file of a list has the name of its command', () => {
  const files = readdirSync(new URL('../../../src/operate/views', import.meta.url));
  for (const { command } of views) expect(files).toContain(`${command}.ts`);
});

test.each(views.map((view) => [view.name, view] as const))(
  '%s answers rows as it describes them, and its columns and its card name fields of these',
  async (name, view) => {
    run = await operated();
    const { rig, server } = run;
    rig.wait(2_000);
    boughtPart(rig);
    reportMargin(rig);
    rig.subject.next({ kind: 'seriesRow', series: 'mood', values: { value: 3, label: 'low' }, ...rig.times });
    server.alert('something to know');
    rig.subject.next({ kind: 'sessionDown', session: 'trading', why: 'cut', ...rig.times });
    const body = (await ask(server, `/api/${name}`)).body as readonly object[];
    expect(body.length).toBeGreaterThan(0);
    const [row = {}] = body;
    expect(rowSchema(view.fields).parse(row)).toEqual(row);
    expect(Object.keys(row).toSorted()).toEqual(Object.keys(view.fields).toSorted());
    for (const column of view.columns) expect(row).toHaveProperty(column);
    const card = viewCards().find((one) => one.name === name);
    const within = view.within?.field ?? '';
    for (const field of card?.key.split(' ') ?? [])
      expect(view.fields).toHaveProperty(field.split('.')[0] ?? '');
    for (const { field, or, with: behind } of card?.columns ?? [])
      for (const path of [field, or, behind?.field].filter((one) => one !== undefined))
        expect(path.startsWith(`${within}.`) || path in view.fields).toBe(true);
  },
);

/** Columns whose numbers are of nothing. */
const ratios: ReadonlySet<string> = new Set(['leverage']);

test.each(views.map((view) => [view.command, view] as const))(
  'each price, quantity and amount that %s prints has its unit behind it in the row',
  (_, { fields, columns, within }) => {
    const tables = [{ of: fields, columns }];
    if (within !== undefined)
      tables.push({ of: fields[within.field]?.fields ?? {}, columns: within.columns });
    for (const { of, columns: names } of tables)
      for (const [at, name] of names.entries())
        if (of[name]?.type === 'decimal' && !ratios.has(name))
          expect([name, names.filter((one, place) => isUnit(one, place, at))]).not.toEqual([name, []]);
  },
);

/** Whether a column says the unit of another one: behind it, or the currency of all of the row. */
function isUnit(name: string, place: number, of: number): boolean {
  return name === 'currency' || (place > of && /unit|Currency$/.test(name));
}

test('cards have places of their own', () => {
  const places = viewCards().map(({ order }) => order);
  expect(new Set(places).size).toBe(places.length);
});
