"""ccxt for Python trades a recorded market that goes on as it asks: it prints what was executed, which is the same each time. Ends with 0 when all holds."""
import json
import os
import sys
import urllib.request

import ccxt

where = json.loads(os.environ["GODWIT_EXCHANGE"])
symbol = "BTC/USDT"


def ask(**step):
    """Has the market go on; where it stands then."""
    request = urllib.request.Request(where["rest"] + "/replay", json.dumps(step).encode(), method="POST")
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


client = ccxt.hitbtc({"apiKey": where["key"], "secret": where["secret"]})
client.urls["api"] = {"public": where["rest"] + "/api/3", "private": where["rest"] + "/api/3"}
client.load_markets()
at = ask(events=50)
assert at["speed"] == "asked" and at["clock"] == "recorded" and not at["ended"], at

# What clients see is the time of the recording, and it stands still between two requests.
book = client.fetch_order_book(symbol)
assert book["bids"][0][0] < book["asks"][0][0], book
assert client.fetch_order_book(symbol) == book
assert book["timestamp"] <= at["micros"] // 1000, (book["timestamp"], at)

# A maker of a few lines: it quotes both sides, looks, and quotes anew, until the recording has ended.
rounds = 0
while not at["ended"]:
    book = client.fetch_order_book(symbol, 5)
    for order in client.fetch_open_orders(symbol):
        client.cancel_order(order["id"], symbol)
    client.create_order(symbol, "limit", "buy", 0.01, book["bids"][0][0])
    client.create_order(symbol, "limit", "sell", 0.01, book["asks"][0][0])
    if rounds % 5 == 0:
        taken = client.create_order(symbol, "market", "buy", 0.002)
        assert taken["status"] == "closed" and taken["filled"] == 0.002, taken
    rounds += 1
    at = ask(ms=1500)

trades = client.fetch_my_trades(symbol, limit=1000)
makers = [trade for trade in trades if trade["takerOrMaker"] == "maker"]
takers = [trade for trade in trades if trade["takerOrMaker"] == "taker"]
assert rounds > 5 and len(takers) > 1 and len(makers) > 1, (rounds, len(takers), len(makers))
assert all(trade["timestamp"] <= at["micros"] // 1000 for trade in trades)
print(json.dumps([[t["side"], t["price"], t["amount"], t["takerOrMaker"], t["timestamp"]] for t in trades]))
print("all held")
sys.exit(0)
