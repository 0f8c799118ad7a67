import type { Amount } from '../../src/core/base/amount.ts';
import { micros } from '../../src/core/base/clock.ts';
import { compareBalances, compareFills, differencesOf } from '../../src/app/audit/compare.ts';
import type { SessionAccount, Sums } from '../../src/app/audit/session-account.ts';
import { addAccount, addBalances, sessionAccountOf } from '../../src/app/audit/session-account.ts';
import type { ChargeFound, Event, OwnTrade, RunStarted } from '../../src/core/model/event.ts';
import type { Instruments } from '../../src/core/model/instrument.ts';
import { isFuturesAccount, isProductAccount } from '../../src/exchange/matching/accounts/command.ts';
import type { Breaches } from './breaches.ts';
import { accountAsRead } from './check-margin.ts';
import type { ExchangeMoney } from './exchange-money.ts';
import type { SimExchange } from './sim-exchange.ts';

export interface AuditParts {
  readonly exchange: SimExchange;
  readonly instruments: Instruments;
  readonly money: ExchangeMoney;
  readonly breaches: Breaches;
  /** Orders that nothing tells of. */
  readonly hidden: ReadonlySet<string>;
  /** Fees as the history reported them when it was read, by `keyOfTrade`. */
  readonly notedFees: ReadonlyMap<string, Amount>;
  /** Wallets and currencies that differ by what nothing is reported of yet: two looks, 90 s apart, have to show the same first. */
  readonly untold: ReadonlySet<string>;
}

/** The interface cuts amounts after twelve decimals. */
const printedUnit = 10n ** 12n;

/** I4, I18, once everything is quiet: `audit` of the last session and the exchange's own lists agree to the last digit. */
export function checkAudit(records: readonly Event[], parts: AuditParts): void {
  const { instruments, breaches, hidden } = parts;
  const first = records.findLastIndex(({ kind }) => kind === 'runStarted');
  if (first < 0) return;
  const journal: SessionAccount = {
    ...sessionAccountOf(
      records.slice(first).map((event) => ({ event })),
      instruments,
    ),
    started: records[first] as RunStarted,
    running: false,
    notes: [],
  };
  const venue = { venue: 'the exchange', trades: tradesOf(parts), now: moneyOf(parts) };
  // What somebody traded without a trace contradicts the exchange's own lists, until it is found to be unexplained.
  const balances =
    hidden.size > 0
      ? []
      : [...compareBalances(journal, undefined, new Map()), ...compareBalances(journal, venue, new Map())];
  const since = new Map<string, number>();
  /** Wallets and currencies in which fees of before the opening balances were corrected, as a history tells them and not as they were taken. */
  const corrected = new Set<string>();
  // What is booked of several causes at once has one time: money of before the opening balances may be together with what came after.
  const mixed = new Set([
    ...parts.untold,
    ...records.slice(first).flatMap((event) => {
      if (event.kind === 'chargeFound') return estimatedBefore(event, journal, since);
      if (event.kind === 'differenceFound') since.set(event.difference.key, event.difference.since);
      if (event.kind === 'executionCorrected') {
        const { cause, trade } = event.correction;
        const { type, feeCurrency } = instruments.at(trade.instrument).spec;
        const wallet = type === 'futures' ? 'futures' : 'spot';
        if (cause === 'fee' && trade.time <= (journal.openedAt.get(wallet) ?? 0))
          corrected.add(`${wallet} ${feeCurrency}`);
      }
      if (event.kind !== 'moneyMoved') return [];
      const { wallet, currency, time } = event.moved;
      const name = `${wallet} ${currency}`;
      return time <= (journal.openedAt.get(wallet) ?? 0) || corrected.has(name) ? [name] : [];
    }),
  ]);
  const clear = balances.filter(({ wallet, currency }) => !mixed.has(`${wallet} ${currency}`));
  for (const why of differencesOf(journal, compareFills(journal, venue), clear))
    breaches.add('I18', `audit: ${why}`);
}

/**
 * The wallet and currency of charges that were derived of a gap which began before the opening balances: only their sum is known, and how much of it was
 * taken until then is an estimate. `since`: when each difference was found.
 */
function estimatedBefore(
  { account, shares }: ChargeFound,
  { openedAt }: SessionAccount,
  since: ReadonlyMap<string, number>,
): readonly string[] {
  const wallet = account.product === 'futures' ? 'futures' : 'spot';
  const opened = openedAt.get(wallet) ?? 0;
  const found = since.get(`balance ${wallet} ${account.currency}`) ?? Infinity;
  const isBefore = found <= opened || shares.some(({ time }) => time <= opened);
  return isBefore ? [`${wallet} ${account.currency}`] : [];
}

/** Trade histories of all products. */
function tradesOf({ money, hidden, notedFees }: AuditParts): readonly OwnTrade[] {
  return [...money.trades].flatMap(([key, { instrument, side, clientOrderId, account, fill }]) =>
    hidden.has(clientOrderId)
      ? []
      : [
          {
            ...fill,
            fee: notedFees.get(key) ?? printed(fill.fee),
            // The interface prints milliseconds.
            time: micros(fill.time - (fill.time % 1_000)),
            instrument,
            side,
            clientOrderId,
            ...(account !== 'spot' && { marginMode: account }),
          } as OwnTrade,
        ],
  );
}

/** What wallets and margin accounts hold together now, as lists show it. */
function moneyOf({ exchange }: AuditParts): Sums {
  const now: Sums = new Map();
  const { core } = exchange.world;
  for (const owner of exchange.accounts) {
    const product = isFuturesAccount(owner) ? 'futures' : 'margin';
    if (!isProductAccount(owner) || product === 'futures')
      addBalances(
        now,
        isProductAccount(owner) ? 'futures' : 'spot',
        core.exchange
          .balances(owner)
          .map((row) => ({ ...row, available: printed(row.available), reserved: printed(row.reserved) })),
      );
    if (isProductAccount(owner))
      for (const account of core.exchange.marginAccounts(owner))
        addAccount(now, product, accountAsRead(exchange, account));
  }
  return now;
}

function printed(amount: Amount): Amount {
  return (amount - (amount % printedUnit)) as Amount;
}
