"""A chat server on loopback that plays scripts: real HTTP, the OpenAI protocol, every bad habit.

    with ScriptedServer([call("read_file", path="a.py"), finish()]) as server:
        ... server.url ...

A script is a list of steps (one a request, the last one again when they run out), a dict of such
lists keyed by a text of the first user message (each session has its own place in its list), or a
function from ChatRequest to a step. Standard library only; one thread, any number of connections.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class ChatRequest:
    """A chat request as it came. number counts all of them from 1, turn the assistant messages."""

    body: dict[str, Any]
    headers: dict[str, str]
    number: int

    @property
    def messages(self) -> list[dict[str, Any]]:
        return list(self.body["messages"])

    @property
    def turn(self) -> int:
        return sum(m["role"] == "assistant" for m in self.messages)

    @property
    def task(self) -> str:
        return next((str(m["content"]) for m in self.messages if m["role"] == "user"), "")

    @property
    def session(self) -> str:
        return self.headers.get("x-session-id", "")


@dataclass(frozen=True)
class Call:
    """A tool call to be made: ``raw`` is the arguments' text, valid or not."""

    name: str
    raw: str
    id: str | None = None


@dataclass(frozen=True)
class Step:
    """What one request gets.

    style: how calls are streamed: openai, no_index, no_id, bare (neither), null_first, name_brace,
    same_index, objects, repeat_name. chunk: characters a delta, chunk_bytes: bytes a write.
    end: done, no_done (finish_reason, then the end), none (neither), drop (the connection is cut
    after ``after`` frames), hang (nothing comes after them). delay_s: before the first byte;
    pace_s: before each further frame. status other than 200 answers with ``answer`` and no stream.
    """

    content: str = ""
    reasoning: str = ""
    calls: tuple[Call, ...] = ()
    finish_reason: str | None = None
    usage: tuple[int, int] | None = (100, 10)
    cached: int | None = None
    timings: dict[str, float] | None = None
    style: str = "openai"
    interleaved: bool = False
    chunk: int = 7
    chunk_bytes: int | None = None
    end: str = "done"
    after: int = 2
    frames: tuple[str, ...] = ()
    delay_s: float = 0.0
    pace_s: float = 0.0
    status: int = 200
    answer: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    refuse_stream_options: bool = False

    def where(self, **changes: Any) -> Step:
        """The same step with some things different."""
        return replace(self, **changes)


def say(content: str = "", **more: Any) -> Step:
    """A reply in prose."""
    return Step(content=content, **more)


def call(name: str, /, **arguments: Any) -> Step:
    """A reply with one call."""
    return calls((name, arguments))


def calls(*each: tuple[str, dict[str, Any] | str], **more: Any) -> Step:
    """A reply with several calls; arguments as an object, or as text that may be no JSON."""
    made = tuple(
        Call(name, args if isinstance(args, str) else json.dumps(args)) for name, args in each
    )
    return Step(calls=made, **more)


def finish(summary: str = "done") -> Step:
    """A reply that calls finish."""
    return call("finish", summary=summary)


def error(status: int, message: str = "", **more: Any) -> Step:
    """An error answer in OpenAI's form; ``type`` and ``code`` go into it."""
    body = {
        "error": {"message": message, **{k: more.pop(k) for k in ("type", "code") if k in more}}
    }
    return Step(status=status, answer=body, **more)


def html(status: int = 200) -> Step:
    """An answer that is a web page."""
    page = "<!DOCTYPE html><html><body>Welcome</body></html>"
    return Step(status=status, answer=page, headers={"content-type": "text/html"})


def error_frame(message: str, code: int | None = None) -> Step:
    """A stream that begins well and then tells of an error."""
    frame = json.dumps({"error": {"message": message, **({"code": code} if code else {})}})
    return Step(content="so far", frames=(frame,), end="frames")


def llama_props(*, context: int = 4096, slots: int = 4, tools: bool = True) -> dict[str, Any]:
    """``/props`` as llama-server answers it."""
    return {
        "default_generation_settings": {
            "params": {"temperature": 0.5, "top_k": 40, "top_p": 0.5, "min_p": 0.0},
            "n_ctx": context,
        },
        "total_slots": slots,
        "model_path": "/models/scripted-Q4_K.gguf",
        "model_ftype": "Q4_K",
        "chat_template": "{{ messages }}",
        "chat_template_caps": {
            "supports_tools": tools,
            "supports_tool_calls": tools,
            "supports_preserve_reasoning": False,
        },
        "build_info": "b1-scripted",
    }


Script = Sequence[Step] | dict[str, Sequence[Step]] | Callable[[ChatRequest], Step]


class ScriptedServer:
    """Serves a script from a thread of its own. ``requests`` holds every chat request;
    ``model``, ``props`` and ``script`` may be changed while it runs (a restart with another).
    ``first``: what GETs of a path are answered with at first, by its end.
    ``left`` counts the clients that closed their connection while they were to wait."""

    def __init__(
        self,
        script: Script,
        *,
        model: str = "scripted",
        props: dict[str, Any] | None = None,
        models_answer: Step | None = None,
        first: dict[str, list[Step]] | None = None,
        prompt_tokens: Callable[[dict[str, Any]], int] | None = None,
        port: int = 0,
    ) -> None:
        self.script = script
        self.model = model
        self.props = props
        self.models_answer = models_answer
        self.first = first or {}
        self.prompt_tokens = prompt_tokens
        self.requests: list[ChatRequest] = []
        self.seen_headers: list[dict[str, str]] = []
        self.aborted = 0
        self.left = 0
        self._places: Counter[tuple[str, str]] = Counter()
        self._port = port
        self._loop = asyncio.new_event_loop()
        self._started = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._failure: BaseException | None = None

    # -- life cycle

    def start(self) -> ScriptedServer:
        self._thread.start()
        self._started.wait(10)
        if self._failure is not None:
            raise self._failure
        return self

    def stop(self) -> None:
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stopping.set)
            self._thread.join(10)

    def __enter__(self) -> ScriptedServer:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}/v1"

    @property
    def port(self) -> int:
        return self._port

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        except BaseException as failure:  # handed to the thread that called start
            self._failure = failure
            self._started.set()
        finally:
            self._loop.close()

    async def _serve(self) -> None:
        self._stopping = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        server = await asyncio.start_server(
            self._connection, "127.0.0.1", self._port, backlog=2048, limit=1 << 26
        )
        self._port = server.sockets[0].getsockname()[1]
        self._started.set()
        await self._stopping.wait()
        server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # -- HTTP

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            while first := await reader.read(1):
                if first == b"\x16":  # a TLS greeting: answered as a plain server does
                    writer.write(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n")
                    return
                head = first + await reader.readuntil(b"\r\n\r\n")
                line, *fields = head.decode("latin-1").split("\r\n")
                method, path, _ = line.split(" ", 2)
                headers = {
                    name.strip().lower(): value.strip()
                    for name, _, value in (f.partition(":") for f in fields if f)
                }
                body = await reader.readexactly(int(headers.get("content-length", "0")))
                self.seen_headers.append(headers)
                if not await self._answer(method, path, headers, body, reader, writer):
                    return
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            self.aborted += bool(writer.transport.get_write_buffer_size())
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _answer(
        self,
        method: str,
        path: str,
        headers: dict[str, str],
        body: bytes,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> bool:
        """Answer one request; whether the connection stays open."""
        if path.endswith("/chat/completions") and method == "POST":
            return await self._chat(headers, body, reader, writer)
        step = Step(status=404, answer={"error": {"message": "not found", "code": 404}})
        early = next((steps for end, steps in self.first.items() if path.endswith(end)), [])
        if early:
            step = early.pop(0)
        elif path.endswith("/models"):
            step = self.models_answer or Step(answer=self._listing())
        elif path == "/props" and self.props is not None:
            step = Step(answer=self.props)
        elif path == "/health":
            step = Step(answer={"status": "ok"})
        elif path == "/tokenize":
            text = str(json.loads(body or b"{}").get("content", ""))
            step = Step(answer={"tokens": list(range(len(text) // 4 + 1))})
        await self._plain(step, writer)
        return True

    def _listing(self) -> dict[str, Any]:
        entry: dict[str, Any] = {"id": self.model, "object": "model", "owned_by": "scripted"}
        if self.props is not None:
            entry |= {"owned_by": "llamacpp", "meta": {"size": 1000, "n_params": 10}}
        return {"object": "list", "data": [entry]}

    async def _plain(self, step: Step, writer: asyncio.StreamWriter) -> None:
        text = step.answer if isinstance(step.answer, str) else json.dumps(step.answer)
        headers = {"content-type": "application/json", **step.headers}
        data = text.encode()
        lines = [f"HTTP/1.1 {step.status} Scripted", f"content-length: {len(data)}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + data)
        await writer.drain()

    async def _pause(self, reader: asyncio.StreamReader, seconds: float) -> None:
        """Wait, but not for a client that has gone."""
        try:
            async with asyncio.timeout(seconds):
                gone = not await reader.read(1)
        except TimeoutError:
            return
        self.left += gone
        raise ConnectionResetError

    async def _chat(
        self,
        headers: dict[str, str],
        body: bytes,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> bool:
        request = ChatRequest(json.loads(body), headers, len(self.requests) + 1)
        self.requests.append(request)
        step = self._step(request)
        if step.refuse_stream_options and "stream_options" in request.body:
            step = error(400, "Unrecognized request argument supplied: stream_options")
        if step.delay_s:
            await self._pause(reader, step.delay_s)
        if self.prompt_tokens is not None and step.usage is not None:
            step = step.where(usage=(self.prompt_tokens(request.body), step.usage[1]))
        if step.status != 200 or step.answer is not None:
            await self._plain(step, writer)
            return True
        if not request.body.get("stream"):
            await self._plain(Step(answer=self._whole(step, request)), writer)
            return True
        kind = step.headers.get("content-type", "text/event-stream")
        head = f"HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ntransfer-encoding: chunked\r\n\r\n"
        writer.write(head.encode())
        for number, frame in enumerate(self._stream(step, request)):
            if step.end == "drop" and number == step.after:
                await writer.drain()
                writer.transport.abort()
                return False
            if step.end == "hang" and number == step.after:
                await writer.drain()
                await self._pause(reader, 3600)
            if step.pace_s and number:
                await self._pause(reader, step.pace_s)
            self._write(writer, frame.encode(), step.chunk_bytes)
            await writer.drain()
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True

    def _write(self, writer: asyncio.StreamWriter, data: bytes, size: int | None) -> None:
        for at in range(0, len(data), size or len(data)):
            piece = data[at : at + (size or len(data))]
            writer.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")

    # -- scripts

    def _step(self, request: ChatRequest) -> Step:
        script = self.script
        if callable(script):
            return script(request)
        key, session = "", ""
        if isinstance(script, dict):
            key = next((k for k in script if k in request.task), "")
            steps: Sequence[Step] = script.get(key, (finish(),))
            session = request.session
        else:
            steps = script
        place = self._places[key, session]
        self._places[key, session] += 1
        return steps[min(place, len(steps) - 1)]

    def _usage(self, step: Step) -> dict[str, Any] | None:
        if step.usage is None:
            return None
        prompt, completion = step.usage
        usage: dict[str, Any] = {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
        }
        if step.cached is not None:
            usage["prompt_tokens_details"] = {"cached_tokens": step.cached}
        return usage

    def _reason(self, step: Step) -> str:
        return step.finish_reason or ("tool_calls" if step.calls else "stop")

    def _whole(self, step: Step, request: ChatRequest) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": step.content or None}
        if step.reasoning:
            message["reasoning_content"] = step.reasoning
        if step.calls:
            message["tool_calls"] = [
                {
                    "id": each.id or f"c{request.number}-{place}",
                    "type": "function",
                    "function": {"name": each.name, "arguments": each.raw},
                }
                for place, each in enumerate(step.calls)
            ]
        choice = {"index": 0, "message": message, "finish_reason": self._reason(step)}
        return {
            "object": "chat.completion",
            "model": self.model,
            "choices": [choice],
            "usage": self._usage(step),
        }

    def _stream(self, step: Step, request: ChatRequest) -> Iterator[str]:
        def frame(value: Any) -> str:
            return f"data: {json.dumps(value)}\n\n"

        def delta(value: dict[str, Any], reason: str | None = None) -> str:
            choice = {"index": 0, "delta": value, "finish_reason": reason}
            return frame(
                {"object": "chat.completion.chunk", "model": self.model, "choices": [choice]}
            )

        yield delta({"role": "assistant", "content": None})
        for kind, text in (("reasoning_content", step.reasoning), ("content", step.content)):
            for at in range(0, len(text), step.chunk):
                yield delta({kind: text[at : at + step.chunk]})
        for piece in call_deltas(step, request.number):
            yield delta({"tool_calls": piece})
        for extra in step.frames:
            yield f"data: {extra}\n\n"
        if step.end in ("none", "frames"):
            return
        yield delta({}, self._reason(step))
        options = request.body.get("stream_options") or {}
        usage = self._usage(step)
        if usage is not None and options.get("include_usage"):
            last: dict[str, Any] = {
                "object": "chat.completion.chunk",
                "choices": [],
                "usage": usage,
            }
            if step.timings is not None:
                last["timings"] = step.timings
            yield frame(last)
        if step.end != "no_done":
            yield "data: [DONE]\n\n"


def call_deltas(step: Step, number: int) -> Iterator[list[dict[str, Any]]]:
    """The ``tool_calls`` of each delta, in the style of the step."""
    streams = [list(_one_call(step, each, place, number)) for place, each in enumerate(step.calls)]
    if step.interleaved:
        for row in range(max(map(len, streams), default=0)):
            yield [pieces[row] for pieces in streams if row < len(pieces)]
        return
    for pieces in streams:
        for piece in pieces:
            yield [piece]


def _one_call(step: Step, each: Call, place: int, number: int) -> Iterator[dict[str, Any]]:
    style, raw = step.style, each.raw
    mark: dict[str, Any] = {"index": 0 if style == "same_index" else place}
    first: dict[str, Any] = {"id": each.id or f"c{number}-{place}", "type": "function"}
    if style in ("no_index", "bare"):
        mark = {}
    if style in ("no_id", "bare"):
        first = {"type": "function"}
    if style == "objects":
        yield {**mark, **first, "function": {"name": each.name, "arguments": json.loads(raw)}}
        return
    opening: str | None = ""
    if style == "null_first":
        opening = None
    elif style == "name_brace":
        opening, raw = raw[:1], raw[1:]
    yield {**mark, **first, "function": {"name": each.name, "arguments": opening}}
    keep = {"id": first["id"]} if style == "no_index" else {}
    name = {"name": each.name} if style == "repeat_name" else {}
    for at in range(0, len(raw), step.chunk):
        piece = raw[at : at + step.chunk]
        yield {**mark, **keep, "function": {**name, "arguments": piece}}
