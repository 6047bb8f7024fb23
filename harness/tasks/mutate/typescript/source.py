"""A TypeScript file as the kinds of defects see it: syntax nodes, their texts and surroundings."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter
import tree_sitter_typescript

from harness.tasks.mutate.plant import Plant

Node = tree_sitter.Node
_LANGUAGE = tree_sitter.Language(tree_sitter_typescript.language_typescript())
# What exists for the type checker alone, or names other modules: no defect is planted there.
_PASSED_OVER = {
    *("type_annotation", "type_arguments", "type_parameters", "interface_declaration"),
    *("type_alias_declaration", "import_statement", "comment", "type_predicate_annotation"),
}
_NAMED = {
    *("function_declaration", "generator_function_declaration", "class_declaration"),
    *("method_definition", "abstract_class_declaration"),
}


class Source:
    """A parsed file. Raises ValueError for one with mistakes in it."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        data = text.encode()
        self._plain = len(data) == len(text)
        self._data = data
        root = tree_sitter.Parser(_LANGUAGE).parse(data).root_node
        if root.has_error:
            raise ValueError(f"{path} does not parse")
        self.nodes = list(_walk(root))

    def all(self, *kinds: str) -> Iterator[Node]:
        """Nodes of some kinds in the order in which they stand."""
        return (node for node in self.nodes if node.type in kinds)

    def code(self, node: Node) -> str:
        """The node's text."""
        return self._data[node.start_byte : node.end_byte].decode()

    def replace(self, node: Node, replacement: str, note: str) -> Plant:
        """The defect that gives ``node`` another text."""
        return self.change(node.start_byte, node.end_byte, replacement, node, note)

    def change(self, start: int, end: int, replacement: str, node: Node, note: str) -> Plant:
        """The defect that gives the bytes from ``start`` to ``end`` another text."""
        return Plant("", self.path, self._at(start), self._at(end), replacement, symbol(node), note)

    def cut(self, node: Node, note: str) -> Plant | None:
        """The defect that leaves a statement out with its lines; None where it shares them with
        others or is the only one of its block."""
        block = node.parent
        if block is None or block.type not in ("statement_block", "program", "class_body"):
            return None
        if block.type != "program" and len(block.named_children) < 2:
            return None
        start = self._data.rfind(b"\n", 0, node.start_byte) + 1
        end = self._data.find(b"\n", node.end_byte)
        end = len(self._data) if end < 0 else end + 1
        around = self._data[start : node.start_byte] + self._data[node.end_byte : end]
        if around.strip() not in (b"", b";"):
            return None
        return self.change(start, end, "", node, note)

    def _at(self, byte: int) -> int:
        return byte if self._plain else len(self._data[:byte].decode())


def field(node: Node, name: str) -> Node | None:
    """A node's part by its name in the grammar."""
    return node.child_by_field_name(name)


def above(node: Node, *kinds: str) -> Node | None:
    """The innermost node of one of the kinds around a node."""
    parent = node.parent
    while parent is not None and parent.type not in kinds:
        parent = parent.parent
    return parent


def symbol(node: Node) -> str:
    """Qualified name of the function or class around a node."""
    names = []
    parent: Node | None = node.parent
    while parent is not None:
        named = parent.type in _NAMED
        if parent.type == "variable_declarator":
            value = field(parent, "value")
            named = value is not None and value.type in ("arrow_function", "function_expression")
        name = field(parent, "name") if named else None
        if name is not None and name.text is not None:
            names.append(name.text.decode())
        parent = parent.parent
    return ".".join(reversed(names))


def method(call: Node) -> str:
    """The name of the method that a call calls; "" for another call."""
    function = field(call, "function")
    if function is None or function.type != "member_expression":
        return ""
    name = field(function, "property")
    return "" if name is None or name.text is None else name.text.decode()


def receiver(call: Node) -> Node | None:
    """What the called method belongs to."""
    function = field(call, "function")
    return None if function is None else field(function, "object")


def arguments(call: Node) -> list[Node]:
    """The arguments of a call or of ``new``."""
    given = field(call, "arguments")
    return [] if given is None else [n for n in given.named_children if n.type != "comment"]


def number(node: Node | None) -> int | None:
    """The value of a whole number written out."""
    if node is None or node.type != "number" or node.text is None:
        return None
    text = node.text.decode().replace("_", "")
    return int(text) if text.isdigit() else None


def plain(node: Node) -> bool:
    """A name, or properties of one."""
    while node.type == "member_expression":
        inner = field(node, "object")
        if inner is None:
            return False
        node = inner
    return node.type in ("identifier", "this")


def operator(node: Node) -> str:
    """The operator of a binary expression."""
    found = field(node, "operator")
    return "" if found is None else found.type


def _walk(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        if child.type not in _PASSED_OVER:
            yield from _walk(child)
