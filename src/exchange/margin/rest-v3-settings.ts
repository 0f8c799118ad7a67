import { encodeMarginSetting } from '../../venues/hitbtc/wire/v3/margin-rows.ts';
import type { DoorSetup } from '../door-setup.ts';
import { badParameter, Refusal } from '../refusal.ts';
import type { RestResult, RestRoute } from '../http/rest-route.ts';
import { accountOf, v3Route } from '../http/rest-route.ts';
import type { MarginEntry } from './entry.ts';
import type { MarginTarget } from './outcomes.ts';

/** What margin accounts do by themselves. Source: v3-gaps, section 8; members: docs/assumptions.md. */
export function v3MarginSettingsRoutes({ world: { core, marginDesk } }: DoorSetup): RestRoute[] {
  const { margin } = marginDesk;
  return [
    v3Route('marginSettings', (_params, call) =>
      margin.accounts(accountOf(call)).map((view) => encodeMarginSetting(view, core.instruments)),
    ),
    v3Route('marginAmm', ({ amm, ...meant }, call) =>
      switched(margin, meant, { amm }, (target) => margin.setAuto(accountOf(call), target, amm)),
    ),
  ];
}

/** Replenishment of one wing. Source: API v3, "PUT /api/3/futures/margin-settings/amr". */
export function amrRoute(entry: MarginEntry, prefix: 'margin' | 'futures'): RestRoute {
  return v3Route(`${prefix}Amr`, ({ amr, ...meant }, call) =>
    switched(entry, meant, { amr }, (target) => entry.setAmr(accountOf(call), target, amr)),
  );
}

interface Meant {
  readonly marginMode: string;
  readonly symbol: string | undefined;
  readonly currency: string | undefined;
}

/** The state after a switch, of the account that was meant. */
function switched(
  entry: MarginEntry,
  { marginMode, symbol, currency }: Meant,
  state: object,
  set: (target: MarginTarget) => Refusal | undefined,
): RestResult {
  const name = marginMode === 'cross' ? 'currency' : 'symbol';
  const given = marginMode === 'cross' ? currency : symbol;
  const target = entry.target(marginMode, given ?? '');
  const isMode = !(target instanceof Refusal) || target.error.code !== 2_024;
  if (isMode && given === undefined) return badParameter(name, 'Parameter is required');
  if (target instanceof Refusal) return target;
  const refusal = set(target);
  if (refusal !== undefined) return refusal;
  return { margin_mode: marginMode, [name]: given, ...state };
}
