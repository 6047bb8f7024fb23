"""A data-set hub on loopback: as much of the Hugging Face API as ``datasets`` asks for.

Endpoints and headers after huggingface.co/docs/hub/api. Every revision of a repository holds the
same files; a branch stands for ``COMMIT``.
"""

from __future__ import annotations

import hashlib
import http.server
import json
import re
import threading
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePosixPath

COMMIT = "0123456789abcdef0123456789abcdef01234567"
_API = re.compile(r"/api/datasets/([^/]+/[^/]+)(?:/(revision|tree|paths-info)/([^/]+)(?:/(.*))?)?")
_FILE = re.compile(r"/datasets/([^/]+/[^/]+)/resolve/([^/]+)/(.+)")
Repositories = dict[str, dict[str, bytes]]


class HubServer(http.server.ThreadingHTTPServer):
    """``repositories``: file contents by path, by id. ``refusal``: a status given to everything.

    ``asked`` holds method and path of each request."""

    daemon_threads = True

    def __init__(self, repositories: Repositories) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.repositories = repositories
        self.refusal: int | None = None
        self.asked: list[tuple[str, str]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: HubServer

    def log_message(self, format: str, *args: object) -> None:
        return

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path)
        self.server.asked.append((self.command, path))
        if self.server.refusal is not None:
            self._send(self.server.refusal, b'{"error": "refused"}', {})
        elif found := _FILE.fullmatch(path):
            self._file(found[1], _commit(found[2]), found[3])
        elif found := _API.fullmatch(path):
            self._api(found[1], found[2], _commit(found[3]), found[4] or "", body)
        else:
            self._send(404, b'{"error": "not found"}', {})

    def _file(self, repository: str, commit: str, path: str) -> None:
        content = self.server.repositories.get(repository, {}).get(path)
        if content is None:
            self._missing(
                "EntryNotFound" if repository in self.server.repositories else "RepoNotFound"
            )
            return
        headers = {"ETag": f'"{_digest(content)}"', "X-Repo-Commit": commit}
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range") or "")
        if wanted is None:
            self._send(200, content, headers | {"Accept-Ranges": "bytes"})
            return
        first, last = int(wanted[1]), int(wanted[2] or len(content) - 1)
        headers["Content-Range"] = f"bytes {first}-{last}/{len(content)}"
        self._send(206, content[first : last + 1], headers)

    def _api(self, repository: str, what: str | None, commit: str, under: str, body: bytes) -> None:
        files = self.server.repositories.get(repository)
        if files is None:
            self._missing("RepoNotFound")
        elif what == "tree":
            found = _children(files, under.strip("/"))
            self._send(200 if found else 404, json.dumps(found).encode(), {})
        elif what == "paths-info":
            asked = _asked_paths(body, self.headers.get("Content-Type") or "")
            entries = [e for path in asked for e in _entries(files) if e["path"] == path]
            self._send(200, json.dumps(entries).encode(), {})
        else:
            info = {
                "id": repository,
                "sha": commit,
                "private": False,
                "gated": False,
                "disabled": False,
                "downloads": 0,
                "likes": 0,
                "tags": [],
                "siblings": [{"rfilename": path} for path in files],
            }
            self._send(200, json.dumps(info).encode(), {})

    def _missing(self, code: str) -> None:
        self._send(404, b'{"error": "not found"}', {"X-Error-Code": code})

    def _send(self, status: int, content: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _commit(revision: str | None) -> str:
    return revision if revision and re.fullmatch("[0-9a-f]{40}", revision) else COMMIT


def _entries(files: dict[str, bytes]) -> list[dict[str, object]]:
    """Files and folders of a repository."""
    folders = {str(f) for path in files for f in PurePosixPath(path).parents if str(f) != "."}
    found: list[dict[str, object]] = [
        {"type": "file", "path": path, "size": len(content), "oid": _digest(content)[:40]}
        for path, content in files.items()
    ]
    return found + [{"type": "directory", "path": f, "oid": "0" * 40} for f in sorted(folders)]


def _children(files: dict[str, bytes], folder: str) -> list[dict[str, object]]:
    parent = PurePosixPath(folder)
    return [e for e in _entries(files) if PurePosixPath(str(e["path"])).parent == parent]


def _asked_paths(body: bytes, kind: str) -> list[str]:
    if "json" in kind:
        paths = json.loads(body)["paths"]
        return [paths] if isinstance(paths, str) else list(paths)
    return urllib.parse.parse_qs(body.decode())["paths"]


@contextmanager
def serving(repositories: Repositories) -> Iterator[HubServer]:
    """A hub that serves ``repositories`` while the context lasts."""
    server = HubServer(repositories)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
