# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The semantic facts of PTX: what a kernel's instructions promise beyond the values they compute. Two compilers may unroll,
vectorise and schedule one kernel differently, but both have to keep its atomic operations with order, scope, space and type,
its volatile and ordered accesses, cache operators, fences, barriers, warp-wide instructions, rounding and saturation
modifiers, launch bounds, parameter layout and shared memory.

A fact is a short text, "atom add acq_rel gpu global i32"; `kernels(text)` gives each entry's facts with their counts. Where
PTX has two spellings of one meaning (`membar.gl` and `fence.sc.gpu`, `atom.add` and `atom.relaxed.gpu.add`), facts have
one. The words of the instruction set are those of NVIDIA's "Parallel Thread Execution ISA", version 9.0.
"""
import collections
import re

BITS = {"pred": 1, "b8": 8, "u8": 8, "s8": 8, "b16": 16, "u16": 16, "s16": 16, "f16": 16, "bf16": 16, "b32": 32, "u32": 32, "s32": 32,
        "f32": 32, "f16x2": 32, "bf16x2": 32, "b64": 64, "u64": 64, "s64": 64, "f64": 64, "b128": 128}
FLOATS = {"f16", "f16x2", "bf16", "bf16x2", "tf32", "f32", "f64", "e4m3", "e5m2", "e4m3x2", "e5m2x2", "e2m1x2", "f32x2"}
TYPES = set(BITS) | FLOATS
SPACES = {"global", "shared", "local", "const", "param", "shared::cta", "shared::cluster", "param::entry", "param::func"}
SCOPES = {"cta", "cluster", "gpu", "sys"}
ORDERS = {"relaxed", "acquire", "release", "acq_rel", "sc", "volatile", "mmio"}
CACHE = {"ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc"}
MEMBAR = {"cta": "cta", "gl": "gpu", "sys": "sys"}
# Registers whose value differs from one read to the next, and those that say where a thread runs.
REGISTERS = re.compile(r"%(clock(?:64|_hi)?|globaltimer(?:_lo|_hi)?|pm\d+(?:_64)?|smid|nsmid|warpid|nwarpid|gridid|envreg\d+)\b")
DIRECTIVES = ("maxntid", "reqntid", "minnctapersm", "maxnctapersm", "maxnreg", "maxclusterrank", "reqnctapercluster", "explicitcluster")
# Instructions of which each is a fact as it stands.
WHOLE = ("mma", "wmma", "wgmma", "ldmatrix", "stmatrix", "movmatrix", "tex", "tld4", "txq", "suld", "sust", "sured", "suq", "trap", "brkpt",
         "nanosleep", "griddepcontrol", "setmaxnreg", "elect", "prefetch", "prefetchu", "discard", "applypriority", "createpolicy", "cp",
         "mbarrier", "multimem", "getctarank", "mapa", "isspacep", "pmevent", "exit", "tcgen05", "clusterlaunchcontrol", "tensormap")
ONE_IS_ENOUGH = {"exit", "isspacep"}  # control flow and address spaces that optimisation may settle


def plain(kind):
    """A type without what two spellings differ in: packed halves are halves."""
    return {"f16x2": "f16", "bf16x2": "bf16", "f32x2": "f32"}.get(kind, kind)


def operand_type(operation, kind):
    """The type of an atomic operation as far as it has a meaning: additions know no sign, exchanges no type."""
    if kind in FLOATS and operation in ("add", "min", "max"):
        return kind
    if operation in ("min", "max", "inc", "dec"):
        return kind
    return f"i{BITS[kind]}"


def pick(words, among, otherwise=None):
    return next((word for word in words if word in among), otherwise)


def space_of(words):
    found = pick(words, SPACES, "generic")
    return {"shared::cta": "shared", "param::entry": "param", "param::func": "param"}.get(found, found)


def scope_of(words, otherwise):
    """The scope; none beyond the GPU in shared memory, which nobody there can see."""
    scope = pick(words, SCOPES, otherwise)
    return "gpu" if scope == "sys" and space_of(words) == "shared" else scope


def atom(opcode, words):
    operation = pick(words, {"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"}, "?")
    kind = next((word for word in reversed(words) if word in TYPES), "b32")
    vector = "".join(" " + word for word in words if word in ("v2", "v4", "v8"))
    return [f"atom {operation} {pick(words, ORDERS, 'relaxed')} {scope_of(words, 'gpu')} {space_of(words)} {operand_type(operation, kind)}{vector}"]


def access(opcode, words):
    """Ordered accesses, and those with a cache operator; others are no facts."""
    order, cache = pick(words, ORDERS), [word for word in words if word in CACHE]
    kind = next((word for word in reversed(words) if word in TYPES), "b32")
    bits = BITS[kind] * int((pick(words, {"v2", "v4", "v8"}) or "v1")[1:])
    hints = [word for word in words if word.startswith(("L1::", "L2::"))]
    out = []
    if order and order != "weak":
        out.append(f"{opcode} {order} {scope_of(words, 'sys')} {space_of(words)} {bits}")
    for word in cache + hints:
        if word not in ("wb", "ca"):
            out.append(f"{opcode} cache {word} {bits}")
    return out


def fence(opcode, words):
    if opcode == "membar":
        return [f"fence sc {MEMBAR[words[0]]}"] if words and words[0] in MEMBAR else ["fence " + " ".join(words)]
    if not set(words) <= ORDERS | SCOPES:
        return ["fence " + " ".join(words)]
    return [f"fence {pick(words, ORDERS, 'acq_rel')} {pick(words, SCOPES, '?')}"]


def barrier(opcode, words, operands):
    if words[:1] == ["warp"]:
        return ["barrier warp"]
    if words[:1] == ["cluster"]:
        default = "release" if "arrive" in words else "acquire"
        kind = pick(words, {"arrive", "wait"}, "?")
        return [f"barrier cluster {kind} {pick(words, ORDERS, default)}{' aligned' if 'aligned' in words else ''}"]
    words = [word for word in words if word != "cta"]
    aligned = " aligned" if opcode == "bar" or "aligned" in words else ""
    reduction = "".join(" " + word for word in words if word in ("popc", "and", "or"))
    kind = pick(words, {"sync", "arrive", "red"}, "?")
    values = operands[1:] if kind == "red" else operands
    number = values[0] if values and re.fullmatch(r"\d+", values[0]) else "register"
    counted = " counted" if len(values) > (2 if kind == "red" else 1) else ""
    return [f"barrier {kind}{reduction}{aligned} {number}{counted}"]


def warp(opcode, words):
    if opcode == "redux" and "add" in words:  # additions know no sign
        words = ["i32" if word in ("s32", "u32") else word for word in words]
    return [" ".join([opcode, *(word for word in words if word not in TYPES or opcode in ("match", "redux"))])]


def conversion(words):
    kinds = [word for word in words if word in TYPES]
    if len(kinds) < 2 or not any(kind in FLOATS for kind in kinds):
        return ["cvt " + " ".join(words)] if "sat" in words else []
    rest = sorted(word for word in words if word not in TYPES)
    if not rest and all(kind in FLOATS for kind in kinds):
        return []  # a wider type holds every value
    if kinds[0] in ("f32", "f64") and kinds[1][0] in "su" and BITS[kinds[1]] <= {"f32": 16, "f64": 32}[kinds[0]]:
        return []  # nothing to round
    return [f"cvt {' '.join(rest)} {plain(kinds[0])} {plain(kinds[1])}".replace("  ", " ")]


def arithmetic(opcode, words):
    kind = next((word for word in words if word in FLOATS), None)
    if kind is None:
        return [f"{opcode} sat {words[-1]}"] if "sat" in words else []
    name = {"sub": "add", "mad": "fma"}.get(opcode, opcode)
    form = sorted(word for word in words if word not in TYPES)
    if name == "rcp" and "approx" not in form:
        name = "div"
    if name in ("min", "max", "abs", "neg") and not form:
        return []
    if name in ("add", "mul") and not form:
        return []
    return [f"round {name} {' '.join(form)} {plain(kind)}".replace("  ", " ")]


ARITHMETIC = {"add", "sub", "mul", "fma", "mad", "div", "rcp", "sqrt", "rsqrt", "sin", "cos", "tanh", "ex2", "lg2", "min", "max", "abs", "neg"}


def whole(opcode, words, operands):
    if opcode in ONE_IS_ENOUGH:
        return []
    text = ".".join([opcode, *words]).replace("shared::cta", "shared")
    if opcode == "mbarrier" and not ORDERS & set(words):
        text += {"arrive": ".release.cta", "test_wait": ".acquire.cta", "try_wait": ".acquire.cta"}.get(words[0], "")
    if opcode == "wmma":  # an address space that one compiler knows and the other does not
        text = re.sub(r"\.(global|shared)\b", "", text)
    if opcode in ("wmma", "mma") and "f64" in words:
        text = re.sub(r"\.rn$", "", text)  # the only one, and the default
    size = f" {operands[2]}" if opcode == "cp" and words[:1] == ["async"] and len(operands) > 2 else ""
    return [text + size]


def facts_of(instruction):
    """The facts of one instruction without its predicate."""
    head, _, rest = instruction.partition(" ")
    opcode, *words = head.split(".")
    operands = [part.strip() for part in re.split(r",(?![^{]*\})(?![^\[]*\])", rest)] if rest.strip() else []
    out = []
    if opcode in ("atom", "red") and words[:1] != ["async"]:
        out = atom(opcode, words)
    elif opcode in ("ld", "st", "ldu"):
        out = [] if words and (words[0].startswith("param") or words[0] in ("local", "const")) and not ORDERS & set(words) else access(opcode, words)
    elif opcode in ("fence", "membar"):
        out = fence(opcode, words)
    elif opcode in ("bar", "barrier"):
        out = barrier(opcode, words, operands)
    elif opcode in ("shfl", "vote", "match", "redux", "activemask"):
        out = warp(opcode, words)
    elif opcode == "cvt":
        out = conversion(words)
    elif opcode in ARITHMETIC:
        out = arithmetic(opcode, words)
    elif opcode in WHOLE or opcode == "red":
        out = whole(opcode, words, operands)
    elif opcode in ("mov", "read"):
        out = [f"register {name}" for name in REGISTERS.findall(rest)]
    return out


class Function:
    """What a .entry or .func has: facts with counts, functions that it calls, shared variables that it names."""

    def __init__(self, name, entry):
        self.name, self.entry = name, entry
        self.facts = collections.Counter()
        self.calls, self.names = set(), set()


TOKEN = re.compile(r"[A-Za-z_$%][\w$]*")
VARIABLE = re.compile(r"^(?:\.visible |\.extern |\.weak |\.common )*\.(shared|const|global)\b(.*)$", re.DOTALL)
PARAMETER = re.compile(r"\.param\s+(?:\.align\s+(\d+)\s+)?\.(\w+)(?:\s+\.ptr(?:\s+\.\w+)?(?:\s+\.align\s+\d+)?)?\s+[\w$%]+(?:\[(\d*)\])?")


def parameters(text):
    out = []
    for align, kind, count in PARAMETER.findall(text):
        bytes_each = max(BITS[kind] // 8, 1)
        out.append(f"{bytes_each * int(count or 1)}:{align or bytes_each}")
    return "parameters " + (" ".join(out) or "none")


def variable(text):
    """(name, bytes, alignment) of a declaration's part behind its space; bytes None for an array sized by the launch."""
    align = re.search(r"\.align\s+(\d+)", text)
    kind = re.search(r"\.([bsuf]\d+|pred)\b", text)
    name = re.search(r"([A-Za-z_$%][\w$]*)\s*((?:\[\s*\d*\s*\])*)\s*(?:=|$)", text.split("=")[0].strip() + " ")
    each = BITS[kind.group(1)] // 8
    extents = re.findall(r"\[\s*(\d*)\s*\]", name.group(2)) if name else []
    size = each
    for extent in extents:
        size = None if extent == "" or size is None else size * int(extent)
    return name.group(1), size, int(align.group(1)) if align else each


def statements(text):
    """Pieces of PTX between semicolons, braces and labels, comments gone: ('{', ''), ('}', ''), ('.', directive or head), (';', statement)."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    text = re.sub(r"//[^\n]*", "", text)
    piece, depth = [], 0
    for token in re.findall(r"[;{}]|\"[^\"]*\"|[^;{}\"]+", text):
        if token == "{" and not piece_is_head(piece):
            piece.append(token)
            depth += 1
        elif token == "}" and depth:
            piece.append(token)
            depth -= 1
        elif token in "{}" or (token == ";" and not depth):
            joined = " ".join("".join(piece).split())
            piece = []
            if token == ";":
                yield ";", joined
            else:
                yield token, joined
        else:
            piece.append(token)
    joined = " ".join("".join(piece).split())
    if joined:
        yield ";", joined


def piece_is_head(piece):
    """True if a brace behind this text opens a block: a function's head, a label or nothing; else it is a vector operand."""
    text = " ".join("".join(piece).split())
    if not text or text.endswith(":"):
        return True
    return bool(re.search(r"\.(entry|func)\b", text)) or bool(re.fullmatch(r"(?:[\w$]+:\s*)+", text))


def read_head(text):
    """The Function that a head opens, or None; lines in front of it (.version 9.0 .target sm_90) end without semicolon."""
    found = re.search(r"\.(entry|func)\b(.*)$", text, re.DOTALL)
    if not found:
        return None
    rest = found.group(2)
    if found.group(1) == "func":
        rest = re.sub(r"^\s*\(.*?\)\s*(?=[\w$])", " ", rest, count=1)
    name = re.search(r"([A-Za-z_$][\w$]*)", re.sub(r"\.\w+", " ", rest) if found.group(1) == "func" else rest).group(1)
    function = Function(name, found.group(1) == "entry")
    if function.entry:
        inside = rest[rest.index("(") + 1: rest.rindex(")")] if "(" in rest else ""
        function.facts[parameters(inside)] += 1
        behind = rest[rest.rindex(")") + 1:] if ")" in rest else rest
        for word, values in re.findall(r"\.(\w+)([^.]*)", behind):
            if word in DIRECTIVES:
                numbers = [value.strip() for value in values.split(",") if value.strip()]
                while word in ("maxntid", "reqntid", "reqnctapercluster") and 0 < len(numbers) < 3:
                    numbers.append("1")
                function.facts[" ".join([word, *numbers])] += 1
    return function


def modules(text):
    """(functions by name, shared variables by name) of a PTX module."""
    functions, shared, here, depth = {}, {}, None, 0
    for kind, piece in statements(text):
        piece = re.sub(r"^(?:[\w$]+:\s*)+", "", piece)
        if kind == "{":
            head = read_head(piece) if here is None else None
            if head:
                here = functions[head.name] = head
                depth = 0
            depth += 1
            continue
        if piece:
            read_statement(piece, here, shared)
        if kind == "}":
            depth -= 1
            if depth == 0:
                here = None
    return functions, shared


def read_statement(piece, here, shared):
    piece = re.sub(r"^(?:\.(?:version|target|address_size|file|loc|section|pragma)\s[^.]*(?:\.\d+)?\s*)+(?=\.)", "", piece)
    found = VARIABLE.match(piece)
    if found and found.group(1) == "shared":
        name, size, align = variable(found.group(2))
        shared[name] = (size, align)
        return
    if here is None or piece.startswith("."):
        return
    piece = re.sub(r"^@!?%?[\w$]+\s+", "", piece)
    here.names.update(TOKEN.findall(piece))
    if piece.startswith("call"):
        callee = re.search(r"call(?:\.uni)?\s+(?:\([^)]*\)\s*,\s*)?([\w$%]+)", piece)
        here.calls.add(callee.group(1) if callee else "?")
        return
    here.facts.update(facts_of(piece))


def kernels(text):
    """{name of the entry: Counter of facts} of a PTX module; called functions' facts are their callers'."""
    functions, shared = modules(text)
    out = {}
    for function in functions.values():
        if not function.entry:
            continue
        facts, names = collections.Counter(), set()
        todo, seen = [function.name], set()
        while todo:
            name = todo.pop()
            if name in seen:
                continue
            seen.add(name)
            if name not in functions:
                facts[f"call {'indirect' if name.startswith('%') else name}"] += 1
                continue
            facts.update(functions[name].facts)
            names |= functions[name].names
            todo += sorted(functions[name].calls)
        used = [shared[name] for name in sorted(names & set(shared))]
        if used:
            facts[f"shared bytes {sum(size or 0 for size, _ in used)}"] += 1
            if any(size is None for size, _ in used):
                facts["shared sized by the launch"] += 1
        out[function.name] = facts
    return out
