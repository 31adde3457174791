# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A page whose middle is generated: between two marks stands what a script makes, and a test checks that it is current."""
import os

END = "<!-- generated: end -->"


def check(page, script, content, how):
    """0 if `page` has `content` between "<!-- generated: SCRIPT -->" and END, each on a line of its own, or has it now
    because LATHE_BLESS is set; else 1, with a message that says `how` to renew it."""
    mark = f"<!-- generated: {script} -->"
    text = page.read_text()
    begin, end = text.index(mark), text.index(END)
    wanted = f"{text[:begin]}{mark}\n{content}\n{text[end:]}"
    if os.environ.get("LATHE_BLESS"):
        page.write_text(wanted)
    elif wanted != text:
        print(f"{page}: the generated part is not current; renew it by LATHE_BLESS=1 {how}")
        return 1
    return 0
