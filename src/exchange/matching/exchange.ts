import { zero } from '../../core/base/amount.ts';
import { unreachable } from '../../core/base/assert.ts';
import type { Micros } from '../../core/base/clock.ts';
import type { InstrumentId, Instruments } from '../../core/model/instrument.ts';
import type { OrderRequest } from '../../core/model/order.ts';
import type {
  AccountId,
  AdjustBalanceCommand,
  ExchangeCommand,
  PlaceCommand,
  SetMarkCommand,
  SetStatusCommand,
} from './command.ts';
import { placeList } from './contingency.ts';
import { Desk } from './desk.ts';
import { endAndReport } from './ending.ts';
import { activateFired } from './entry.ts';
import type { ExchangeOptions } from './exchange-options.ts';
import { defaultExchangeOptions } from './exchange-options.ts';
import { FifoFills } from './fifo-fills.ts';
import { ExchangeReads } from './exchange-reads.ts';
import { manageMargin } from './margin-manager.ts';
import { watchMargins } from './margin-watch.ts';
import { Outsiders } from './outsiders.ts';
import { place } from './place.ts';
import { placePlain } from './plain-orders.ts';
import { replace } from './replace.ts';
import type { ToldOutcome } from './told.ts';

/** What an exchange is made of. */
export interface ExchangeSetup {
  readonly instruments: Instruments;
  readonly options?: Partial<ExchangeOptions>;
}

/**
 * Many accounts, many instruments: a command in, its outcomes out.
 *
 * Never reads a clock: time comes with the command and must not go back. Deterministic. Accounts open at their first
 * use. Order of outcomes: what happened to orders and public trades as it happened, then one per changed level, then
 * one per changed balance. Orders that are due by `now` expire before the command is looked at.
 *
 * With `publicOutcomes` and `spotFunds` off it is books, client ids and reports: no public trades, levels, money.
 */
export class Exchange extends ExchangeReads {
  /** The way in for quantity and takers that belong to no account. */
  readonly outsiders: Outsiders;
  readonly #desk: Desk;

  constructor(setup: ExchangeSetup | Desk) {
    const desk = setup instanceof Desk ? setup : deskOf(setup);
    super(desk);
    this.#desk = desk;
    this.outsiders = new Outsiders(desk);
  }

  /** Places an order without mark-ups, as the command does. The request is read and not kept: it may be used again. */
  place(account: AccountId, request: OrderRequest, now: Micros): readonly ToldOutcome[] {
    this.#begin(now);
    if (!placePlain(this.#desk, account, request))
      place(this.#desk, { kind: 'place', account, request, takeMarkup: zero, makeMarkup: zero });
    return this.#finish();
  }

  /** Cancels an order, as the command does. */
  cancel(account: AccountId, clientOrderId: string, now: Micros): readonly ToldOutcome[] {
    this.#begin(now);
    this.#cancel(account, clientOrderId);
    return this.#finish();
  }

  /** Executes a command at `now`. The outcomes are the caller's to keep. Throws `BadInput` on an unknown instrument. */
  handle(command: ExchangeCommand, now: Micros): readonly ToldOutcome[] {
    const desk = this.#desk;
    this.#begin(now);
    switch (command.kind) {
      case 'place':
        if (!isPlain(command) || !placePlain(desk, command.account, command.request)) place(desk, command);
        break;
      case 'placeList':
        placeList(desk, command);
        break;
      case 'cancel':
        this.#cancel(command.account, command.clientOrderId);
        break;
      case 'replace':
        replace(desk, command);
        break;
      case 'cancelAll':
        this.#cancelAll(command.account, command.instrument);
        break;
      case 'adjustBalance':
        this.#adjustBalance(command);
        break;
      case 'expire':
        break;
      case 'setStatus':
        this.#setStatus(command);
        break;
      case 'setMargin':
      case 'setLeverage':
      case 'setAmr':
      case 'setAutoMargin':
      case 'closePosition':
      case 'takeInterest':
      case 'settleFunding':
        manageMargin(desk, command);
        break;
      case 'setMark':
        this.#setMark(command);
        break;
      default:
        unreachable(command);
    }
    return this.#finish();
  }

  /** What is due by `now` comes first. */
  #begin(now: Micros): void {
    const desk = this.#desk;
    desk.begin(now);
    const next = desk.expiries.next();
    if (next !== undefined && next <= now) this.#expire(now);
  }

  #finish(): readonly ToldOutcome[] {
    const desk = this.#desk;
    if (desk.fired.length > 0) activateFired(desk);
    watchMargins(desk);
    return desk.finish();
  }

  #cancel(account: AccountId, clientOrderId: string): void {
    const record = this.#desk.account(account).live(clientOrderId);
    if (record !== undefined) endAndReport(this.#desk, record, 'canceled');
    else
      this.#desk.refuse(account, clientOrderId, 'ORDER_NOT_FOUND', 'there is no active order with that id');
  }

  #cancelAll(account: AccountId, instrument: InstrumentId | undefined): void {
    for (const record of this.#desk.account(account).orders()) {
      if (instrument === undefined || record.instrument === instrument)
        endAndReport(this.#desk, record, 'canceled');
    }
  }

  #adjustBalance(command: AdjustBalanceCommand): void {
    const desk = this.#desk;
    const purse = desk.purse(desk.account(command.account), command.currency);
    if (desk.ledger.deposit(purse, command.change)) return;
    desk.refuse(
      command.account,
      undefined,
      'INSUFFICIENT_FUNDS',
      `too little ${command.currency} is available`,
    );
  }

  #expire(now: Micros): void {
    const { expiries } = this.#desk;
    for (let record = expiries.takeDue(now); record !== undefined; record = expiries.takeDue(now)) {
      // It has left the heap already, so that its end must not be counted there.
      record.expiresAt = 0;
      endAndReport(this.#desk, record, 'expired');
    }
  }

  #setMark({ instrument, price }: SetMarkCommand): void {
    const market = this.#desk.market(instrument);
    if (market.mark === price) return;
    market.mark = price;
    if (market.exposed.size > 0) this.#desk.margin.moved.add(market);
  }

  #setStatus(command: SetStatusCommand): void {
    this.#desk.market(command.instrument).status = command.status;
    this.#desk.outcomes.push({ kind: 'status', instrument: command.instrument });
  }
}

function deskOf({ instruments, options }: ExchangeSetup): Desk {
  const all = { ...defaultExchangeOptions, ...options };
  return new Desk(instruments, all, (desk, market) => new FifoFills(desk, market));
}

/** Whether an order has no mark-ups. */
function isPlain({ takeMarkup, makeMarkup }: PlaceCommand): boolean {
  return takeMarkup === zero && makeMarkup === zero;
}
