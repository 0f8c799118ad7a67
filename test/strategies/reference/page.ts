import { readFileSync } from 'node:fs';

/** What the page shows: a heading, the declarations below it, each with its file, and a line before them. */
const parts: readonly {
  readonly title: string;
  readonly file: string;
  readonly names: readonly string[];
}[] = [
  { title: 'What `create` is handed', file: 'strategy/context.ts', names: ['StrategyContext'] },
  { title: 'Handlers', file: 'strategy/handlers.ts', names: ['StrategyHandlers', 'Outage'] },
  { title: 'market', file: 'strategy/context.ts', names: ['Market'] },
  { title: 'Books', file: 'model/market.ts', names: ['BookView', 'Level', 'BookStatus'] },
  { title: 'Trades', file: 'model/market.ts', names: ['MarketTrade'] },
  { title: 'Tickers', file: 'model/market.ts', names: ['Ticker'] },
  { title: 'Candles', file: 'model/market.ts', names: ['Candle'] },
  {
    title: 'orders',
    file: 'strategy/context.ts',
    names: [
      'Orders',
      'PlaceRequest',
      'OrderTerms',
      'QuantityTerms',
      'SpotOrderRequest',
      'MarginOrderRequest',
      'ClosePositionRequest',
      'PlaceListRequest',
      'ListedOrders',
      'ReplaceRequest',
    ],
  },
  {
    title: 'Orders as they stand',
    file: 'model/order.ts',
    names: ['Order', 'OrderRequest', 'ListPlace', 'OrderState', 'OrderType', 'TimeInForce'],
  },
  { title: 'Denials', file: 'model/denial.ts', names: ['Denial'] },
  { title: 'Fills', file: 'model/order.ts', names: ['Fill'] },
  { title: 'Positions', file: 'ledger/position.ts', names: ['Position'] },
  { title: 'Balances', file: 'strategy/context.ts', names: ['Balances'] },
  { title: 'One balance', file: 'model/market.ts', names: ['Balance', 'BuyingPower'] },
  { title: 'margin', file: 'strategy/context.ts', names: ['Margin', 'MarginSetting', 'CloseRequest'] },
  {
    title: 'Margin accounts and their positions',
    file: 'model/margin.ts',
    names: [
      'OpenMarginAccount',
      'MarginAccountView',
      'PositionView',
      'MarginMark',
      'MarginChange',
      'MarginAccountKey',
      'MarginMode',
      'MarginReason',
      'PositionAccount',
    ],
  },
  { title: 'What margin does', file: 'strategy/handlers.ts', names: ['FundingCharge', 'MarginRefusal'] },
  { title: 'Contracts', file: 'model/market-event.ts', names: ['ContractInfo'] },
  { title: 'Instruments', file: 'model/instrument.ts', names: ['Instrument', 'InstrumentSpec'] },
  {
    title: 'Timers',
    file: 'strategy/context.ts',
    names: ['StrategyTimers', 'StrategyTimerHandle'],
  },
  {
    title: 'Random numbers, log, kept state',
    file: 'strategy/context.ts',
    names: ['StrategyRandom', 'StrategyLog', 'KeptValue'],
  },
  { title: 'Feeds', file: 'strategy/feed-request.ts', names: ['FeedRequest'] },
  { title: 'Series', file: 'strategy/series-request.ts', names: ['SeriesRequest'] },
  { title: 'Rows of a series', file: 'model/series.ts', names: ['SeriesRow', 'SeriesValue'] },
];

const intro = `# What a strategy sees

Every field and call, made from the types that \`godwit/strategy\` exports by
\`npx node test/strategies/reference/generate.ts --write\`; a test fails when this page is not what the program prints.
[strategies.md](strategies.md) says how they are used.

\`Ticks\` and \`Lots\` are whole numbers of price steps and quantity steps, \`Micros\` microseconds since the epoch, \`Amount\` an exact
integer with 24 decimals (\`formatAmount\`, \`amountToNumber\`). \`A | undefined\` is a field that may have no value; a name with \`?\`
may be left out.
`;

/** The text of docs/reference.md. */
export function referencePage(): string {
  const sections = parts.map(({ title, file, names }) => {
    const source = readFileSync(new URL(`../../../src/core/${file}`, import.meta.url), 'utf8');
    return `## ${title}\n\n${names.map((name) => declarationText(source, name)).join('\n\n')}`;
  });
  return `${intro}\n${sections.join('\n\n')}\n`;
}

function declarationText(source: string, name: string): string {
  const found =
    new RegExp(
      String.raw`((?:/\*\*(?:[^*]|\*(?!/))*\*/\n)?)export (?:interface|class) ${name}\b([^{]*)\{\n([\s\S]*?)\n\}`,
    ).exec(source) ?? typeOf(source, name);
  if (found === null) throw new Error(`expected a declaration of ${name}, found none`);
  const [, comment = '', head = '', body = ''] = found;
  const base = / extends (\w+)\s*$/.exec(head)?.[1];
  const also = base === undefined || !isShown(base) ? '' : ` With all fields of \`${base}\`.`;
  const said = `${sentences(comment)}${also}`.trim();
  return [`### ${name}`, ...(said === '' ? [] : [said]), ...bodyText(body)].join('\n\n');
}

function isShown(name: string): boolean {
  return parts.some(({ names }) => names.includes(name));
}

/** A type that is a choice of values, or of shapes. */
function typeOf(source: string, name: string): RegExpExecArray | null {
  const found = new RegExp(
    String.raw`((?:/\*\*(?:[^*]|\*(?!/))*\*/\n)?)export type ${name} =()([\s\S]*?);\n(?=\n|export|$)`,
  ).exec(source);
  const list = /^ \(typeof (\w+)\)\[number\]$/.exec(found?.[3] ?? '')?.[1];
  if (list === undefined || found === null) return found;
  const values = new RegExp(
    String.raw`((?:/\*\*(?:[^*]|\*(?!/))*\*/\n)?)export const ${list} =()([\s\S]*?) as const;`,
  );
  return values.exec(source);
}

function bodyText(body: string): readonly string[] {
  const members = [...body.matchAll(member)]
    .map(([, comment = '', text = '']) => ({
      comment: sentences(comment || (/\/\*\*.*?\*\//.exec(text)?.[0] ?? '')),
      text: signature(text),
    }))
    .filter(({ text }) => text !== '');
  if (members.length === 0) return [`\`${plain(body).replace(/^\| /, '')}\``];
  const rows = members.map(({ comment, text }) => `| \`${cell(text)}\` | ${cell(briefOf(comment))} |`);
  const notes = members
    .filter(({ comment }) => briefOf(comment) !== comment)
    .map(({ comment, text }) => `- \`${nameOf(text)}\`: ${comment.slice(briefOf(comment).length + 1)}`);
  const table = ['| Field or call | What it is |', '|---|---|', ...rows].join('\n');
  return notes.length === 0 ? [table] : [table, notes.join('\n')];
}

const cellWordsMax = 30;

/** The first sentences of a comment that fit into a cell. The rest stands below the table. */
function briefOf(comment: string): string {
  const words = comment.split(' ');
  if (words.length <= cellWordsMax) return comment;
  const end = words.findLastIndex((word, at) => at < cellWordsMax && word.endsWith('.'));
  return end < 0 ? comment : words.slice(0, end + 1).join(' ');
}

/** The name alone of a field or call. */
function nameOf(text: string): string {
  return /^\w+/.exec(text)?.[0] ?? text;
}

/** A comment, if any, and the first line or lines of what it stands above, two spaces in. */
const member =
  /(?:^|\n)((?: {2}\/\*\*(?:[^*]|\*(?!\/))*\*\/\n)?) {2}((?:readonly |get )?[a-z]\w*\$?[?]?(?:<[^>\n]*>)?[(:][^\n]*(?:\n {4}[^\n]*\n {2}\};)?)/g;

/** A member as a caller sees it, without its body. Empty for the constructor. */
function signature(text: string): string {
  if (text.startsWith('constructor')) return '';
  return plain(text.replace(/ \{$/, '').replace(/^get (\w+)\(\)/, '$1')).replace(/;$/, '');
}

/** On one line, without comments and without `readonly`. */
function plain(text: string): string {
  return text
    .replaceAll(/\/\*\*(?:[^*]|\*(?!\/))*\*\//g, '')
    .replaceAll('readonly ', '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** A docstring without its stars and without the places of the venue's documents. */
function sentences(comment: string): string {
  return comment
    .replaceAll(/^\s*\/?\*+\/?|\*\/\s*$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?Source: [^.]*\.(?=\s|$)| ?Source: .*$/g, '')
    .trim();
}

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}
