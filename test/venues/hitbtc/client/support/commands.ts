import type {
  CancelOrderCommand,
  NewOrderCommand,
  ReadCommand,
  ReadTarget,
  ReplaceOrderCommand,
} from '../../../../../src/core/model/command.ts';
import type { InstrumentId, Lots, Ticks } from '../../../../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../../../../src/core/model/order.ts';

const instrument = 0 as InstrumentId;

export const orderId = 'gw-test-00001' as ClientOrderId;
export const otherId = 'gw-test-00002' as ClientOrderId;

/** A limit order to buy 5.00 at 10.02, unless set otherwise. */
export function newOrder(
  commandId: number,
  clientOrderId: ClientOrderId = orderId,
  changes: Partial<NewOrderCommand['request']> = {},
): NewOrderCommand {
  return {
    kind: 'newOrder',
    commandId,
    strategy: 'test',
    request: {
      clientOrderId,
      instrument,
      side: 'buy',
      type: 'limit',
      timeInForce: 'GTC',
      quantity: 500 as Lots,
      price: 1_002 as Ticks,
      stopPrice: undefined,
      expireTime: undefined,
      postOnly: false,
      ...changes,
    },
  };
}

export function cancelOrder(commandId: number, clientOrderId: ClientOrderId = orderId): CancelOrderCommand {
  return { kind: 'cancelOrder', commandId, strategy: 'test', clientOrderId, instrument };
}

export function replaceOrder(
  commandId: number,
  changes: Partial<ReplaceOrderCommand> = {},
): ReplaceOrderCommand {
  return {
    kind: 'replaceOrder',
    commandId,
    strategy: 'test',
    clientOrderId: orderId,
    newClientOrderId: otherId,
    instrument,
    side: 'buy',
    quantity: 400 as Lots,
    price: 1_001 as Ticks,
    stopPrice: undefined,
    ...changes,
  };
}

export function readCommand(commandId: number, what: ReadTarget): ReadCommand {
  return { kind: 'read', commandId, what };
}
