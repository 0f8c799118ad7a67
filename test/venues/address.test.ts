import { expect, test } from 'vitest';
import { socketAddress } from '../../src/venues/address.ts';

test('a socket address is what the documents say, with or without a path of its own', () => {
  expect(socketAddress('wss://venue.example', '/api/3/ws/public')).toBe(
    'wss://venue.example/api/3/ws/public',
  );
  expect(socketAddress('ws://127.0.0.1:81/x/', '/api/3/ws/trading')).toBe(
    'ws://127.0.0.1:81/x/api/3/ws/trading',
  );
  expect(() => socketAddress('https://venue.example', '/x')).toThrow(
    /ws_url to begin with ws:\/\/ or wss:\/\//,
  );
});
