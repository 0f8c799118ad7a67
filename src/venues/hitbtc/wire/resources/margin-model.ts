import type { Amount } from '../../../../core/base/amount.ts';
import { subtract, zero } from '../../../../core/base/amount.ts';
import { BadInput } from '../../../../core/base/errors.ts';
import type { Instrument, Instruments, Ticks } from '../../../../core/model/instrument.ts';
import { marginReasons } from '../../../../core/model/margin.ts';
import type {
  MarginAccountView,
  MarginMark,
  MarginReason,
  MarginReportType,
  PositionView,
} from '../../../../core/model/margin.ts';
import type { MarginProductName } from '../../../../core/model/product.ts';
import type { RowOf, WireVersion } from '../resource.ts';
import { marginAccount, position as positions } from './margin.ts';
import { marginMembers } from './order.ts';

// Margin accounts and positions between the wire and the model: printed for either version, and read from v3.

/** How a margin mode is spelled: lower case for margin, with a capital for futures. Source: v3-gaps, section 2.5. */
export type ModeSpelling = 'lower' | 'capital';
export const spellingOf: Readonly<Record<MarginProductName, ModeSpelling>> = {
  margin: 'lower',
  futures: 'capital',
};

/** Why an account or a position is reported. */
interface Report {
  readonly reportType: MarginReportType;
  readonly reason: MarginReason;
}

/** Accounts and positions of a product as one version of the API prints them. */
export class MarginObjects {
  readonly #version: WireVersion;
  readonly #instruments: Instruments;
  readonly #spelling: ModeSpelling;

  constructor(version: WireVersion, instruments: Instruments, spelling: ModeSpelling = 'lower') {
    this.#version = version;
    this.#instruments = instruments;
    this.#spelling = spelling;
  }

  /** A position, with why it is reported where it is. */
  position(view: PositionView, report?: Report): object {
    const instrument = this.#instruments.at(view.instrument);
    return positions[this.#version].write(
      {
        ...view,
        id: String(view.id),
        symbol: instrument.symbol,
        marginMode: modeText(view.mode, this.#spelling),
        marginCall: view.marginCall ?? null,
        liquidation: view.liquidation ?? null,
        marginAuto: view.auto,
        reportType: report?.reportType,
        reportReason: report?.reason,
      },
      instrument,
    );
  }

  /** An account, with why it is reported where it is. */
  account(view: MarginAccountView, report?: Report): object {
    const { mode, instrument, currency } = view;
    const symbol = instrument === undefined ? currency : this.#instruments.at(instrument).symbol;
    const objects = view.positions.map((position) => this.position(position));
    return marginAccount[this.#version].write({
      symbol,
      isolatedSymbol: symbol,
      // Lower case also where `margin_mode` has a capital: recorded replies of both.
      type: mode,
      leverage: view.leverage ?? (this.#version === 'v2' ? zero : undefined),
      marginBalance: view.balance,
      marginBalanceOrders: view.reservedOrders,
      marginBalanceRequired: view.reservedPositions,
      createdAt: view.createdAt,
      updatedAt: view.updatedAt,
      currencies: [moneyOf(view)],
      positions: objects.length === 0 ? null : objects,
      position: objects[0],
      marginCall: view.called,
      marginAuto: view.auto,
      amr: view.amr,
      reportType: report?.reportType,
      reportReason: report?.reason,
    });
  }

  /** A change of an account. */
  report({ view, ...report }: Report & { readonly view: MarginAccountView }): object {
    return this.account(view, report);
  }

  /** Members that margin adds to an order of v3. Source: API v3, "Margin order". */
  orderMembers(margin: MarginMark | undefined): object {
    if (margin === undefined) return {};
    const { reduceOnly, closePosition, mode, auto } = margin;
    const marginMode = modeText(mode, this.#spelling);
    return marginMembers.v3.write({
      reduceOnly,
      closePosition,
      marginMode,
      ...(auto && { marginAuto: true }),
    });
  }
}

function moneyOf({ mode, currency, balance, ...view }: MarginAccountView) {
  const crossed = mode === 'cross';
  return {
    code: currency,
    marginBalance: notNegative(balance),
    reservedOrders: view.reservedOrders,
    reservedPositions: view.reservedPositions,
    marginCallMargin: crossed ? view.callMargin : undefined,
    liquidationMargin: crossed ? view.liquidationMargin : undefined,
    debtSum: crossed || balance < 0n ? notNegative(-balance as Amount) : undefined,
  };
}

function modeText(mode: string, spelling: ModeSpelling): string {
  return spelling === 'lower' ? mode : mode.charAt(0).toUpperCase() + mode.slice(1);
}

function notNegative(amount: Amount): Amount {
  return amount < 0n ? zero : amount;
}

/** An account of the trader, and why it was reported. */
export interface AccountReport {
  readonly reportType: MarginReportType;
  readonly reason: MarginReason;
  readonly account: MarginAccountView;
}

/** A position of the trader that was reported by itself, and why. */
export interface PositionReport extends Omit<AccountReport, 'account'> {
  readonly position: PositionView;
}

type PositionRow = RowOf<typeof positions.fields, 'v3'>;

/**
 * An account of v3: a row of a list, a reply, or a report of the trading socket. `undefined` when its symbol is not among
 * `instruments`; positions of other symbols are left out. What a venue does not show is 0: the margin of calls and of
 * liquidation of an isolated account. Throws `BadInput` naming the member.
 */
export function decodeMarginAccount(json: unknown, instruments: Instruments): AccountReport | undefined {
  const { type: mode, positions: rows = [], ...row } = marginAccount.v3.decode(json);
  const symbol = mode === 'isolated' ? row.symbol : undefined;
  const instrument = symbol === undefined ? undefined : instruments.find(symbol);
  if (mode === 'isolated' && instrument === undefined) return undefined;
  const money = row.currencies.find(({ code }) => code === row.symbol) ?? row.currencies[0];
  if (money === undefined)
    throw new BadInput('v3 margin account: member currencies: expected one, found none');
  const account: MarginAccountView = {
    mode,
    instrument: instrument?.id,
    currency: money.code,
    leverage: row.leverage,
    balance: subtract(money.marginBalance, money.debtSum ?? zero),
    reservedOrders: money.reservedOrders,
    reservedPositions: money.reservedPositions,
    callMargin: money.marginCallMargin ?? zero,
    liquidationMargin: money.liquidationMargin ?? zero,
    positions: rows.flatMap((position) => {
      const traded = instruments.find(position.symbol);
      return traded === undefined ? [] : [positionOf(position, traded, { mode, leverage: row.leverage })];
    }),
    called: row.marginCall ?? false,
    auto: row.marginAuto ?? false,
    amr: row.amr ?? false,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
  return { ...causeOf(row), account };
}

/** As `decodeMarginAccount`, of a position that is reported by itself. */
export function decodePosition(json: unknown, instruments: Instruments): PositionReport | undefined {
  const row = positions.v3.decode(json);
  const instrument = instruments.find(row.symbol);
  if (instrument === undefined) return undefined;
  const { marginMode: mode = 'isolated', leverage } = row;
  return { ...causeOf(row), position: positionOf(row, instrument, { mode, leverage }) };
}

/** Reads what margin adds to an order of v3; `undefined` of a spot order. */
export function decodeMarginMark(json: unknown): MarginMark | undefined {
  if (typeof json !== 'object' || json === null || !('margin_mode' in json)) return undefined;
  const { marginMode, reduceOnly, closePosition, marginAuto } = marginMembers.v3.decode(json);
  if (marginMode === undefined) return undefined;
  return {
    mode: marginMode,
    reduceOnly: reduceOnly ?? false,
    closePosition: closePosition ?? false,
    auto: marginAuto ?? false,
  };
}

function positionOf(
  row: PositionRow,
  instrument: Instrument,
  account: Pick<MarginAccountView, 'mode' | 'leverage'>,
): PositionView {
  const { quantity } = row;
  return {
    id: Number(row.id),
    instrument: instrument.id,
    mode: row.marginMode ?? account.mode,
    leverage: row.leverage ?? account.leverage ?? zero,
    quantity,
    pnl: row.pnl ?? zero,
    feeCumulative: row.feeCumulative ?? zero,
    entry: row.entry ?? zero,
    marginCall: boundaryTicks(instrument, row.marginCall, quantity),
    liquidation: boundaryTicks(instrument, row.liquidation, quantity),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    auto: row.marginAuto ?? false,
    amr: row.amr ?? false,
  };
}

/** Between two ticks it counts as the one that a falling price (of a long position) or a rising one meets first. */
function boundaryTicks(
  instrument: Instrument,
  price: Amount | undefined,
  quantity: Amount,
): Ticks | undefined {
  if (price === undefined || price <= 0n) return undefined;
  const tick = instrument.priceAmount(1 as Ticks);
  const ticks = Number(quantity > 0n ? (price + tick - 1n) / tick : price / tick);
  return ticks === 0 ? undefined : (ticks as Ticks);
}

const reportTypes: readonly MarginReportType[] = ['status', 'created', 'updated', 'closed'];

/** Words that this version does not know say that something changed. */
function causeOf({
  reportType,
  reportReason,
}: {
  readonly reportType?: string | undefined;
  readonly reportReason?: string | undefined;
}): Omit<AccountReport, 'account'> {
  const type = reportType === undefined ? 'status' : reportTypes.find((known) => known === reportType);
  const reason =
    reportReason === undefined ? 'status' : marginReasons.find((known) => known === reportReason);
  return { reportType: type ?? 'updated', reason: reason ?? 'updated' };
}
