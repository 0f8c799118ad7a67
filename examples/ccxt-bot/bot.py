"""A bot written for ccxt, which trades on the embedded exchange as it would anywhere: only the addresses are set.

It quotes one order on each side of the middle, moves them each round, and prints what it did.

    export GODWIT_REST=http://127.0.0.1:8080 GODWIT_API_KEY=... GODWIT_SECRET_KEY=...
    python3 bot.py [ROUNDS]
"""

import os
import sys
import time

import ccxt

rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
pause = float(os.environ.get("PAUSE_SECONDS", "1"))
symbol, amount, half_spread = "ETH/BTC", 0.05, 0.0004

exchange = ccxt.hitbtc({"apiKey": os.environ["GODWIT_API_KEY"], "secret": os.environ["GODWIT_SECRET_KEY"]})
address = os.environ.get("GODWIT_REST", "http://127.0.0.1:8080") + "/api/3"
exchange.urls["api"] = {"public": address, "private": address}
exchange.load_markets()

since = exchange.milliseconds()
begun = exchange.fetch_balance()
for number in range(rounds):
    exchange.cancel_all_orders(symbol)
    ticker = exchange.fetch_ticker(symbol)
    middle = (ticker["bid"] + ticker["ask"]) / 2
    quotes = {"buy": middle * (1 - half_spread), "sell": middle * (1 + half_spread)}
    for side, price in quotes.items():
        exchange.create_order(symbol, "limit", side, amount, exchange.price_to_precision(symbol, price))
    print(f"round {number + 1}: {len(exchange.fetch_open_orders(symbol))} orders around {middle:.6f}")
    time.sleep(pause)
exchange.cancel_all_orders(symbol)

fills = exchange.fetch_my_trades(symbol, since)
ended = exchange.fetch_balance()
for currency in ("ETH", "BTC"):
    print(f"{currency}: {ended[currency]['total'] - begun[currency]['total']:+.8f}")
print(f"{len(fills)} fills, {len(exchange.fetch_open_orders(symbol))} open orders")
