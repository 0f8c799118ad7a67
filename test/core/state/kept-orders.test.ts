import { expect, test } from 'vitest';
import type { OrderDenied } from '../../../src/core/model/event.ts';
import { decodeEvent, encodeEvent } from '../../../src/core/journal/records/records.ts';
import type { State } from '../../../src/core/state/state.ts';
import { at, fill, id, lots, newState, placed, replacing, report } from './support/world.ts';

const denied = (name: string): OrderDenied => ({
  kind: 'orderDenied',
  ...at(3),
  strategy: 'grid',
  action: 'place',
  clientOrderId: id(name),
  originalClientOrderId: undefined,
  denial: { code: 'PRICE_COLLAR', why: 'because' },
});

/** The state after a restart, from the text that the journal keeps. */
function restarted(state: State, options = {}): State {
  const text = encodeEvent({ kind: 'stateCarried', ...at(100), state: state.carry() });
  const next = newState(options);
  next.apply(decodeEvent(text));
  return next;
}

test('an order is found by the id that its program gave it, from its acceptance until it is forgotten', () => {
  const state = newState({ closedOrdersMax: 2 });
  state.apply(placed('a', { alias: 'mine-0001' }, 'grid'));
  expect(state.orderNamed('grid', 'mine-0001')).toMatchObject({ clientOrderId: id('a'), state: 'pending' });
  expect(state.orderNamed('sheet', 'mine-0001')).toBeUndefined();
  state.apply(report('a', 'filled', { cumulative: lots(10), fill: fill('1', 10), time: 20 }));
  expect(state.orderNamed('grid', 'mine-0001')).toMatchObject({ state: 'filled', alias: 'mine-0001' });
  for (const [at, name] of ['b', 'c'].entries()) {
    state.apply(placed(name, {}, 'grid'));
    state.apply(report(name, 'canceled', { time: 30 + at }));
  }
  expect(state.orderNamed('grid', 'mine-0001')).toBeUndefined();
});

test('two programs may give one id, and an id whose order was denied leads to the next one', () => {
  const state = newState();
  state.apply(placed('a', { alias: 'mine-0001' }, 'grid'));
  state.apply(placed('b', { alias: 'mine-0001' }, 'sheet'));
  state.apply(denied('a'));
  state.apply(placed('c', { alias: 'mine-0001' }, 'grid', 5));
  expect(state.orderNamed('grid', 'mine-0001')?.clientOrderId).toBe(id('c'));
  expect(state.orderNamed('sheet', 'mine-0001')?.clientOrderId).toBe(id('b'));
  const after = restarted(state);
  expect(after.orderNamed('grid', 'mine-0001')?.clientOrderId).toBe(id('c'));
  expect(after.orderNamed('sheet', 'mine-0001')?.clientOrderId).toBe(id('b'));
});

test('a replacement has the id that it was given, and none of the order that it replaces', () => {
  const state = newState();
  state.apply(placed('a', { alias: 'mine-0001' }));
  state.apply(report('a', 'new', { type_: 'new' }));
  const replace = replacing('a', 'b', 20);
  state.apply({ ...replace, command: { ...replace.command, alias: 'mine-0002' } });
  expect(state.orderNamed('maker', 'mine-0002')?.clientOrderId).toBe(id('b'));
  expect(state.orderNamed('maker', 'mine-0001')?.clientOrderId).toBe(id('a'));
  state.apply(report('b', 'new', { originalClientOrderId: id('a'), quantity: lots(20), type_: 'replaced' }));
  state.apply(replacing('b', 'c', 5));
  expect(state.order(id('c'))?.alias).toBeUndefined();
  const after = restarted(state);
  expect(after.orderNamed('maker', 'mine-0001')?.state).toBe('canceled');
  expect(after.orderNamed('maker', 'mine-0002')).toMatchObject({ state: 'new', quantity: lots(20) });
});
