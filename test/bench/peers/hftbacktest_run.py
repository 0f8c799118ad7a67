"""A market maker with one order a side, every second for five minutes, in hftbacktest: prints rows and rate.

Usage: python hftbacktest_run.py YESTERDAY.gz TODAY.gz. The first file only makes the initial book.
Latency 10 ms each way, risk-averse queue, orders fill whole, maker fee 0.0002, taker fee 0.0007.
"""

import json
import sys
import time

import numpy as np
from hftbacktest import BUY, EXCH_EVENT, GTX, LIMIT, SELL, BacktestAsset, HashMapMarketDepthBacktest
from hftbacktest_data import LOT, TICK, prepare
from numba import njit

LATENCY_NANOS = 10_000_000
SECONDS = 300
PASSES = 9


@njit
def trade(hbt, rows):
    count = 0
    number = 1
    while count < rows.shape[0] and hbt.elapse(1_000_000_000) == 0:
        hbt.clear_inactive_orders(0)
        depth = hbt.depth(0)
        mid = (depth.best_bid + depth.best_ask) / 2.0
        buys = False
        sells = False
        values = hbt.orders(0).values()
        while values.has_next():
            order = values.get()
            if order.side == BUY:
                buys = True
            else:
                sells = True
        if not buys:
            hbt.submit_buy_order(0, number, round((mid - 0.5) / TICK) * TICK, 1, GTX, LIMIT, False)
            number += 1
        if not sells:
            hbt.submit_sell_order(0, number, round((mid + 0.5) / TICK) * TICK, 1, GTX, LIMIT, False)
            number += 1
        state = hbt.state_values(0)
        rows[count, 0] = hbt.current_timestamp
        rows[count, 1] = mid
        rows[count, 2] = state.position
        rows[count, 3] = state.balance
        rows[count, 4] = state.fee
        rows[count, 5] = state.num_trades
        rows[count, 6] = state.trading_volume
        rows[count, 7] = state.trading_value
        count += 1
    return count


def run(snapshot, data):
    asset = (
        BacktestAsset()
        .add_data(data)
        .initial_snapshot(snapshot)
        .linear_asset(1.0)
        .constant_order_latency(LATENCY_NANOS, LATENCY_NANOS)
        .risk_adverse_queue_model()
        .no_partial_fill_exchange()
        .trading_value_fee_model(0.0002, 0.0007)
        .tick_size(TICK)
        .lot_size(LOT)
    )
    hbt = HashMapMarketDepthBacktest([asset])
    rows = np.zeros((SECONDS, 8))
    start = time.process_time()
    count = trade(hbt, rows)
    took = time.process_time() - start
    hbt.close()
    return rows[:count], took


def main():
    snapshot, data = prepare(sys.argv[1], sys.argv[2])
    run(snapshot, data)  # numba compiles
    times = []
    rows = None
    for _ in range(PASSES):
        rows, took = run(snapshot, data)
        times.append(took)
    times.sort()
    changes = int(((data["ev"] & EXCH_EVENT) == EXCH_EVENT).sum())
    value = changes / times[len(times) // 2] / 1e6
    print(json.dumps({"value": value, "levelChanges": changes, "rowCount": len(rows), "rows": rows.tolist()}))


main()
