import type { SourceChange } from './planted-source.ts';
import { one } from './planted-source.ts';

const orders = 'app/gateway/program-orders.ts';

/** Defects of the gateway and of what it needs of a run; seeds with programs show them. */
export const gatewayBugs: Readonly<Record<string, readonly SourceChange[]>> = {
  'two programs share the ids of orders': one(
    'core/state/kept-orders.ts',
    'return `${strategy} ${alias}`;',
    'return `${strategy.slice(0, 0)} ${alias}`;',
  ),
  'the ids of programs are lost with the carried state': one(
    'core/state/kept-orders.ts',
    'for (const entry of entries.toSorted((one, other) => one.order.createdAt - other.order.createdAt))\n      if (entry.order.alias !== undefined)',
    'for (const entry of entries.slice(0, 0))\n      if (entry.order.alias !== undefined)',
  ),
  'a denied replacement takes the id of its order': one(
    'core/state/orders.ts',
    'quantity, price, stopPrice, alias };',
    'quantity, price, stopPrice };',
  ),
  'the budget is counted by program': one(
    'core/orders/controls/counts.ts',
    'return memory.messages.admits(now)',
    'return messages.admits(now)',
  ),
  'a request is answered as that of another program': one(
    'app/gateway/route-answers.ts',
    "return account?.name ?? fail('a route ran without a program', { path: request.path });",
    "if (account === undefined) fail('a route ran without a program', { path: request.path });\n  return request.method === 'GET' ? 'grid' : account.name;",
  ),
  'an order without an answer is placed again': one(
    orders,
    'const request = this.#requestOf(host, { product, params, alias: params.clientOrderId });\n    if (request instanceof Refusal) return request;\n    return this.#ask(',
    "const request = this.#requestOf(host, { product, params, alias: params.clientOrderId });\n    if (request instanceof Refusal) return request;\n    const first = await this.#ask('place', request.clientOrderId, request.alias, () => host.place(request));\n    if (!(first instanceof Refusal) || first.error.code !== 504) return first;\n    return this.#ask(",
  ),
  'a request is answered as denied while its order leaves': one(
    'app/gateway/waits.ts',
    "if (outcome === 'unanswered') wait.answer(noAnswer());",
    "if (outcome === 'unanswered') wait.answer(deniedRefusal({ code: 'STRATEGY_STOPPED', why: 'no answer' }));",
  ),
  'a list shows the orders of all': one(
    'app/gateway/desk.ts',
    '.openOrders(this.program, instrument?.id)',
    '.openOrders(undefined, instrument?.id)',
  ),
  'open orders do not count in the share of a program': one(
    'core/orders/base/share.ts',
    'return { free: subtract(own, reserved), reserved };',
    'return { free: own, reserved };',
  ),
  'trades do not count in the share of a program': one(
    'core/orders/base/share.ts',
    'const own = add(shares.get(currency) ?? zero, tradedBy(view, strategy, currency));',
    'const own = shares.get(currency) ?? zero;\n  void tradedBy;\n  void add;\n  void view;',
  ),
  'an id is free again once its order has ended': one(
    orders,
    "if (order === undefined || order.state === 'denied') return false;",
    'if (order === undefined || isTerminal(order.state)) return false;',
  ),
  'a cancel is answered before it is one': one(
    'app/gateway/waits.ts',
    'if (!isTerminal(order.state)) return undefined;\n  return isAtVenue(order)',
    "if (isAtVenue(order) && order.state === 'new') return { ...order, state: 'canceled' };\n  if (!isTerminal(order.state)) return undefined;\n  return isAtVenue(order)",
  ),
  'an id under way may be asked for again': one(
    orders,
    'if (asked !== undefined && host.state.inFlight.find(asked) !== undefined) return true;',
    'void asked;',
  ),
};
