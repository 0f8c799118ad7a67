import { zero } from '../base/amount.ts';
import { listed } from '../base/listed.ts';
import type { Instruments } from '../model/instrument.ts';
import type { ResolvedLimits, ResolvedLossLimit, ResolvedMargin, ResolvedStrategy } from './base/limits.ts';
import type { SharedOptions, Way } from './base/options.ts';
import { ruleWays } from './controls/index.ts';

const ways: Readonly<Record<string, Way>> = {
  ...ruleWays,
  ...({
    messagesPerSecondMax: 'more',
    marketReservePercent: 'less',
    requireLimits: 'less',
  } satisfies { readonly [Name in keyof SharedOptions]?: Way }),
};

const marginWays = {
  leverageMax: 'more',
  crossLeverageMax: 'more',
  liquidationMultiplier: 'more',
  distanceMinPercent: 'less',
} as const satisfies { readonly [Name in keyof ResolvedMargin]?: Way };

type Measure = number | bigint | boolean | undefined;

function measure(options: SharedOptions, name: string): Measure {
  return (options as unknown as Readonly<Record<string, Measure>>)[name];
}

function allowsMore(before: Measure, after: Measure, way: Way): boolean {
  if (after === before || before === undefined) return false;
  if (after === undefined) return true;
  return way === 'more' ? after > before : after < before;
}

/** So many symbols are named; the others are counted. */
const symbolsMax = 5;

/**
 * In what `after` allows more than `before`, in words. Limits are compared as they hold for each instrument, strategy and
 * currency: a setting that is added may loosen another one that it goes before.
 */
export function loosened(
  instruments: Instruments,
  before: ResolvedLimits,
  after: ResolvedLimits,
): readonly string[] {
  return [
    ...Object.entries(ways)
      .filter(([name, way]) => allowsMore(measure(before.options, name), measure(after.options, name), way))
      .map(([name]) => `orders.${name}`),
    ...loosenedInstruments(instruments, before, after),
    ...before.losses.flatMap((limit) => loosenedLoss(limit, after.losses)),
    ...[...before.strategies.values()].flatMap((one) =>
      loosenedStrategy(instruments, one, after.strategies.get(one.name)),
    ),
  ];
}

function loosenedInstruments(
  instruments: Instruments,
  before: ResolvedLimits,
  after: ResolvedLimits,
): readonly string[] {
  const symbols = new Map<string, string[]>();
  const note = (name: string, symbol: string): void => {
    const known = symbols.get(name);
    if (known === undefined) symbols.set(name, [symbol]);
    else known.push(symbol);
  };
  for (const { id, symbol } of instruments.all) {
    const from = before.instruments[id];
    const to = after.instruments[id];
    if (from === undefined || to === undefined) continue;
    for (const name of instrumentLimits) if (allowsMore(from[name], to[name], 'more')) note(name, symbol);
    for (const name of namesOf(marginWays))
      if (allowsMore(from.margin[name], to.margin[name], marginWays[name])) note(`margin ${name}`, symbol);
  }
  return [...symbols].map(([name, found]) => `${name} of ${listed(found, symbolsMax)}`);
}

function loosenedLoss(limit: ResolvedLossLimit, losses: readonly ResolvedLossLimit[]): readonly string[] {
  const { strategy, currency } = limit.scope;
  const whose = `${strategy === undefined ? 'the account' : `strategy ${strategy}`} in ${currency}`;
  const after = losses.find(({ scope }) => scope.strategy === strategy && scope.currency === currency);
  if (after === undefined) return [`loss of ${whose}`];
  const looser: readonly (readonly [name: string, isLooser: boolean])[] = [
    ['day', allowsMore(limit.day, after.day, 'more')],
    ['drawdown', allowsMore(limit.drawdown, after.drawdown, 'more')],
    ['losingTrades', allowsMore(limit.losingTrades, after.losingTrades, 'more')],
    ['action', limit.action === 'halted' && after.action === 'reducing'],
    // What holds until an operator clears it holds longest.
    [
      'cooldownMs',
      after.cooldown !== undefined && (limit.cooldown === undefined || after.cooldown < limit.cooldown),
    ],
  ];
  return looser.filter(([, isLooser]) => isLooser).map(([name]) => `loss ${name} of ${whose}`);
}

function loosenedStrategy(
  instruments: Instruments,
  before: ResolvedStrategy,
  after: ResolvedStrategy | undefined,
): readonly string[] {
  if (after === undefined) return [];
  const positions = instruments.all.filter(({ id }) =>
    allowsMore(before.positionMax[id], after.positionMax[id], 'more'),
  );
  return [
    ...(['openOrdersMax', 'messagesPerSecondMax'] as const)
      .filter((name) => allowsMore(before[name], after[name], 'more'))
      .map((name) => `${name} of strategy ${before.name}`),
    ...(positions.length === 0
      ? []
      : [
          `positionMax of strategy ${before.name} for ${listed(
            positions.map(({ symbol }) => symbol),
            symbolsMax,
          )}`,
        ]),
    ...loosenedFunds(before, after),
  ];
}

/** A currency that is not named has no share. Without any the whole balance may be used. */
function loosenedFunds({ name, funds }: ResolvedStrategy, after: ResolvedStrategy): readonly string[] {
  if (funds === undefined) return [];
  if (after.funds === undefined) return [`funds of strategy ${name}`];
  const more = [...after.funds].filter(([currency, amount]) => amount > (funds.get(currency) ?? zero));
  return more.length === 0
    ? []
    : [
        `funds of strategy ${name} in ${listed(
          more.map(([currency]) => currency),
          symbolsMax,
        )}`,
      ];
}

/** A limit that is left out is `Infinity` in lots, and `undefined` in money. */
const instrumentLimits = ['quantityMax', 'notionalMax', 'positionMax', 'exposureMax'] as const;

function namesOf<Name extends string>(of: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(of) as Name[];
}
