import type { RestBinding } from '../http/http.ts';
import type { Location } from './sockets.ts';

/** What the address of the exchange itself says to who opens it: what this is, and where the API is spoken. */
export function helloBindings(
  version: string | undefined,
  bindings: readonly RestBinding[],
  locations: readonly Location[],
): readonly RestBinding[] {
  const roots = [...new Set(bindings.map(({ path }) => path.split('/').slice(0, 3).join('/')))];
  const text = JSON.stringify({
    name: 'Godwit, an exchange in a box',
    ...(version !== undefined && { version }),
    rest: roots,
    try: bindings.find(({ path }) => path.endsWith('/public/symbol'))?.path,
    sockets: locations.map(({ path }) => path),
  });
  return ['/', ...roots].map((path) => ({
    method: 'GET',
    path,
    answer: () => ({ status: 200, text, reason: undefined }),
  }));
}
