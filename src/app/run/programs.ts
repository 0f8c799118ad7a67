import { parseAmount } from '../../core/base/amount.ts';
import { nearest } from '../../core/base/nearest.ts';
import { ConfigError } from '../../core/config/error.ts';
import type { Config } from '../config/schema.ts';

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
  const seen = new Set(config.strategies.map(({ name }) => name));
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
