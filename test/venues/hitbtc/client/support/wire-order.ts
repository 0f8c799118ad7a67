/** An order as the trading socket and REST show it. */
export function wireOrder(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    id: 7_000_000_000_123,
    client_order_id: 'gw-test-00001',
    symbol: 'AAABBB',
    side: 'buy',
    status: 'new',
    type: 'limit',
    time_in_force: 'GTC',
    quantity: '5.00',
    quantity_cumulative: '0',
    price: '10.02',
    post_only: false,
    created_at: '2024-01-02T03:04:05.678Z',
    updated_at: '2024-01-02T03:04:06.1Z',
    ...changes,
  };
}

/** A report of one execution. */
export function wireTrade(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return wireOrder({
    status: 'partiallyFilled',
    quantity_cumulative: '1.50',
    report_type: 'trade',
    trade_id: 4_512,
    trade_quantity: '1.50',
    trade_price: '10.02',
    trade_fee: '0.015030000000',
    trade_taker: false,
    ...changes,
  });
}
