"""cryptofeed's HitBTC class (version 2) against a living exchange: books, trades, ticker, candles, own orders. Ends with 0 when all holds."""
import asyncio
import json
import os
import sys

from cryptofeed import FeedHandler, connection
from cryptofeed.connection import RestEndpoint, Routes, WebsocketEndpoint
from cryptofeed.defines import CANDLES, L2_BOOK, TICKER, TRADES
from cryptofeed.exchanges import HitBTC

where = json.loads(os.environ["GODWIT_EXCHANGE"])
channels = tuple(HitBTC.websocket_channels[name] for name in (L2_BOOK, TRADES, TICKER, CANDLES))
HitBTC.rest_endpoints = [RestEndpoint(where["rest"], routes=Routes("/api/2/public/symbol"))]
# It takes addresses of wss alone, so that the connection itself is made to the plain one.
address = where["ws"] + "/api/2/ws/public"
HitBTC.websocket_endpoints = [WebsocketEndpoint(address.replace("ws://", "wss://"), channel_filter=channels)]
connect = connection.connect
connection.connect = lambda _address, **options: connect(address, **options)

heard = {"book": 0, "trades": [], "ticker": 0, "candles": 0}
sequences = []
wanted = 5


def enough():
    return heard["book"] > 10 and len(heard["trades"]) > wanted and heard["ticker"] > 1 and heard["candles"] > 0


async def book(update, _received):
    bids, asks = update.book.bids, update.book.asks
    assert len(bids) > 0 and len(asks) > 0 and bids.index(0)[0] < asks.index(0)[0], "the book is crossed"
    if update.sequence_number is not None:
        sequences.append(update.sequence_number)
    heard["book"] += 1


async def trade(one, _received):
    assert one.symbol == "ETH-BTC" and one.amount > 0 and one.price > 0, one
    heard["trades"].append(int(one.id))


async def ticker(one, _received):
    assert one.bid < one.ask, one
    heard["ticker"] += 1


async def candle(one, _received):
    assert one.low <= one.open <= one.high and one.low <= one.close <= one.high, one
    heard["candles"] += 1


def main():
    handler = FeedHandler(config={"log": {"filename": os.devnull, "level": "ERROR", "disabled": True}, "uvloop": False})
    callbacks = {L2_BOOK: book, TRADES: trade, TICKER: ticker, CANDLES: candle}
    handler.add_feed(HitBTC(symbols=["ETH-BTC"], channels=list(callbacks), callbacks=callbacks, candle_interval="1m"))
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    handler.run(start_loop=False, install_signal_handlers=False)

    async def watch():
        for _ in range(400):
            await asyncio.sleep(0.1)
            if enough():
                return

    loop.run_until_complete(watch())
    assert enough(), heard
    assert sequences == list(range(sequences[0], sequences[0] + len(sequences))), sequences
    # The snapshot ascends too, and what follows never comes twice.
    assert heard["trades"] == sorted(set(heard["trades"])), heard["trades"]
    print("all held", flush=True)
    os._exit(0)


try:
    main()
except AssertionError as error:
    print(f"did not hold: {error}", file=sys.stderr, flush=True)
    os._exit(1)
