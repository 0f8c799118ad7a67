"""What hftbacktest makes of two recordings under every queue rule, for `test/conformance/measured/hftbacktest.json`.

Usage: python hftbacktest_measure.py FOLDER_OF_RECORDED_DATA > hftbacktest.json. Three strategies with whole fills: a maker
that quotes anew where the mid price has gone, the same with several levels, and a taker that buys and sells in turn. On
BTCUSDT, on an inverse contract of 100 USD settled in its coin, and on the single orders of AAPL.
"""

import importlib.metadata
import json
import os
import sys

import numpy as np
from hftbacktest import BUY, GTX, LIMIT, SELL, BacktestAsset, HashMapMarketDepthBacktest, ROIVectorMarketDepthBacktest
from hftbacktest.order import IOC, MARKET
from hftbacktest_data import LOT, TICK, prepare, prepare_orders
from numba import njit

MAKER = {"mode": "maker", "levels": 1, "distance": 0.05, "quantity": "0.01", "everyMs": 100, "rows": 1200}
LADDER = {"mode": "maker", "levels": 3, "distance": 0.2, "quantity": "0.01", "everyMs": 100, "rows": 600}
TAKER = {"mode": "taker", "levels": 1, "distance": 0.1, "quantity": "2.5", "everyMs": 200, "rows": 600}
SLOW = {"entryMicros": 10_000, "reportMicros": 10_000}
QUICK = {"entryMicros": 3_000, "reportMicros": 4_000}
MEASURED = {"points": 150, "sinceMicros": 1_721_347_199_000_000}
COIN = {"data": "coin", "lot": 1}
ORDERS = {"data": "orders", "tick": 0.005, "lot": 1}
CASES = [
    {"queue": "risk-averse", "power": 1, **SLOW, **MAKER},
    {"queue": "probability-power", "power": 2, **SLOW, **MAKER},
    {"queue": "probability-power", "power": 0.5, **SLOW, **MAKER},
    {"queue": "probability-power-2", "power": 2, **SLOW, **MAKER},
    {"queue": "probability-power-3", "power": 3, **SLOW, **MAKER},
    {"queue": "probability-log", "power": 1, **SLOW, **MAKER},
    {"queue": "probability-log-2", "power": 1, **SLOW, **MAKER},
    {"queue": "probability-log", "power": 1, **QUICK, **LADDER},
    {"queue": "probability-power", "power": 3, **MEASURED, **LADDER},
    {"queue": "risk-averse", "power": 1, **SLOW, **TAKER},
    {"queue": "risk-averse", "power": 1, **SLOW, **TAKER, "mode": "market"},
    {"queue": "risk-averse", "power": 1, **SLOW, **MAKER, **COIN, "distance": 1.2, "quantity": "10"},
    {"queue": "probability-power", "power": 2, **QUICK, **LADDER, **COIN, "distance": 0.8, "quantity": "7"},
    {"queue": "risk-averse", "power": 1, **SLOW, **TAKER, **COIN, "quantity": "250"},
    {"queue": "risk-averse", "power": 1, **SLOW, **MAKER, "contract": 50.0, "perUnit": 1.25},
    {"queue": "risk-averse", "power": 1, **SLOW, **TAKER, "contract": 0.25, "fixed": 0.5},
    {"queue": "l3-fifo-strict", "power": 1, **SLOW, **MAKER, **ORDERS, "distance": 0.09, "quantity": "100", "everyMs": 500},
    {"queue": "l3-fifo-strict", "power": 1, **QUICK, **LADDER, **ORDERS, "distance": 0.04, "quantity": "70", "everyMs": 500},
]


@njit
def note(hbt, rows, count, mid):
    state = hbt.state_values(0)
    rows[count, 0] = mid
    rows[count, 1] = state.position
    rows[count, 2] = state.balance
    rows[count, 3] = state.fee
    rows[count, 4] = state.num_trades
    rows[count, 5] = state.trading_volume
    rows[count, 6] = state.trading_value


@njit
def make(hbt, rows, levels, distance, quantity, every, tick):
    count = 0
    while count < rows.shape[0] and hbt.elapse(every) == 0:
        hbt.clear_inactive_orders(0)
        depth = hbt.depth(0)
        mid = (depth.best_bid + depth.best_ask) / 2.0
        bids = np.zeros(levels, np.int64)
        asks = np.zeros(levels, np.int64)
        has_bid = np.zeros(levels, np.bool_)
        has_ask = np.zeros(levels, np.bool_)
        for i in range(levels):
            bids[i] = round((mid - distance * (i + 1)) / tick)
            asks[i] = round((mid + distance * (i + 1)) / tick)
        values = hbt.orders(0).values()
        while values.has_next():
            order = values.get()
            wanted = False
            for i in range(levels):
                if order.side == BUY and order.price_tick == bids[i]:
                    has_bid[i] = True
                    wanted = True
                if order.side == SELL and order.price_tick == asks[i]:
                    has_ask[i] = True
                    wanted = True
            if not wanted and order.cancellable:
                hbt.cancel(0, order.order_id, False)
        for i in range(levels):
            if not has_bid[i]:
                hbt.submit_buy_order(0, count * 100 + i, bids[i] * tick, quantity, GTX, LIMIT, False)
            if not has_ask[i]:
                hbt.submit_sell_order(0, count * 100 + 50 + i, asks[i] * tick, quantity, GTX, LIMIT, False)
        note(hbt, rows, count, mid)
        count += 1
    return count


@njit
def take(hbt, rows, distance, quantity, every, kind, tick):
    count = 0
    away = round(distance / tick)
    while count < rows.shape[0] and hbt.elapse(every) == 0:
        hbt.clear_inactive_orders(0)
        depth = hbt.depth(0)
        if len(hbt.orders(0)) == 0:
            if count % 2 == 0:
                hbt.submit_buy_order(0, count, (depth.best_ask_tick + away) * tick, quantity, IOC, kind, False)
            else:
                hbt.submit_sell_order(0, count, (depth.best_bid_tick - away) * tick, quantity, IOC, kind, False)
        note(hbt, rows, count, (depth.best_bid + depth.best_ask) / 2.0)
        count += 1
    return count


def latencies(points, since):
    """One measurement a second from shortly before the data on, by a rule that the test repeats."""
    start = since * 1_000
    rows = np.zeros(points, [("req_ts", "i8"), ("exch_ts", "i8"), ("resp_ts", "i8"), ("_padding", "i8")])
    at = np.arange(points)
    rows["req_ts"] = start + at * 10**9
    rows["exch_ts"] = rows["req_ts"] + (2_000 + at * 7_919 % 38_000) * 1_000
    rows["resp_ts"] = rows["exch_ts"] + (1_000 + at * 5_381 % 29_000) * 1_000
    return rows


def run(case, snapshot, data):
    asset = BacktestAsset().add_data(data)
    if snapshot is not None:
        asset = asset.initial_snapshot(snapshot)
    asset = asset.inverse_asset(100.0) if case.get("data") == "coin" else asset.linear_asset(case.get("contract", 1.0))
    if "points" in case:
        # The peer keeps the address of the rows and not the rows: they have to outlive it.
        measured = latencies(case["points"], case["sinceMicros"])
        asset = asset.intp_order_latency(measured)
    else:
        asset = asset.constant_order_latency(case["entryMicros"] * 1_000, case["reportMicros"] * 1_000)
    power = float(case["power"])
    tick = case.get("tick", TICK)
    asset = {
        "risk-averse": lambda: asset.risk_adverse_queue_model(),
        "probability-power": lambda: asset.power_prob_queue_model(power),
        "probability-power-2": lambda: asset.power_prob_queue_model2(power),
        "probability-power-3": lambda: asset.power_prob_queue_model3(power),
        "probability-log": lambda: asset.log_prob_queue_model(),
        "probability-log-2": lambda: asset.log_prob_queue_model2(),
        "l3-fifo-strict": lambda: asset.l3_fifo_queue_model().roi_lb(500.0).roi_ub(700.0),
    }[case["queue"]]()
    if "perUnit" in case:
        asset = asset.trading_qty_fee_model(case["perUnit"], case["perUnit"])
    elif "fixed" in case:
        asset = asset.flat_per_trade_fee_model(case["fixed"], case["fixed"])
    else:
        asset = asset.trading_value_fee_model(0.0002, 0.0007)
    asset = asset.no_partial_fill_exchange().tick_size(tick).lot_size(case.get("lot", LOT))
    hbt = (ROIVectorMarketDepthBacktest if snapshot is None else HashMapMarketDepthBacktest)([asset])
    rows = np.zeros((case["rows"], 7))
    every, distance, quantity = case["everyMs"] * 1_000_000, case["distance"], float(case["quantity"])
    if case["mode"] == "maker":
        count = make(hbt, rows, case["levels"], distance, quantity, every, tick)
    else:
        count = take(hbt, rows, distance, quantity, every, MARKET if case["mode"] == "market" else LIMIT, tick)
    hbt.close()
    if count != case["rows"]:
        raise SystemExit(f"expected {case['rows']} rows, found {count}")
    return rows


def brief(rows, lot):
    """Every row in which position or trades change, and the last one whole."""
    changes = []
    before = (0, 0)
    for at, row in enumerate(rows):
        now = (round(row[1] / lot), round(row[4]))
        if now != before:
            changes.append([at, *now])
        before = now
    return {"changes": changes, "last": [float(f"{value:.10g}") for value in rows[-1]]}


def main():
    folder = sys.argv[1]
    raw = os.path.join(folder, "binance-raw")
    data = {
        "linear": prepare(f"{raw}/usdm_btcusdt_20240718.gz", f"{raw}/usdm_btcusdt_20240719.gz"),
        "coin": prepare(f"{raw}/cm_btcusd_perp_20240808.gz", f"{raw}/cm_btcusd_perp_20240809.gz", COIN["lot"]),
        "orders": (None, prepare_orders(os.path.join(folder, "l3/lobster-aapl-20120621-message50.csv.gz"), (2012, 6, 21))),
    }
    cases = [
        {**case, **brief(run(case, *data[case.get("data", "linear")]), case.get("lot", LOT))} for case in CASES
    ]
    version = importlib.metadata.version("hftbacktest")
    lines = ",\n".join("    " + json.dumps(case, separators=(", ", ": ")) for case in cases)
    print('{\n  "version": "%s",\n  "cases": [\n%s\n  ]\n}' % (version, lines))


main()
