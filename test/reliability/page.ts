import type { FigureLine } from '../prove/figure-lines.ts';
import { limitText } from '../prove/row.ts';
import { read } from './facts.ts';
import type { Row, RuleRow, Section } from './row.ts';

export interface PageParts {
  readonly sections: readonly Section[];
  readonly faults: ReadonlyMap<string, readonly string[]>;
  readonly figures: readonly FigureLine[];
}

const head = `# Reliability

\`\`\`
npx vitest run test/reliability          # every row of this page has its files and its tests
npx vitest run test/system/faults.test.ts -t N4   # one of them: orders whose connection is cut
npm run simulate -- --seeds 100          # the whole system under random faults
npm run prove                            # figures: name, value, limit, seed, commit
\`\`\`

This page is for who must decide whether to trust a bot with money. It lists what can go wrong, what must hold then, and the test
that makes it go wrong and looks. A row without a test fails the build, and so does a test that is no longer there.

- *What holds* is a sentence about the behaviour. *Limit* is what the tests hold it to.
- *Done in* names files below \`src\`. *Shown by* links tests, whose titles are sentences, too.
- *Simulation* names faults that the [simulation](simulation.md) puts, and numbers of invariants that it checks after each step. A thousand
  seeds must hit each fault ten times.
- *Measured* is a figure of \`npm run prove\`, with its seed and the commit on which it was measured.
- *Not shown* is the part of a row that no test shows.

Written by \`npx node test/reliability/table.ts --write\`; a test fails when this page is not what the program prints.`;

/** The text of docs/reliability.md: each row in a line of its section, further tests of it in lines below. */
export function reliabilityPage({ sections, faults, figures }: PageParts): string {
  const rows = sections.flatMap((section) => section.rows).length;
  const parts = sections.map(({ title, about, rows: inSection }) =>
    [
      `## ${title}`,
      about,
      [
        '| Row | What holds | Limit | Done in | Shown by |',
        '|---|---|---|---|---|',
        ...inSection.flatMap((row) => linesOf(row, { faults, figures })),
      ].join('\n'),
    ].join('\n\n'),
  );
  return `${[head, `${rows} rows.`, ...parts].join('\n\n')}\n`;
}

function linesOf(row: Row | RuleRow, parts: Pick<PageParts, 'faults' | 'figures'>): string[] {
  const [first = '', ...others] = shownBy(row, parts);
  const where = row.where.map((file) => `\`${file}\``).join('<br>');
  const id = /^[A-Z]\d+$/.test(row.id) ? `**${row.id}**` : `\`${row.id}\``;
  return [[id, row.holds, row.limit ?? '', where, first], ...others.map((one) => ['', '', '', '', one])].map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  );
}

function shownBy(row: Row | RuleRow, { faults, figures }: Pick<PageParts, 'faults' | 'figures'>): string[] {
  const inFlight = 'inFlight' in row && typeof row.inFlight !== 'string' ? row.inFlight : [];
  const apart = row.tests.filter((test) => !inFlight.includes(test));
  const kinds = faults.get(row.id) ?? [];
  const simulated = row.tests.flatMap(
    (test) => /^(?:check|mark branch\/)(.*)$/.exec(test)?.[1]?.trim() ?? [],
  );
  const named = [...simulated.map((name) => `*${name}*`), ...kinds.map((kind) => `\`${kind}\``)];
  return [
    ...apart.flatMap((test) => linkOf(test)),
    ...inFlight.flatMap((test) => linkOf(test).map((link) => `In flight: ${link}`)),
    ...('inFlight' in row && typeof row.inFlight === 'string' ? [`In flight: ${row.inFlight}`] : []),
    ...(named.length > 0 ? [`Simulation: ${named.join(', ')}`] : []),
    ...row.tests.flatMap((test) => (test.startsWith('prove ') ? measured(test.slice(6), figures) : [])),
    ...(row.less === undefined ? [] : [`Not shown: ${row.less}`]),
  ];
}

function linkOf(test: string): string[] {
  const [, file, title] = /^(\S+\.ts): (.*)$/.exec(test) ?? [];
  if (file === undefined || title === undefined) return [];
  const words = [groupOf(read(`test/${file}`) ?? '', title), title]
    .filter((part) => part !== undefined)
    .join(': ');
  // What a row of cases fills in is left open.
  const open = words.replaceAll(/%[sdij]|\$\{[^}]*\}|\$\w+/g, '…').replaceAll(/[[\]]/g, '\\$&');
  return [`[${open}](../test/${file})`];
}

const cellWordsMax = 30;

/** Title of the group that a test stands in, which its own title goes on; nothing where both are too long for a cell. */
function groupOf(text: string, title: string): string | undefined {
  const at =
    text.indexOf(title.replaceAll("'", "\\'")) < 0
      ? text.indexOf(title)
      : text.indexOf(title.replaceAll("'", "\\'"));
  const line = text.lastIndexOf('\n  test', at);
  const begin = text.lastIndexOf('\ndescribe', at);
  if (begin < 0 || line < begin || text.slice(begin, at).includes('\n});')) return undefined;
  const [, group] = /^\ndescribe\('((?:[^'\\]|\\.)*)'/.exec(text.slice(begin, begin + 300)) ?? [];
  if (group === undefined || `${group} ${title}`.split(/\s+/).length >= cellWordsMax) return undefined;
  return group.replaceAll("\\'", "'");
}

/** `what`: a row of `prove`, and perhaps the beginning of the figure's name. */
function measured(what: string, figures: readonly FigureLine[]): string[] {
  const [row = '', ...rest] = what.split(' ');
  const begin = rest.join(' ');
  const found = figures.filter(
    (figure) => figure.row === row && `${figure.name} `.startsWith(begin && `${begin} `),
  );
  if (found.length === 0) return [`\`npm run prove -- --only ${row}\``];
  return found.map(({ name, value, unit, limit, seed, commit, ok }) => {
    const details = [
      ...(limit === null ? [] : [`limit ${limitText(limit)}`]),
      ...(seed === null ? [] : [`seed ${seed}`]),
      `commit ${commit.slice(0, 8)}`,
    ];
    return `Measured: ${row}, ${name}: ${value} ${unit} (${details.join(', ')})${ok ? '' : ' **over its limit**'}`;
  });
}
