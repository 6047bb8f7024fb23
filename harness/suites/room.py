"""Whether the first prompt of each task fits into the model's context, before any is sent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from harness.agent.prompts import system_prompt, user_message
from harness.outcome import LARGER_CONTEXT
from harness.plan import SuitePlan
from harness.suites.protocol import Suite
from harness.suites.shot import ShotTask
from harness.words import counted
from tools.schema import function_definitions

# What English prose has; code has fewer, so that the estimate is rather too low than too high.
_CHARS_A_TOKEN = 4


def no_room(suite: Suite, plan: SuitePlan, context: int | None, system: str | None) -> str | None:
    """What a person should know of tasks that alone are longer than ``context`` tokens; None when
    all fit, or when that cannot be known. ``system``: a user's own system prompt."""
    if context is None:
        return None
    fixed = 0 if not suite.agentic else len(json.dumps(function_definitions(plan.protocol)))
    sizes = {
        ref.id: (fixed + _chars(suite.task(ref.id), plan, system)) // _CHARS_A_TOKEN
        for ref in plan.tasks
    }
    long = [task_id for task_id, size in sizes.items() if size >= context]
    if not long:
        return None
    longest = max(long, key=lambda task_id: sizes[task_id])
    return (
        f"warning: {plan.name}: {len(long)} of {counted(len(sizes), 'task')} "
        f"{'does' if len(long) == 1 else 'do'} not fit into the model's "
        f"context of {context} tokens and will score 0 (the prompt of {longest} alone has about "
        f"{sizes[longest]}): {LARGER_CONTEXT}"
    )


def _chars(task: Any, plan: SuitePlan, system: str | None) -> int:
    if isinstance(task, ShotTask):
        own = task.prompt.system if system is None else system
        return len(task.prompt.head) + len(task.prompt.rest) + len(own or "")
    start: Mapping[str, Any] = task.start
    tree = {path: file.content for path, file in start.items() if not path.endswith("/")}
    instruction = task.spec.instruction if hasattr(task, "spec") else task.instruction
    return len(user_message(tree, instruction)) + len(system or system_prompt(plan.protocol))
