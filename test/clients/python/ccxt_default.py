"""ccxt for Python with its default settings against a living exchange: addresses and a key are set, nothing else. Ends with 0 when all holds."""
import json
import os
import sys
from decimal import Decimal

import ccxt

where = json.loads(os.environ["GODWIT_EXCHANGE"])


def aimed(at):
    """The class, pointed at an address with a key that is good there."""
    client = ccxt.hitbtc({"apiKey": at["key"], "secret": at["secret"]})
    client.urls["api"] = {"public": at["rest"] + "/api/3", "private": at["rest"] + "/api/3"}
    return client


client = aimed(where)
# Who may use the wallet: a program at a gateway may not.
owner = aimed(where["owner"]) if "owner" in where else client


def markets():
    loaded = client.load_markets()
    assert {"BTC/USDT", "ETH/BTC", "BTC/USDT:USDT", "ETH/USDT:USDT"} <= set(loaded), sorted(loaded)
    assert loaded["BTC/USDT:USDT"]["swap"] and loaded["BTC/USDT"]["precision"]["price"] == 0.01, loaded["BTC/USDT"]
    assert {"BTC", "ETH", "USDT"} <= set(client.fetch_currencies())
    assert client.currencies["USDT"]["precision"] == 0.000001, client.currencies["USDT"]


def prices():
    ticker = client.fetch_ticker("ETH/BTC")
    assert ticker["bid"] < ticker["ask"] and ticker["timestamp"] > 0, ticker
    assert "ETH/BTC" in client.fetch_tickers()
    book = client.fetch_order_book("ETH/BTC", 5)
    assert len(book["asks"]) == 5 and book["bids"][0][0] < book["asks"][0][0], book
    assert set(client.fetch_order_books(["ETH/BTC", "BTC/USDT"])) == {"ETH/BTC", "BTC/USDT"}
    trades = client.fetch_trades("ETH/BTC", limit=5)
    assert [trade["timestamp"] for trade in trades] == sorted(trade["timestamp"] for trade in trades), trades
    bars = client.fetch_ohlcv("ETH/BTC", "1m", limit=3)
    assert len(bars) > 0 and all(low <= close <= high for _, _, high, low, close, _ in bars), bars


def contracts():
    symbol = "BTC/USDT:USDT"
    assert client.fetch_funding_rate(symbol)["markPrice"] > 0
    assert symbol in client.fetch_funding_rates([symbol])
    client.fetch_funding_rate_history(symbol)
    assert client.fetch_open_interest(symbol)["symbol"] == symbol
    assert symbol in client.fetch_open_interests([symbol])
    assert client.fetch_margin_modes([symbol])[symbol]["marginMode"] == "isolated"


def money():
    balance = client.fetch_balance()
    assert Decimal(str(balance["USDT"]["free"])) > 0, balance["USDT"]
    assert owner.fetch_balance({"type": "wallet"})["info"] is not None
    assert client.fetch_balance({"type": "swap"})["USDT"]["free"] == 200000.0
    fees = client.fetch_trading_fees()
    assert fees["ETH/BTC"]["taker"] == client.fetch_trading_fee("ETH/BTC")["taker"]
    assert "BTC" in owner.fetch_deposit_withdraw_fees(["BTC"])
    address = owner.create_deposit_address("BTC")["address"]
    assert owner.fetch_deposit_address("BTC")["address"] == address
    moved = owner.transfer("USDT", 10, "spot", "funding")
    assert moved["currency"] == "USDT", moved
    assert len(owner.fetch_deposits_withdrawals("USDT")) > 0
    owner.fetch_deposits("BTC")
    owner.fetch_withdrawals("BTC")


def orders():
    symbol = "ETH/BTC"
    placed = client.create_order(symbol, "limit", "buy", 0.5, 0.01)
    assert (placed["status"], placed["price"]) == ("open", 0.01), placed
    assert [one["id"] for one in client.fetch_open_orders(symbol)] == [placed["id"]]
    assert client.fetch_open_order(placed["id"], symbol)["remaining"] == 0.5
    replaced = client.edit_order(placed["id"], symbol, "limit", "buy", 0.4, 0.011)
    assert (replaced["amount"], replaced["price"]) == (0.4, 0.011), replaced
    assert client.cancel_order(replaced["id"], symbol)["status"] == "canceled"
    stop = client.create_order(symbol, "limit", "sell", 0.1, 0.02, {"stopPrice": 0.021})
    assert stop["stopPrice"] == 0.021, stop
    assert [one["id"] for one in client.cancel_all_orders(symbol)] == [stop["id"]]
    bought = client.create_order(symbol, "market", "buy", 0.1)
    assert (bought["filled"], bought["status"]) == (0.1, "closed"), bought
    assert client.fetch_order(bought["id"], symbol)["average"] == bought["average"]
    assert bought["id"] in [one["id"] for one in client.fetch_closed_orders(symbol)]
    # Sums in double precision: the digits that ccxt keeps of text are those of the exchange.
    mine = [trade for trade in client.fetch_my_trades(symbol) if trade["order"] == bought["id"]]
    assert sum(Decimal(trade["info"]["quantity"]) for trade in mine) == Decimal("0.1"), mine
    # By the number of the exchange: its own ids are those of the trader.
    assert len(client.fetch_order_trades(bought["info"]["id"], symbol)) == len(mine)
    try:
        client.create_order(symbol, "limit", "buy", 1000000, 0.05)
        raise AssertionError("expected InsufficientFunds")
    except ccxt.InsufficientFunds:
        pass


def positions():
    symbol = "BTC/USDT:USDT"
    # In the mode and with the size of margin that it chooses by itself.
    opened = client.create_order(symbol, "market", "buy", 0.01)
    assert opened["filled"] == 0.01, opened
    [position] = client.fetch_positions([symbol])
    assert position["contracts"] == 0.01, position
    client.create_order(symbol, "market", "sell", 0.01)
    client.set_leverage(5, symbol, {"marginMode": "isolated", "margin_balance": 1000})
    assert client.fetch_leverage(symbol)["longLeverage"] == 5.0
    client.add_margin(symbol, 1100, {"leverage": 5})
    client.reduce_margin(symbol, 0, {"leverage": 5})


for step in (markets, prices, contracts, money, orders, positions):
    step()
print("all held")
sys.exit(0)
