import type { Denial } from '../model/denial.ts';
import type { Instrument } from '../model/instrument.ts';
import type { PlaceListIntent } from '../model/intent.ts';
import type { ClientOrderId, OrderRequest } from '../model/order.ts';
import type { Candidate } from './base/candidate.ts';
import { deny, shownValue } from './base/candidate.ts';
import type { TableRow } from './controls/index.ts';
import { judgeCandidate, tableAlone, tableBeside } from './controls/index.ts';
import type { IntentDeps } from './intent-parts.ts';
import type { StrategyMemory } from './base/memory.ts';
import { notePlaced } from './base/memory.ts';
import { identity, listDenial } from './rules/index.ts';

/**
 * Answers a list of orders: a pending record for each, all under one command, or a denial for each.
 *
 * First every order is judged alone, then each with those before it already counted. One that is denied takes the
 * others with it, recorded as pending or not: no byte of any of them has left.
 */
export function answerPlaceList(parts: IntentDeps, intent: PlaceListIntent): void {
  const { memory, outbox, view } = parts;
  const { strategy, requests } = intent;
  const owner = memory.strategies.get(strategy);
  const whole =
    owner === undefined ? noStrategy(strategy) : listDenial(intent, memory.capabilities, view.instruments);
  if (whole !== undefined || owner === undefined) {
    for (const { clientOrderId } of requests) denied(parts, strategy, clientOrderId, whole as Denial);
    return;
  }
  const commandId = outbox.nextCommandId();
  let bad = firstBad(requests, (request, at) => judged(parts, owner, request, tableAlone(intent, at)));
  if (bad !== undefined && isHeld(parts, owner, intent, bad)) return;
  if (bad === undefined) judgeAsLive(parts, owner, intent);
  let pending = 0;
  bad ??= firstBad(requests, (request, at) => {
    const denial = at === 0 ? undefined : judged(parts, owner, request, tableBeside(intent, at), true);
    if (denial !== undefined) return denial;
    owner.messages.count(memory.uptime);
    memory.messages.count(memory.uptime);
    notePlaced(owner, request, memory.uptime);
    const command = { kind: 'newOrder', commandId, strategy, request } as const;
    pending += 1;
    try {
      outbox.pending(command);
    } finally {
      parts.view.inFlight.send(command, memory.uptime);
    }
    parts.tracker.sent(command);
    return undefined;
  });
  if (bad !== undefined) refuseAll(parts, intent, pending, bad);
}

interface Bad {
  readonly at: number;
  readonly denial: Denial;
}

function firstBad(
  requests: readonly OrderRequest[],
  judgeOne: (request: OrderRequest, at: number) => Denial | undefined,
): Bad | undefined {
  for (const [at, request] of requests.entries()) {
    const denial = judgeOne(request, at);
    if (denial !== undefined) return { at, denial };
  }
  return undefined;
}

/** `known`: its identity has been looked at before. */
function judged(
  { view, memory }: IntentDeps,
  owner: StrategyMemory,
  request: OrderRequest,
  table: readonly TableRow[],
  known = false,
): Denial | undefined {
  const id = request.clientOrderId;
  const badId = known ? undefined : identity(id, owner, view, memory);
  if (badId !== undefined) return badId;
  if (!known && view.inFlight.sentOrder(id) !== undefined)
    return deny('ID_REUSED', `order ${id} is on its way`);
  const instrument = view.instruments.all[request.instrument];
  if (instrument === undefined) {
    return deny('SYMBOL_NOT_ALLOWED', `there is no instrument number ${shownValue(request.instrument)}`);
  }
  return judgeCandidate(candidateOf(owner, instrument, request), view, memory, table);
}

/** Whether a list waits for the sake of the order that was denied. */
function isHeld(
  { view, held }: IntentDeps,
  owner: StrategyMemory,
  intent: PlaceListIntent,
  bad: Bad,
): boolean {
  const request = intent.requests[bad.at];
  const instrument = request && view.instruments.all[request.instrument];
  if (request === undefined || instrument === undefined) return false;
  return held.takeExit(intent, candidateOf(owner, instrument, request), intent.requests, bad.denial);
}

function candidateOf(strategy: StrategyMemory, instrument: Instrument, request: OrderRequest): Candidate {
  return { strategy, instrument, request, lots: request.quantity, replaces: undefined };
}

function judgeAsLive(
  { live, view, memory }: IntentDeps,
  owner: StrategyMemory,
  intent: PlaceListIntent,
): void {
  if (live === undefined) return;
  const orders = intent.requests.map((request, at) => ({
    candidate: candidateOf(owner, view.instruments.at(request.instrument), request),
    table: tableAlone(intent, at),
  }));
  live.judge(orders, view, memory);
}

/** The first `pending` orders are recorded already. */
function refuseAll(
  parts: IntentDeps,
  { strategy, requests }: PlaceListIntent,
  pending: number,
  bad: Bad,
): void {
  const why = `order ${bad.at + 1} of the list was denied: ${bad.denial.code}`;
  for (const [at, { clientOrderId }] of requests.entries()) {
    denied(parts, strategy, clientOrderId, at === bad.at ? bad.denial : deny('LIST_ORDER_DENIED', why));
    if (at < pending) parts.tracker.withdrawn(clientOrderId);
  }
}

export function denied(
  { outbox }: IntentDeps,
  strategy: string,
  clientOrderId: ClientOrderId,
  denial: Denial,
): void {
  outbox.denied({ strategy, action: 'place', clientOrderId, originalClientOrderId: undefined }, denial);
}

export function noStrategy(strategy: string): Denial {
  return deny('STRATEGY_STOPPED', `there is no strategy ${shownValue(strategy)} in this run`);
}
