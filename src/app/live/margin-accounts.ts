import type { Amount } from '../../core/base/amount.ts';
import { add, formatAmount, formatAmountFixed, zero } from '../../core/base/amount.ts';
import type { Instrument, InstrumentId, Instruments, Ticks } from '../../core/model/instrument.ts';
import type { OpenMarginAccount, PositionView } from '../../core/model/margin.ts';
import type { StateView } from '../../core/state/index.ts';

// What a session shows of margin accounts: those of symbols, and those of currencies with all their positions.

/** All that is held of an instrument, on spot and in margin accounts. */
export function heldOf(view: StateView, instrument: InstrumentId): Amount {
  return view
    .positions()
    .reduce((sum, one) => (one.instrument === instrument ? add(sum, one.held) : sum), zero);
}

/** A margin account in a few words: whose it is. */
export function accountName({ product, account }: OpenMarginAccount, instruments: Instruments): string {
  const { mode, instrument, currency } = account;
  const whose = instrument === undefined ? currency : instruments.at(instrument).symbol;
  return `${product} ${mode} ${whose}`;
}

/** A margin account as it stands, in one line. */
export function accountText({ account }: OpenMarginAccount, instruments: Instruments): string {
  const { balance, currency, positions, called } = account;
  const open = positions.map((position) => positionText(position, instruments.at(position.instrument)));
  const parts = [`balance ${formatAmount(balance)} ${currency}`, ...open, ...(called ? ['margin call'] : [])];
  return parts.join(', ');
}

function positionText(
  { quantity, entry, leverage, liquidation }: PositionView,
  instrument: Instrument,
): string {
  const { symbol, priceDecimals } = instrument;
  const size = `${symbol} ${formatAmount(quantity)} at ${formatAmountFixed(entry, priceDecimals)}`;
  const end = liquidation === undefined ? '' : `, liquidation at ${instrument.priceText(liquidation)}`;
  return `${size}, leverage ${formatAmount(leverage)}${end}`;
}

/** The accounts that hold margin for an instrument, as objects of plain text. */
export function accountsOf(
  view: StateView,
  instrument: Instrument,
): readonly Readonly<Record<string, unknown>>[] {
  return view.marginAccounts().flatMap(({ product, account }) => {
    const position = account.positions.find((one) => one.instrument === instrument.id);
    if (account.instrument !== instrument.id && position === undefined) return [];
    const { mode, currency, balance, reservedOrders, reservedPositions, called } = account;
    return [
      {
        product,
        mode,
        currency,
        balance: formatAmount(balance),
        reservedOrders: formatAmount(reservedOrders),
        reservedPositions: formatAmount(reservedPositions),
        marginCalled: called,
        position: position === undefined ? null : positionObject(position, instrument),
      },
    ];
  });
}

function positionObject(position: PositionView, instrument: Instrument): Readonly<Record<string, unknown>> {
  const price = (ticks: Ticks | undefined): string | null =>
    ticks === undefined ? null : instrument.priceText(ticks);
  const { quantity, entry, leverage, pnl, marginCall, liquidation } = position;
  const text = (amount: Amount): string => formatAmount(amount);
  return {
    quantity: text(quantity),
    entry: text(entry),
    leverage: text(leverage),
    profit: text(pnl),
    marginCall: price(marginCall),
    liquidation: price(liquidation),
  };
}
