#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every file under tests/ is part of some test: lit tests lie in a folder or stand in a list that ctest runs, sources are
named in CMake, kernels of the conformance suite are in its list, kept inputs belong to a fuzzer, and whatever else is there is named by one that uses it.
A file that nothing names is a test that never runs.

usage: registered.py ROOT
"""
import pathlib
import re
import sys

LIT_SUFFIXES = {".c", ".cpp", ".cu", ".hip", ".ll", ".test"}  # config.suffixes of tests/lit


def listed(text, variable):
    """The words of foreach(VARIABLE …)."""
    return set(re.search(rf"foreach\({variable}\s([^)]*)\)", text).group(1).split())


def named_in_cmake(path, tests):
    """True if a CMakeLists.txt of the file's folder, or above, names it."""
    for folder in path.parents:
        listing = folder / "CMakeLists.txt"
        text = listing.read_text() if listing.is_file() else ""
        if re.search(rf"(?<![\w.]){re.escape(path.name)}(?![\w.])", text) or re.search(rf"embed_object\(\w+ {path.stem}[ )]", text):
            return True
        if folder == tests:
            return False
    return False


class Tree:
    def __init__(self, root):
        self.tests = root / "tests"
        self.files = sorted(p for p in self.tests.rglob("*") if p.is_file() and "__pycache__" not in p.parts)
        self.texts = {p: p.read_text(errors="replace") for p in self.files}
        self.lit_folders = listed(self.texts[self.tests / "lit/CMakeLists.txt"], "folder")
        self.integration = listed(self.texts[self.tests / "integration/CMakeLists.txt"], "test")
        self.formats = set(re.findall(r"^hostile_target\((\w+)", self.texts[self.tests / "fuzz/hostile/CMakeLists.txt"], re.MULTILINE))
        self.suite = set(re.findall(r"^  (\w+/\w+\.\w+)", self.texts[self.tests / "conformance/suite/CMakeLists.txt"], re.MULTILINE))

    def named(self, path, word):
        """True if another file has `word`, not as part of a longer name."""
        pattern = re.compile(rf"(?<![\w]){re.escape(word)}(?![\w])")
        return any(pattern.search(text) for other, text in self.texts.items() if other != path)

    def fault(self, path):
        """Why nothing runs the file, or nothing."""
        inside = path.relative_to(self.tests)
        top, suffix = inside.parts[0], path.suffix
        if path.name == "CMakeLists.txt":
            parent = path.parent.parent / "CMakeLists.txt"
            whole = inside.parts == ("CMakeLists.txt",) or top == "package" or path.parent.name in ("suite", "program")
            return None if whole or path.parent.name in self.texts.get(parent, "") else "its folder is in no CMakeLists.txt"
        if "Inputs" in inside.parts:
            used = self.named(path, path.name) or (suffix == ".yaml" and self.named(path, path.stem))
            return None if used else "no test names it"
        if top == "lit" and suffix in LIT_SUFFIXES:
            return None if inside.parts[1] in self.lit_folders else "its folder is not in lit/CMakeLists.txt"
        if top == "integration" and suffix == ".test" and len(inside.parts) == 2:
            return None if path.stem in self.integration else "it is not in integration/CMakeLists.txt"
        if top == "bad_input":
            return None if self.named(path, inside.parts[1]) else "no test reads its folder"
        if top == "conformance" and inside.parts[1] in ("cuda", "hip", "kernels", "programs"):
            kernels = [f"{inside.parts[1]}/{path.stem.removesuffix('_reference')}{s}" for s in (".cu", ".cpp", ".hip")]
            used = self.suite.intersection(kernels) or named_in_cmake(path, self.tests) or self.named(path, path.name) \
                or path.stem in self.texts[self.tests / "conformance/CMakeLists.txt"].split()
            return None if used else "it is not in conformance/suite/CMakeLists.txt"
        if top == "semantic" and inside.parts[1] == "kernels":
            taken = '(HERE / "kernels").glob("*' + suffix + '")' in self.texts[self.tests / "semantic/compare.py"]
            return None if taken else "compare.py does not take it"
        if top == "fuzz" and inside.parts[1] == "corpus":
            return None if inside.parts[2] in self.formats else "no fuzzer reads its folder"
        if inside.parts[:2] == ("fuzz", "hostile") and suffix == ".cpp" and path.stem in self.formats:
            return None
        if suffix in (".cpp", ".test") and top != "package":
            return None if named_in_cmake(path, self.tests) else "no CMakeLists.txt names it"
        used = self.named(path, path.name) or (suffix == ".py" and self.named(path, path.stem))
        return None if used else "nothing names it"


def main():
    tree = Tree(pathlib.Path(sys.argv[1]))
    faults = [(path, tree.fault(path)) for path in tree.files]
    faults = [(path, why) for path, why in faults if why]
    for path, why in faults:
        print(f"{path.relative_to(tree.tests.parent)}: {why}")
    print(f"{len(tree.files)} files under tests/, {len(faults)} of no use")
    return 1 if faults or len(tree.files) < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
