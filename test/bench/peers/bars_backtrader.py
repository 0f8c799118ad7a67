"""EMA cross 10/20 on one-minute bars in backtrader. Usage: python bars_backtrader.py BARS.csv.gz [PASSES]"""

import json
import sys
import time

import backtrader as bt
import pandas as pd

PASSES = int(sys.argv[2]) if len(sys.argv) > 2 else 3


class EmaCross(bt.Strategy):
    def __init__(self):
        fast = bt.indicators.ExponentialMovingAverage(period=10)
        slow = bt.indicators.ExponentialMovingAverage(period=20)
        self.cross = bt.indicators.CrossOver(fast, slow)
        self.trades = 0

    def next(self):
        if self.cross > 0:
            self.order_target_size(target=1)
        elif self.cross < 0:
            self.order_target_size(target=-1)

    def notify_trade(self, trade):
        if trade.isclosed:
            self.trades += 1


def main():
    bars = pd.read_csv(sys.argv[1], parse_dates=["timestamp"], index_col="timestamp")
    times = []
    trades = 0
    for _ in range(PASSES):
        cerebro = bt.Cerebro()
        cerebro.addstrategy(EmaCross)
        cerebro.adddata(bt.feeds.PandasData(dataname=bars, timeframe=bt.TimeFrame.Minutes))
        cerebro.broker.setcash(10_000_000)
        cerebro.broker.setcommission(commission=0.001)
        start = time.process_time()
        trades = cerebro.run()[0].trades
        times.append(time.process_time() - start)
    first = len(bars) / times[0]
    times.sort()
    print(json.dumps({"value": len(bars) / times[len(times) // 2], "bars": len(bars), "firstPass": first, "trades": trades}))


main()
