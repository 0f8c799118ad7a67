import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { compareCommand, reportCommand } from '../../../src/app/report-command.ts';
import type { Output } from '../../../src/app/process/output.ts';
import { BadInput, NotFound } from '../../../src/core/base/errors.ts';
import { compareDocuments, comparisonText } from '../../../src/research/report/compare-documents.ts';
import { htmlPage } from '../../../src/research/report/render/html-page.ts';
import { renderDocument } from '../../../src/research/report/render/terminal.ts';
import type { ReportDocument, ReportFigure } from '../../../src/research/report/document/document.ts';
import { documentSchema, figureOf } from '../../../src/research/report/document/document.ts';
import { run as godwit } from '../../app/cli/support/run.ts';
import { walkDocument } from '../../../src/research/report/make-documents.ts';
import { readReport, storeReport } from '../../../src/research/report/stored.ts';

const evil = `"><img src=x onerror=alert(1)></script><script>alert('1')</script>&amp;`;

function documentWith(figures: readonly ReportFigure[], more: Partial<ReportDocument> = {}): ReportDocument {
  return {
    schema: documentSchema,
    title: 'maker on ETHBTC',
    warning: '',
    span: { start: '2026-11-21T01:00:08.000Z', end: '2026-11-21T01:02:08.000Z', seconds: 120 },
    sections: [
      { key: 'return', title: 'Return', figures, tables: [] },
      {
        key: 'identity',
        title: 'Identity',
        figures: [{ key: 'identity.seed', label: 'seed', definition: 'The seed.', value: '7', number: 7 }],
        tables: [],
      },
    ],
    charts: [],
    notes: [],
    ...more,
  };
}

const profit = (number: number): ReportFigure => ({
  key: 'return.profit',
  label: 'Net profit',
  definition: 'What is left.',
  value: `${number} BTC`,
  number,
});

describe('the page', () => {
  const evilFigure = { key: 'return.profit', label: evil, definition: evil, value: evil, group: evil };
  const page = htmlPage(
    documentWith([evilFigure, { ...evilFigure, value: undefined, reason: evil }], {
      title: evil,
      warning: evil,
      notes: [evil],
      charts: [
        {
          id: `profit-${evil}`,
          title: evil,
          definition: evil,
          axis: 'time',
          xLabel: evil,
          yLabel: evil,
          x: [1, 2],
          series: [{ label: evil, tone: 'main', form: 'line', values: [1, null] }],
        },
      ],
      sections: [
        {
          key: 'return',
          title: evil,
          figures: [evilFigure],
          tables: [{ title: evil, definition: evil, columns: [evil], rows: [[evil]] }],
        },
      ],
    }),
  );

  test('needs nothing from anywhere: no address is loaded, and the network is forbidden', () => {
    expect(page).not.toMatch(
      /<(link|iframe|img|object|embed|base)\b|@import|url\(|\bfetch\(|XMLHttpRequest/i,
    );
    expect(htmlPage(documentWith([profit(1)]))).not.toMatch(/<[a-z][^>]*\s(?:src|srcset|href)=(?!"#)/i);
    expect(page.match(/https?:\/\/[^\s"'<]*/g) ?? []).toEqual([
      // In the licence comment of the chart library.
      'https://github.com/leeoniya/uPlot',
    ]);
    expect(page).toContain(
      `content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"`,
    );
    expect(page).toContain('uPlot=function');
  });

  test('escapes text wherever it comes from, and the charts are still what they were', () => {
    expect(page).not.toContain(evil);
    expect(page).not.toContain('<img');
    expect(page.match(/<\/script>/g)).toHaveLength(3);
    const json = /<script id="charts" type="application\/json">(.*)<\/script>/.exec(page)?.[1] ?? '';
    expect(JSON.parse(json)).toMatchObject([{ title: evil, series: [{ label: evil, values: [1, null] }] }]);
  });

  test('says in its title when results must be doubted', () => {
    const poor = documentWith([profit(1)], { warning: 'poor data (C): 7 bars missing' });
    expect(htmlPage(poor)).toContain('<title>maker on ETHBTC (poor data (C): 7 bars missing)</title>');
    expect(renderDocument(poor, { colours: false })).toContain('Poor data (C): 7 bars missing');
  });

  test('suits a telephone, light and dark, and every number has its definition', () => {
    expect(page).toContain('name="viewport" content="width=device-width');
    expect(page).toContain('prefers-color-scheme: dark');
    const received = htmlPage(documentWith([profit(1)]));
    expect(received).toContain('<details class="figure" title="What is left."><summary>');
  });
});

test('the terminal shows values, and the reason where there is none', () => {
  const text = renderDocument(
    documentWith([
      profit(1),
      { key: 'ratios.sharpe', label: 'Sharpe', definition: '', reason: 'needs 30 daily returns, has 0' },
    ]),
    { colours: false, full: true },
  );
  expect(text.split('\n').slice(0, 6)).toEqual([
    'maker on ETHBTC',
    '2026-11-21 01:00:08 to 01:02:08 UTC, 2.0 min',
    '',
    'Return',
    '  Net profit                1 BTC',
    '  Sharpe                    N/A (needs 30 daily returns, has 0)',
  ]);
});

test('the terminal begins with the result, ends with the identity, folds what has no value, and fits 80 columns', () => {
  const lacks = (key: string, label: string) => ({
    key,
    label,
    definition: '',
    reason: 'needs 30 daily returns, has 0',
  });
  const document = documentWith([profit(1), lacks('a', 'Sharpe'), lacks('b', 'Sortino')]);
  const hash = 'f'.repeat(64);
  const identity = {
    key: 'identity',
    title: 'Identity',
    figures: [{ key: 'identity.decisions', label: 'decisions', definition: '', value: hash }],
    tables: [],
  };
  const columns = ['one', 'two', 'three', 'four'];
  const wide = { title: 'Wide', definition: '', columns, rows: [columns.map((name) => name.repeat(8))] };
  const others = document.sections.filter(({ key }) => key !== 'identity');
  const sections = [identity, ...others.map((section) => ({ ...section, tables: [wide] }))];
  const notes = ['a note of many words '.repeat(8).trim()];
  const [short, full] = [false, true].map((isFull) =>
    renderDocument({ ...document, sections, notes }, { colours: false, full: isFull }),
  );
  for (const text of [short, full])
    for (const line of text?.split('\n') ?? []) expect(line.length).toBeLessThanOrEqual(80);
  expect(short?.split('\n').slice(3, 12)).toEqual([
    'Return',
    '  Net profit                1 BTC',
    '',
    'Not shown, and why',
    '  needs 30 daily returns, has 0',
    '    Sharpe, Sortino',
    '1 table and all parameters: --full, or the page and --json',
    '',
    'Notes',
  ]);
  expect(short?.trimEnd().split('\n').slice(-3)).toEqual(['Identity', '  decisions', `    ${hash}`]);
  expect(full).toContain('  Sortino                   N/A (needs 30 daily returns, has 0)');
  expect(full).toContain('four'.repeat(8));
});

describe('two reports', () => {
  const a = documentWith([profit(1), { ...profit(3), group: 'BTC' }]);
  const other = { key: 'identity.seed', label: 'seed', definition: '', value: '8', number: 8 };

  test('that are the same have no difference', () => {
    expect(compareDocuments(a, a)).toEqual({ equal: true, warnings: { a: '', b: '' }, sections: [] });
    expect(comparisonText(compareDocuments(a, a))).toBe('The two reports say the same.');
  });

  test('are compared figure by figure and group by group, what they were made of first', () => {
    const b = documentWith([profit(1.5), { ...profit(3), group: 'BTC' }]);
    const seeded = {
      ...b,
      sections: b.sections.map((one) => (one.key === 'identity' ? { ...one, figures: [other] } : one)),
    };
    const { equal, warnings, sections } = compareDocuments(a, seeded);
    expect(equal).toBe(false);
    expect(sections).toEqual([
      {
        key: 'identity',
        title: 'Identity',
        figures: [
          {
            key: 'identity.seed',
            label: 'seed',
            group: undefined,
            a: '7',
            b: '8',
            difference: 1,
            change: '+1',
          },
        ],
      },
      {
        key: 'return',
        title: 'Return',
        figures: [
          {
            key: 'return.profit',
            label: 'Net profit',
            group: undefined,
            a: '1 BTC',
            b: '1.5 BTC',
            difference: 0.5,
            change: '+0.5 BTC',
          },
        ],
      },
    ]);
    expect(comparisonText({ equal, warnings, sections })).toBe(
      [
        'Identity',
        '        A  B  B - A',
        '  seed  7  8  +1',
        '',
        'Return',
        '              A      B        B - A',
        '  Net profit  1 BTC  1.5 BTC  +0.5 BTC',
      ].join('\n'),
    );
  });

  test('are reported with what speaks against either, which is a difference by itself', () => {
    const cut = { ...a, warning: 'incomplete: a file ends early' };
    expect(comparisonText(compareDocuments(cut, cut))).toBe(
      'A: incomplete: a file ends early\nB: incomplete: a file ends early\n\nThe two reports say the same.',
    );
    const one = compareDocuments(a, cut);
    expect(one).toMatchObject({ equal: false, warnings: { a: '', b: 'incomplete: a file ends early' } });
    expect(comparisonText(one)).toBe('B: incomplete: a file ends early');
  });

  test('differ in the unit that is shown, and not at all between currencies', () => {
    const change = (one: [string, number], other: [string, number]): string | undefined => {
      const [left, right] = [one, other].map(([value, number]) =>
        documentWith([{ ...profit(0), value, number }]),
      );
      const text = comparisonText(compareDocuments(left as ReportDocument, right as ReportDocument));
      return /  Net profit  (.*)$/.exec(text)?.[1]?.split(/ {2,}/)[2];
    };
    expect(change(['1 USDT', 1], ['3 BTC', 3])).toBeUndefined();
    expect(change(['89.02 s', 89_020_000], ['1.0 min', 60_000_000])).toBe('-29.02 s');
    expect(change(['61.33 %', 0.6133], ['95.04 %', 0.9504])).toBe('+33.71 % points');
    expect(change(['11.01 bp', 0.001101], ['1.25 bp', 0.000125])).toBe('-9.76 bp');
    expect(change(['0.93 bp', 0.000_093_12], ['0.93 bp', 0.000_093_49])).toBe('+0.0037 bp');
    expect(change(['0.55 bp ± 0.18 bp', 0.554_99], ['0.56 bp ± 0.18 bp', 0.555_01])).toBe('+0.00002 bp');
    expect(change(['0.41 bp ± 0.18 bp', 0.41], ['0.50 bp ± 0.20 bp', 0.5])).toBe('+0.09 bp');
    expect(change(['1 BTC to 2 BTC', 1], ['3 BTC to 4 BTC', 3])).toBeUndefined();
    expect(change(['0 of 328 commands', 0], ['2 of 400 commands', 2])).toBe('+2');
    expect(change(['17', 17], ['18', 18])).toBe('+1');
  });

  const exactly = -6_112_957.659_524_171;
  const rounded = -6_117_458.801_92;
  test.each([
    ['money', ['6117459.10192 B', 6_117_459.101_92], '4501.442395829 B', exactly, '-6112957.659524171 B'],
    [
      'more digits than doubles',
      ['1000000000.00000000001 B', 1e9],
      '1000000000 B',
      -1e-11,
      '-0.00000000001 B',
    ],
    ['quantities', ['43585 AAA', 43_585], '0.0186 AAA', -43_584.9814, '-43584.9814 AAA'],
    ['rounded numbers', ['6117459 B', 6_117_459.101_92], '0.3 B', rounded, '-6117459 B'],
    ['what doubles add', ['10000.1 B', 10_000.123_45], '10000 B', -0.123_45, '-0.12345 B'],
  ] as const)('differ by %s as far as both are shown', (_, [value, number], other, difference, change) => {
    const [a, b] = [
      documentWith([{ ...profit(0), value, number }]),
      documentWith([{ ...profit(0), value: other, number: Number.parseFloat(other) }]),
    ];
    const [received] = compareDocuments(a, b).sections[0]?.figures ?? [];
    expect(received).toMatchObject({ difference, change });
  });

  test('a figure that only one of them has is a difference', () => {
    const b = documentWith([profit(1)]);
    expect(compareDocuments(a, b).sections[0]?.figures).toMatchObject([
      { a: '3 BTC', b: undefined, group: 'BTC' },
    ]);
    expect(compareDocuments(b, a).sections[0]?.figures).toMatchObject([
      { a: undefined, b: '3 BTC', group: 'BTC' },
    ]);
  });
});

describe('a stored report', () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-report-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const lines: string[] = [];
  const output: Output = { data: (line) => lines.push(line), progress: () => {}, colour: false };
  const run = join(folder, 'run');
  const otherRun = join(folder, 'other');
  const document = documentWith([profit(1)]);
  storeReport(run, document);
  storeReport(otherRun, documentWith([profit(2)]));

  test('comes back as it was, from its directory or its file, and is shown again', () => {
    expect(readReport(run)).toEqual(document);
    expect(readReport(join(run, 'report.json'))).toEqual(document);
    const html = join(folder, 'page.html');
    expect(reportCommand({ path: run, json: true, html, output })).toBe(0);
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual(document);
  });

  test('compare ends with 0, and with 7 when they differ and should not', () => {
    const compare = (b: string, expectEqual: boolean) =>
      compareCommand({ a: run, b, json: false, expectEqual, output });
    expect([compare(run, true), compare(otherRun, false), compare(otherRun, true)]).toEqual([0, 0, 7]);
  });

  const texts = { id: 'a', title: 'a', definition: 'a', xLabel: 'a', yLabel: 'a' };
  const emptyChart = { ...texts, axis: 'time', x: [], series: [] };

  test.each([
    ['no JSON', 'torn.json', '{"schema":', 'expected a report as JSON'],
    [
      'a page',
      'page.html.json',
      ' <!DOCTYPE html><p>',
      'found a page; the report.json beside it has what it',
    ],
    ['another kind', 'else.json', '{"schema":"x"}', `marked ${documentSchema}`],
    ['nothing at all', 'null.json', 'null', `marked ${documentSchema}`],
    [
      'half of one',
      'half.json',
      JSON.stringify({ ...document, charts: 7 }),
      'changed: charts: expected a list',
    ],
    [
      'one whose figures were edited',
      'edited.json',
      JSON.stringify({ ...document, sections: [{ ...document.sections[0], title: 5 }] }),
      'edited.json: expected the report as it was written, found it changed: sections.0.title: expected text',
    ],
    [
      'one with a word for a number',
      'cell.json',
      JSON.stringify({ ...document, charts: [{ ...emptyChart, x: ['a'] }] }),
      'charts.0.x.0: expected a number',
    ],
  ])('of %s is refused in one sentence', (_, name, text, sentence) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    expect(() => readReport(path)).toThrow(BadInput);
    expect(() => readReport(path)).toThrow(sentence);
  });

  test.skipIf(process.platform === 'win32')('is no device and no folder', () => {
    for (const path of ['/dev/zero', join(folder, 'folders')]) {
      mkdirSync(join(folder, 'folders', 'report.json'), { recursive: true });
      expect(() => readReport(path)).toThrow('found a pipe, a socket, a device or a folder');
    }
  });

  test('that is not there is distinguished from one that cannot be read, by its error and by the exit code', async () => {
    const path = join(folder, 'none');
    expect(() => readReport(path)).toThrow(NotFound);
    expect(() => readReport(folder)).toThrow('expected a report.json in the run directory, found none');
    const codes = [];
    for (const line of [
      ['report', path],
      ['compare', run, path],
      ['compare', path, run],
      ['report', join(folder, 'else.json')],
    ])
      codes.push((await godwit(line)).code);
    expect(codes).toEqual([4, 4, 4, 1]);
  });
});

describe('the report of a walk-forward', () => {
  const setting = {
    title: 'maker, walked forward',
    doubts: [{ code: 'DATA_POOR' as const, text: 'poor data (C): a gap' }],
    identity: { mode: 'walk-forward', seed: 1 },
    currency: 'BTC',
    profit: 3,
    days: 2,
    winning: 1,
    windows: 2,
    efficiency: 0.6 as number | string,
    times: [0, 1, 2, 3].map((hour) => hour * 3_600_000_000),
    profits: [0, 4, 1, 3],
    table: { columns: ['test from', 'profit'], rows: [['a', '4']] },
    fall: 3,
    notes: [],
  };

  test('reports profit, fall and efficiency, and is shown like any other', () => {
    const document = walkDocument(setting);
    const received = (key: string) => figureOf(document, key)?.value;
    expect(['walk.profit', 'walk.profitPerDay', 'walk.winning', 'walk.drawdown'].map(received)).toEqual([
      '3 BTC',
      '1.5 BTC',
      '1 of 2',
      '3 BTC',
    ]);
    expect(figureOf(document, 'robustness.walkForward')).toMatchObject({ value: '60.00 %', number: 0.6 });
    const without = walkDocument({ ...setting, efficiency: 'there was no profit' });
    expect(figureOf(without, 'robustness.walkForward')).toMatchObject({ reason: 'there was no profit' });
    const page = htmlPage(document);
    expect(page).toContain('maker, walked forward (poor data (C): a gap)');
    expect(page).toMatch(/role="figure" aria-label="[^"]+" data-chart="profit-walk"/);
    expect(renderDocument(document, { colours: false })).toContain('Walk-forward efficiency');
  });
});
