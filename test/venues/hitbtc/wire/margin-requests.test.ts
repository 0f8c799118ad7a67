import { expect, test } from 'vitest';
import { wireParams } from '../../../../src/venues/hitbtc/typed/calls/input.ts';
import { readRequestParams } from '../../../../src/venues/hitbtc/wire/param-fields.ts';
import { v2Endpoints } from '../../../../src/venues/hitbtc/wire/v2/rest.ts';
import { v2Methods } from '../../../../src/venues/hitbtc/wire/v2/socket-methods.ts';
import { v3Endpoints } from '../../../../src/venues/hitbtc/wire/v3/rest.ts';
import { v3Methods } from '../../../../src/venues/hitbtc/wire/v3/socket-methods.ts';

const account = { marginBalance: '12.5', strictValidate: true };
const isolated = {
  ok: true,
  params: { marginMode: 'isolated', instrument: 'BTCUSDT', marginBalance: '12.5', strictValidate: true },
};

test('what a margin account is to become is read alike over REST and sockets of both versions', () => {
  const v3 = { marginMode: 'Isolated', instrument: 'BTCUSDT', ...account };
  expect(readRequestParams(v3Endpoints.marginSetAccount.params, wireParams(v3, 'snake'))).toEqual(isolated);
  const socket = wireParams({ symbol: 'BTCUSDT', ...account }, 'snake');
  expect(readRequestParams(v3Methods.margin_set_account.params, socket)).toEqual(isolated);
  const v2 = wireParams({ symbol: 'BTCUSDT', ...account }, 'camel');
  expect(readRequestParams(v2Endpoints.marginSetAccount.params, v2)).toEqual(isolated);
  expect(readRequestParams(v2Methods.marginAccountSet.params, v2)).toEqual(isolated);
});

test('a cross account is named by its currency, and a mode that is none is for the exchange to refuse', () => {
  const cross = { margin_mode: 'CROSS', currency: 'USDT', margin_balance: '1' };
  expect(readRequestParams(v3Methods.margin_set_account.params, cross)).toMatchObject({
    ok: true,
    params: { marginMode: 'cross', instrument: 'USDT' },
  });
  const none = { margin_mode: 'sideways', instrument: 'BTCUSDT', margin_balance: '1' };
  expect(readRequestParams(v3Endpoints.marginSetAccount.params, none)).toMatchObject({
    ok: true,
    params: { marginMode: 'sideways' },
  });
});

test('closing a position is read alike in both versions', () => {
  const closing = { symbol: 'BTCUSDT', price: '10', strictValidate: true };
  const read = readRequestParams(v3Endpoints.marginClosePosition.params, wireParams(closing, 'snake'));
  expect(read).toEqual({ ok: true, params: { marginMode: 'isolated', ...closing } });
  expect(readRequestParams(v2Endpoints.marginClosePosition.params, wireParams(closing, 'camel'))).toEqual({
    ok: true,
    params: closing,
  });
});
