import type { Amount } from '../../../../core/base/amount.ts';
import type { Micros, Clock } from '../../../../core/base/clock.ts';
import { micros, seconds } from '../../../../core/base/clock.ts';
import { pause } from '../../../../core/base/pause.ts';
import type {
  CancelOrderCommand,
  CancelOrdersCommand,
  ChangeMarginCommand,
  ReadTarget,
  ReadCommand,
} from '../../../../core/model/command.ts';
import type { Instruments } from '../../../../core/model/instrument.ts';
import type { ApiBudgets } from '../../budgets/api.ts';
import { printTime } from '../../wire/index.ts';
import { bookDepth, encodeMarginChange, encodeOneOrder } from '../../wire/resources/index.ts';
import { v3Endpoints } from '../../wire/v3/index.ts';
import { takeRequestSlot } from '../../../net/index.ts';
import type { ApiCall, CallGate, RestClient, RestReply } from './rest.ts';
import { callOf, wholeText } from './rest.ts';
import type { CommandEnd } from '../calls/index.ts';
import { statusSilence, statusUnsent } from '../calls/index.ts';

/** Rows per page, and how far paging reaches. Source: API v3, "GET /api/3/spot/history/trade query". */
export const pageRows = 1_000;
export const pageOffsetMax = 100_000;

/** Every symbol, or those named. */
export function symbolsCall(symbols: readonly string[]): ApiCall {
  return callOf(v3Endpoints.publicSymbols, symbols.length === 0 ? {} : { symbols }).call;
}

const cancelRows = {
  spot: v3Endpoints.spotCancelOrder,
  margin: v3Endpoints.marginCancelOrder,
  futures: v3Endpoints.futuresCancelOrder,
} as const;
const cancelAllRows = {
  spot: v3Endpoints.spotCancelOrders,
  margin: v3Endpoints.marginCancelOrders,
  futures: v3Endpoints.futuresCancelOrders,
} as const;
const activeRows = {
  spot: v3Endpoints.spotActiveOrders,
  margin: v3Endpoints.marginActiveOrders,
  futures: v3Endpoints.futuresActiveOrders,
} as const;
const orderHistoryRows = {
  spot: v3Endpoints.spotOrderHistory,
  margin: v3Endpoints.marginOrderHistory,
  futures: v3Endpoints.futuresOrderHistory,
} as const;
const tradeHistoryRows = {
  spot: v3Endpoints.spotTradeHistory,
  margin: v3Endpoints.marginTradeHistory,
  futures: v3Endpoints.futuresTradeHistory,
} as const;

export function cancelCall({ product = 'spot', clientOrderId }: CancelOrderCommand): ApiCall {
  return callOf(cancelRows[product], encodeOneOrder('v3', clientOrderId)).call;
}

/** The call that cancels all orders of a symbol, or of a product. */
export function cancelAllCall(
  { product = 'spot', instrument }: CancelOrdersCommand,
  instruments: Instruments,
): ApiCall {
  const filter = instrument === undefined ? {} : { symbol: instruments.at(instrument).symbol };
  return callOf(cancelAllRows[product], filter).call;
}

/** The call that answers a read; for trades the page that begins at `offset`, oldest first: new ones come at the end. */
function readCall(what: ReadTarget, offset: number, instruments: Instruments): ApiCall {
  switch (what.of) {
    case 'activeOrders':
      return callOf(activeRows[what.product ?? 'spot'], {}).call;
    case 'balances':
      return callOf(what.product === 'futures' ? v3Endpoints.futuresBalances : v3Endpoints.spotBalances, {})
        .call;
    case 'orderHistory':
      return callOf(orderHistoryRows[what.product ?? 'spot'], encodeOneOrder('v3', what.clientOrderId)).call;
    case 'tradeHistory': {
      const page = { sort: 'ASC', by: 'timestamp', from: printTime(what.since), limit: pageRows, offset };
      return callOf(tradeHistoryRows[what.product ?? 'spot'], page).call;
    }
    case 'marginAccounts':
      return callOf(what.product === 'futures' ? v3Endpoints.futuresAccounts : v3Endpoints.marginAccounts, {})
        .call;
    case 'fundingRates': {
      const { symbol } = instruments.at(what.instrument);
      const page = { sort: 'ASC', by: 'timestamp', from: printTime(what.since), limit: pageRows };
      return callOf(v3Endpoints.publicFundingHistoryOfSymbol, { symbol, ...page }).call;
    }
    case 'book': {
      const { symbol } = instruments.at(what.instrument);
      return callOf(v3Endpoints.publicOrderBook, { symbol, depth: bookDepth }).call;
    }
    case 'transfers': {
      const of = { types: ['TRANSFER'], statuses: ['SUCCESS'] };
      const page = { sort: 'ASC', order_by: 'created_at', from: printTime(what.since), limit: pageRows };
      return callOf(v3Endpoints.walletTransactions, { ...of, ...page }).call;
    }
  }
}

const accountRows = { margin: v3Endpoints.marginSetAccount, futures: v3Endpoints.futuresSetAccount } as const;

/** The call that sets a margin account; `leverage` of one of contracts where the change says none. */
export function changeCall(
  { change }: ChangeMarginCommand,
  instruments: Instruments,
  leverage: Amount | undefined,
): ApiCall {
  const wanted =
    change.product === 'futures' && change.mode === 'isolated' ? (change.leverage ?? leverage) : undefined;
  return callOf(accountRows[change.product], encodeMarginChange(change, instruments, wanted)).call;
}

export interface RestCommandsDeps {
  readonly rest: RestClient;
  readonly instruments: Instruments;
  readonly clock: Clock;
  readonly budgets: ApiBudgets;
  readonly signal: AbortSignal;
  /**
   * Called when a command has ended. `bodyText` is the venue's JSON, or empty. Of an answer that comes in parts it is called for each,
   * with `more` but for the last.
   */
  readonly answered: (answer: Omit<CommandEnd, 'body'>, bodyText: string) => void;
}

/** Cancels, changes of margin and reads over REST. What changes something is sent once; a read may be repeated, and pages until it is complete. */
export class RestCommands {
  readonly #setup: RestCommandsDeps;

  constructor(setup: RestCommandsDeps) {
    this.#setup = setup;
  }

  async send(
    command: CancelOrderCommand | CancelOrdersCommand | ChangeMarginCommand,
    call: ApiCall,
  ): Promise<void> {
    const { rest, signal } = this.#setup;
    const reply = await rest.send({ ...call, signal });
    this.#answer(command, reply, wholeText(reply.texts));
  }

  async read(command: ReadCommand): Promise<void> {
    const what = this.#byVenueClock(command.what);
    const first = await this.#ask(what, 0);
    if (what.of !== 'tradeHistory') {
      await this.#answerInParts(command, first, first.texts);
      return;
    }
    const texts: string[] = [];
    for (let reply = first, offset = pageRows; ; offset += pageRows) {
      if (reply.verdict.outcome !== 'acknowledged' || !Array.isArray(reply.body)) {
        this.#answer(command, reply, wholeText(reply.texts));
        return;
      }
      if (reply.rows > 0 || texts.length === 0) texts.push(...reply.texts);
      if (reply.rows < pageRows) {
        // Asked when the first page was: what happened after that may be missing from it.
        await this.#answerInParts(command, { ...reply, askedAt: first.askedAt }, texts);
        return;
      }
      const gate = new BudgetGate(this.#setup);
      if (offset > pageOffsetMax || !(await gate.enter())) {
        this.#silence(command, first, 'the history could not be read to its end');
        return;
      }
      reply = await this.#ask(what, offset);
      gate.leave(reply.verdict.outcome === 'limited');
    }
  }

  /** Each row of orders and trades stands for itself, so that they may come one part a turn; everything else comes at once. */
  async #answerInParts(command: ReadCommand, reply: RestReply, texts: readonly string[]): Promise<void> {
    const last = texts.length - 1;
    if (last <= 0 || !partedReads.has(command.what.of)) {
      this.#answer(command, reply, wholeText(texts));
      return;
    }
    for (const [at, text] of texts.entries()) {
      await pause(this.#setup.clock, micros(0));
      this.#answer(command, reply, text, at < last);
    }
  }

  /** Times of trades are the venue's: a clock of ours that is ahead would ask for none at all. */
  #byVenueClock(what: ReadTarget): ReadTarget {
    if (what.of !== 'tradeHistory') return what;
    const since = Math.max(0, what.since + this.#setup.rest.clockOffset.offset) as Micros;
    return { ...what, since };
  }

  #ask(what: ReadTarget, offset: number): Promise<RestReply> {
    const { rest, instruments, signal } = this.#setup;
    const call = { ...readCall(what, offset, instruments), isText: true, signal };
    return rest.read(call, new BudgetGate(this.#setup));
  }

  #answer(
    command: CancelOrderCommand | CancelOrdersCommand | ChangeMarginCommand | ReadCommand,
    reply: RestReply,
    bodyText: string,
    more = false,
  ): void {
    const { commandId, kind } = command;
    const { askedAt, verdict } = reply;
    const status = reply.unsent ? statusUnsent : reply.status;
    const usable = status > 0 && reply.body !== undefined;
    const why = verdict.outcome === 'acknowledged' ? '' : verdict.message;
    this.#setup.answered(
      { commandId, kind, status, askedAt, why, ...(more && { more }) },
      usable ? bodyText : '',
    );
  }

  #silence(command: ReadCommand, reply: RestReply, why: string): void {
    const { commandId, kind } = command;
    this.#setup.answered({ commandId, kind, status: statusSilence, askedAt: reply.askedAt, why }, '');
  }
}

/** Reads whose answers may come in parts. */
const partedReads: ReadonlySet<ReadTarget['of']> = new Set(['activeOrders', 'orderHistory', 'tradeHistory']);

/**
 * Longest wait of a further request for its turn. The turn of the first one is held meanwhile: as many reads as the limit allows, all refused
 * for their rate, would wait for one another for ever.
 */
const turnMax = seconds(5);

/** The first request of a command drew on the budget at the trader's gate; each further one draws here. */
class BudgetGate implements CallGate {
  readonly #setup: RestCommandsDeps;
  #slot = -1;

  constructor(setup: RestCommandsDeps) {
    this.#setup = setup;
  }

  async enter(): Promise<boolean> {
    const { budgets, clock, signal } = this.#setup;
    this.#slot = await takeRequestSlot(budgets, 'restDefault', clock, signal, turnMax);
    return this.#slot >= 0;
  }

  leave(limited: boolean): void {
    if (this.#slot >= 0) this.#setup.budgets.settle(this.#slot, limited ? 'limited' : 'acknowledged');
    this.#slot = -1;
  }
}
