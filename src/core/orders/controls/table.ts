import type { Denial, DenialCode } from '../../model/denial.ts';
import type { PlaceListIntent } from '../../model/intent.ts';
import type { OrderRequest } from '../../model/order.ts';
import type { StateView } from '../../state/index.ts';
import type { Candidate, Control, Rule } from '../base/candidate.ts';
import type { Memory, RuleStates } from '../base/memory.ts';
import type { RuleSettings, Way } from '../base/options.ts';
import {
  duplicate,
  messageThrottle,
  openOrdersAccount,
  openOrdersStrategy,
  openOrdersSymbol,
} from './counts.ts';
import { marketOrders, priceCollar, selfTrade } from './price.ts';
import { replacePace } from './replace-pace.ts';
import { funds, strategyFunds } from './funds.ts';
import { unexplainedMoney } from './unexplained.ts';
import { positionInDoubt } from './doubt.ts';
import { marginLimits } from '../margin/outlook.ts';
import { marginAccountOpen } from '../margin/power.ts';
import { marginCall, reduceOnly } from '../margin/reducing.ts';
import { lossLimit } from './loss.ts';
import { exposureMax, notional, positionMax, quantityMax } from './size.ts';
import {
  mode,
  paused,
  productHalted,
  reconciled,
  session,
  staleness,
  stopped,
  symbolAllowed,
  symbolWorking,
  unanswered,
} from './trading-status.ts';

import * as form from '../rules/form.ts';
import { marginMark, product } from '../rules/product.ts';

/**
 * Every rule, in the order it is asked; the first denial wins. Trading status first (a
 * stopped strategy learns that), then form (later controls rely on it), then limits, cheapest first.
 */
const rules = [
  stopped,
  symbolAllowed,
  product,
  marginMark,
  form.kind,
  form.quantity,
  form.price,
  form.stopPrice,
  form.expireTime,
  form.postOnly,
  form.changed,
  mode,
  paused,
  lossLimit,
  unexplainedMoney,
  session,
  reconciled,
  productHalted,
  unanswered,
  positionInDoubt,
  symbolWorking,
  staleness,
  marginAccountOpen,
  marginCall,
  reduceOnly,
  quantityMax,
  marketOrders,
  notional,
  priceCollar,
  selfTrade,
  duplicate,
  replacePace,
  openOrdersStrategy,
  openOrdersSymbol,
  openOrdersAccount,
  positionMax,
  exposureMax,
  marginLimits,
  messageThrottle,
  funds,
  strategyFunds,
] as const satisfies readonly Rule[];

type SettingsOf<One> = One extends { readonly settings: RuleSettings<infer Kinds> } ? Kinds : never;
/** All of what a union has, in one type. */
type Together<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

const allRules: readonly Rule[] = rules;

/** Kinds of the settings of all rules, by name. */
export const ruleKinds = Object.assign({}, ...allRules.map(({ settings }) => settings?.kinds)) as Together<
  SettingsOf<(typeof rules)[number]>
>;

/** Way in which each setting of the rules allows more. */
export const ruleWays: Readonly<Record<string, Way>> = Object.assign(
  {},
  ...allRules.map(({ settings }) => settings?.ways),
);

/** Memories of the rules about each strategy. */
export const rememberedStates: readonly RuleStates[] = allRules.flatMap(({ states }) => states ?? []);

/** A rule as it is asked. All rows have one shape, so that the loop over them stays fast. */
export interface TableRow {
  readonly control: Control;
  readonly code: DenialCode;
}

function tableOf(from: readonly Rule[]): readonly TableRow[] {
  return from.map(({ control, code }) => ({ control, code }));
}

export const controlTable = tableOf(allRules);

/** The first denial of the table, or `undefined` when the candidate may be sent. A control that throws denies. */
export function judgeCandidate(
  candidate: Candidate,
  view: StateView,
  memory: Memory,
  table: readonly TableRow[] = controlTable,
): Denial | undefined {
  for (const { control, code } of table) {
    try {
      const denial = control(candidate, view, memory);
      if (denial !== undefined) return denial;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { code, why: `the control failed: ${message.slice(0, 200)}` };
    }
  }
  return undefined;
}

const without = (...others: readonly Rule[]): readonly TableRow[] =>
  tableOf(allRules.filter((rule) => !others.includes(rule)));
const only = (...those: readonly Rule[]): readonly TableRow[] =>
  tableOf(allRules.filter((rule) => those.includes(rule)));

/** The controls of a replacement that leaves as a new order: some judged it when it was asked for. */
export const renewalTable = tableOf(allRules.filter(({ once }) => once !== true));
const waitingTable = without(funds, strategyFunds, marginLimits);
const returningTable = without(funds, strategyFunds, marginLimits, positionMax, exposureMax, reduceOnly);
const counts = [openOrdersStrategy, openOrdersSymbol, openOrdersAccount, messageThrottle] as const;
const countTable = only(...counts);
const limitTable = only(...counts, positionMax, exposureMax);
const besideTable = only(...counts, positionMax, exposureMax, marginLimits, funds, strategyFunds);

/**
 * The controls that judge one order of a list by itself, as if the others were not there.
 *
 * An order that waits for the first one reserves no funds until that is filled, so it need not have them now. One that
 * leads back no more than the first leads away raises no position either.
 */
export function tableAlone({ contingency, requests }: PlaceListIntent, at: number): readonly TableRow[] {
  if (!contingency.startsWith('oneTrigger') || at === 0) return controlTable;
  return leadsBack(requests, at) ? returningTable : waitingTable;
}

/**
 * The controls that judge it with the orders before it already counted. Of orders that cancel one another only one
 * executes: each passed alone, so no more than the number of them adds up.
 */
export function tableBeside({ contingency, requests }: PlaceListIntent, at: number): readonly TableRow[] {
  if (contingency === 'oneCancelOther' || leadsBack(requests, at)) return countTable;
  return contingency === 'allOrNone' ? besideTable : limitTable;
}

function leadsBack(requests: readonly OrderRequest[], at: number): boolean {
  const [first] = requests;
  const request = requests[at];
  if (first === undefined || request === undefined || at === 0) return false;
  return (
    request.instrument === first.instrument &&
    request.side !== first.side &&
    request.quantity <= first.quantity
  );
}
