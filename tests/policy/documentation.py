#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What README.md and docs/ show works: programs are compiled, and run if they have a main(); kernels are compiled;
descriptors are loaded; commands run in a folder with the files that the page shows, and print what it says. A page's file
is the block above that its text or the next command names. "…" stands for anything. Files that no page shows, and what cannot run in a test, with the reason, are in documentation_files.py. The
options of a command that is not run must exist all the same.

usage: documentation.py ROOT BUILD [--only PAGE]
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from documentation_files import DEVICE, FILES, NOT_RUN, PAGE_FILES, SETUP, WRAPPED

COMMAND = re.compile(r"^ {4,}(\$ )?((?:LATHE_\w+=\S+ )*(?:lathe|\./dev|cmake|ctest|ninja|gcc|g\+\+|bpftool|source) .*)$")


class Block:
    def __init__(self, page, line, language, text, before):
        self.page, self.line, self.language, self.text, self.before = page, line, language, text, before
        names = re.findall(r"`([\w.]+\.(?:cpp|cu|c|ll))`", before)
        self.name = names[-1] if names else None


class Command:
    def __init__(self, page, line, text, shown):
        self.page, self.line, self.shown = page, line, shown
        self.text = re.sub(r"\s{2,}#.*$", "", text).strip()


def read(path):
    """The fenced blocks and the commands of a page, in order."""
    lines = path.read_text().splitlines()
    out, at, before = [], 0, ""
    while at < len(lines):
        fence = re.match(r"```(\w+)", lines[at])
        command = COMMAND.match(lines[at])
        start = at
        at += 1
        if fence:
            while lines[at] != "```":
                at += 1
            out.append(Block(path, start + 1, fence.group(1), "\n".join(lines[start + 1:at]) + "\n", before))
            at += 1
        elif command:
            text = command.group(2)
            while text.endswith("\\"):
                text = text[:-1] + lines[at].strip()
                at += 1
            shown = []
            while command.group(1) and at < len(lines) and lines[at].startswith("    ") and not COMMAND.match(lines[at]):
                shown.append(lines[at].strip())
                at += 1
            out.append(Command(path, start + 1, text, shown))
        elif lines[start].strip():
            before = before + " " + lines[start] if start and lines[start - 1].strip() else lines[start]
    return out


def plain(text):
    """Without what differs from machine to machine and from run to run."""
    text = re.sub(r"cpu:[\w.-]+( \([^\n]*\)(?=:))?", "cpu", text)
    return " ".join(re.sub(r"\d+(\.\d+)? ms", "T ms", text).split())


def matches(shown, printed):
    parts = [plain(part) for line in shown for part in line.split("…")]  # other lines may stand between
    pattern = ".*".join(re.escape(part).replace(r"\ ", r"\s*") for part in parts if part)
    return re.search(pattern, plain(printed), re.DOTALL) is not None


class Checker:
    def __init__(self, root, build):
        self.root, self.build = root, build
        self.faults, self.count, self.skipped = [], 0, {}
        self.environment = dict(os.environ, PATH=f"{build / 'bin'}:{os.environ['PATH']}", NO_COLOR="1", LC_ALL="C.UTF-8")

    def fail(self, item, why):
        self.faults.append(f"{item.page.relative_to(self.root)}:{item.line}: {why}")

    def run(self, command, folder):
        return subprocess.run(["bash", "-c", command], cwd=folder, env=self.environment, text=True, timeout=300, errors="replace",
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)

    def page(self, path):
        items = read(path)
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            self.environment |= {"LATHE_CACHE": "", "LATHE_CACHE_DIR": str(folder / "cache")}
            self.prepare(folder, items)
            own = PAGE_FILES.get(str(path.relative_to(self.root)), {})
            for name, text in own.items():
                if not name.startswith("before "):
                    (folder / name).parent.mkdir(exist_ok=True)
                    (folder / name).write_text(text)
            for command in SETUP:
                self.run(command, folder)
            for item in items:
                self.count += 1
                (self.block if isinstance(item, Block) else self.command)(item, folder)

    def prepare(self, folder, items):
        for name, text in FILES.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text)
        for name in ("x", "y"):
            array = b"\x93NUMPY\x01\x00" + (118).to_bytes(2, "little")
            array += b"{'descr': '<f4', 'fortran_order': False, 'shape': (1024,), }".ljust(117) + b"\n" + bytes(4096)
            (folder / f"{name}.npy").write_bytes(array)
        above = None
        for item in items:
            if isinstance(item, Block):
                above = item
                if item.name:
                    (folder / item.name).write_text(self.whole(item)[0])
            elif above and not above.name and above.language in ("cpp", "llvm", "cuda"):
                named = re.search(r"\b(\w+\.(?:cpp|ll|cu))\b", item.text)
                if named and named.group(1) not in FILES:
                    (folder / named.group(1)).write_text(self.whole(above)[0])
                above = None

    @staticmethod
    def whole(block):
        """The block's text as a file, and the arguments that compiling it needs; None: it is not compiled."""
        first = block.text.split("\n", 1)[0]
        before, behind, arguments = WRAPPED.get(first, ("", "", []))
        if before is None:
            return None, arguments
        text = block.text.replace(" …  ", ";  ")
        if not before and block.language == "cpp" and "#include" not in text:
            before = DEVICE
        return before + text + behind, arguments

    def block(self, item, folder):
        if item.language == "python" and item.page.name == "python.md":
            self.skipped["python.page_test runs it"] = self.skipped.get("python.page_test runs it", 0) + 1
            return None
        text, arguments = self.whole(item)
        if text is None:
            self.skipped[arguments[0]] = self.skipped.get(arguments[0], 0) + 1
            return
        if item.language == "yaml":
            return self.descriptor(item, folder)
        suffix = {"cpp": ".cpp", "cuda": ".cu", "llvm": ".ll"}.get(item.language)
        if not suffix:
            return self.fail(item, f"no rule for blocks of {item.language}")
        source = folder / f"block_{item.line}{suffix}"
        source.write_text(text)
        if "int main(" in text:
            return self.program(item, source, text)
        extra = " ".join(shlex.quote(a) for a in arguments)
        for target in ("bpf",) if "lathe/bpf.h" in text else ("cpu", "cuda", "amdgpu"):
            done = self.run(f"lathe compile {source.name} -t {target} {extra} -o out.limg", folder)
            if done.returncode != 0:
                self.fail(item, f"does not compile for {target}: {done.stdout.strip()}")

    def program(self, item, source, text):
        """Compiled and run; what a printf's comment says is printed."""
        lib = self.build / "lib"
        done = self.run(f"g++ -std=c++20 -Wall -Werror -I{self.root / 'include'} {source.name} -L{lib} -Wl,-rpath,{lib} "
                        "-llathe -llathe-runtime -o program && ./program", source.parent)
        said = re.search(r"printf\(.*//\s*(\S+)$", text, re.MULTILINE)
        if done.returncode != 0 or (said and said.group(1) not in done.stdout.split()):
            self.fail(item, f"the program fails: {done.stdout.strip()}")

    def descriptor(self, item, folder):
        if not item.text.startswith("lathe:"):
            self.skipped["part of a descriptor"] = self.skipped.get("part of a descriptor", 0) + 1
            return
        name = re.search(r"^name: ([\w-]+)", item.text, re.MULTILINE).group(1)
        targets = folder / "targets"
        targets.mkdir(exist_ok=True)
        (targets / f"{name}.yaml").write_text(item.text)
        done = self.run(f"LATHE_TARGET_PATH=targets lathe targets {name}", folder)
        if done.returncode != 0:
            self.fail(item, f"is no descriptor: {done.stdout.strip()}")

    def command(self, item, folder):
        text = item.text.replace("~/targets", "targets")
        for pattern, reason in NOT_RUN.items():
            if re.search(pattern, text):
                self.skipped[reason] = self.skipped.get(reason, 0) + 1
                return self.options(item, text)
        if "cubin" in text and not self.run("command -v ptxas || ls /usr/local/cuda/bin/ptxas", folder).stdout.startswith("/"):
            self.skipped["needs ptxas"] = self.skipped.get("needs ptxas", 0) + 1
            return
        before = PAGE_FILES.get(str(item.page.relative_to(self.root)), {}).get(f"before {item.text}")
        if before:
            self.run(before, folder)
        done = self.run(text, folder)
        wanted = any("error:" in line for line in item.shown)
        if done.returncode == 3 and "opencl: " in done.stdout:
            self.skipped["needs an OpenCL device"] = self.skipped.get("needs an OpenCL device", 0) + 1
        elif (done.returncode != 0) != wanted:
            self.fail(item, f"{text}: exit code {done.returncode}: {done.stdout.strip()}")
        elif item.shown and not matches(item.shown, done.stdout):
            self.fail(item, f"{text}: prints\n{done.stdout.strip()}\ninstead of\n" + "\n".join(item.shown))

    def options(self, item, text):
        """The options of a command that is not run are known to the tool."""
        command = re.match(r"(?:LATHE_\w+=\S+ )*lathe ([a-z]+)((?: (?:save|show|replay))?)", text)
        if not command:
            return
        known = self.run(f"lathe {command.group(1)}{command.group(2)} --help", self.root).stdout
        for option in re.findall(r"(?<=\s)(--?[a-zA-Z][\w-]*)", text):
            if not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", known):
                self.fail(item, f"lathe {command.group(1)} has no {option}")


def main():
    root, build = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
    pages = [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").glob("*.md")),
             *sorted((root / "docs/errors").glob("*.md")), *sorted(root.glob("*/*/README.md"))]
    pages.remove(root / "docs/adding-a-target.md")  # tests/package/follow_page.py follows it with an installed Lathe
    if "--only" in sys.argv:
        pages = [page for page in pages if str(page).endswith(sys.argv[-1])]
    checker = Checker(root, build)
    for page in pages:
        checker.page(page)
    print("\n".join(checker.faults))
    for reason, count in checker.skipped.items():
        print(f"not run: {count}: {reason}")
    print(f"{checker.count} commands and programs, {len(checker.faults)} wrong")
    return 1 if checker.faults or (checker.count < 60 and "--only" not in sys.argv) else 0


if __name__ == "__main__":
    sys.exit(main())
