"""EMA cross 10/20 on one-minute bars in raptorbt, as a strategy class. Usage: python bars_raptorbt.py BARS.csv.gz [PASSES]"""

import json
import os
import sys
import time

os.environ["RAPTORBT_NO_VERSION_CHECK"] = "1"

import pandas as pd
import raptorbt
from raptorbt.strategy.orders import Market

PASSES = int(sys.argv[2]) if len(sys.argv) > 2 else 5
UNITS = 0.001


class EmaCross(raptorbt.Strategy):
    """Long while the fast average is above the slow one, else short: a change closes by one order and opens by another."""

    def __init__(self):
        super().__init__()
        self.fast = self.slow = None
        self.bars = self.orders = 0
        self.side = None

    def on_bar(self, ctx):
        close = ctx.bar.close
        if self.bars == 0:
            self.fast = self.slow = close
        else:
            self.fast += (close - self.fast) * 2 / 11
            self.slow += (close - self.slow) * 2 / 21
        self.bars += 1
        if self.bars < 20:
            return
        side = "buy" if self.fast >= self.slow else "sell"
        if side == self.side:
            return
        if self.side is not None:
            self._send(side)
        self._send(side)
        self.side = side

    def _send(self, side):
        self.submit_order(Market(side=side, units=UNITS))
        self.orders += 1


def main():
    bars = pd.read_csv(sys.argv[1], parse_dates=["timestamp"])
    stamps = bars["timestamp"].astype("datetime64[ns]").astype("int64").to_numpy()
    columns = [bars[name].to_numpy() for name in ("open", "high", "low", "close", "volume")]
    config = raptorbt.BacktestConfig(initial_capital=10_000_000, fees=0.001, slippage=0.0)
    times = []
    for _ in range(PASSES):
        strategy = EmaCross()
        start = time.process_time()
        result = raptorbt.run_strategy_backtest(strategy, stamps, *columns, config=config, account_type="margin")
        times.append(time.process_time() - start)
    first = len(bars) / times[0]
    times.sort()
    found = {"bars": len(bars), "firstPass": first, "orders": strategy.orders, "trades": result.metrics.total_trades}
    print(json.dumps({"value": len(bars) / times[len(times) // 2], **found}))


main()
