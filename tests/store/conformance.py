"""Runs the SDK's own conformance suite: conformance.py PROGRAM FOLDER. Exit 0 when every contract holds."""

import asyncio
import os
import sys
import tempfile

from adapter import FascicleStore
from claude_agent_sdk.testing import run_session_store_conformance


async def main(program, folder):
    stores = []

    async def fresh():
        root = tempfile.mkdtemp(dir=folder)
        stores.append(await FascicleStore.serve(program, root))
        return stores[-1]

    await run_session_store_conformance(fresh)
    for store in stores:
        store.process.stdin.close()
        assert await store.process.wait() == 0
    # One store to find out what it can do, then one for each contract.
    print(f"{len(stores) - 1} contracts hold")


os.environ.pop("PYTHONPATH", None)
asyncio.run(main(*sys.argv[1:]))
