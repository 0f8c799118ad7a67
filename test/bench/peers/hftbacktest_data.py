"""Two recordings of raw Binance lines as hftbacktest takes them."""

import contextlib
import os
import sys
import tempfile

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
