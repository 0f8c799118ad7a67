"""The Python SDK of CryptoMarket against a living exchange: lists, books, an order's life, streams. Ends with 0 when all holds."""
import json
import os
import sys
import threading
from decimal import Decimal

import cryptomarket.http_client as http_client
from cryptomarket.client import Client
from cryptomarket.exceptions import CryptomarketAPIException
from cryptomarket.websockets import MarketDataClient, TradingClient

where = json.loads(os.environ["GODWIT_EXCHANGE"])
http_client.api_url = where["rest"] + "/api/3/"
key, secret = where["key"], where["secret"]


def aimed(client, location):
    """The socket client, pointed at the exchange."""
    client._ws_manager.ws.url = where["ws"] + location
    problem = client.connect()
    assert problem is None, problem
    return client


def lists(client):
    currencies = client.get_currencies()
    assert {"BTC", "ETH", "USDT"} <= set(currencies), currencies
    assert "{tx}" in currencies["BTC"].crypto_explorer and len(currencies["BTC"].networks) > 0
    assert client.get_currency("ETH").full_name == "Ethereum"
    # It has no place for the base currency of a contract, which is null as the documents say.
    symbols = client.get_symbols(["ETHBTC", "BTCUSDT"])
    assert len(symbols) == 2 and symbols["ETHBTC"].tick_size == "0.000001", symbols["ETHBTC"]
    ticker = client.get_ticker("ETHBTC")
    assert Decimal(ticker.bid) < Decimal(ticker.ask), ticker
    book = client.get_order_book_of_symbol("ETHBTC", depth=5)
    assert len(book.ask) == 5 and Decimal(book.bid[0].price) < Decimal(book.ask[0].price), book
    trades = client.get_trades_of_symbol("ETHBTC", limit=5)
    assert [trade.id for trade in trades] == sorted((trade.id for trade in trades), reverse=True), trades
    assert len(client.get_candles_of_symbol("ETHBTC", period="M1", limit=3)) > 0


def order(client):
    before = Decimal(client.get_spot_trading_balance_of_currency("BTC").available)
    placed = client.create_spot_order("ETHBTC", "buy", "0.5", price="0.01", client_order_id="python-sdk-1")
    assert (placed.status.value, placed.price) == ("new", "0.010000"), placed
    # The fee of a maker is a rebate, that of a taker is reserved.
    assert before - Decimal(client.get_spot_trading_balance_of_currency("BTC").available) == Decimal("0.005005")
    assert [one.client_order_id for one in client.get_all_active_spot_orders()] == ["python-sdk-1"]
    replaced = client.replace_spot_order("python-sdk-1", "python-sdk-2", quantity="0.4", price="0.011")
    assert (replaced.quantity, replaced.price) == ("0.4000", "0.011000"), replaced
    canceled = client.cancel_spot_order("python-sdk-2")
    assert canceled.status.value == "canceled", canceled
    assert Decimal(client.get_spot_trading_balance_of_currency("BTC").available) == before
    bought = client.create_spot_order("ETHBTC", "buy", "0.1", type="market")
    assert bought.status.value == "filled", bought
    # It takes the number of an order for a text, which the documents call a number: the rows are read as they are.
    trades = client._get("spot/history/trade", params={"symbol": "ETHBTC"})
    assert sum(Decimal(trade["quantity"]) for trade in trades) == Decimal("0.1"), trades
    assert client._get("spot/history/trade", params={"from": trades[-1]["id"]}) == trades
    try:
        client.create_spot_order("ETHBTC", "buy", "1000000", price="0.05")
        raise AssertionError("expected 20001")
    except CryptomarketAPIException as error:
        assert "20001" in str(error.args) or error.code == 20001, error


def market_stream():
    client = aimed(MarketDataClient(), "/api/3/ws/public")
    sequences, done = [], threading.Event()

    def heard(books, kind):
        sequences.append((kind, books["ETHBTC"].s))
        if len(sequences) >= 6:
            done.set()

    client.subscribe_to_full_order_book(callback=heard, symbols=["ETHBTC"])
    assert done.wait(20), sequences
    client.close()
    numbers = [number for _, number in sequences]
    assert sequences[0][0] == "snapshot" and {kind for kind, _ in sequences[1:]} == {"update"}, sequences
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), numbers


def trading_stream():
    # Its reports, too, take numbers of orders for texts: requests and notifications are its own, rows as they are.
    client = aimed(TradingClient(key, secret), "/api/3/ws/trading")
    reports, replies = [], []
    placed, done = threading.Event(), threading.Event()

    def heard(feed, kind):
        for report in feed if kind == "snapshot" else [feed]:
            if report["client_order_id"] == "python-ws-1":
                reports.append(report["report_type"])
        if "canceled" in reports:
            done.set()

    def replied(error, report):
        replies.append(error or report["status"])
        placed.set()

    client._send_subscription("spot_subscribe", heard, {})
    order = {"symbol": "ETHBTC", "side": "buy", "quantity": "0.2", "price": "0.01", "client_order_id": "python-ws-1"}
    client._send_by_id("spot_new_order", replied, order)
    assert placed.wait(20) and replies == ["new"], replies
    client._send_by_id("spot_cancel_order", lambda error, report: None, {"client_order_id": "python-ws-1"})
    assert done.wait(20) and reports == ["new", "canceled"], reports
    client.close()


rest = Client(key, secret)
for step in (lambda: lists(rest), lambda: order(rest), market_stream, trading_stream):
    step()
rest.close()
print("all held")
sys.exit(0)
