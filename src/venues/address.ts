import { GodwitError } from '../core/base/errors.ts';

/** An address that must not be used: no http(s) or ws(s) URL, or credentials over an unencrypted link. */
export class AddressRefused extends GodwitError {
  override readonly code = 'GW_ADDRESS_REFUSED';
}

export interface RestAddress {
  /** Scheme, host and port: what a connection pool needs. */
  readonly origin: string;
  /** What stands between the origin and `/api/3`; empty unless `base_url` has a path. */
  readonly prefix: string;
  readonly loopback: boolean;
  readonly encrypted: boolean;
}

/** Reads `base_url` as the documents write it, without `/api/3`. Throws `AddressRefused` when it is no http(s) URL. */
export function restAddress(baseUrl: string): RestAddress {
  const url = parse(baseUrl, 'base_url', ['http:', 'https:']);
  return {
    origin: url.origin,
    prefix: url.pathname.replace(/(?<!\/)\/+$/, ''),
    loopback: isLoopbackHost(url.hostname),
    encrypted: url.protocol === 'https:',
  };
}

/** `{ws_url}{path}`. Throws `AddressRefused` when `ws_url` is no ws(s) URL. Source: API v3, "Addresses". */
export function socketAddress(wsUrl: string, path: string): string {
  const url = parse(wsUrl, 'ws_url', ['ws:', 'wss:']);
  return `${url.protocol}//${url.host}${url.pathname.replace(/(?<!\/)\/+$/, '')}${path}`;
}

/** Throws `AddressRefused` unless a credential may cross this link: it is encrypted, or never leaves this machine. */
export function requirePrivate(address: string): void {
  const url = parse(address, 'address', ['http:', 'https:', 'ws:', 'wss:']);
  if (url.protocol === 'https:' || url.protocol === 'wss:' || isLoopbackHost(url.hostname)) return;
  throw new AddressRefused(
    `credentials may only be sent to an https or wss address or to this machine, found ${url.protocol}//${url.host}`,
  );
}

/** Throws `otherwise` unless the address is of this machine. */
export function requireLoopback(address: string, otherwise: Error): void {
  const url = parse(address, 'address', ['http:', 'https:', 'ws:', 'wss:']);
  if (!isLoopbackHost(url.hostname)) throw otherwise;
}

/** Whether an address leads to this machine. */
export function isLoopback(address: string): boolean {
  return isLoopbackHost(new URL(address).hostname);
}

function isLoopbackHost(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}

function parse(text: string, what: string, schemes: readonly string[]): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const allowed = schemes.map((scheme) => `${scheme}//`).join(' or ');
  if (url === undefined || !schemes.includes(url.protocol)) {
    throw new AddressRefused(
      `expected ${what} to begin with ${allowed}, found ${JSON.stringify(text.slice(0, 80))}`,
    );
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new AddressRefused(
      `expected ${what} without user, password, query and fragment (host ${url.host})`,
    );
  }
  return url;
}
