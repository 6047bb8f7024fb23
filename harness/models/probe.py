"""What is found out about endpoints before a plan is sealed, and checked again on resume."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Literal

from harness.errors import UsageError
from harness.ids import canonical_json
from harness.models.answer import Read, read_answer
from harness.models.body import RESERVED
from harness.models.client import OPENAI_HOST, EndpointClient
from harness.models.endpoint import (
    EndpointFacts,
    explained,
    identify,
    launch_of,
    patiently,
    require_same,
)
from harness.models.errors_table import Meaning
from harness.models.failures import Failure
from harness.models.redact import key_names
from harness.models.registry import ModelRequest, system_prompt_digest
from harness.models.usage import require_prices
from harness.plan import EndpointIdentity, EndpointLaunch, Launch, ModelPlan

PROBE_S = 300.0  # a first request may have to load the model
_TOOL = {
    "type": "function",
    "function": {
        "name": "read_file",
        "description": "Show a text file with its lines numbered.",
        "parameters": {
            "type": "object",
            "properties": {"path": {"type": "string", "description": "The file to show."}},
            "required": ["path"],
        },
    },
}


async def plan_endpoints(request: ModelRequest) -> tuple[ModelPlan, list[EndpointLaunch]]:
    """Plan a model behind the request's endpoints (see ``registry.plan_model``)."""
    check_request(request)
    urls = list(dict.fromkeys(request.base_urls))
    launches = [launch_of(url, request.api_key_env) for url in urls]
    clients: list[EndpointClient] = []
    try:
        clients += [EndpointClient(each, idle_s=PROBE_S) for each in launches]
        found = await asyncio.gather(
            *(identify(client, request.name, notify=request.notify) for client in clients)
        )
        first = found[0]
        for launch, other in zip(launches[1:], found[1:], strict=True):
            require_same(first.identity, other.identity, launch.url)
        protocol = await _tool_protocol(request, clients[0], first)
    finally:
        for client in clients:
            await client.close()
    _require_room(request, first.identity)
    plan = ModelPlan(
        kind="openai",
        name=request.name or first.identity.model_id,
        identity=first.identity,
        tool_protocol=protocol,
        sampling=request.sampling,
        reasoning_history=request.reasoning_history or _reasoning_history(first),
        system_prompt_digest=system_prompt_digest(request.system_prompt),
        prices=request.prices,
    )
    slots = [facts.slots for facts in found]
    return plan, [e.model_copy(update={"slots": n}) for e, n in zip(launches, slots, strict=True)]


async def verify(
    plan: ModelPlan, launch: Launch, notify: Callable[[str], None] = lambda _text: None
) -> None:
    """Raise ConflictError unless every endpoint still has the planned identity."""
    for each in launch.endpoints:
        client = EndpointClient(each, idle_s=PROBE_S)
        try:
            name = plan.identity.model_id
            facts = await identify(client, name, planned=True, notify=notify)
        finally:
            await client.close()
        require_same(plan.identity, facts.identity, each.url)


def check_request(request: ModelRequest) -> None:
    """Raise UsageError for what cannot be planned whatever the endpoint is."""
    if not request.base_urls:
        raise UsageError(
            "no endpoint for the model" if request.name is None else f"no model {request.name!r}",
            remedy="give --base-url URL, or --model oracle, noop, replay:RUN or local",
        )
    extra = request.sampling.extra_body
    if clash := sorted(RESERVED & set(extra)):
        raise UsageError(f"--extra-body cannot set {', '.join(clash)}")
    if names := key_names(extra):
        raise UsageError(
            f"--extra-body holds a key ({', '.join(names)}), and plans are stored",
            remedy="name the variable that holds it (api_key_env)",
        )
    try:
        canonical_json(extra)
    except ValueError:
        raise UsageError("--extra-body holds a number that JSON has not") from None
    require_prices(request.prices, cost_limited=request.cost_limited)


def _require_room(request: ModelRequest, identity: EndpointIdentity) -> None:
    cap, context = request.sampling.max_tokens, identity.context
    if cap is not None and context is not None and cap >= context:
        raise UsageError(
            f"--max-tokens {cap} leaves no room for a prompt: the context holds {context} tokens"
        )


def _reasoning_history(facts: EndpointFacts) -> Literal["always", "since_last_user"]:
    preserved = facts.template_caps.get("supports_preserve_reasoning", False)
    return "always" if preserved else "since_last_user"


async def _tool_protocol(
    request: ModelRequest, client: EndpointClient, facts: EndpointFacts
) -> Literal["native", "text", "none"]:
    if not request.tools:
        return "none"
    if request.tool_protocol != "auto":
        return "native" if request.tool_protocol == "native" else "text"
    caps = facts.template_caps
    if "supports_tools" in caps or "supports_tool_calls" in caps:
        native = caps.get("supports_tools", True) and caps.get("supports_tool_calls", True)
        if not native:
            request.notify("the chat template knows no tools: they are described in the prompt")
        return "native" if native else "text"
    if OPENAI_HOST in client.url:
        return "native"
    without = await _prompt_tokens(request, client, facts.identity.model_id, None)
    with_tools = await _prompt_tokens(request, client, facts.identity.model_id, _TOOL)
    if with_tools == "refused" or (isinstance(with_tools, int) and with_tools == without):
        request.notify("the server drops tools: they are described in the prompt instead")
        return "text"
    if not isinstance(with_tools, int) or not isinstance(without, int):
        request.notify(
            f"{client.url} does not tell whether its template knows tools; they are sent natively "
            "(--tool-protocol text describes them in the prompt)"
        )
    return "native"


async def _prompt_tokens(
    request: ModelRequest, client: EndpointClient, model: str, tool: dict[str, Any] | None
) -> int | Literal["refused"] | None:
    """Prompt tokens of a one-token request with or without a tool; None where not told."""
    body: dict[str, Any] = {
        "model": model,
        "messages": [{"role": "user", "content": "Say yes."}],
        "max_tokens": 1,
        "stream": False,
    }
    if tool is not None:
        body["tools"] = [tool]

    async def ask() -> Read:
        read = Read()
        async with client.chat(canonical_json(body)) as response:
            await read_answer(response, read)
        return read

    try:
        read = await patiently(ask, client.url, request.notify)
    except Failure as failure:
        if failure.meaning is Meaning.NO_TOOLS and tool is not None:
            return "refused"
        if failure.meaning is Meaning.UNPARSABLE_REPLY:
            return None
        raise explained(failure, client.url) from None
    usage = read.parts.usage
    count = usage.get("prompt_tokens") if isinstance(usage, dict) else None
    return count if isinstance(count, int) else None
