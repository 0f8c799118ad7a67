import { Random } from '../../src/core/base/random.ts';

const start = Date.UTC(2026, 0, 1);
const hour = 3_600_000;
const bars = 24 * 90;
const steps = 12;

/**
 * `backtest/feeds/bars/BTCUSD-H1.csv`: ninety days of hourly bars of a seeded walk whose trend turns now and then. A step is five
 * minutes, prices are whole cents.
 */
export function barsOf(): string {
  const random = new Random(11);
  const lines = ['time,open,high,low,close,volume'];
  let price = 60_000;
  let trend = 0;
  for (let bar = 0; bar < bars; bar++) {
    if (random.chance(1 / 60)) trend = random.normal() * 0.0004;
    const path = [price];
    for (let step = 0; step < steps; step++) {
      price *= 1 + trend / steps + random.normal() * 0.0011;
      path.push(price);
    }
    const cells = [path[0], Math.max(...path), Math.min(...path), price].map((value) => value?.toFixed(2));
    const volume = (random.exponential(40) + 5).toFixed(3);
    lines.push([new Date(start + bar * hour).toISOString().slice(0, 19) + 'Z', ...cells, volume].join(','));
  }
  return `${lines.join('\n')}\n`;
}
