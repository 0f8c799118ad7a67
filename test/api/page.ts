import type { Covered } from './coverage.ts';

const titles = {
  rest: 'REST',
  socket: 'Socket methods',
  channel: 'Channels of the public socket',
} as const;

/** The text of docs/api.md: one line for each row of the documents. */
export function apiPage(rows: readonly Covered[]): string {
  const count = (has: (row: Covered) => boolean) => rows.filter(has).length;
  const ofClient = count(({ client }) => client !== '');
  const lines = [
    '# The whole API',
    '',
    'One line for each row of both documents and of the facts files (marked *facts*): its call in the typed client',
    '(`godwit/client`), whether the embedded exchange has it, and which test shows it. A call of REST shows the parameters',
    'that the row needs; a channel is given to `subscribe`. Written by',
    '`npx node test/api/generate.ts --write`; a test fails when this page is not what the program prints.',
    '',
    `${rows.length} rows: the client has ${ofClient}, the exchange ${count(({ exchange }) => exchange)}.`,
    '',
  ];
  for (const version of ['v3', 'v2'] as const) {
    for (const kind of ['rest', 'socket', 'channel'] as const) {
      const part = rows.filter(({ row }) => row.version === version && row.kind === kind);
      if (part.length > 0) lines.push(...table(`Version ${version.slice(1)}: ${titles[kind]}`, part));
    }
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

function table(title: string, rows: readonly Covered[]): string[] {
  const lines = [
    `## ${title}`,
    '',
    '| Row | Right | Source | Client | Exchange | Test |',
    '|---|---|---|---|---|---|',
  ];
  for (const { row, client, exchange, test } of rows) {
    const place = row.kind === 'socket' ? ` (\`${row.place ?? ''}\`)` : '';
    const source = row.source === 'facts' ? `${row.section} (facts)` : row.section;
    const cells = [
      `\`${row.row}\`${place}`,
      row.right,
      source,
      client === '' ? 'no' : `\`${client}\``,
      exchange ? 'yes' : 'no',
      test,
    ];
    lines.push(`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
  }
  return [...lines, ''];
}
