"""What backtrader and backtesting.py make of seeded orders on recorded bars, for `test/conformance/measured/bars.json`.

Usage: python bars_measure.py FOLDER_OF_RECORDED_DATA > bars.json. A case has orders, each placed when so many bars have
closed, and of every bar in which the peer's position changed, or its money while it held nothing, the number, the position and the equity
at its close.
"""

import importlib.metadata
import json
import os
import random
import sys
import warnings

import backtesting
import backtrader as bt
import pandas as pd

DAILY = "backtrader_2006-day-001.txt.gz"
GOOG = "backtesting-py_GOOG.csv.gz"
MINUTES = "nautilus_btc-perp-20211231-20220201_1m.csv.gz"
CASH = 1_000_000_000
RATE = 0.001
PLAIN = ("market", "limit", "stopMarket")
CASES = [
    {"peer": "backtrader", "data": DAILY, "bars": 255, "decimals": 2, "orders": 120, "reach": 0.02, "kinds": (*PLAIN, "stopLimit")},
    {"peer": "backtrader", "data": MINUTES, "bars": 2_000, "decimals": 2, "orders": 300, "reach": 0.002, "kinds": (*PLAIN, "stopLimit")},
    {"peer": "backtrader", "data": MINUTES, "bars": 2_000, "decimals": 2, "orders": 200, "reach": 0.003, "kinds": ("limit", "stopLimit"), "life": 20},
    {"peer": "backtesting", "data": GOOG, "bars": 1_000, "decimals": 2, "orders": 200, "reach": 0.03, "kinds": PLAIN},
    {"peer": "backtesting", "data": GOOG, "bars": 2_148, "decimals": 2, "orders": 150, "reach": 0.03, "kinds": ("bracket",)},
    {"peer": "backtesting", "data": MINUTES, "bars": 4_000, "decimals": 2, "orders": 200, "reach": 0.001, "kinds": ("bracket",)},
]


def bars_of(folder, case):
    bars = pd.read_csv(os.path.join(folder, "bars", case["data"]), index_col=0, parse_dates=True).iloc[: case["bars"]]
    bars.columns = [name.capitalize() for name in bars.columns]
    return bars[["Open", "High", "Low", "Close"]]


def orders_of(case, bars, seed):
    """Prices on the grid, within reach of the last close; the first orders come when two bars have closed.

    A bracket whose profit or stop the next open has passed already is left out: backtesting.py asks the stop first, whatever
    the open was.
    """
    dice = random.Random(seed)
    closes, opens = bars["Close"].to_list(), bars["Open"].to_list()
    places = sorted(dice.sample(range(2, len(closes) - 1), case["orders"]))
    orders = []
    for after in places:
        kind = dice.choice(case["kinds"])
        side = dice.choice(("buy", "sell"))
        order = {"after": after, "side": side, "type": kind, "quantity": dice.randint(1, 9)}
        away = lambda low, high: round(closes[after - 1] * (1 + dice.uniform(low, high) * case["reach"]), case["decimals"])
        if kind == "limit":
            order["price"] = away(-1, 1)
        elif kind != "market" and kind != "bracket":
            order["stopPrice"] = away(-1, 1)
        if kind == "stopLimit":
            beyond = round(order["stopPrice"] * dice.uniform(0, 0.5) * case["reach"], case["decimals"])
            order["price"] = round(order["stopPrice"] + (beyond if side == "buy" else -beyond), case["decimals"])
        if "life" in case:
            order["life"] = min(dice.randint(1, case["life"]), len(closes) - 1 - after)
        if kind == "bracket":
            up, down = away(0.3, 1), away(-1, -0.3)
            order["profit"], order["stop"] = (up, down) if side == "buy" else (down, up)
            if not down < opens[after] < up:
                continue
        orders.append(order)
    return orders


def changes_of(rows):
    """Where the position is another than before, or the money without one."""
    changes = []
    before = [0, 0, CASH]
    for row in rows:
        if row[1] != before[1] or (row[1] == 0 and row[2] != before[2]):
            changes.append(row)
        before = row
    return changes


def run_backtrader(bars, orders):
    rows = []
    kinds = {"market": bt.Order.Market, "limit": bt.Order.Limit, "stopMarket": bt.Order.Stop, "stopLimit": bt.Order.StopLimit}

    class Plan(bt.Strategy):
        def next(self):
            rows.append([len(self) - 1, self.position.size, round(self.broker.getvalue(), 6)])
            for order in orders:
                if order["after"] != len(self):
                    continue
                kind = order["type"]
                ask = {"size": order["quantity"], "exectype": kinds[kind]}
                if kind != "market":
                    ask["price"] = order["price"] if kind == "limit" else order["stopPrice"]
                if kind == "stopLimit":
                    ask["plimit"] = order["price"]
                if "life" in order:
                    ask["valid"] = bars.index[order["after"] + order["life"]].to_pydatetime()
                (self.buy if order["side"] == "buy" else self.sell)(**ask)

    cerebro = bt.Cerebro()
    cerebro.addstrategy(Plan)
    cerebro.adddata(bt.feeds.PandasData(dataname=bars, timeframe=bt.TimeFrame.Minutes, volume=None, openinterest=None))
    cerebro.broker.setcash(CASH)
    cerebro.broker.setcommission(commission=RATE)
    cerebro.run()
    return rows


def run_backtesting(bars, orders):
    """The equity that counts is the broker's: the statistics leave out what a run still holds."""
    rows = []

    class Plan(backtesting.Strategy):
        def init(self):
            pass

        def next(self):
            # The first call comes when two bars have closed.
            rows.append([len(self.data) - 1, self.position.size, round(self.equity, 6)])
            for order in orders:
                if order["after"] != len(self.data):
                    continue
                kind = order["type"]
                ask = {"size": order["quantity"]}
                if kind == "limit":
                    ask["limit"] = order["price"]
                elif kind == "stopMarket":
                    ask["stop"] = order["stopPrice"]
                elif kind == "bracket":
                    if self.position.size != 0 or self.orders:
                        continue
                    ask["sl"], ask["tp"] = order["stop"], order["profit"]
                (self.buy if order["side"] == "buy" else self.sell)(**ask)

    warnings.simplefilter("ignore")
    backtesting.Backtest(bars, Plan, cash=CASH, commission=RATE).run()
    return rows


def main():
    runs = {"backtrader": run_backtrader, "backtesting": run_backtesting}
    out = []
    for seed, case in enumerate(CASES):
        bars = bars_of(sys.argv[1], case)
        orders = orders_of(case, bars, seed)
        rows = runs[case["peer"]](bars, orders)
        told = {key: value for key, value in case.items() if key not in ("orders", "reach", "kinds", "decimals", "life")}
        out.append({**told, "orders": orders, "changes": changes_of(rows), "last": rows[-1][2]})
    versions = {name: importlib.metadata.version(name) for name in ("backtrader", "backtesting")}
    lines = lambda items: "[\n" + ",\n".join(f"        {json.dumps(item)}" for item in items) + "\n      ]"
    text = []
    for case in out:
        head = {key: value for key, value in case.items() if key not in ("orders", "changes")}
        text.append(
            "    {\n"
            + "".join(f"      {json.dumps(key)}: {json.dumps(value)},\n" for key, value in head.items())
            + f"      \"orders\": {lines(case['orders'])},\n      \"changes\": {lines(case['changes'])}\n    }}"
        )
    print(f'{{\n  "versions": {json.dumps(versions)},\n  "cases": [\n' + ",\n".join(text) + "\n  ]\n}")


main()
