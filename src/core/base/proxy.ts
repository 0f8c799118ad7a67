import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { BadInput } from './errors.ts';

/** Through whom a connection goes. */
export interface Proxy {
  /** Such as `http://proxy.example:3128`, without name and password. */
  readonly address: string;
  /** Credentials for the proxy: the value of `Proxy-Authorization`. */
  readonly authorization: string | undefined;
}

/** A variable names no proxy that connections could go through. */
export class ProxyUnknown extends BadInput {
  override readonly code = 'GW_CONFIG';
}

type Environment = Readonly<Record<string, string | undefined>>;

let ofProcess: Environment = process.env;

/** Has `proxyFor` read this environment: the launcher hands it over apart from the process, where plugins could read passwords. */
export function readProxiesFrom(environment: Environment): void {
  ofProcess = environment;
}

const addressForm = /^https?:\/\/[^/]+\/?$/;

/**
 * The proxy that an environment names for an address of `http`, `https`, `ws` or `wss`: `HTTP_PROXY` for the plain ones,
 * `HTTPS_PROXY` or else `HTTP_PROXY` for the others, in small letters first; none for hosts of `NO_PROXY`. Throws `ProxyUnknown`
 * that names the variable and not its value, which may hold a password.
 */
export function proxyFor(url: string, environment: Environment = ofProcess): Proxy | undefined {
  const target = new URL(url);
  const isSecure = target.protocol === 'https:' || target.protocol === 'wss:';
  const names = isSecure ? ['HTTPS_PROXY', 'HTTP_PROXY'] : ['HTTP_PROXY'];
  const found = names
    .map((name) => ({ name, value: valueOf(environment, name) }))
    .find(({ value }) => value !== '');
  if (found === undefined || isExcepted(target, valueOf(environment, 'NO_PROXY'))) return undefined;
  return proxyOf(found.name, found.value);
}

function valueOf(environment: Environment, name: string): string {
  return (environment[name.toLowerCase()] ?? environment[name] ?? '').trim();
}

function proxyOf(name: string, value: string): Proxy {
  const wrong = () =>
    new ProxyUnknown(`${name}: expected the address of an HTTP proxy, such as http://proxy.example:3128`);
  const text = value.includes('://') ? value : `http://${value}`;
  if (!URL.canParse(text)) throw wrong();
  const { protocol, host, username, password, pathname, search } = new URL(text);
  const address = `${protocol}//${host}`;
  if (!addressForm.test(address + pathname) || search !== '') throw wrong();
  if (username === '' && password === '') return { address, authorization: undefined };
  const pair = `${decoded(username)}:${decoded(password)}`;
  return { address, authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** A sign of per cent that begins no escape stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether a list names the host: itself, a domain above it, its address or a range of addresses, each with a port or not; `*` is any. */
function isExcepted({ hostname, port, protocol }: URL, list: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const ownPort = port === '' ? (protocol === 'https:' || protocol === 'wss:' ? '443' : '80') : port;
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true;
    const match = /^(?:\*?\.)?(\[[^\]]+\]|[^:]+|[^:]*:[^:]*:.*?)(?::(\d+))?$/.exec(entry.toLowerCase());
    if (match === null || (match[2] !== undefined && match[2] !== ownPort)) return false;
    const name = (match[1] as string).replace(/^\[|\]$/g, '');
    if (name.includes('/')) return isWithin(host, name);
    return host === name || (!isAddress(host) && host.endsWith(`.${name}`));
  });
}

function isAddress(host: string): boolean {
  return isIPv4(host) || isIPv6(host);
}

/** Whether an address lies in a range such as `10.0.0.0/8`. */
function isWithin(host: string, range: string): boolean {
  const [network = '', bits = ''] = range.split('/');
  if (!isAddress(host) || !isAddress(network) || !/^\d{1,3}$/.test(bits)) return false;
  if (Number(bits) > (isIPv4(network) ? 32 : 128)) return false;
  const ranges = new BlockList();
  ranges.addSubnet(network, Number(bits), isIPv4(network) ? 'ipv4' : 'ipv6');
  return ranges.check(host, isIPv4(host) ? 'ipv4' : 'ipv6');
}
