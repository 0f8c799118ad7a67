"""Places an order with a client that was generated from openapi/exchange-v3.json, reads it back and cancels it.

    export GODWIT_REST=http://127.0.0.1:8080 GODWIT_API_KEY=... GODWIT_SECRET_KEY=...
    openapi-python-client generate --path exchange-v3.json --meta none --output-path godwit_exchange
    python3 place_order.py
"""

import os
import uuid
from base64 import b64encode

from godwit_exchange import AuthenticatedClient
from godwit_exchange.api.market_data import public_order_book, public_trades_of_symbol
from godwit_exchange.api.spot_trading import spot_active_orders, spot_balances, spot_cancel_order, spot_new_order
from godwit_exchange.models import ErrorBody, SpotNewOrderBody, SpotNewOrderBodySide

key = f"{os.environ['GODWIT_API_KEY']}:{os.environ['GODWIT_SECRET_KEY']}"
client = AuthenticatedClient(
    base_url=os.environ.get("GODWIT_REST", "http://127.0.0.1:8080"),
    # Basic shows the secret to the host: for the exchange of this machine. The document describes the signature.
    prefix="Basic",
    token=b64encode(key.encode()).decode(),
)

book = public_order_book.sync(client=client, symbol="ETHBTC", depth=5)
trades = public_trades_of_symbol.sync(client=client, symbol="ETHBTC", limit=3)
print("best bid", book.bid[0], "of", len(book.bid), "levels;", len(trades), "trades, the last at", trades[0].price)

client_order_id = uuid.uuid4().hex
body = SpotNewOrderBody(
    symbol="ETHBTC",
    side=SpotNewOrderBodySide.BUY,
    client_order_id=client_order_id,
    quantity="0.01",
    price="0.01",
)
placed = spot_new_order.sync(client=client, body=body)
print("placed  ", placed.status, placed.quantity, placed.symbol, "at", placed.price, "created", placed.created_at.isoformat())

active = spot_active_orders.sync(client=client, symbol="ETHBTC")
assert client_order_id in [order.client_order_id for order in active], active
balances = {balance.currency: balance for balance in spot_balances.sync(client=client)}
print("reserved", balances["BTC"].reserved, "BTC")
print("canceled", spot_cancel_order.sync(client=client, client_order_id=client_order_id).status)

# What is refused is typed as well.
body.symbol = "NOSUCH"
refused = spot_new_order.sync(client=client, body=body)
assert isinstance(refused, ErrorBody), refused
print("refused ", refused.error.code, refused.error.message)
