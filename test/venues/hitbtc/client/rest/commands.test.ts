import { expect, test } from 'vitest';
import { cancelAllCall } from '../../../../../src/venues/hitbtc/client/rest/commands.ts';
import { twoInstruments } from '../support/instruments.ts';

test('the cancel of all orders names its symbol in the body, and none where it is for all of a product', () => {
  const command = { kind: 'cancelOrders', commandId: 1, cancels: [] } as const;
  const instruments = twoInstruments();
  const second = instruments.get('CCCBBB').id;
  expect(cancelAllCall({ ...command, instrument: second }, instruments)).toMatchObject({
    method: 'DELETE',
    path: '/spot/order',
    form: 'symbol=CCCBBB',
    signed: true,
  });
  const whole = cancelAllCall({ ...command, product: 'margin', instrument: undefined }, instruments);
  expect(whole).toEqual({ method: 'DELETE', path: '/margin/order', signed: true });
});
