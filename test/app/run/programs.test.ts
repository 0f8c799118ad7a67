import { expect, test } from 'vitest';
import { configSchema } from '../../../src/app/config/schema.ts';
import { checkPrograms } from '../../../src/app/run/programs.ts';

const check = (sections: object): void => checkPrograms(configSchema.parse(sections));
const grid = { name: 'grid', symbols: ['BTCUSDT'] };

test('a name stands for one program or one strategy', () => {
  expect(() => check({ programs: [grid, { ...grid, symbols: ['ETHBTC'] }] })).toThrow(
    'programs.1.name: expected another name than those of strategies and other programs, found grid twice',
  );
  expect(() => check({ strategies: [{ name: 'grid', path: 'market-maker' }], programs: [grid] })).toThrow(
    'programs.0.name: expected another name',
  );
});

test.each([
  [
    { messagesPerSecondMax: 200 },
    { messagesPerSecondMax: 100 },
    'programs.0.limits.messagesPerSecondMax: expected at most 100',
  ],
  [
    { positionMax: { BTCUSDT: '2' } },
    { limits: { BTCUSDT: { positionMax: '1.5' } } },
    'programs.0.limits.positionMax.BTCUSDT: expected at most 1.5',
  ],
  [
    { positionMax: { BTCUSDT: '2' } },
    { limits: { '*': { positionMax: '1' } } },
    'programs.0.limits.positionMax.BTCUSDT: expected at most 1',
  ],
  [
    { loss: { USDT: { day: '100' } } },
    { loss: { USDT: { day: '50' } } },
    'programs.0.limits.loss.USDT.day: expected at most 50',
  ],
])('limits %j of a program above %j of the daemon are refused', (limits, orders, why) => {
  const messages = { messagesPerSecondMax: 50, ...limits };
  expect(() => check({ orders, programs: [{ ...grid, limits: messages }] })).toThrow(why);
});

test('limits that do not pass those of the daemon are taken', () => {
  const limits = { messagesPerSecondMax: 100, positionMax: { BTCUSDT: '1' }, loss: { USDT: { day: '50' } } };
  const orders = { limits: { BTCUSDT: { positionMax: '1' } }, loss: { USDT: { day: '50' } } };
  expect(() => check({ orders, programs: [{ ...grid, limits }] })).not.toThrow();
});
