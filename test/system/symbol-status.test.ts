import { afterEach, expect, test } from 'vitest';
import { replaySession } from '../../src/app/replay/session.ts';
import { configSchema } from '../../src/app/config/schema.ts';
import { openRecording } from '../../src/data/open/own-formats.ts';
import type { InstrumentStatus } from '../../src/core/model/instrument.ts';
import { Counterparty } from './support/counterparty.ts';
import { Puppet } from './support/puppet.ts';
import { Stage, strategyOf } from './support/stage.ts';
import { until } from './support/until.ts';

// Faults, X18: a symbol is suspended and cleared while a strategy trades it.

const quickStatus = { client: { rest: { retryMs: 5 }, market: { statusMs: 20, retryMs: 5 } } };
let stage: Stage;
let puppet: Puppet;

async function open(mode: 'sim' | 'paper'): Promise<Counterparty> {
  Puppet.forget();
  stage = await Stage.open({
    mode,
    strategies: [strategyOf('puppet')],
    exchange: { flow: { enabled: false } },
    config: quickStatus,
  });
  const counterparty = new Counterparty(stage.exchange);
  puppet = await Puppet.of(stage);
  return counterparty;
}

afterEach(async () => {
  await stage.close();
});

async function setStatus(status: InstrumentStatus): Promise<void> {
  const instrument = stage.exchange.instruments.get('ETHUSDT').id;
  const before = stage.all('instrumentChanged').length;
  stage.exchange.core.handle({ kind: 'setStatus', instrument, status });
  await stage.next('instrumentChanged', (event) => event.status === status, before);
}

const denials = () => stage.all('orderDenied').map(({ denial }) => denial.code);

test.each(['sim', 'paper'] as const)(
  'mode %s: orders on a symbol that is suspended or cleared during the run are denied before a byte leaves',
  async (mode) => {
    const counterparty = await open(mode);
    const order = { side: 'buy', quantity: 20, price: 299_500 } as const;
    const resting = await puppet.place(order);
    await puppet.received(resting, 'new');
    for (const status of ['suspended', 'clearing'] as const) {
      await setStatus(status);
      await puppet.received(await puppet.place({ ...order, price: 299_400 }), 'SYMBOL_NOT_WORKING');
    }
    expect(denials()).toEqual(['SYMBOL_NOT_WORKING', 'SYMBOL_NOT_WORKING']);
    expect(stage.all('orderRejected')).toEqual([]);
    expect(puppet.outages).toEqual(
      expect.arrayContaining([expect.objectContaining({ status: 'suspended' })]),
    );

    await puppet.act((orders) => orders.cancel(resting));
    await puppet.received(resting, 'canceled');
    await setStatus('working');
    const again = await puppet.place({ ...order, price: 299_300 });
    await puppet.received(again, 'new');
    counterparty.rest('buy', 299_300, 100);
    counterparty.take('sell', 299_300, 120);
    await puppet.received(again, 'filled');
  },
);

test('the recording of such a run replays to the same verdicts', async () => {
  const bidder = strategyOf('stubborn-bidder', { symbol: 'ETHUSDT', everyMs: 30 });
  stage = await Stage.open({
    strategies: [bidder],
    exchange: { flow: { eventsPerSecond: 400 } },
    config: quickStatus,
    record: true,
  });
  await stage.next('orderPending');
  // Whether a bid or its cancel is next when the market stops is a matter of the moment, so more than one is waited for.
  await setStatus('suspended');
  await until('two denials', () => denials().filter((code) => code === 'SYMBOL_NOT_WORKING').length > 1);
  await setStatus('working');
  expect(await stage.stop()).toEqual([]);
  const noted: string[] = [];
  const { changed } = await replaySession({
    configure: (recorded) => configSchema.parse(recorded),
    recording: await openRecording([stage.recording]),
    watch: ({ event }) => {
      if (event.kind === 'instrumentChanged') noted.push(event.status);
    },
  });
  expect(noted).toEqual(['suspended', 'working']);
  expect(changed).toEqual([]);
});
