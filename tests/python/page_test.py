# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of docs/python.md, one behind the other as they stand there."""
import pathlib
import re

PAGE = pathlib.Path(__file__).parents[2] / "docs/python.md"


def test_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 7
    names = {"__name__": "page"}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
    assert (tmp_path / "saxpy.limg").is_file()
