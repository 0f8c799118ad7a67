"""Recordings as hftbacktest takes them: raw Binance lines, and the single orders of LOBSTER."""

import calendar
import contextlib
import gzip
import os
import sys
import tempfile

import numpy as np
from hftbacktest import types
from hftbacktest.data.utils import binancefutures
from hftbacktest.data.utils.snapshot import create_last_snapshot

TICK, LOT = 0.1, 0.001


def prepare(yesterday, today, lot=LOT):
    """Arrays in the form of hftbacktest: the book at the end of the first file, and the second file."""
    with tempfile.TemporaryDirectory() as directory, contextlib.redirect_stdout(sys.stderr):
        before = os.path.join(directory, "before.npz")
        binancefutures.convert(yesterday, before)
        snapshot = create_last_snapshot([before], tick_size=TICK, lot_size=lot)
        data = binancefutures.convert(today)
    return snapshot, data


def prepare_orders(path, day):
    """Orders that the file begins with are left out, and so are hidden ones: the peer knows neither. Times to the microsecond."""
    midnight = calendar.timegm((*day, 4, 0, 0)) * 1_000_000
    sizes = {}
    events = []
    with gzip.open(path, "rt") as lines:
        for line in lines:
            time, kind, order, size, price, direction = line.strip().split(",")
            seconds, _, fraction = time.partition(".")
            nanos = (midnight + int(seconds) * 1_000_000 + int((fraction + "000000")[:6])) * 1_000
            order, size, price = int(order), int(size), int(price) / 10_000
            own, other = types.BUY_EVENT, types.SELL_EVENT
            if direction == "-1":
                own, other = other, own

            def tell(what, lots, side):
                flags = types.EXCH_EVENT | types.LOCAL_EVENT | what | side
                events.append((flags, nanos, nanos, price, lots, order, 0, 0.0))

            if kind == "1":
                sizes[order] = size
                tell(types.ADD_ORDER_EVENT, size, own)
            elif order in sizes and kind in "234":
                if kind == "4":
                    tell(types.TRADE_EVENT, size, other)
                    tell(types.FILL_EVENT, size, own)
                sizes[order] -= size
                if sizes[order] > 0:
                    tell(types.MODIFY_ORDER_EVENT, sizes[order], own)
                else:
                    del sizes[order]
                    tell(types.CANCEL_ORDER_EVENT, 0, own)
    return np.array(events, types.event_dtype)
