import { expect } from 'vitest';
import { auditCommand } from '../../../src/app/audit/command.ts';
import { SessionFold } from '../../../src/app/live/session-fold.ts';
import { instrumentsOfHeader } from '../../../src/app/run/journal-header.ts';
import type { Amount } from '../../../src/core/base/amount.ts';
import {
  add,
  formatAmount,
  formatAmountFixed,
  multiply,
  parseAmount,
  subtract,
  zero,
} from '../../../src/core/base/amount.ts';
import { Decimal } from '../../../src/core/base/decimal.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { lastRunIn, readHeader, readJournal } from '../../../src/core/journal/replay.ts';
import type { Status } from '../../../src/operate/schemas.ts';
import type { BalanceRow } from '../../../src/operate/views/balances.ts';
import type { HeldRow } from '../../../src/operate/views/positions.ts';
import type { DayRow } from '../../../src/operate/views/days.ts';
import type { ProfitRow } from '../../../src/operate/views/profits.ts';
import type { MarginRow } from '../../../src/operate/views/margin.ts';
import type { ReportDocument } from '../../../src/research/report/document/document.ts';
import type { RunReport } from '../../../src/research/report/sections/run.ts';
import { runReport } from '../../../src/research/report/sections/run.ts';
import { readReport } from '../../../src/research/report/stored.ts';
import type { Followed } from './followed.ts';
import type { Stage } from './stage.ts';
import type { VenueRecord, VenueTrade } from './venue-record.ts';
import { plain, tradedBy } from './venue-record.ts';

// Each place that tells of money, brought into one form: facts by name, as decimal text. Facts that begin with "session" are of the
// session alone; all others are of the account, from any session.

export type Facts = Readonly<Record<string, string>>;

/** What a place says. */
export interface Teller {
  readonly name: string;
  readonly facts: Facts;
  /** Which facts it has to tell. */
  readonly tells: RegExp;
  /** It tells numbers as doubles: they are compared as such. */
  readonly doubles?: boolean;
}

class Sums {
  readonly #sums = new Map<string, Amount>();

  /** A double counts as its shortest text. */
  add(name: string, amount: string | number | Amount): void {
    const text = typeof amount === 'number' ? new Decimal(amount).toFixed() : amount;
    const more = typeof text === 'string' ? parseAmount(text) : text;
    this.#sums.set(name, add(this.#sums.get(name) ?? zero, more));
  }

  get facts(): Facts {
    return Object.fromEntries([...this.#sums].map(([name, sum]) => [name, formatAmount(sum)]));
  }
}

/** What is said while the session runs: lists over HTTP, status line as JSON and as text, metrics. */
export async function liveTellers(followed: Followed): Promise<readonly Teller[]> {
  const list = async <Row>(path: string): Promise<readonly Row[]> =>
    JSON.parse(await followed.ask(`/api/${path}`)) as readonly Row[];
  const held = await list<HeldRow>('positions');
  const status = JSON.parse(await followed.ask('/api/status')) as Status;
  const { json, text } = followed.second();
  // Symbols on which nothing is held or live any more have no row, unless a strategy declares them first.
  const shown = json.map(({ symbol }) => symbol).join('|');
  const position = '\\S+ (?:spot|isolated|cross) position';
  const balance = '(?:spot|futures) \\S+ (?:available|reserved)';
  return [
    {
      name: 'positions',
      facts: positionFacts(held),
      tells: /^\S+ (spot|isolated|cross) (position|fees|charges)$|^profit/,
    },
    {
      name: 'balances',
      facts: balanceFacts(await list<BalanceRow>('balances')),
      tells: new RegExp(`^${balance}$`),
    },
    { name: 'margin', facts: marginFacts(await list<MarginRow>('margin')), tells: marginNoted },
    { name: 'status', facts: statusFacts(status), tells: /^own profit/, doubles: true },
    { name: 'profits', facts: profitsFacts(await list<ProfitRow>('profits')), tells: /^(own )?profit/ },
    { name: 'days', facts: daysFacts(await list<DayRow>('days')), tells: /^profit/ },
    {
      name: 'metrics',
      facts: metricFacts(await followed.ask('/metrics')),
      tells: new RegExp(`^(${position}|${balance}|profit .*)$`),
      doubles: true,
    },
    {
      name: 'status line as JSON',
      facts: Object.fromEntries(
        json.flatMap(({ symbol, position, sessionPosition, fills, marginAccounts = [] }) => [
          [`${symbol} held`, plain(position)],
          [`${symbol} of the session position`, plain(sessionPosition)],
          [`${symbol} of the session fills`, String(fills)],
          ...marginAccounts.flatMap((account) => jsonAccount(symbol, account)),
        ]),
      ),
      tells: new RegExp(`^\\S+ held$|^(${shown}) of the session (position|fills)$|${marginNoted.source}`),
    },
    {
      name: 'profit of the status line as JSON',
      facts: Object.fromEntries(json.map(({ profit }) => ['session profit USDT', String(profit)])),
      tells: /^session profit USDT$/,
      doubles: true,
    },
    {
      name: 'status line as text',
      facts: textFacts(text),
      tells: new RegExp(`^\\S+ held$|^(${shown}) of the session fills$|^session profit USDT to`),
    },
  ];
}

const marginNoted =
  /^(margin|futures) (isolated|cross) \S+ (balance|orders|required|\S+ (quantity|entry|leverage))$/;
const sessionNoted = 'session \\S+ \\S+ (?:fills|position|fees|charges)|session profit \\S+';
const standing = '\\S+ held|.* in words';

/** What is said when the session has ended: its report, the stored one, the one of its journal, and the audit. */
export async function endTellers(stage: Stage, report: RunReport): Promise<readonly Teller[]> {
  const { directory } = stage.config.run;
  return [
    {
      name: 'report',
      facts: { ...reportFacts(report), ...profitFacts(report), ...accountFacts(report) },
      tells: new RegExp(`^(${sessionNoted}|session \\S+ \\S+ cash|${standing})$`),
    },
    {
      name: 'report.json',
      facts: documentFacts(readReport(directory)),
      // A table by account there is of margin alone.
      tells: new RegExp(
        report.margin === undefined
          ? `^(session profit \\S+|${standing})$`
          : `^(${sessionNoted}|${standing})$`,
      ),
    },
    {
      name: 'report of the journal',
      facts: reportFacts(journalReport(directory)),
      tells: /^session \S+ (spot|isolated|cross) (fills|position|cash|fees|charges)$/,
    },
    {
      name: 'audit',
      facts: await auditFacts(stage),
      tells: /^\S+ \S+ in all$|of the audit$/,
    },
  ];
}

function positionFacts(rows: readonly HeldRow[]): Facts {
  const sums = new Sums();
  for (const { symbol, account, quantity, fees, charges, profit, currency } of rows) {
    sums.add(`${symbol} ${account} position`, quantity);
    sums.add(`${symbol} ${account} fees`, fees);
    sums.add(`${symbol} ${account} charges`, charges);
    if (profit !== null) sums.add(`profit ${currency}`, profit);
  }
  return sums.facts;
}

function balanceFacts(rows: readonly BalanceRow[]): Facts {
  return Object.fromEntries(
    rows
      // Margin accounts have their own list.
      .filter(
        ({ account, available, reserved }) => account === null && (available !== '0' || reserved !== '0'),
      )
      .flatMap(({ wallet, currency, available, reserved }) => [
        [`${wallet} ${currency} available`, available],
        [`${wallet} ${currency} reserved`, reserved],
      ]),
  );
}

function marginFacts(rows: readonly MarginRow[]): Facts {
  return Object.fromEntries(
    rows.flatMap(({ product, mode, symbol, currency, balance, positions, ...row }) => {
      const name = `${product} ${mode} ${symbol ?? currency}`;
      return [
        [`${name} balance`, balance],
        [`${name} orders`, row.reservedOrders],
        [`${name} required`, row.reservedPositions],
        ...positions.flatMap((one) => [
          [`${name}: ${one.symbol} quantity`, one.quantity],
          [`${name}: ${one.symbol} entry`, one.entry],
          [`${name}: ${one.symbol} leverage`, one.leverage],
        ]),
      ] as const;
    }),
  );
}

function jsonAccount(symbol: string, account: Readonly<Record<string, unknown>>): [string, string][] {
  const { product, mode, currency, balance, reservedOrders, reservedPositions } = account;
  const { position } = account as { readonly position: Readonly<Record<string, string>> | null };
  const name = `${String(product)} ${String(mode)} ${mode === 'isolated' ? symbol : String(currency)}`;
  return [
    [`${name} balance`, String(balance)],
    [`${name} orders`, String(reservedOrders)],
    [`${name} required`, String(reservedPositions)],
    ...(position === null
      ? []
      : ['quantity', 'entry', 'leverage'].map((one): [string, string] => [
          `${name}: ${symbol} ${one}`,
          position[one] ?? '',
        ])),
  ];
}

function statusFacts({ strategies }: Status): Facts {
  const sums = new Sums();
  for (const { profit } of strategies)
    for (const [currency, amount] of Object.entries(profit)) sums.add(`own profit ${currency}`, amount);
  return sums.facts;
}

function profitsFacts(rows: readonly ProfitRow[]): Facts {
  const sums = new Sums();
  for (const { strategy, currency, profit } of rows) {
    if (profit === null) continue;
    if (strategy === null) sums.add(`profit ${currency}`, profit);
    else if (strategy !== 'external') sums.add(`own profit ${currency}`, profit);
  }
  return sums.facts;
}

/** The days of a run come to its profit. */
function daysFacts(rows: readonly DayRow[]): Facts {
  const sums = new Sums();
  for (const { currency, profit } of rows) sums.add(`profit ${currency}`, profit);
  return sums.facts;
}

function metricFacts(text: string): Facts {
  const sums = new Sums();
  for (const [, name, labels = '', value] of text.matchAll(/^(godwit_\w+)\{([^}]*)\} (\S+)$/gm)) {
    const label = Object.fromEntries(
      [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, of]) => [key, of]),
    );
    const fact = {
      godwit_position: `${label['symbol']} ${label['account']} position`,
      godwit_profit: `profit ${label['currency']}`,
      godwit_balance: `${label['wallet']} ${label['currency']} available`,
      godwit_balance_reserved: `${label['wallet']} ${label['currency']} reserved`,
    }[name ?? ''];
    if (fact !== undefined) sums.add(fact, Number(value));
  }
  return sums.facts;
}

/** Columns: time, symbol, mid, position, open, profit, orders, fills. */
function textFacts(lines: readonly string[]): Facts {
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [time = '', symbol = '', , position = '', , profit = '', , fills = ''] = line.trim().split(/ +/);
      if (!/^\d\d:\d\d:\d\d$/.test(time)) return [];
      return [
        [`${symbol} held`, plain(position)],
        [`${symbol} of the session fills`, fills],
        ['session profit USDT to 4 decimals', profit],
      ];
    }),
  );
}

function reportFacts({ instruments }: RunReport): Facts {
  return Object.fromEntries(
    instruments.flatMap(({ symbol, account = 'spot', fills, position, cash, fees, charges = '0' }) => [
      [`session ${symbol} ${account} fills`, String(fills)],
      [`session ${symbol} ${account} position`, position],
      [`session ${symbol} ${account} cash`, cash],
      [`session ${symbol} ${account} fees`, fees],
      [`session ${symbol} ${account} charges`, charges],
    ]),
  );
}

function profitFacts({ results }: RunReport): Facts {
  return Object.fromEntries(results.map(({ currency, profit }) => [`session profit ${currency}`, profit]));
}

function accountFacts({ account }: RunReport): Facts {
  return Object.fromEntries([
    ...(account?.positions ?? []).map(({ symbol, position }) => [`${symbol} held`, plain(position)]),
    ...(account?.marginAccounts ?? []).map(({ name, state }) => [`${name} in words`, steadyWords(state)]),
  ]);
}

function documentFacts({ sections }: ReportDocument): Facts {
  const facts: [string, string][] = [];
  const tables = sections.flatMap((section) => section.tables);
  const rows = tables.find(({ title }) => title === 'Positions by account')?.rows ?? [];
  for (const [symbol, account, fills = '', position = '', , , fees = '', charges = ''] of rows)
    facts.push(
      [`session ${symbol} ${account} fills`, fills],
      [`session ${symbol} ${account} position`, plain(position)],
      [`session ${symbol} ${account} fees`, fees],
      [`session ${symbol} ${account} charges`, charges],
    );
  for (const { key, label, value = '', group } of sections.flatMap((section) => section.figures)) {
    const [amount = '', currency = ''] = value.split(' ');
    if (key === 'return.profit') facts.push([`session profit ${group ?? currency}`, amount]);
    if (key.startsWith('account.position-'))
      facts.push([`${label.slice('position '.length)} held`, plain(amount)]);
    if (key.startsWith('account.margin-account-'))
      facts.push([`${label.slice('margin account '.length)} in words`, steadyWords(value)]);
  }
  return Object.fromEntries(facts);
}

/** The price of a liquidation moves with the market, without a report. */
function steadyWords(state: string): string {
  return state.replaceAll(/, liquidation at [\d.]+/g, '');
}

function journalReport(directory: string): RunReport {
  const { instruments } = instrumentsOfHeader(readHeader(directory));
  const fold = new SessionFold(instruments);
  const from = lastRunIn(directory);
  for (const { event } of readJournal(directory, from && { from })) fold.observe(event);
  fold.endSession();
  return runReport(fold.summary, { identity: {} });
}

async function auditFacts(stage: Stage): Promise<Facts> {
  const key = stage.exchange.accounts.get('demo').keys[0];
  const said: string[] = [];
  const code = await auditCommand({
    config: stage.config,
    environment: { KEY: key?.apiKey, SECRET: key?.secret.reveal() },
    clock: new SystemClock(),
    journal: undefined,
    transfers: [],
    exportTo: undefined,
    output: { data: (line) => void said.push(line), progress: () => {}, colour: false },
    json: true,
  });
  const { differences, balances } = JSON.parse(said.join('')) as {
    readonly differences: readonly string[];
    readonly balances: readonly { wallet: string; currency: string; closing: string }[];
  };
  return {
    'code of the audit': String(code),
    'differences of the audit': differences.join('; '),
    ...Object.fromEntries(
      balances.map(({ wallet, currency, closing }) => [`${wallet} ${currency} in all`, closing]),
    ),
  };
}

/** What the exchange's histories do not show, and what is to be read of them. */
export interface VenueSetting {
  /** Executions that there were when the session began. */
  readonly before: number;
  /** Whether an order is of the strategies, or closed what they held. */
  readonly isOwn: (order: string) => boolean;
  /** What was taken as funding and interest, by symbol and account. */
  readonly charged?: ReadonlyMap<string, Charged>;
  /** Losses of executions that the exchange did not take. */
  readonly forgiven?: ReadonlyMap<string, Charged>;
  /** Middle of the book of a symbol. */
  readonly middle: (symbol: string) => Amount;
  /** Fees of spot symbols are in their quote currency, their base currency, or a third one. */
  readonly feesIn?: 'quote' | 'base' | 'third';
}

/** An amount by whose position it was of: anyone's, the strategies', and the strategies' in this session. */
export interface Charged {
  readonly all: string;
  readonly own: string;
  readonly session: string;
}

/** What the exchange's record comes to, in the names of the tellers. */
export function venueFacts(record: VenueRecord, setting: VenueSetting): Facts {
  const trades = netOf(record.trades, setting);
  const { isOwn, before } = setting;
  const all = tradedBy(trades);
  const own = tradedBy(trades.filter(({ order }) => isOwn(order)));
  const session = tradedBy(trades.slice(before).filter(({ order }) => isOwn(order)));
  const facts: [string, string][] = [];
  for (const [name, { quantity, fees }] of all)
    facts.push(
      [`${name} position`, formatAmount(quantity)],
      [`${name} fees`, formatAmount(fees)],
      [`${name} charges`, setting.charged?.get(name)?.all ?? '0'],
    );
  for (const [name, { fills, quantity, cash, fees }] of session)
    facts.push(
      [`session ${name} fills`, String(fills)],
      [`session ${name} position`, formatAmount(quantity)],
      [`session ${name} cash`, formatAmount(cash)],
      [`session ${name} fees`, formatAmount(fees)],
    );
  for (const [name, { session: charges }] of setting.charged ?? [])
    facts.push([`session ${name} charges`, charges]);
  const gained = profitOf(session, 'session', setting);
  facts.push(
    ['profit USDT', formatAmount(profitOf(all, 'all', setting))],
    ['own profit USDT', formatAmount(profitOf(own, 'own', setting))],
    ['session profit USDT', formatAmount(gained)],
    ['session profit USDT to 4 decimals', formatAmountFixed(gained, 4)],
    ['code of the audit', '0'],
    ['differences of the audit', ''],
  );
  return { ...Object.fromEntries(facts), ...bySymbol(session), ...moneyFacts({ ...record, trades }) };
}

type Traded = ReturnType<typeof tradedBy>;

/** What trades on spot left: a fee in base currency is less of what was bought, and goes with what was sold. */
function netOf(trades: readonly VenueTrade[], { feesIn }: VenueSetting): readonly VenueTrade[] {
  if (feesIn !== 'base') return trades;
  return trades.map((trade) =>
    trade.account === 'spot' ? { ...trade, held: subtract(trade.quantity, trade.fee) } : trade,
  );
}

/** All accounts of a symbol together. */
function bySymbol(session: Traded): Facts {
  const sums = new Sums();
  for (const [name, { fills, quantity }] of session) {
    const [symbol = ''] = name.split(' ');
    sums.add(`${symbol} of the session position`, quantity);
    sums.add(`${symbol} of the session fills`, String(fills));
  }
  return sums.facts;
}

/** By what was paid, what is held at the middle, fees and charges: no average price is in it. */
function profitOf(traded: Traded, when: keyof Charged, setting: VenueSetting): Amount {
  const { charged, forgiven, middle, feesIn = 'quote' } = setting;
  let sum: Amount = zero;
  for (const [name, { quantity, cash, fees }] of traded) {
    const [symbol = '', account] = name.split(' ');
    const price = middle(symbol);
    sum = add(sum, add(cash, multiply(quantity, price)));
    if (feesIn === 'quote' || account !== 'spot') sum = subtract(sum, fees);
  }
  for (const { [when]: amount } of charged?.values() ?? []) sum = subtract(sum, parseAmount(amount));
  for (const { [when]: amount } of forgiven?.values() ?? []) sum = add(sum, parseAmount(amount));
  return sum;
}

function moneyFacts({ wallets, accounts, trades }: VenueRecord): Facts {
  const facts: [string, string][] = [];
  const sums = new Sums();
  for (const [name, { available, reserved }] of wallets) {
    facts.push([`${name} available`, formatAmount(available)], [`${name} reserved`, formatAmount(reserved)]);
    sums.add(`${name} in all`, add(available, reserved));
  }
  for (const { symbol, account, held } of trades) if (account === 'spot') sums.add(`${symbol} held`, held);
  for (const { name, currency, balance, orders, required, positions } of accounts) {
    sums.add(`${name.startsWith('futures') ? 'futures' : 'spot'} ${currency} in all`, balance);
    facts.push([`${name} balance`, balance], [`${name} orders`, orders], [`${name} required`, required]);
    const words = [`balance ${balance} ${currency}`];
    for (const { symbol, quantity, entry, leverage } of positions) {
      sums.add(`${symbol} held`, quantity);
      facts.push(
        [`${name}: ${symbol} quantity`, quantity],
        [`${name}: ${symbol} entry`, entry],
        [`${name}: ${symbol} leverage`, leverage],
      );
      const price = formatAmountFixed(parseAmount(entry), 2);
      words.push(`${symbol} ${quantity} at ${price}, leverage ${leverage}`);
    }
    facts.push([`${name} in words`, words.join(', ')]);
  }
  return { ...Object.fromEntries(facts), ...sums.facts };
}

/** All that each teller has to say it says, and nothing else, to the last digit. */
export function expectAgreed(tellers: readonly Teller[], truth: Facts): void {
  const said = Object.fromEntries(tellers.map((one) => [one.name, normal(one, one.facts)]));
  const expected = Object.fromEntries(
    tellers.map((one) => [
      one.name,
      normal(one, Object.fromEntries(Object.entries(truth).filter(([fact]) => one.tells.test(fact)))),
    ]),
  );
  expect(said).toEqual(expected);
}

/** Without what is zero, of which some places say nothing. */
function normal({ doubles = false }: Teller, facts: Facts): Facts {
  const kept = Object.entries(facts)
    .map(([fact, value]) => [fact, doubles ? String(Number(value)) : value] as const)
    .filter(([, value]) => value !== '0');
  return Object.fromEntries(kept);
}
