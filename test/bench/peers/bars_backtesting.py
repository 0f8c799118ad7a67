"""EMA cross 10/20 on one-minute bars in backtesting.py. Usage: python bars_backtesting.py BARS.csv.gz [PASSES]"""

import json
import os
import sys
import time
import warnings

os.environ["TQDM_DISABLE"] = "1"  # no progress bar: it costs time that is none of the engine's

import pandas as pd
from backtesting import Backtest, Strategy
from backtesting.lib import crossover

PASSES = int(sys.argv[2]) if len(sys.argv) > 2 else 5
warnings.filterwarnings("ignore")


def ema(values, period):
    return pd.Series(values).ewm(span=period, adjust=False).mean()


class EmaCross(Strategy):
    def init(self):
        self.fast = self.I(ema, self.data.Close, 10)
        self.slow = self.I(ema, self.data.Close, 20)

    def next(self):
        if crossover(self.fast, self.slow):
            self.position.close()
            self.buy(size=1)
        elif crossover(self.slow, self.fast):
            self.position.close()
            self.sell(size=1)


def main():
    bars = pd.read_csv(sys.argv[1], parse_dates=["timestamp"], index_col="timestamp")
    bars.columns = [name.capitalize() for name in bars.columns]
    times = []
    trades = 0
    for _ in range(PASSES):
        test = Backtest(bars, EmaCross, cash=10_000_000, commission=0.001)
        start = time.process_time()
        trades = int(test.run()["# Trades"])
        times.append(time.process_time() - start)
    first = len(bars) / times[0]
    times.sort()
    print(json.dumps({"value": len(bars) / times[len(times) // 2], "bars": len(bars), "firstPass": first, "trades": trades}))


if __name__ == "__main__":
    main()
