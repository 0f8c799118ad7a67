import type { Micros } from '../../core/base/clock.ts';
import { microsPerSecond, seconds } from '../../core/base/clock.ts';
import type { DenialCode } from '../../core/model/denial.ts';
import type {
  Event,
  MarginAccountChanged,
  ModeChanged,
  OrderDenied,
  OrderFoundAlive,
} from '../../core/model/event.ts';
import { evidenceHaltOf } from '../../core/model/evidence-halt.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { LossLatch } from '../../core/model/loss.ts';
import { differenceText, haltText, operatorClears } from '../../core/state/index.ts';
import { isDeniedExit } from '../../core/orders/controls/index.ts';
import type { StateView } from '../../core/state/index.ts';
import { accountName, accountText } from './margin-accounts.ts';

/** How long a line that a strategy repeats is not shown again; the journal has all of them. */
const repeatTime = seconds(60);
const linesMax = 1_000;

/** Denials that follow from what is shown anyway: a halt, a stop, the first seconds of a run, a cancel, a list. */
const shownOtherwise: ReadonlySet<DenialCode> = new Set([
  'MODE_HALTED',
  'LOSS_LIMIT',
  'PAUSED',
  'STRATEGY_STOPPED',
  'NOT_RECONCILED',
  'CANCELED_UNSENT',
  'LIST_ORDER_DENIED',
]);

/** Incidents that the person who watches a run should read at once: the same warning of a strategy, and the same denial, once a minute. */
export class Incidents {
  readonly #view: StateView;
  readonly #shown = new Map<string, Micros>();

  /** `view`: the state to which every event was applied. */
  constructor(view: StateView) {
    this.#view = view;
  }

  /** The line of an event, or `undefined` when there is nothing to show. */
  of(event: Event): string | undefined {
    const isExit = event.kind === 'orderDenied' && isDeniedExit(event, this.#view);
    const line = isExit ? exitLine(event) : this.#lineOf(event);
    if (line === undefined) return undefined;
    const key = isExit ? `${event.strategy} exit ${event.denial.code}` : keyOf(event, line);
    return key !== undefined && this.#isRepeated(key, event.receiveTime) ? undefined : line;
  }

  #lineOf(event: Event): string | undefined {
    return event.kind === 'marginAccount' ? marginLine(event, this.#view.instruments) : incidentOf(event);
  }

  #isRepeated(key: string, time: Micros): boolean {
    const before = this.#shown.get(key);
    if (before !== undefined && time - before < repeatTime) return true;
    if (this.#shown.size >= linesMax) this.#shown.clear();
    this.#shown.set(key, time);
    return false;
  }
}

/** Key of what is not shown again within a minute; `undefined` of what is always shown. */
function keyOf(event: Event, line: string): string | undefined {
  if (
    event.kind === 'strategyNoted' ||
    (event.kind === 'modeChanged' && evidenceHaltOf(event)?.begins === true)
  )
    return line;
  if (event.kind === 'orderRejected') return `rejected ${event.code}`;
  // What is said of an account follows its name; a liquidation is always shown.
  if (event.kind === 'marginAccount')
    return event.reason === 'liquidated' ? undefined : line.split(':', 1)[0];
  if (event.kind === 'marginRejected') return `margin rejected ${event.code}`;
  if (event.kind === 'marginDenied') return `${event.strategy} margin ${event.denial.code}`;
  return event.kind === 'orderDenied' ? `${event.strategy} ${event.denial.code}` : undefined;
}

/** One line; `undefined` for everything that need not be read at once. */
function incidentOf(event: Event): string | undefined {
  switch (event.kind) {
    case 'strategyStopped':
      return hasFailed(event) ? `strategy ${event.strategy} was stopped: ${event.why}` : undefined;
    case 'strategyNoted':
      return event.level === 'warn' || event.level === 'error'
        ? `strategy ${event.strategy}, ${event.level}: ${event.text}`
        : undefined;
    case 'modeChanged':
      return modeLine(event);
    case 'lossLimitReached':
      return lossLine(event.latch);
    case 'lossLimitCleared':
      return `the limit on ${event.strategy === undefined ? 'the account' : `strategy ${event.strategy}`} (${event.limit}, ${event.currency}) is cleared: ${event.why}`;
    case 'orderDenied':
      return shownOtherwise.has(event.denial.code) || event.action === 'cancel'
        ? undefined
        : `strategy ${event.strategy}: an order was denied, ${event.denial.code}: ${event.denial.why}`;
    case 'clockMeasured':
      return clockLine(event.offset);
    case 'orderRejected':
      return `the venue rejected order ${event.clientOrderId}, ${event.code}: ${event.why}`;
    case 'marginDenied':
      return `strategy ${event.strategy}: a change of margin was denied, ${event.denial.code}: ${event.denial.why}`;
    case 'marginRejected':
      return `the venue rejected a change of margin of strategy ${event.strategy}, ${event.code}: ${event.why}`;
    case 'marginFound':
      return event.halts
        ? `no ${event.account.product} order leaves until ${operatorClears}: ${event.why}`
        : event.why;
    case 'orderUnknown':
      return `order ${event.clientOrderId} is unknown (${event.why}); the venue is asked what became of it`;
    case 'orderFoundAlive':
      return aliveLine(event);
    case 'orderAssigned':
      return `order ${event.clientOrderId} is of ${event.strategy} from now on: ${event.why}`;
    default:
      return differenceText(event);
  }
}

/** A clock so far off is worth setting, though the venue's time is used where it counts. */
const clockOffsetShown = seconds(2);

function clockLine(offset: Micros): string | undefined {
  if (Math.abs(offset) < clockOffsetShown) return undefined;
  const far = `${(Math.abs(offset) / microsPerSecond).toFixed(1)} s ${offset < 0 ? 'ahead of' : 'behind'}`;
  return `the clock of this machine is ${far} that of the venue: set it; until then the venue's time is used`;
}

/** The line of an order that was to close a position and was denied. */
export function exitLine({ strategy, clientOrderId, denial }: OrderDenied): string {
  return `strategy ${strategy}: exit ${clientOrderId} was denied, the position stays open, ${denial.code}: ${denial.why}`;
}

function marginLine(event: MarginAccountChanged, instruments: Instruments): string | undefined {
  const name = accountName(event, instruments);
  const state = accountText(event, instruments);
  if (event.reason === 'liquidated') return `the venue liquidated on margin account ${name}: ${state}`;
  return event.account.called ? `margin call on ${name}: ${state}` : undefined;
}

function aliveLine({ clientOrderId, believed }: OrderFoundAlive): string {
  const found =
    believed === undefined
      ? 'is not known here'
      : `had been reported as ${believed}, and the venue lists it as active twice in a row`;
  return `order ${clientOrderId} is live: it ${found}; an order of our own is cancelled`;
}

function lossLine({ action, why, until }: LossLatch): string {
  const what = action === 'halted' ? 'no order leaves' : 'only orders that reduce leave';
  const end = until === undefined ? operatorClears : new Date(until / 1_000).toISOString();
  return `${what} until ${end}: ${why}`;
}

function modeLine(event: ModeChanged): string | undefined {
  const { mode, why, latched } = event;
  const evidence = evidenceHaltOf(event);
  if (evidence?.begins === false) return mode === 'active' ? `trading goes on: ${why}` : undefined;
  return evidence !== undefined || (latched && mode === 'halted') ? haltText(event) : undefined;
}

/** Whether a strategy ended by a fault; one that was unloaded at the end of its run did not. */
export function hasFailed(event: Event): boolean {
  return event.kind === 'strategyStopped' && event.why !== 'unloaded';
}
