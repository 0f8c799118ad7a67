import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

test('first trades on the sample, and no order is refused', () => {
  const args = ['backtest', 'node_modules/godwit/backtest/feeds/sample', '--no-save', '--no-band', '--json'];
  const { orders } = JSON.parse(execFileSync('npx', ['--no-install', 'godwit', ...args], { encoding: 'utf8' }));
  assert.ok(orders.filled > 0, 'expected orders that were filled');
  assert.equal(orders.denied + orders.rejected, 0);
});
