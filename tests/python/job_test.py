# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Jobs as values."""
import json
import pickle
import subprocess
import os

import lathe
import pytest
from conftest import SAXPY, numbered

FULL = {
    "name": "k.cu", "dialect": "cuda", "target": "cuda", "arch": "sm_90", "features": "+ptx83", "emit": "ptx", "entries": ["f<int>", "g"],
    "headers": {"a.h": "int a;", "b.h": b"\xff\xfe"}, "further_sources": {"b.cu": "int b;", "c.bc": b"BC\xc0\xde"}, "opt_level": 1, "defines": {"A": 1, "B": None, "C": True}, "include_dirs": ["x", "y"],
    "debugInfo": True, "fastMath": True, "approximateMath": True, "contract": False, "flushDenormals": True, "entryAbi": "state", "checked": True,
    "coarsening": 2, "languageStandard": "c++23", "undefines": ["D"], "prefixMap": ["/a=/b"],
    "launchBounds": {"maxItems": 64, "minGroups": 2, "maxRegisters": 40, "groupSize": [4, 4, 4]},
    "promises": {"arguments": {"n": "3"}, "noAlias": True, "pointerAlign": 16}, "parameters": {"p": "7"},
}


def test_every_field_comes_back():
    job = lathe.Job("text", **FULL)
    fields = job.fields
    assert fields["options"] == {"optLevel": "O1", "defines": ["A=1", "B", "C=1"], "includeDirs": ["x", "y"],
                                 **{key: FULL[key] for key in fields["options"] if key in FULL and key != "defines"}}
    # A field that jobs gain has to be in FULL too.
    assert set(fields["options"]) - {"optLevel", "includeDirs"} == {key for key in FULL if key in fields["options"]}
    assert fields["headers"] == [{"name": "a.h", "text": "int a;"}, {"name": "b.h", "text": {"base64": "//4="}}]
    assert [(one["name"], one["dialect"]) for one in fields["furtherSources"]] == [("b.cu", ""), ("c.bc", "")]
    assert fields["furtherSources"][1]["text"] == {"base64": "QkPA3g=="}
    assert {key: fields[key] for key in ("target", "arch", "features", "emit", "entries")} == {
        key: FULL[key] for key in ("target", "arch", "features", "emit", "entries")}
    assert (job.name, job.source, job.target, job.arch, job.entries) == ("k.cu", "text", "cuda", "sm_90", ("f<int>", "g"))
    assert job.options["launchBounds"]["groupSize"] == [4, 4, 4]


@pytest.mark.parametrize("job", [lathe.Job("text", **FULL), lathe.Job(b"BC\xc0\xde\x00", name="k.bc"), lathe.Job("")], ids=["full", "bitcode", "empty"])
def test_round_trips(job):
    for copy in (lathe.Job.from_json(job.to_json()), lathe.Job.from_bytes(bytes(job)), pickle.loads(pickle.dumps(job)), job.replace()):
        assert copy == job and hash(copy) == hash(job) and bytes(copy) == bytes(job) and copy.hash == job.hash and copy.source == job.source


def test_differs_by_any_field():
    jobs = [lathe.Job("text")] + [lathe.Job("text", **{key: value}) for key, value in FULL.items()]
    assert len(set(jobs)) == len(jobs) == len({job.hash for job in jobs})
    assert lathe.Job("text") != "text"


def test_never_changes():
    job = lathe.Job("text")
    with pytest.raises(AttributeError, match="replace"):
        job.target = "cuda"
    job.fields["target"] = "cuda"
    job.options["checked"] = True
    assert job == lathe.Job("text")


def test_replace():
    job = lathe.Job("text", target="cuda:sm_90", opt_level=1)
    assert job.replace(target="cpu") == lathe.Job("text", opt_level=1)
    assert job.replace(target="cuda:sm_80", fastMath=True) == lathe.Job("text", target="cuda:sm_80", opt_level=1, fastMath=True)
    assert job.replace(optLevel="O3", entries=("a",)) == lathe.Job("text", target="cuda", arch="sm_90", entries=["a"])


def test_is_the_tools_job(tmp_path):
    """The job that the tool saves is the one that Python makes."""
    source = tmp_path / "saxpy.cpp"
    source.write_text(SAXPY)
    tool = os.environ["LATHE_TEST_TOOL"]
    subprocess.run([tool, "job", "save", source, "-t", "cuda:sm_90", "-O1", "-D", "A=1", "-o", "j.lathejob"], cwd=tmp_path, check=True)
    shown = json.loads(subprocess.run([tool, "job", "show", "j.lathejob", "--json"], cwd=tmp_path, check=True, capture_output=True).stdout)
    assert lathe.Job.from_file(source, target="cuda:sm_90", opt_level=1, defines=["A=1"]).fields == shown["job"]


@pytest.mark.parametrize("arguments, message", [
    ({"fastmath": True}, "fastMath"), ({"checked": "yes"}, "checked"), ({"coarsening": -1}, "coarsening"), ({"target": 3}, "target"),
    ({"launchBounds": {"groupSize": [1, 2]}}, "groupSize"), ({"headers": {"a.h": "\ud800"}}, "UTF-8|JSON|headers"),
], ids=lambda value: str(value)[:20])
def test_what_no_job_can_have(arguments, message):
    with pytest.raises(lathe.Error, match=message) as caught:
        lathe.Job("text", **arguments)
    assert caught.value.code == "invalid-argument" and caught.value.family == "caller"


@pytest.mark.parametrize("arguments", [{"source": 3}, {"source": None}, {"source": "", "defines": "A"}, {"source": "", "entries": "k"},
                                       {"source": "", "name": 3}, {"source": "", "headers": {"a": 3}}], ids=str)
def test_wrong_types(arguments):
    with pytest.raises(TypeError):
        lathe.Job(**arguments)


def test_bad_levels():
    for level in (4, -1, True, "O3"):
        with pytest.raises(ValueError, match="opt_level"):
            lathe.Job("", opt_level=level)


def test_bad_bytes_and_json():
    good = bytes(numbered(1))
    for bad in (b"", good[:-1], good + b"x", b"\xff" + good[1:]):
        with pytest.raises(lathe.Error) as caught:
            lathe.Job.from_bytes(bad)
        assert caught.value.code == "invalid-argument"
    for bad in ("", "[]", "{", '{"target": 1}', '{"targte": "cpu"}'):
        with pytest.raises(lathe.Error) as caught:
            lathe.Job.from_json(bad)
        assert caught.value.code == "invalid-argument"
    with pytest.raises(TypeError):
        lathe.Job.from_bytes("text")
    with pytest.raises(FileNotFoundError):
        lathe.Job.from_file("/nowhere/k.cpp")
