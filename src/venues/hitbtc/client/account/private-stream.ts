import { zero } from '../../../../core/base/amount.ts';
import type { Micros } from '../../../../core/base/clock.ts';
import { BadInput } from '../../../../core/base/errors.ts';
import type { CancelOrdersCommand, ChangeMarginCommand, Command } from '../../../../core/model/command.ts';
import { laneOf, orderIdOf } from '../../../../core/model/command.ts';
import type { CommandSettled } from '../../../../core/model/event.ts';
import type { Frame } from '../../../../core/model/frame.ts';
import type { MarginAccountKey, MarginAccountView } from '../../../../core/model/margin.ts';
import { isAccountClosed } from '../../../../core/model/margin.ts';
import type { Balance } from '../../../../core/model/market.ts';
import type { ClientOrderId, VenueOrder } from '../../../../core/model/order.ts';
import type { MarginProductName } from '../../../../core/model/product.ts';
import type { AccountDecoder, AccountDecoderSetup } from '../../../port.ts';
import type { SocketId } from '../../wire/index.ts';
import type { AccountReport } from '../../wire/resources/margin-model.ts';
import { decodeMarginAccount } from '../../wire/resources/margin-model.ts';
import type { DecodedReport } from '../../wire/resources/order-model.ts';
import { decodeOrder } from '../../wire/resources/order-model.ts';
import { ChangedBalances, KnownAccounts } from './known.ts';
import type { CallVerdict, CommandEnd, RpcAnswer } from '../calls/index.ts';
import { leavesBySocket, rejectionsOf, ListReplies } from '../calls/commands.ts';
import {
  verdictOfHttp,
  verdictOfSocketError,
  verdictText,
  decodeCommandEnd,
  statusUnsent,
} from '../calls/outcome.ts';
import { decodeRead, decodeReply, isForeign, readTradingFrame } from './frames.ts';
import type { OwnRowsDeps } from './own-rows.ts';
import { OwnRows } from './own-rows.ts';

/** Source: API v3, "Error codes". */
const orderNotFound = 20_002;

export interface PrivateStreamDeps extends AccountDecoderSetup, OwnRowsDeps {
  /** A message about the own account cannot be read: what it said is lost, so the trader must halt until the account was read completely. */
  readonly onUnread: (why: string) => void;
  /** An answer that belongs to no command: for the session that called (login, subscriptions). */
  readonly onReply?: (id: SocketId | undefined, answer: RpcAnswer) => void;
}

/** What came in, since the beginning. */
export interface AccountCounters {
  reports: number;
  /** Replies that matched no command in flight: late, repeated or wrong. */
  unmatched: number;
  /** Reports and rows of symbols that are not among ours. */
  foreign: number;
  /** Notifications this version does not know. */
  unknownNotices: number;
  malformed: number;
}

/**
 * Frames of the trading socket and answers of REST calls in, account events out. No clock, no socket: the same code
 * runs live and when a recorded session is replayed.
 *
 * Every command ends in one `commandSettled`. A group of cancels ends in one for each cancel. A report may come before the reply, after
 * it, twice, or inside it; each is published, because the state knows trades by id. A reply is matched by id
 * and, where it carries an order, by that order's id too; what does not match is counted and settles nothing.
 */
export class PrivateStreamHandler implements AccountDecoder {
  readonly #setup: PrivateStreamDeps;
  readonly #inFlight = new Map<number, Command>();
  readonly #replies = new ListReplies();
  readonly #balances = { spot: new ChangedBalances(), futures: new ChangedBalances() };
  readonly #accounts: KnownAccounts;
  readonly #rows: OwnRows;
  readonly counters: AccountCounters = {
    reports: 0,
    unmatched: 0,
    foreign: 0,
    unknownNotices: 0,
    malformed: 0,
  };
  #now = 0 as Micros;

  constructor(setup: PrivateStreamDeps) {
    this.#setup = setup;
    this.#rows = new OwnRows(setup);
    this.#accounts = new KnownAccounts(setup.instruments);
  }

  get unmatched(): number {
    return this.counters.unmatched;
  }

  /** Commands without an answer. */
  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** A margin account as it was reported last. */
  account(product: MarginProductName, key: MarginAccountKey): MarginAccountView | undefined {
    return this.#accounts.find(product, key);
  }

  /** `command` is about to leave, or was refused the way out; its end will be a frame. */
  sent(command: Command): void {
    this.#inFlight.set(command.commandId, command);
  }

  /** Takes one frame of `v3/trading` or `v3/rest`; frames of our own sending are passed over. */
  accept(frame: Frame): void {
    this.#now = frame.receiveTime;
    try {
      if (frame.channel === 'v3/trading' && frame.direction === 'close') this.#closed();
      else if (frame.channel === 'v3/trading' && frame.direction === 'in') this.#socket(frame.bytes);
      else if (frame.channel === 'v3/rest' && frame.direction === 'in') this.#rest(frame.bytes);
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      this.#unread(error.message);
    }
  }

  /** The trading connection went: whatever left on it may have arrived. */
  #closed(): void {
    this.#balances.spot.forget();
    this.#balances.futures.forget();
    this.#accounts.forget();
    for (const command of this.#inFlight.values()) {
      if (leavesBySocket(command)) this.#settleCommand(command, 'unanswered');
    }
  }

  #socket(bytes: Uint8Array): void {
    const message = readTradingFrame(bytes, this.#rows);
    switch (message.kind) {
      case 'reports':
        for (const report of message.reports) this.#report(report);
        this.counters.foreign += message.foreign;
        return;
      case 'balances':
        this.#publishBalances(
          message.wallet,
          this.#balances[message.wallet ?? 'spot'].changed(message.balances, this.#now),
        );
        return;
      case 'accounts':
        for (const report of message.reports) this.#account(message.product, report);
        this.counters.foreign += message.foreign;
        return;
      case 'position': {
        const { position: _position, ...cause } = message.report;
        const account = this.#accounts.withPosition(message.product, message.report);
        if (account !== undefined)
          this.#account(message.product, { ...cause, reportType: 'updated', account });
        return;
      }
      case 'reply':
        this.#reply(message.id, message.answer);
        return;
      case 'unknown':
        this.counters.unknownNotices += 1;
    }
  }

  #reply(id: SocketId | undefined, answer: RpcAnswer): void {
    if (typeof id !== 'number') {
      this.#setup.onReply?.(id, answer);
      return;
    }
    const command = this.#inFlight.get(id);
    const known = command !== undefined && leavesBySocket(command);
    if (!known) this.counters.unmatched += 1;
    if (answer.kind === 'result') this.#accepted(known ? command : undefined, answer.result);
    else if (known && answer.kind === 'error') this.#conclude(command, verdictOfSocketError(answer.error));
  }

  #accepted(command: Command | undefined, result: unknown): void {
    if (command?.kind === 'changeMargin') {
      this.#accountAnswer(command, result);
      this.#settleCommand(command, 'acknowledged');
      return;
    }
    const report = decodeReply(result, this.#setup.instruments);
    if (report === undefined) return;
    this.#report(report);
    if (command === undefined) return;
    const { clientOrderId, state } = report.order;
    const meaning = this.#replies.met(command, clientOrderId);
    if (meaning === 'part') return;
    if (meaning === 'whole') {
      this.#settleCommand(command, 'acknowledged');
    } else if (
      command.kind === 'replaceOrder' &&
      clientOrderId === command.clientOrderId &&
      state === 'canceled'
    ) {
      // The replacement could not be placed, and the reply is the old order, canceled (v3-gaps, section 10).
      this.#reject(command, 0, 'the replacement could not be placed; the original order is canceled');
      this.#settleCommand(command, 'refused');
    } else {
      this.counters.unmatched += 1;
    }
  }

  #rest(bytes: Uint8Array): void {
    const answer = decodeCommandEnd(bytes);
    const command = this.#inFlight.get(answer.commandId);
    if (command === undefined || command.kind !== answer.kind) {
      this.counters.unmatched += 1;
      return;
    }
    if (answer.status === statusUnsent) {
      const outcome = command.kind === 'read' ? 'unknown' : 'refused';
      this.#conclude(command, { outcome, code: 0, message: answer.why, description: undefined });
      return;
    }
    const verdict = verdictOfHttp(answer.status, answer.body);
    if (verdict.outcome !== 'acknowledged') {
      this.#conclude(command, verdict);
      return;
    }
    try {
      this.#answered(command, answer);
    } catch (error) {
      this.#settleCommand(command, 'unanswered');
      throw error;
    }
    if (answer.more !== true) this.#settleCommand(command, 'acknowledged');
  }

  #answered(command: Command, answer: CommandEnd): void {
    if (command.kind === 'changeMargin') {
      this.#accountAnswer(command, answer.body);
      return;
    }
    if (command.kind === 'cancelOrders') {
      this.#canceledTogether(command, answer.body);
      return;
    }
    if (command.kind !== 'read') {
      const order = decodeOrder('v3', answer.body, this.#setup.instruments);
      this.#report({ reportType: reportTypeOf(order), order, fill: undefined });
      return;
    }
    const { foreign, ...rows } = decodeRead(command.what, answer.body, this.#rows);
    this.counters.foreign += foreign;
    this.#setup.publish({
      kind: 'readAnswered',
      commandId: command.commandId,
      what: command.what,
      askedAt: answer.askedAt,
      ...rows,
      ...(answer.more === true && { more: true }),
      ...this.#times(),
    });
    if (command.what.of !== 'balances') return;
    const { product: wallet } = command.what;
    const known = this.#balances[wallet ?? 'spot'];
    this.#publishBalances(wallet === 'futures' ? wallet : undefined, known.read(answer.askedAt));
  }

  /** The answer shows the orders that it ended. One that is not among them had ended before, or is not known there. */
  #canceledTogether({ cancels }: CancelOrdersCommand, body: unknown): void {
    if (!Array.isArray(body)) throw new BadInput('answer to the cancel of all orders: expected a list');
    const { instruments } = this.#setup;
    const ended = new Set<ClientOrderId>();
    for (const row of body as readonly unknown[]) {
      if (isForeign(row, instruments)) {
        this.counters.foreign += 1;
        continue;
      }
      const order = decodeOrder('v3', row, instruments);
      this.#report({ reportType: reportTypeOf(order), order, fill: undefined });
      ended.add(order.clientOrderId);
    }
    for (const one of cancels)
      if (!ended.has(one.clientOrderId))
        this.#reject(one, orderNotFound, 'the cancel of all orders did not find it');
  }

  #publishBalances(wallet: 'futures' | undefined, balances: readonly Balance[]): void {
    if (balances.length === 0) return;
    const whose = wallet === undefined ? {} : { wallet };
    this.#setup.publish({ kind: 'balances', ...whose, complete: false, balances, ...this.#times() });
  }

  #account(product: MarginProductName, report: AccountReport, isAnswer = false): void {
    const { reason, account } = report;
    this.counters.reports += 1;
    const charged = reason === 'interestTaken' ? this.#accounts.chargedOf(product, account) : undefined;
    this.#accounts.keep(product, report, isAnswer);
    this.#setup.publish({
      kind: 'marginAccount',
      product,
      ...report,
      ...(charged !== undefined && { charged }),
      exchangeTime: account.updatedAt,
      receiveTime: this.#now,
    });
  }

  /** The answer to a change shows the account as it was then; reports may have come since. */
  #accountAnswer({ change }: ChangeMarginCommand, body: unknown): void {
    const answer = decodeMarginAccount(body, this.#setup.instruments);
    if (answer === undefined || !this.#accounts.isNews(change.product, answer.account)) return;
    const { account } = answer;
    const reportType = change.balance === zero ? 'closed' : 'updated';
    const report = {
      reportType,
      reason: reportType === 'closed' ? reportType : 'marginChanged',
      account,
    } as const;
    // The report of the closing may have come already.
    const known = this.#accounts.find(change.product, account);
    if (known === undefined && isAccountClosed(report, known)) return;
    this.#account(change.product, report, true);
  }

  /** The venue (or we, before the first byte) did not say yes. */
  #conclude(command: Command, verdict: CallVerdict): void {
    if (verdict.outcome === 'refused' || verdict.outcome === 'limited') {
      this.#reject(command, verdict.code, verdictText(verdict));
    }
    this.#settleCommand(command, verdict.outcome === 'unknown' ? 'unanswered' : verdict.outcome);
  }

  /** A certain refusal, published before the command is settled. */
  #reject(command: Command, code: number, why: string): void {
    for (const event of rejectionsOf(command, code, why, this.#now)) this.#setup.publish(event);
  }

  #report(report: DecodedReport): void {
    this.counters.reports += 1;
    this.#setup.publish({
      kind: 'orderReport',
      reportType: report.reportType,
      order: report.order,
      fill: report.fill,
      exchangeTime: report.order.updatedAt,
      receiveTime: this.#now,
    });
  }

  #settleCommand(command: Command, outcome: CommandSettled['outcome']): void {
    this.#inFlight.delete(command.commandId);
    this.#replies.forget(command.commandId);
    for (const one of command.kind === 'cancelOrders' ? command.cancels : [command])
      this.#setup.publish({
        kind: 'commandSettled',
        commandId: one.commandId,
        lane: laneOf(command),
        outcome,
        clientOrderId: orderIdOf(one),
        ...this.#times(),
      });
  }

  #unread(why: string): void {
    this.counters.malformed += 1;
    this.#setup.onUnread(`a message about the own account cannot be read: ${why.slice(0, 300)}`);
  }

  #times(): { readonly exchangeTime: Micros; readonly receiveTime: Micros } {
    return { exchangeTime: this.#now, receiveTime: this.#now };
  }
}

function reportTypeOf(order: VenueOrder): 'canceled' | 'status' {
  return order.state === 'canceled' ? 'canceled' : 'status';
}
