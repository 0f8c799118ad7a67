import type { SourceChange } from './planted-source.ts';
import { one } from './planted-source.ts';

/** Defects of the operator's acts, and of strategies beside one another. */
export const actBugs: Readonly<Record<string, readonly SourceChange[]>> = {
  // One alone is covered by the other: a halt cancels what is not confirmed, which takes a replacement that waits out of the gate.
  'a halted mode lets replacements out at the gate': [
    {
      file: 'core/gate/gate.ts',
      from: "if (view.mode === 'halted') return",
      to: "if (view.mode === 'halted' && lane !== 'replace') return",
    },
    {
      file: 'core/gate/gate.ts',
      from: 'fresh.takeOut(command.clientOrderId) ?? replace.takeOut(command.clientOrderId);',
      to: 'fresh.takeOut(command.clientOrderId);',
    },
  ],
  'a pause is lost with the carried state': one(
    'core/state/mode.ts',
    'for (const one of paused) this.#paused.set(one.strategy, holdOf(one));',
  ),
  'a pause lets out what waits': one('core/gate/gate.ts', 'if (paused !== undefined) return paused;'),
  'a pause of one strategy is no pause': one(
    'core/state/mode.ts',
    '(this.#paused.get(strategy) ?? this.#paused.get(undefined))?.why',
    'this.#paused.get(undefined)?.why',
  ),
  'flattening ends with the first look': one(
    'core/trader/flatten.ts',
    'if (this.#follow()) this.#schedule();',
    'if (this.#follow()) return;',
  ),
  'a strategy that was stopped starts with the next run': one(
    'core/trader/host-group.ts',
    'if (state.off(host.name) === undefined) host.start();',
    'if (true) host.start();',
  ),
  'cancelling all leaves the orders of a strategy': one(
    'core/orders/manager.ts',
    "this.#clearing.cancelAll('cancelled by an operator', act.strategy, act.instrument);",
  ),
  'limits that are read again leave the throttle': one(
    'core/orders/base/memory.ts',
    'this.messages = this.messages.resized(options.messagesPerSecondMax);',
  ),
  'parameters are lost with the carried state': one(
    'core/state/mode.ts',
    'for (const { strategy, ...changed } of params) this.#params.set(strategy, changed);',
  ),
  'reducing lets every order out': one(
    'core/orders/manager.ts',
    "else if (event.mode === 'reducing') this.#cancels.requestThose((order) => !this.#reduces(order));",
  ),
  'a strategy that throws goes on': one(
    'core/strategy/guard.ts',
    'this.endStrategy(`${this.where} returned a promise; handlers are synchronous and must return nothing`);',
  ),
  'a strategy is shown executions of others': one(
    'core/strategy/order-dispatch.ts',
    'return order?.strategy === this.#strategy ? order : undefined;',
    'return order;',
  ),
  'a trade is shown to a strategy once in an update': one(
    'core/strategy/market-dispatch.ts',
    'if (!this.#guard.running) return;\n    }\n  }',
    'return;\n    }\n  }',
  ),
};
