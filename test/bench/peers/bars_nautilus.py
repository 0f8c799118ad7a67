"""EMA cross 10/20 on one-minute bars in NautilusTrader. Usage: python bars_nautilus.py BARS.csv.gz [PASSES]"""

import json
import sys
import time
from decimal import Decimal

import pandas as pd
from nautilus_trader.backtest.engine import BacktestEngine, BacktestEngineConfig
from nautilus_trader.config import LoggingConfig
from nautilus_trader.examples.strategies.ema_cross import EMACross, EMACrossConfig
from nautilus_trader.model.currencies import BTC, USDT
from nautilus_trader.model.data import BarType
from nautilus_trader.model.enums import AccountType, OmsType
from nautilus_trader.model.identifiers import Venue
from nautilus_trader.model.objects import Money
from nautilus_trader.persistence.wranglers import BarDataWrangler
from nautilus_trader.test_kit.providers import TestInstrumentProvider

PASSES = int(sys.argv[2]) if len(sys.argv) > 2 else 3


def main():
    instrument = TestInstrumentProvider.btcusdt_binance()
    bar_type = BarType.from_str(f"{instrument.id}-1-MINUTE-LAST-EXTERNAL")
    frame = pd.read_csv(sys.argv[1], parse_dates=["timestamp"], index_col="timestamp")
    bars = BarDataWrangler(bar_type, instrument).process(frame)
    times = []
    orders = 0
    for _ in range(PASSES):
        engine = BacktestEngine(BacktestEngineConfig(logging=LoggingConfig(bypass_logging=True)))
        engine.add_venue(
            venue=Venue("BINANCE"),
            oms_type=OmsType.NETTING,
            account_type=AccountType.CASH,
            base_currency=None,
            starting_balances=[Money(10, BTC), Money(10_000_000, USDT)],
        )
        engine.add_instrument(instrument)
        engine.add_data(bars)
        engine.add_strategy(
            EMACross(
                EMACrossConfig(
                    instrument_id=instrument.id,
                    bar_type=bar_type,
                    trade_size=Decimal("0.001"),
                    fast_ema_period=10,
                    slow_ema_period=20,
                )
            )
        )
        start = time.process_time()
        engine.run()
        times.append(time.process_time() - start)
        orders = engine.cache.orders_total_count()
        engine.dispose()
    first = len(bars) / times[0]
    times.sort()
    print(json.dumps({"value": len(bars) / times[len(times) // 2], "bars": len(bars), "firstPass": first, "orders": orders}))


main()
