import type { Amount } from '../../core/base/amount.ts';
import { add, formatAmount, negate, subtract, zero } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import { timeText } from '../../core/base/clock.ts';
import { cutOf } from '../../core/ledger/index.ts';
import type { OwnTrade } from '../../core/model/event.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { WalletName } from '../../core/model/difference.ts';
import { executionKey, walletKey } from '../../core/model/difference.ts';
import { noReach, partWithin } from './before-opening.ts';
import type { MarginSums, SessionAccount, Sums } from './session-account.ts';
import { addTo, clockSlack, tradeMoves } from './session-account.ts';
import type { VenueAccount } from './venue-account.ts';

/** An execution as one side has it. */
export interface FillSide {
  readonly price: string;
  readonly quantity: string;
  readonly fee: string;
}

/** An execution on both sides. */
export interface AuditedFill {
  readonly time: Micros;
  readonly symbol: string;
  readonly orderId: string;
  readonly tradeId: string;
  readonly side: string;
  readonly journal: FillSide | null;
  readonly venue: FillSide | null;
  /** Difference in words. */
  readonly difference: string | null;
}

/** A currency from the first balances to the last, by the trades of one source. */
export interface AuditedBalance {
  /** Source of trades and closing balance: the journal, or the venue. */
  readonly source: 'journal' | 'venue';
  readonly wallet: WalletName;
  readonly currency: string;
  readonly opening: string;
  readonly traded: string;
  /** Profit that closed positions of margin accounts brought. */
  readonly realized: string;
  readonly fees: string;
  /** Funding and interest. */
  readonly charges: string;
  readonly transfers: string;
  readonly expected: string;
  readonly closing: string;
  /** Part of closing less expected that digits explain which the venue keeps and does not print. */
  readonly rounding: string;
  /** Part of it that was before the opening balances, and was booked together with what came after them. */
  readonly before: string;
  /** The rest of it. */
  readonly difference: string;
}

/** Lays the executions of a session beside the trade history, where there is one. */
export function compareFills(
  journal: SessionAccount,
  venue: VenueAccount | undefined,
): readonly AuditedFill[] {
  const { instruments, fills, end, openedAt } = journal;
  const keyed = (trades: readonly OwnTrade[]): ReadonlyMap<string, OwnTrade> =>
    new Map(trades.map((one) => [`${one.instrument} ${one.tradeId} ${one.clientOrderId}`, one]));
  const ours = keyed(fills);
  if (venue === undefined)
    return [...ours.values()].map((fill) => ({ ...rowOf(instruments, fill, undefined), difference: null }));
  const theirs = keyed(venue.trades);
  const begin = Math.min(...openedAt.values());
  const rows: AuditedFill[] = [];
  for (const [key, fill] of ours) rows.push(rowOf(instruments, fill, theirs.get(key)));
  for (const [key, trade] of theirs) {
    if (ours.has(key) || trade.time < begin || trade.time > end) continue;
    rows.push(rowOf(instruments, undefined, trade));
  }
  return rows.toSorted((one, other) => one.time - other.time);
}

function rowOf(
  instruments: Instruments,
  ours: OwnTrade | undefined,
  theirs: OwnTrade | undefined,
): AuditedFill {
  const { instrument: id, time, clientOrderId: orderId, tradeId, side } = (ours ?? theirs) as OwnTrade;
  const instrument = instruments.at(id);
  const sideOf = (one: OwnTrade | undefined): FillSide | null =>
    one === undefined
      ? null
      : {
          price: instrument.priceText(one.price),
          quantity: instrument.quantityText(one.quantity),
          fee: formatAmount(one.fee),
        };
  const [journal, venue] = [sideOf(ours), sideOf(theirs)];
  const difference = differenceOf(journal, venue);
  return { time, symbol: instrument.symbol, orderId, tradeId, side, journal, venue, difference };
}

function differenceOf(journal: FillSide | null, venue: FillSide | null): string | null {
  if (venue === null) return 'in the journal, and not in the trade history';
  if (journal === null) return 'in the trade history, and not in the journal';
  const names = (['price', 'quantity', 'fee'] as const).filter((name) => journal[name] !== venue[name]);
  if (names.length === 0) return null;
  return names
    .map((name) => `${name} ${journal[name]} in the journal, ${venue[name]} in the trade history`)
    .join('; ');
}

/** Opening balances and what the trades of a source moved, against its closing balances, by currency. */
export function compareBalances(
  journal: SessionAccount,
  venue: VenueAccount | undefined,
  transfers: Sums,
): readonly AuditedBalance[] {
  const { fills, closing, seenAt, moved } = journal;
  const named = new Map(moved);
  for (const [key, amount] of transfers) addTo(named, key, amount);
  if (venue === undefined) {
    // A transfer may have come after the session, and is not in its balances then. Nor need a trade of about the last report be, by its time.
    const last = { source: 'journal', closing, trades: fills, until: seenAt } as const;
    const all = { ...last, until: undefined };
    return agreeing(
      [moved, named].flatMap((sums) => [
        ...readingsOf(journal, sums, last),
        ...readingsOf(journal, sums, all),
      ]),
    );
  }
  // A transfer that is named may be booked already.
  const source = { source: 'venue', closing: venue.now, trades: venue.trades, until: undefined } as const;
  return agreeing([named, moved].flatMap((sums) => readingsOf(journal, sums, source)));
}

/** Times within the distance of the clocks that are tried at most. */
const beginsMax = 16;

/** The same rows, by what may have been when. */
type Readings = readonly (readonly AuditedBalance[])[];

/**
 * Readings of what was about the time of the opening balances, and may be in them or not: by its time, by when it was reported, or by both, as one was
 * reported late and the clock was not measured yet when another came; or the balances were taken between two of them. What was taken over from the venue may
 * have moved before them, and so may a charge that looks alone showed.
 */
function readingsOf(journal: SessionAccount, transfers: Sums, source: Source): Readings {
  const { heard } = journal;
  const known = new Set(journal.fills.map(executionKey));
  // One that was never reported is placed by its time alone.
  const wasReported = (trade: OwnTrade, begin: Micros): boolean =>
    known.has(executionKey(trade)) ? heard.fills.has(executionKey(trade)) : trade.time > begin;
  const isBoth = (trade: OwnTrade, begin: Micros): boolean => wasReported(trade, begin) && trade.time > begin;
  return [
    ...adoptedOrNot(journal, (margin) => rowsOf({ ...journal, margin }, transfers, source)),
    ...adoptedOrNot(heard, (margin) => rowsOf({ ...journal, margin }, transfers, source, wasReported)),
    ...[journal, heard].flatMap((sums) =>
      adoptedOrNot(sums, (margin) => rowsOf({ ...journal, margin }, transfers, source, isBoth)),
    ),
    ...beginsOf(journal).flatMap((time) =>
      adoptedOrNot(journal, (margin) =>
        rowsOf({ ...journal, margin }, transfers, source, (trade) => trade.time > time),
      ),
    ),
  ];
}

/** Times of trades at which the opening balances may have been taken: the clock of the venue is known to a second or so. */
function beginsOf({ fills, openedAt }: SessionAccount): readonly Micros[] {
  const isNear = (time: Micros): boolean =>
    openedAt.values().some((begin) => Math.abs(time - begin) < clockSlack);
  const times = new Set(fills.map(({ time }) => time).filter(isNear));
  return [...times].toSorted((one, other) => one - other).slice(0, beginsMax);
}

function adoptedOrNot(
  { margin }: { readonly margin: MarginSums },
  rows: (margin: MarginSums) => readonly AuditedBalance[],
): Readings {
  const { realized, adopted, charges, derived } = margin;
  const withAndWithout = (sums: Sums, part: Sums): readonly Sums[] => {
    if (part.size === 0) return [sums];
    const rest = new Map(sums);
    for (const [key, amount] of part) addTo(rest, key, negate(amount));
    return [sums, rest];
  };
  return withAndWithout(charges, derived).flatMap((charged) =>
    withAndWithout(realized, adopted).map((brought) =>
      rows({ ...margin, realized: brought, charges: charged }),
    ),
  );
}

/** Each row by the first reading that agrees, those first in which nothing is of before the opening balances; by the first one where none agrees. */
function agreeing(readings: Readings): readonly AuditedBalance[] {
  const [rows = [], ...others] = readings;
  return rows.map((row) => {
    const all = [row, ...others.flat().filter((one) => isSame(one, row))];
    const agree = all.filter(({ difference }) => difference === '0');
    return agree.find(({ before }) => before === '0') ?? agree[0] ?? row;
  });
}

function isSame(one: AuditedBalance, other: AuditedBalance): boolean {
  return one.wallet === other.wallet && one.currency === other.currency;
}

interface Source {
  readonly source: AuditedBalance['source'];
  readonly closing: Sums;
  readonly trades: readonly OwnTrade[];
  /** Time up to which trades on spot are in the closing balance, by currency; all are where that is left out, and those of margin accounts. */
  readonly until: ReadonlyMap<string, Micros> | undefined;
}

/** `isAfter`: whether a trade is not in the opening balances; by its time when left out. */
function rowsOf(
  journal: SessionAccount,
  transfers: Sums,
  source: Source,
  isAfter = (trade: OwnTrade, begin: Micros): boolean => trade.time > begin,
): readonly AuditedBalance[] {
  const { openedAt, opening, margin, instruments } = journal;
  const moves = (key: string, begin: Micros): ReturnType<typeof tradeMoves> => {
    const until = source.until?.get(key) ?? Infinity;
    const within = source.trades.filter(
      (trade) => isAfter(trade, begin) && (trade.marginMode !== undefined || trade.time <= until),
    );
    return tradeMoves(within, instruments);
  };
  const keys = new Set([...opening.keys(), ...source.closing.keys()]);
  return [...keys].flatMap((key): AuditedBalance[] => {
    const [wallet, currency] = key.split(' ') as [WalletName, string];
    const begin = openedAt.get(wallet);
    if (begin === undefined) return [];
    const { traded, fees } = moves(key, begin);
    const of = (sums: Sums): Amount => sums.get(key) ?? zero;
    const paid = of(fees);
    const gained = add(add(of(traded), of(margin.realized)), of(transfers));
    const expected = subtract(add(of(opening), gained), add(paid, of(margin.charges)));
    const closing = of(source.closing);
    if (of(opening) === zero && closing === zero && expected === zero) return [];
    const between = subtract(closing, expected);
    const cuts = margin.cuts.get(key);
    const whole = cutOf(between, expected, cuts);
    const before = partWithin(subtract(between, whole), journal.before.get(key) ?? noReach);
    const left = subtract(between, before);
    const rounding = cutOf(left, expected, cuts);
    return [
      {
        source: source.source,
        wallet,
        currency,
        opening: formatAmount(of(opening)),
        traded: formatAmount(of(traded)),
        realized: formatAmount(of(margin.realized)),
        fees: formatAmount(paid),
        charges: formatAmount(of(margin.charges)),
        transfers: formatAmount(of(transfers)),
        expected: formatAmount(expected),
        closing: formatAmount(closing),
        rounding: formatAmount(rounding),
        before: formatAmount(before),
        difference: formatAmount(subtract(left, rounding)),
      },
    ];
  });
}

/** Everything that does not agree, one sentence each. */
export function differencesOf(
  journal: SessionAccount,
  fills: readonly AuditedFill[],
  balances: readonly AuditedBalance[],
): readonly string[] {
  return [
    ...(journal.openedAt.size === 0
      ? ['the journal holds no opening balances: what the account came to cannot be compared']
      : []),
    ...fills.flatMap(({ difference, symbol, tradeId, orderId, time }) =>
      difference === null
        ? []
        : [`trade ${tradeId} of ${orderId} on ${symbol}, ${timeText(time)}: ${difference}`],
    ),
    ...balances.flatMap((row) =>
      row.difference === '0'
        ? []
        : [
            `${row.currency} of the ${row.wallet} wallet: ${row.closing} by the ${row.source}, ${row.expected} expected, ${row.difference} between`,
          ],
    ),
  ];
}

/** Sentences on what was before the opening balances and explains a part of a balance. */
export function beforeOf({ before }: SessionAccount, balances: readonly AuditedBalance[]): readonly string[] {
  return balances.flatMap((row) => {
    const { least, most } = before.get(walletKey(row.wallet, row.currency)) ?? noReach;
    return row.before === '0'
      ? []
      : [
          `${row.before} ${row.currency}, ${row.wallet} wallet, by the ${row.source}: it moved before the opening balances and was booked later, as part of charges, unexplained money or corrections, by which it may be from ${formatAmount(least)} to ${formatAmount(most)}`,
        ];
  });
}

/** Transfers into the wallet of spot, as they were named. */
export function transfersOf(named: readonly (readonly [currency: string, amount: Amount])[]): Sums {
  return new Map(named.map(([currency, amount]) => [walletKey('spot', currency), amount]));
}
