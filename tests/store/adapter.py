"""A session store for the Claude Agent SDK that keeps everything with `fascicle store serve ROOT`."""

import asyncio
import json

from claude_agent_sdk import SessionStore
from claude_agent_sdk._internal.session_summary import fold_session_summary


class FascicleStore(SessionStore):
    def __init__(self, process):
        self.process, self.last, self.one = process, 0, asyncio.Lock()

    @classmethod
    async def serve(cls, program, root):
        pipes = {"stdin": asyncio.subprocess.PIPE, "stdout": asyncio.subprocess.PIPE, "limit": 1 << 28}
        return cls(await asyncio.create_subprocess_exec(program, "store", "serve", root, **pipes))

    async def call(self, method, **params):
        self.last += 1
        request = {"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        await self.process.stdin.drain()
        answer = json.loads(await self.process.stdout.readline())
        if "error" in answer:
            raise RuntimeError(answer["error"]["message"])
        return answer["result"]

    async def append(self, key, entries):
        async with self.one:
            await self.call("append", key=key, entries=entries)
            if key.get("subpath") is None and entries:
                before = await self.call("get_summary", key=key)
                await self.call("put_summary", key=key, data=fold_session_summary(before, key, entries)["data"])

    async def load(self, key):
        async with self.one:
            return await self.call("load", key=key)

    async def list_sessions(self, project_key):
        async with self.one:
            return await self.call("list_sessions", project_key=project_key)

    async def list_session_summaries(self, project_key):
        async with self.one:
            return await self.call("list_session_summaries", project_key=project_key)

    async def delete(self, key):
        async with self.one:
            await self.call("delete", key=key)

    async def list_subkeys(self, key):
        async with self.one:
            return await self.call("list_subkeys", key=key)
