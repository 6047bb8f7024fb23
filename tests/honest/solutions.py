"""All honest trees: name -> files."""

from __future__ import annotations

from tests.honest import node_behaviour, node_code, python_behaviour, python_code

PYTHON = {
    **python_code.DOMAIN_TYPES,
    **python_code.WAYS_TO_THE_RATE,
    **python_behaviour.BEHAVIOUR,
    **python_behaviour.LAYOUT,
}
NODE = {
    **node_code.CODE,
    **node_code.CLASSES,
    **node_behaviour.BEHAVIOUR,
    **node_behaviour.LAYOUT,
}
