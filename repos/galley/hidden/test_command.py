"""The command line."""

import io
import tempfile
import unittest
from pathlib import Path

from galley.__main__ import main


class TestCommand(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.out = io.StringIO()
        self.err = io.StringIO()

    def file(self, name: str, text: str) -> str:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def run_on(self, *arguments: str) -> int:
        return main(arguments, self.out, self.err)

    def test_prints_the_document(self) -> None:
        self.run_on(self.file("a.txt", "Größe *x*"))
        self.assertEqual(self.out.getvalue(), "Größe _x_\n")

    def test_status_of_success(self) -> None:
        self.assertEqual(self.run_on(self.file("a.txt", "x")), 0)

    def test_form_feeds_between_pages(self) -> None:
        sheet = self.file("s", "page { height: 3 }")
        self.run_on(self.file("a.txt", "a\n+++\nb"), "--sheet", sheet)
        self.assertEqual(self.out.getvalue(), "a\n\n\n\fb\n\n\n")

    def test_data(self) -> None:
        data = self.file("d.json", '{"name": "Ada"}')
        self.run_on(self.file("a.txt", "Dear {{ name }}"), "--data", data)
        self.assertEqual(self.out.getvalue(), "Dear Ada\n")

    def test_patterns(self) -> None:
        sheet = self.file("s", "page { width: 5 } body { hyphenate: yes }")
        patterns = self.file("p", "hy3ph")
        self.run_on(self.file("a.txt", "hyphen"), "--sheet", sheet, "--patterns", patterns)
        self.assertEqual(self.out.getvalue(), "hy-\nphen\n")

    def test_status_of_an_error(self) -> None:
        self.assertEqual(self.run_on(self.file("a.txt", "```")), 1)

    def test_message_of_an_error(self) -> None:
        self.run_on(self.file("a.txt", "\n```"))
        self.assertEqual(self.err.getvalue(), "galley: line 2: code is not closed\n")

    def test_file_that_is_not_there(self) -> None:
        self.assertEqual(self.run_on(str(self.folder / "none")), 2)

    def test_data_that_does_not_read(self) -> None:
        data = self.file("d.json", "{")
        self.assertEqual(self.run_on(self.file("a.txt", "x"), "--data", data), 2)


if __name__ == "__main__":
    unittest.main()
