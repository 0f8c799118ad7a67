import type { JournalLoss } from '../../core/journal/index.ts';
import { isTerminal } from '../../core/model/order-life.ts';
import type { Order } from '../../core/model/order.ts';
import type { Trader } from '../../core/trader/index.ts';
import { isOfSession } from './account-now.ts';
import { heldOf } from './margin-accounts.ts';

/** Records that the journal lost, and what the venue's reads made good of it. */
export interface LostRecords {
  readonly why: string;
  /** One sentence, once the account has been compared with the venue. */
  readonly broughtBack: Promise<string>;
}

/** To be called before the run begins: what is there then is what the journal had. */
export function followLoss({ why }: JournalLoss, trader: Trader): LostRecords {
  const { view } = trader;
  const before = view.openOrders();
  let executions = 0;
  const { promise, resolve } = Promise.withResolvers<string>();
  const end = trader.watch(({ event }) => {
    executions += view.tradesOf(event).length;
    if (!trader.started) return;
    end();
    resolve(broughtBackText(before, executions, trader));
  });
  return { why, broughtBack: promise };
}

function broughtBackText(
  before: readonly Order[],
  executions: number,
  { view, instruments }: Trader,
): string {
  const known = new Set(before.map(({ clientOrderId }) => clientOrderId));
  const found = view.openOrders().filter(({ clientOrderId }) => !known.has(clientOrderId));
  const ended = before.filter(({ clientOrderId }) =>
    isTerminal(view.order(clientOrderId)?.state ?? 'canceled'),
  );
  const held = new Set(view.positions().map(({ instrument }) => instrument));
  const positions = [...held].map((id) => {
    const instrument = instruments.at(id);
    return `${instrument.symbol} ${instrument.heldText(heldOf(view, id))}`;
  });
  return [
    `the venue's reads brought back ${executions} executions and ${found.length} live orders (${found.filter(isOfSession).length} of them of this bot), and ended ${ended.length} that the journal had as live`,
    `positions are now ${positions.join(', ') || 'none'}`,
    'halts, limits on loss, changed parameters and the strategy of an order stood in the lost records alone',
  ].join('; ');
}
