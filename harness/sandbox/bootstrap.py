"""The few lines that a box's interpreter starts with: take the tools from stdin and run them.

They come over stdin, not by mount or image, so that one image serves every version of the tools
and the box can attest the digest of what it runs.
"""

from __future__ import annotations

from tools.box import layout

HELLO_S = 90  # as long as a heartbeat may stay out


def source(hello_s: int = HELLO_S) -> str:
    """The program. It ends by itself where its runner stood still before saying hello: what
    watches for that later comes with the tools."""
    return _SOURCE.replace("HELLO_S", str(hello_s))


_SOURCE = f"""
import os, signal, sys
signal.signal(signal.SIGALRM, lambda *_: os._exit(4))
signal.alarm(HELLO_S)
def read(size):
    data = bytearray()
    while len(data) < size:
        piece = os.read(0, min(size - len(data), 1 << 20))
        if not piece:
            os._exit(0)
        data += piece
    return bytes(data)
archive = read(int.from_bytes(read(8), "big"))
with open({layout.ARCHIVE!r}, "xb") as file:
    file.write(archive)
os.chmod({layout.ARCHIVE!r}, 0o444)
sys.path.insert(0, {layout.ARCHIVE!r})
from tools.box.server import main
main()
"""

# Isolated but for the environment, which holds the seed of hashes: warm children inherit the
# server's, and the order of sets must not hang on the box that a candidate comes to.
ARGUMENTS = ("-P", "-s", "-S", "-B", "-c", source())
ENVIRONMENT = {"PYTHONHASHSEED": "0"}


def prelude(archive: bytes) -> bytes:
    """What goes into a box before its first frame."""
    return len(archive).to_bytes(8, "big") + archive
