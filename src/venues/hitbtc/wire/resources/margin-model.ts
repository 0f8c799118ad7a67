import type { Amount } from '../../../../core/base/amount.ts';
import { zero } from '../../../../core/base/amount.ts';
import type { Instruments } from '../../../../core/model/instrument.ts';
import type {
  MarginAccountView,
  MarginReason,
  MarginReport,
  MarginReportType,
  PositionView,
} from '../../../../core/model/margin.ts';
import type { WireVersion } from '../resource.ts';
import { marginAccount, position as positions } from './margin.ts';
import { marginMembers } from './order.ts';

/** How a margin mode is spelled: lower case for margin, with a capital for futures. Source: v3-gaps, section 2.5. */
export type ModeSpelling = 'lower' | 'capital';

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

  /** What margin adds to an order of v3. Source: API v3, "Margin order". */
  orderMembers(margin: MarginReport | undefined): object {
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
