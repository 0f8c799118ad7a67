import { formatAmount } from '../../core/base/amount.ts';
import type { Event } from '../../core/model/event.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { Intent } from '../../core/model/intent.ts';
import { sentinelText } from '../../core/model/operator.ts';
import { fillText, orderText } from '../../core/model/order-text.ts';

const textMax = 300;

/** One record of the journal as a sentence. */
export function recordText(event: Event, instruments: Instruments): string {
  const text =
    verdictText(event, instruments) ?? accountText(event, instruments) ?? controlText(event, instruments);
  return text.length <= textMax ? text : `${text.slice(0, textMax)}…`;
}

function verdictText(event: Event, instruments: Instruments): string | undefined {
  switch (event.kind) {
    case 'intent':
      return `strategy ${event.intent.strategy} wants ${intentText(event.intent, instruments)}`;
    case 'orderPending': {
      const { request } = event.command;
      return `${request.clientOrderId} passed the controls: ${orderText(request, instruments.at(request.instrument))}`;
    }
    case 'cancelPending':
      return `a cancel of ${event.command.clientOrderId} passed the controls`;
    case 'replacePending':
      return `${event.command.newClientOrderId} passed the controls in place of ${event.command.clientOrderId}`;
    case 'readPending':
      return `the venue is to be asked for ${event.command.what.of}`;
    case 'marginPending':
      return `a change of margin of strategy ${event.command.strategy} passed the controls`;
    case 'orderDenied':
      return `${event.action} ${event.clientOrderId} of strategy ${event.strategy} was denied, ${event.denial.code}: ${event.denial.why}`;
    case 'marginDenied':
      return `a change of margin of strategy ${event.strategy} was denied, ${event.denial.code}: ${event.denial.why}`;
    case 'orderUnknown':
      return `${event.clientOrderId} is unknown: ${event.why}`;
    case 'orderProvenAbsent':
      return `${event.clientOrderId} never came to be: two reads agree`;
    case 'orderFoundAlive':
      return `${event.clientOrderId} lives: the venue lists it as ${event.state}`;
    case 'orderAssigned':
      return `${event.clientOrderId} is of ${event.strategy} from now on: ${event.why}`;
    case 'marginFound':
    case 'chargeFound':
      return event.why;
    case 'differenceFound':
      return `difference, read ${event.difference.reads}: ${event.difference.cause}`;
    case 'differenceEnded':
      return `a difference is over: ${event.why}`;
    case 'executionCorrected':
      return event.correction.why;
    case 'moneyMoved':
      return event.moved.why;
    default:
      return undefined;
  }
}

function accountText(event: Event, instruments: Instruments): string | undefined {
  switch (event.kind) {
    case 'orderReport': {
      const { order, fill, reportType } = event;
      const what = fill === undefined ? '' : `: ${fillText(fill, instruments.at(order.instrument))}`;
      return `${order.clientOrderId}: ${reportType}, state ${order.state}${what}`;
    }
    case 'orderRejected':
      return `the venue refused ${event.clientOrderId}, ${event.code}: ${event.why}`;
    case 'cancelRejected':
      return `the venue refused the cancel of ${event.clientOrderId}, ${event.code}: ${event.why}`;
    case 'balances':
      return `balances: ${event.balances.map(({ currency }) => currency).join(', ') || 'none'}`;
    case 'marginAccount':
      return `${event.product} account, ${event.account.mode}, ${event.account.currency}: ${event.reason}`;
    case 'marginRejected':
      return `the venue refused a change of margin of strategy ${event.strategy}, ${event.code}: ${event.why}`;
    case 'readAnswered':
      return `the venue answered ${event.what.of}: ${event.orders.length} orders, ${event.fills.length} fills, ${event.balances.length} balances`;
    case 'commandSettled':
      return `command ${event.commandId} in lane ${event.lane}${event.clientOrderId === undefined ? '' : ` (${event.clientOrderId})`}: ${event.outcome}`;
    default:
      return undefined;
  }
}

function controlText(event: Event, instruments: Instruments): string {
  switch (event.kind) {
    case 'runStarted':
      return `run ${event.run} began, mode ${event.mode}`;
    case 'sessionUp':
      return `the ${event.session} session is up`;
    case 'sessionDown':
      return `the ${event.session} session is down: ${event.why}`;
    case 'instrumentChanged':
      return `${instruments.at(event.instrument).symbol} is ${event.status}`;
    case 'bookStale':
      return `the book of ${instruments.at(event.instrument).symbol} is stale: ${event.reason}`;
    case 'contractInfo':
      return `what contract ${instruments.at(event.instrument).symbol} shows of itself`;
    case 'seriesRow':
      return `a row of series ${event.series}`;
    case 'seriesStale':
      return `series ${event.series} is stale: ${event.why}`;
    case 'clockMeasured':
      return `the venue's clock is ${(event.offset / 1_000).toFixed(3)} ms ahead of ours`;
    case 'strategyTimer':
      return `timer ${event.timerId} of strategy ${event.strategy} is due`;
    case 'strategyStopped':
      return `strategy ${event.strategy} was stopped: ${event.why}`;
    case 'strategyNoted':
      return `strategy ${event.strategy}, ${event.level}: ${event.text}`;
    case 'modeChanged':
      return `trading is ${event.mode}: ${event.why}`;
    case 'operatorActed': {
      const { act, who, why } = event;
      if (act.act === 'sentinel') return sentinelText(act, why);
      const what = act.act === 'promote' ? `${act.act} of strategy ${act.strategy}` : act.act;
      const changed = act.act === 'reload' ? ` (${act.changed})` : '';
      return `${who} asked for ${what}${why === '' ? '' : `: ${why}`}${changed}`;
    }
    case 'profitMarked':
      return `losses of ${event.mark.strategy ?? 'the account'} in ${event.mark.currency} count from here`;
    case 'profitCourseMarked': {
      const { currency, peak, drawdownMax } = event.course;
      return `the highest profit is ${formatAmount(peak)} ${currency}, the largest fall from it ${formatAmount(drawdownMax)} ${currency}`;
    }
    case 'lossLimitReached':
      return event.latch.why;
    case 'lossLimitCleared':
      return `the limit (${event.limit}, ${event.currency}) is cleared: ${event.why}`;
    case 'stateCarried':
      return 'the whole state: a restart goes on from here';
    default:
      return event.kind;
  }
}

function intentText(intent: Intent, instruments: Instruments): string {
  switch (intent.action) {
    case 'place':
      return orderText(intent.request, instruments.at(intent.request.instrument));
    case 'placeList':
      return `a list of ${intent.requests.length} orders (${intent.contingency})`;
    case 'cancel':
      return `${intent.clientOrderId} canceled`;
    case 'replace':
      return `${intent.newClientOrderId} in place of ${intent.clientOrderId}`;
    case 'cancelAll':
      return 'all its orders canceled';
    case 'changeMargin':
      return 'its margin changed';
  }
}
