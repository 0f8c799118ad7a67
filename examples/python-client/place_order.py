"""Signs and places an order over REST of version 3, and waits for its report on the trading socket.

    export GODWIT_REST=http://127.0.0.1:8080 GODWIT_WS=ws://127.0.0.1:8080
    export GODWIT_API_KEY=... GODWIT_SECRET_KEY=...
    python3 place_order.py

It needs the package websockets; REST is done by the standard library.
"""

import base64
import hashlib
import hmac
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from decimal import Decimal

from websockets.sync.client import connect

rest = os.environ.get("GODWIT_REST", "http://127.0.0.1:8080")
ws = os.environ.get("GODWIT_WS", "ws://127.0.0.1:8080")
api_key = os.environ["GODWIT_API_KEY"]
secret_key = os.environ["GODWIT_SECRET_KEY"]


def signature(text):
    return hmac.new(secret_key.encode(), text.encode(), hashlib.sha256).hexdigest()


def call(method, path, query="", form=None):
    """One signed call. The signed text is method, path, ? and query, body, timestamp in milliseconds."""
    body = "" if form is None else urllib.parse.urlencode(form)
    target = path + ("?" + query if query else "")
    stamp = str(int(time.time() * 1000))
    signed = f"{api_key}:{signature(method + target + body + stamp)}:{stamp}"
    headers = {"Authorization": "HS256 " + base64.b64encode(signed.encode()).decode()}
    if form is not None:
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    request = urllib.request.Request(rest + target, body.encode() or None, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refused:
        error = json.load(refused)["error"]
        raise SystemExit(f"refused: {error['code']} {error['message']}") from None


def ask(socket, method, **params):
    """Sends a request and returns its result. Notifications that come before it are dropped."""
    socket.send(json.dumps({"method": method, "params": params, "id": method}))
    while True:
        frame = json.loads(socket.recv(timeout=10))
        if frame.get("id") == method:
            if "error" in frame:
                raise SystemExit(f"refused: {frame['error']}")
            return frame["result"]


def report_of(socket, client_order_id, status):
    while True:
        frame = json.loads(socket.recv(timeout=10))
        report = frame.get("params")
        if frame.get("method") != "spot_order" or report["client_order_id"] != client_order_id:
            continue
        if report["status"] == status:
            return report


symbol = call("GET", "/api/3/public/symbol", "symbols=ETHBTC")["ETHBTC"]
ticker = call("GET", "/api/3/public/ticker/ETHBTC")
# A tenth below the best bid, on the tick: it rests until it is canceled.
tick = Decimal(symbol["tick_size"])
price = Decimal(ticker["bid"]) * Decimal("0.9") // tick * tick
client_order_id = uuid.uuid4().hex

with connect(ws + "/api/3/ws/trading") as socket:
    now = int(time.time() * 1000)
    ask(socket, "login", type="HS256", api_key=api_key, timestamp=now, signature=signature(str(now)))
    ask(socket, "spot_subscribe")
    order = {"client_order_id": client_order_id, "symbol": "ETHBTC", "side": "buy", "quantity": "0.01", "price": str(price)}
    placed = call("POST", "/api/3/spot/order", form=order)
    print("placed  ", placed["status"], placed["quantity"], "ETHBTC at", placed["price"])
    report = report_of(socket, client_order_id, "new")
    print("reported", report["report_type"], report["status"], "order", report["id"])
    call("DELETE", f"/api/3/spot/order/{client_order_id}")
    print("reported", report_of(socket, client_order_id, "canceled")["status"])
