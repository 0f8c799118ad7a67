import { afterEach, expect, test } from 'vitest';
import type { Micros } from '../../src/core/base/clock.ts';
import { microsPerMilli } from '../../src/core/base/clock.ts';
import { pause } from '../../src/core/base/pause.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { Counterparty } from './support/counterparty.ts';
import { Puppet } from './support/puppet.ts';
import { quickReads, Stage, strategyOf } from './support/stage.ts';
import { until } from './support/until.ts';

// Faults, X22: the account is frozen while its orders live.

const clock = new SystemClock();
let stage: Stage;

afterEach(async () => {
  await stage.close();
});

/** The super account freezes the account of the daemon, or activates it again. */
async function ask(what: 'freeze' | 'activate'): Promise<void> {
  const [key] = stage.exchange.accounts.get('parent').keys;
  if (key === undefined) throw new Error('expected a key of the super account');
  const authorization = `Basic ${Buffer.from(`${key.apiKey}:${key.secret.reveal()}`).toString('base64')}`;
  const at = `${stage.exchange.restUrl}/api/3/sub-account`;
  const listed = await (await fetch(at, { headers: { authorization } })).text();
  const id = /"sub_account_id":"(\w+)"/.exec(listed)?.[1];
  const answer = await fetch(`${at}/${what}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ sub_account_ids: [id] }),
  });
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('true')]);
}

test('an account that is frozen while its orders live halts at once with the words of the venue, and goes on once it is served again', async () => {
  Puppet.forget();
  stage = await Stage.open({
    mode: 'sim',
    strategies: [strategyOf('puppet')],
    exchange: {
      flow: { enabled: false },
      accounts: [
        { name: 'parent', keys: [{}] },
        { name: 'demo', keys: [{}], balances: { USDT: '100000' }, subAccount: { parent: 'parent' } },
      ],
    },
  });
  const market = new Counterparty(stage.exchange);
  expect(market.instrument.symbol).toBe('ETHUSDT');
  const puppet = await Puppet.of(stage);
  const order = { side: 'buy', quantity: 20, price: 299_500 } as const;
  const resting = await puppet.place(order);
  await puppet.received(resting, 'new');

  await ask('freeze');
  await puppet.received(resting, 'canceled');
  await puppet.place({ ...order, price: 299_400 });
  await stage.next('modeChanged', (event) => event.mode === 'halted');
  const haltedAt = clock.uptime();
  const { view } = stage.daemon.trader;
  expect(view.awaits('forbidden')).toBe(
    'the venue serves this key or its account no longer (10021: User disabled)',
  );
  await puppet.received(await puppet.place({ ...order, price: 299_300 }), 'MODE_HALTED');
  expect(stage.all('orderRejected').length).toBe(1);

  await ask('activate');
  // A look that begins before says nothing of it, and a new session begins with one: the next would come after a minute.
  await pause(clock, Math.max(0, haltedAt + quickReads.absentMs * microsPerMilli - clock.uptime()) as Micros);
  stage.exchange.faults.closeSockets(1012);
  await until('trading again', () => view.mode === 'active');
  // Its money went to the wallet meanwhile: that is what holds the order back now.
  await puppet.received(await puppet.place({ ...order, price: 299_200 }), 'FUNDS');
});
