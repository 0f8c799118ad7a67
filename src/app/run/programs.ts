import { parseAmount } from '../../core/base/amount.ts';
import { nearest } from '../../core/base/nearest.ts';
import { ConfigError } from '../../core/config/error.ts';
import type { CommandBudgets } from '../../core/gate/index.ts';
import type { Product } from '../../core/model/product.ts';
import { products, spotAlone } from '../../core/model/product.ts';
import type { ProgramPort } from '../../core/strategy/framework.ts';
import type { Config } from '../config/schema.ts';

/** Place at which the programs of a run are served. */
export interface ServedPrograms extends ProgramPort {
  /** Root of REST paths, such as `http://127.0.0.1:4711`. */
  readonly restUrl: string;
  /** Takes the budgets of a run before its programs are opened. */
  beginRun(budgets: CommandBudgets): void;
}

/** The path of a participant that has no code: a program of others, whose limits name the symbols that it may trade. */
export const programPath = 'program:';

/** Whether a configured strategy is a program of others. */
export function isProgram({ path }: Pick<Config['strategies'][number], 'path'>): boolean {
  return path === programPath;
}

/** The configuration of a gateway: its programs stand among the strategies, so that a run knows both alike. */
export function withPrograms<Sections extends Pick<Config, 'programs' | 'strategies'>>(
  config: Sections,
): Sections {
  if (config.programs.length === 0 || config.strategies.some(isProgram)) return config;
  const programs = config.programs.map(
    ({ name, symbols, products, limits }): Config['strategies'][number] => ({
      name,
      path: programPath,
      params: products.join() === spotAlone.join() ? {} : { products: [...products] },
      host: 'thread',
      trust: 'limited',
      // In the order of the schema: a replay compares the texts.
      limits: { symbols: [...symbols], ...limits },
    }),
  );
  return { ...config, strategies: [...config.strategies, ...programs] };
}

/** Products that a program among the strategies trades. */
export function productsOfProgram({
  params,
}: Pick<Config['strategies'][number], 'params'>): readonly Product[] {
  const named = params['products'];
  return Array.isArray(named) ? products.filter((product) => named.includes(product)) : spotAlone;
}

type Program = Config['programs'][number];
type Limits = Program['limits'];

/** The configured program of that name. Throws `ConfigError` when there is none. */
export function programOf({ programs }: Pick<Config, 'programs'>, name: string): Program {
  const found = programs.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = programs.map((one) => one.name);
  const near = nearest(name, names);
  const hint = near === undefined ? '' : `; did you mean "${near}"?`;
  throw new ConfigError(
    `programs: expected ${name} among the programs of the configuration (${names.join(', ') || 'it has none'})${hint}`,
  );
}

/**
 * Checks what the schema cannot: each name stands once, of a program or of a strategy, and no limit of a program allows more than the
 * daemon does. Throws `ConfigError` in one sentence.
 */
export function checkPrograms(config: Pick<Config, 'programs' | 'strategies' | 'orders'>): void {
  const strategies = config.strategies.filter((one) => !isProgram(one));
  const seen = new Set(strategies.map(({ name }) => name));
  for (const [at, { name, limits, symbols }] of config.programs.entries()) {
    if (seen.has(name))
      throw new ConfigError(
        `programs.${at}.name: expected another name than those of strategies and other programs, found ${name} twice`,
      );
    seen.add(name);
    const above = limitAbove(limits, symbols, config.orders);
    if (above !== undefined) throw new ConfigError(`programs.${at}.limits.${above}`);
  }
}

/** The first limit of a program that lies above that of the daemon, in words; `undefined` where none does. */
function limitAbove(
  limits: Limits,
  symbols: readonly string[],
  orders: Config['orders'],
): string | undefined {
  const { messagesPerSecondMax, positionMax, loss } = limits;
  if (messagesPerSecondMax > orders.messagesPerSecondMax)
    return aboveText('messagesPerSecondMax', messagesPerSecondMax, orders.messagesPerSecondMax);
  for (const symbol of symbols) {
    const most = (orders.limits[symbol] ?? orders.limits['*'])?.positionMax;
    const asked = positionMax[symbol];
    if (isAbove(asked, most)) return aboveText(`positionMax.${symbol}`, asked, most);
  }
  for (const [currency, asked] of Object.entries(loss))
    for (const kind of ['day', 'drawdown'] as const)
      if (isAbove(asked[kind], orders.loss[currency]?.[kind]))
        return aboveText(`loss.${currency}.${kind}`, asked[kind], orders.loss[currency]?.[kind]);
  return undefined;
}

function isAbove(asked: string | undefined, most: string | undefined): boolean {
  return asked !== undefined && most !== undefined && parseAmount(asked) > parseAmount(most);
}

function aboveText(
  name: string,
  asked: string | number | undefined,
  most: string | number | undefined,
): string {
  return `${name}: expected at most ${most}, which the daemon allows itself (orders), found ${asked}`;
}
