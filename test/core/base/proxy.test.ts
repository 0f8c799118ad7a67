import { describe, expect, test } from 'vitest';
import { proxyFor } from '../../../src/core/base/proxy.ts';

const venue = 'https://api.venue.example/api/3';
const addressOf = (url: string, environment: Record<string, string>) => proxyFor(url, environment)?.address;

describe('the proxy of an address', () => {
  test.each<[string, Record<string, string>, string | undefined]>([
    [venue, {}, undefined],
    [venue, { HTTPS_PROXY: 'http://p:3128' }, 'http://p:3128'],
    ['wss://api.venue.example/ws', { HTTPS_PROXY: 'http://p:3128' }, 'http://p:3128'],
    ['http://venue.example', { HTTPS_PROXY: 'http://p:3128' }, undefined],
    ['ws://venue.example', { HTTP_PROXY: 'http://q:8080/' }, 'http://q:8080'],
    [venue, { HTTP_PROXY: 'http://q:8080' }, 'http://q:8080'],
    [venue, { HTTPS_PROXY: 'http://big:1', https_proxy: 'http://small:2' }, 'http://small:2'],
    [venue, { HTTPS_PROXY: 'http://big:1', https_proxy: '' }, undefined],
    [venue, { HTTPS_PROXY: 'p:3128' }, 'http://p:3128'],
    [venue, { HTTPS_PROXY: 'https://p' }, 'https://p'],
    [venue, { HTTPS_PROXY: 'http://[::1]:3128' }, 'http://[::1]:3128'],
  ])('of %s with %o is %s', (url, environment, expected) => {
    expect(addressOf(url, environment)).toBe(expected);
  });

  test.each([
    ['*', true],
    ['venue.example', true],
    ['.venue.example', true],
    ['*.venue.example', true],
    ['API.venue.EXAMPLE', true],
    ['other.example, api.venue.example:443', true],
    ['api.venue.example:8443', false],
    ['enue.example', false],
    ['example.api.venue', false],
    ['10.0.0.0/8', false],
    ['', false],
  ])('is left out for NO_PROXY=%s: %s', (list, isOut) => {
    const environment = { HTTPS_PROXY: 'http://p:3128', NO_PROXY: list };
    expect(addressOf(venue, environment)).toBe(isOut ? undefined : 'http://p:3128');
  });

  test.each([
    ['http://127.0.0.1:80', '127.0.0.1', true],
    ['http://127.0.0.1:81', '127.0.0.1:80', false],
    ['http://10.1.2.3', '10.0.0.0/8', true],
    ['http://11.1.2.3', '10.0.0.0/8,10.0.0.0/99', false],
    ['http://[::1]:5', '::1', true],
    ['ws://[::1]:5', '[::1]:5', true],
    ['http://localhost', 'localhost', true],
    ['http://1.0.0.1', '0.0.1', false],
  ])('of %s with NO_PROXY=%s: left out %s', (url, list, isOut) => {
    expect(addressOf(url, { http_proxy: 'http://p:1', no_proxy: list })).toBe(
      isOut ? undefined : 'http://p:1',
    );
  });

  test('name and password are for the proxy alone', () => {
    const found = proxyFor(venue, { HTTPS_PROXY: 'http://me:p%40ss@p:3128' });
    expect(found).toEqual({
      address: 'http://p:3128',
      authorization: `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
    });
  });

  test.each([
    'socks5://me:secret@p:1080',
    'http://me:secret@',
    'http://me:secret@p:3128/path',
    'http://me:secret@p:99999',
  ])('one that is none is refused without its text: %s', (value) => {
    expect(() => proxyFor(venue, { HTTPS_PROXY: value })).toThrow(
      'HTTPS_PROXY: expected the address of an HTTP proxy, such as http://proxy.example:3128',
    );
  });
});
