import { isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Intent } from '../../core/model/intent.ts';
import { OrderApi } from '../../core/strategy/framework.ts';

/** More than this waits only when intents were dropped on the way. */
const waitingMax = 10_000;
const framesMax = 40;
/** A frame of a stack: its file and its line. */
const stackFrame =
  /^ *at (?:.*\(|async )?((?:file:\/\/)?\/[^()]+|(?:file:\/\/\/)?[A-Za-z]:[^()]+):(\d+):\d+\)?$/;

/**
 * Notes from which line of a strategy each order call came. Only the processes of a check do this: it changes the order
 * API of the whole process, and a stack costs microseconds.
 */
export class CallSites {
  readonly #sources: readonly string[];
  /** Calls by intent, as `keyOf` names it; cancels of everything wait in line under one key. */
  readonly #waiting = new Map<string, string[]>();

  /** `sources`: files or folders of strategies. */
  constructor(sources: readonly string[]) {
    this.#sources = sources;
  }

  /** From now on every order call of this process is noted. */
  install(): void {
    Error.stackTraceLimit = framesMax;
    // A new order, a list and a replacement are known by the id they are given; the others by what they name.
    for (const name of ['place', 'placeList', 'replace'] as const)
      this.#wrap(name, (_given, result) => String(Array.isArray(result) ? result[0] : result));
    this.#wrap('cancel', ([id]) => `cancel ${String(id)}`);
    this.#wrap('cancelAll', () => 'cancelAll');
  }

  /** `file:line` of the call an intent came from, returned once. */
  takeIntent(intent: Intent): string | undefined {
    const key = keyOf(intent);
    const sites = this.#waiting.get(key);
    const site = sites?.shift();
    if (sites !== undefined && sites.length === 0) this.#waiting.delete(key);
    return site;
  }

  /** `file:line` of the innermost frame of a stack that lies in a strategy. */
  siteIn(stack: string | undefined): string | undefined {
    for (const line of (stack ?? '').split('\n')) {
      const found = stackFrame.exec(line);
      if (found === null) continue;
      const [, place = '', number = ''] = found;
      const path = place.startsWith('file:') ? fileURLToPath(place) : place;
      for (const source of this.#sources) {
        const below = relative(source, path);
        if (below === '') return `${path.split(sep).at(-1)}:${number}`;
        if (!below.startsWith('..') && !isAbsolute(below)) return `${below.replaceAll(sep, '/')}:${number}`;
      }
    }
    return undefined;
  }

  #wrap(
    name: keyof Pick<OrderApi, 'place' | 'placeList' | 'replace' | 'cancel' | 'cancelAll'>,
    keyFrom: (given: readonly unknown[], result: unknown) => string,
  ): void {
    const call: unknown = Reflect.get(OrderApi.prototype, name);
    if (typeof call !== 'function') return;
    const note = (key: string): void => this.#noteKey(key);
    Reflect.set(OrderApi.prototype, name, function (this: OrderApi, ...given: readonly unknown[]): unknown {
      const result: unknown = Reflect.apply(call, this, given);
      note(keyFrom(given, result));
      return result;
    });
  }

  #noteKey(key: string): void {
    const site = this.siteIn(new Error('an order call').stack);
    if (site === undefined || this.#waiting.size >= waitingMax) return;
    const sites = this.#waiting.get(key);
    if (sites === undefined) this.#waiting.set(key, [site]);
    // A second cancel of one order is no intent; cancels of everything all are.
    else if (key === 'cancelAll' && sites.length < waitingMax) sites.push(site);
  }
}

function keyOf(intent: Intent): string {
  switch (intent.action) {
    case 'place':
      return intent.request.clientOrderId;
    case 'placeList':
      return intent.requests[0]?.clientOrderId ?? '';
    case 'replace':
      return intent.newClientOrderId;
    case 'cancel':
      return `cancel ${intent.clientOrderId}`;
    case 'cancelAll':
      return 'cancelAll';
    case 'changeMargin':
      return `margin ${intent.change.product} ${intent.change.mode} ${intent.change.instrument ?? intent.change.currency}`;
  }
}
