import type { Amount } from '../base/amount.ts';
import { add, negate, subtract, zero } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import type { WalletName } from '../model/difference.ts';
import type { Event, OwnTrade } from '../model/event.ts';
import type { Instrument, InstrumentId, Instruments } from '../model/instrument.ts';
import type { MarginMode, PositionAccount } from '../model/margin.ts';
import type { Balance } from '../model/market.ts';
import type { MarginProductName } from '../model/product.ts';
import type { LedgerEntry } from './entry.ts';
import { chargedFee } from './printed.ts';

export const wallets: readonly WalletName[] = ['spot', 'futures'];

export function walletOf(product: MarginProductName | 'spot' | undefined): WalletName {
  return product === 'futures' ? 'futures' : 'spot';
}

/** What an event tells of the balances of a wallet. */
export interface ReportedBalances {
  readonly wallet: WalletName;
  readonly balances: readonly Balance[];
  /** Whether it tells of the whole wallet, and not of what has changed alone. */
  readonly complete: boolean;
}

/** The balances that a report or an answer to a read tells of; `undefined` of all other events. */
export function reportedBalances(event: Event): ReportedBalances | undefined {
  if (event.kind === 'balances') {
    const { wallet = 'spot', balances, complete } = event;
    return { wallet, balances, complete };
  }
  if (event.kind !== 'readAnswered' || event.what.of !== 'balances') return undefined;
  return { wallet: walletOf(event.what.product), balances: event.balances, complete: true };
}

/** The wallet that pays for what is traded of an instrument. */
export function walletPaying({ spec }: Instrument): WalletName {
  return spec.type === 'futures' ? 'futures' : 'spot';
}

/** Amount of a currency that one entry moved in a wallet, its margin accounts counted in. */
export interface WalletMove {
  readonly wallet: WalletName;
  readonly currency: string;
  /** Signed. */
  readonly amount: Amount;
  /** Time by the venue's clock. */
  readonly time: Micros;
  /** Position in a margin account that it belongs to. */
  readonly position?: { readonly instrument: InstrumentId; readonly mode: MarginMode } | undefined;
  /** Signed lots that the position changed by. */
  readonly lots: number;
  readonly isCharge: boolean;
  /** Whether the position was taken over as the venue has it: what its trades brought is not known. */
  readonly isAdopted?: true;
}

/** Amounts that an execution exchanged on spot, its fee left out; none on margin. */
export function exchangedBy(
  trade: OwnTrade,
  instrument: Instrument,
): readonly { readonly currency: string; readonly amount: Amount }[] {
  const { type, baseCurrency, quoteCurrency } = instrument.spec;
  if (type === 'futures' || trade.marginMode !== undefined) return [];
  const base = instrument.quantityAmount(trade.quantity);
  const quote = instrument.notional(trade.price, trade.quantity);
  const isBought = trade.side === 'buy';
  return [
    { currency: baseCurrency, amount: isBought ? base : negate(base) },
    { currency: quoteCurrency, amount: isBought ? negate(quote) : quote },
  ];
}

/** Moves of an entry in wallets. */
export function movesOf(entry: LedgerEntry, instruments: Instruments): readonly WalletMove[] {
  const still = { time: timeOf(entry), lots: 0, isCharge: false };
  switch (entry.kind) {
    case 'transfer':
    case 'unexplained':
      return [{ ...still, wallet: entry.wallet, currency: entry.currency, amount: entry.amount }];
    case 'fill':
    case 'settlement':
      return movesOfTrade(entry.trade, entry.realized, instruments);
    case 'correction': {
      const { trade, holds, realized } = entry;
      const taken = movesOfTrade(trade, zero, instruments).map((move) => ({
        ...move,
        amount: negate(move.amount),
        lots: -move.lots,
      }));
      return [...taken, ...(holds === undefined ? [] : movesOfTrade(holds, zero, instruments))].map(
        // Of a position what was realised changed by the difference, not each time.
        (move, index) =>
          index === 0 && move.position !== undefined ? { ...move, amount: add(move.amount, realized) } : move,
      );
    }
    case 'opening':
      return [
        {
          ...still,
          ...whereOf(entry, instruments),
          amount: entry.realized,
          lots: entry.lots,
          isAdopted: true,
        },
      ];
    case 'liquidation':
      return [{ ...still, ...whereOf(entry, instruments), amount: entry.amount }];
    case 'funding':
    case 'interest':
      return [{ ...still, ...whereOf(entry, instruments), amount: negate(entry.amount), isCharge: true }];
  }
}

function timeOf(entry: LedgerEntry): Micros {
  return 'trade' in entry ? entry.trade.time : entry.time;
}

/** The wallet, the currency and the position of what happened in a margin account. */
function whereOf(
  { instrument, account }: { readonly instrument: InstrumentId; readonly account: PositionAccount },
  instruments: Instruments,
): Pick<WalletMove, 'wallet' | 'currency' | 'position'> {
  const traded = instruments.at(instrument);
  const position = account === 'spot' ? undefined : { instrument, mode: account };
  return { wallet: walletPaying(traded), currency: traded.spec.quoteCurrency, position };
}

/** Moves of an execution. `realized`: of a position, fee left out. */
export function movesOfTrade(
  trade: OwnTrade,
  realized: Amount,
  instruments: Instruments,
): readonly WalletMove[] {
  const { instrument: id, marginMode: account, time, side, quantity } = trade;
  const instrument = instruments.at(id);
  const fee = chargedFee(instrument, trade);
  if (account === undefined) {
    const still = { wallet: walletPaying(instrument), time, lots: 0, isCharge: false };
    const exchanged = exchangedBy(trade, instrument).map((one) => ({ ...still, ...one }));
    return [...exchanged, { ...still, currency: instrument.spec.feeCurrency, amount: negate(fee) }];
  }
  const lots = side === 'buy' ? quantity : -quantity;
  const where = whereOf({ instrument: id, account }, instruments);
  return [{ ...where, time, isCharge: false, amount: subtract(realized, fee), lots }];
}
