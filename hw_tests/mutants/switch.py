# SPDX-License-Identifier: Apache-2.0
"""Many mutants in one build: each is an alternative to an expression, chosen when the process starts.

The expressions are right sides of assignments, conditions of `if` and `case`, what a function returns,
and what goes to the inputs of instances. `x = a && b;` with two alternatives becomes

    x = tma_mutant_pkg::id == 32'h6d750007 ? (a || b) : tma_mutant_pkg::id == 32'h6d750009 ? (!a) : (a && b);

where the id comes from the environment, TMA_MUTANT=7. Alternatives are operator changes (sites) or
what a patch makes of an expression (of_patch). Without a number the engine is as it was.
"""

import difflib
import pathlib
import re

BASE = 0x6D750000
PACKAGE = """package tma_mutant_pkg;
  int unsigned id = $c32("(std::getenv(\\"TMA_MUTANT\\") ? %d + std::atoi(std::getenv(\\"TMA_MUTANT\\")) : 0)");
endpackage
""" % BASE

TOKEN = re.compile(r"""
    (?P<blank>\s+|//[^\n]*|/\*.*?\*/)
  | (?P<directive>`(?:include|ifdef|ifndef|else|endif|define|undef)\b(?:[^\n\\]|\\.|\\\n)*)
  | (?P<string>"(?:\\.|[^"\\])*")
  | (?P<number>\d*'[sS]?[bodhBODH][0-9a-fA-F_xzXZ?]+|'[01xz]|\d[\d_]*)
  | (?P<word>[`$]?[A-Za-z_][A-Za-z0-9_$]*)
  | (?P<op><<<=|>>>=|<<<|>>>|===|!==|==\?|!=\?|\|->|\|=>|<<=|>>=|&&|\|\||==|!=|<=|>=|<<|>>|\*\*
      |\+\+|--|[-+*/%&|^]=|\+:|-:|::|->|~&|~\||~\^|'\{|.)
""", re.VERBOSE | re.DOTALL)
OPENING, CLOSING = {"(", "[", "{", "'{"}, {")", "]", "}"}
BINARY = {"&&": ["||"], "||": ["&&"], "==": ["!="], "!=": ["=="], "<": ["<=", ">"], "<=": ["<", ">="],
          ">": [">=", "<"], ">=": [">", "<="], "+": ["-"], "-": ["+"], "&": ["|"], "|": ["&"], "^": ["|"],
          "<<": [">>"], ">>": ["<<"]}
UNARY = {"!": [""], "~": [""], "|": ["&"], "&": ["|"]}
BITS = {"1'b0": ["1'b1"], "1'b1": ["1'b0"]}
# A port that is connected to what has its own name; clock and reset stay as they are.
SHORT_PORT = re.compile(r"\.(?!clk_i\b|rst_ni\b)(\w+_i)\b(?=\s*[,)])")
ITEMS = {"logic", "assign", "always_ff", "always_comb", "localparam", "tma_fifo", "smem_write_t"}
COUNT = re.compile(r"(\d+)'d(\d+)$")


class Unswitchable(Exception):
    """A patch changes more than expressions."""


class Token:  # pylint: disable=too-few-public-methods
    """A word of the source."""

    def __init__(self, kind, text, start):
        self.kind, self.text, self.start, self.end = kind, text, start, start + len(text)


class Slot:  # pylint: disable=too-few-public-methods
    """An expression that can have alternatives: first to last of its tokens, what it belongs to."""

    def __init__(self, tokens, first, last, head, reset, clocked):
        self.tokens, self.first, self.last = tokens, first, last
        self.head, self.reset, self.clocked = head, reset, clocked
        self.start, self.end = tokens[first].start, tokens[last].end

    def words(self):
        """The tokens' texts."""
        return [t.text for t in self.tokens[self.first:self.last + 1]]


def tokens_of(text):
    """Tokens without blanks, comments, directives and what synthesis does not see."""
    found, hidden = [], 0
    for m in TOKEN.finditer(text):
        if m.lastgroup == "directive":
            word = m.group().split()[0]
            if word in ("`ifdef", "`ifndef"):
                hidden += bool(hidden) or m.group().split()[1] == "SYNTHESIS"
            elif word == "`endif" and hidden:
                hidden -= 1
        elif m.lastgroup != "blank" and not hidden:
            found.append(Token(m.lastgroup, m.group(), m.start()))
    return found


def join(words):
    """Tokens as a text on one line."""
    text = ""
    for word in words:
        last = text[-1:]
        tight = not text or last in "([{!~.`'" or text.endswith("::") or word in ("'", "::", ".") or \
            word in ")],;}" or (word in "([{" and (last.isalnum() or last in "_$)]"))
        text += word if tight else " " + word
    return text


class Parser:
    """Finds the slots of one file."""

    def __init__(self, text):
        self.tokens, self.slots, self.i = tokens_of(text), [], 0
        while self.i < len(self.tokens):
            word = self.text()
            if word == "assign":
                self.i += 1
                self.assignment(False, False)
            elif word in ("always_ff", "always_comb", "always_latch"):
                self.i += 1
                if self.text() == "@":
                    self.i = self.match(self.i + 1) + 1
                self.statement(False, word == "always_ff")
            elif word == "function":
                self.i = self.until({";"}) + 1
                while self.text() != "endfunction":
                    self.statement(False, False)
            elif word == "." and self.tokens[self.i + 1].text.endswith("_i") and \
                    self.tokens[self.i + 2].text == "(" and self.tokens[self.i + 3].text != ")":
                close = self.match(self.i + 2)
                self.slot(self.i + 3, close - 1, "." + self.tokens[self.i + 1].text, False, False)
                self.i = close + 1
            else:
                self.i += 1

    def text(self):
        """The token to look at, '' at the end."""
        return self.tokens[self.i].text if self.i < len(self.tokens) else ""

    def match(self, i):
        """Index of the bracket that closes the one at i."""
        depth = 0
        while True:
            depth += self.tokens[i].text in OPENING
            depth -= self.tokens[i].text in CLOSING
            if not depth:
                return i
            i += 1

    def until(self, stops):
        """Index of the first of the tokens outside of brackets."""
        i = self.i
        while self.tokens[i].text not in stops:
            i = self.match(i) + 1
        return i

    def slot(self, first, last, head, reset, clocked):
        """An expression; one with an assignment pattern has its elements as slots."""
        words = [t.text for t in self.tokens[first:last + 1]]
        if "'{" in words:
            i = first + words.index("'{")
            close, at = self.match(i), i + 1
            while at < close:
                end, key = at, at - 1
                while end < close and self.tokens[end].text != ",":
                    if self.tokens[end].text == ":" and key < at and "?" not in words[at - first:end - first]:
                        key = end
                    end = self.match(end) + 1
                if end - 1 > key:
                    self.slot(key + 1, end - 1, f"{head} {join(words[at - first:max(key, at) - first])}",
                              reset, False)
                at = end + 1
        elif "<<" not in words[:2] and ">>" not in words[:2]:
            self.slots.append(Slot(self.tokens, first, last, head, reset, clocked))

    def assignment(self, reset, clocked):
        """LEFT = EXPRESSION; or another statement that ends with a semicolon."""
        begin, stop = self.i, self.until({"=", "<=", ";"})
        self.i = stop
        end = self.until({";"})
        # A declaration has two words at its beginning.
        plain = stop - begin > 0 and not (self.tokens[begin].kind == self.tokens[begin + 1].kind == "word")
        if self.tokens[stop].text != ";" and plain:
            head = join([t.text for t in self.tokens[begin:stop + 1]])
            self.slot(stop + 1, end - 1, head, reset, clocked and self.tokens[stop].text == "<=")
        self.i = end + 1

    def condition(self, head, reset):
        """( EXPRESSION ). Says whether it asks for the reset."""
        close = self.match(self.i)
        words = [t.text for t in self.tokens[self.i:close]]
        self.slot(self.i + 1, close - 1, head, reset or "rst_ni" in words, False)
        self.i = close + 1
        return "rst_ni" in words

    def statement(self, reset, clocked):
        """One statement and what is inside of it."""
        while self.text() in ("unique", "unique0", "priority"):
            self.i += 1
        word = self.text()
        self.i += 1
        if word == "begin":
            if self.text() == ":":
                self.i += 2
            while self.text() != "end":
                self.statement(reset, clocked)
            self.i += 1
        elif word == "if":
            resets = self.condition("if", reset)
            self.statement(reset or resets, clocked)
            if self.text() == "else":
                self.i += 1
                self.statement(reset, clocked)
        elif word in ("case", "casez"):
            self.condition("case", True)
            if self.text() == "inside":
                self.i += 1
            while self.text() != "endcase":
                self.i = self.until({":"}) + 1
                self.statement(reset, clocked)
            self.i += 1
        elif word == "for":
            self.i = self.match(self.i) + 1
            self.statement(reset, clocked)
        elif word == "return":
            end = self.until({";"})
            self.slot(self.i, end - 1, word, reset, False)
            self.i = end + 1
        elif word != ";":
            self.i -= 1
            self.assignment(reset, clocked)


def constant_places(words):
    """Indices of tokens in indices, sizes of casts, counts of replications and arguments of $functions."""
    places, opened = set(), []
    for i, word in enumerate(words):
        if word in OPENING:
            opened.append(i)
        elif word in CLOSING:
            begin = opened.pop()
            follows = words[i + 1] if i + 1 < len(words) else ""
            if word == "]" or follows == "'" or (begin and words[begin - 1].startswith("$")):
                places.update(range(begin, i + 1))
        elif word == "'" and i and words[i - 1] not in CLOSING:
            places.add(i - 1)
        if word == "{" and len(opened) > 1 and words[opened[-2]] == "{" and words[i - 1] not in ",{":
            places.update(range(opened[-2] + 1, i))
    return places


def sites(slot):
    """Every operator change of a slot: what the expression becomes."""
    words, found = slot.words(), []
    fixed = constant_places(words)
    for i, word in enumerate(words):
        if i in fixed:
            continue
        unary = i == 0 or words[i - 1] in OPENING or words[i - 1] in BINARY or words[i - 1] in "?:,!~"
        options = (UNARY if unary else BINARY).get(word, []) + BITS.get(word, [])
        if (m := COUNT.match(word)) and int(m.group(2)) + 1 < 1 << int(m.group(1)):
            options = options + [f"{m.group(1)}'d{int(m.group(2)) + 1}"]
        for new in options:
            found.append(words[:i] + [new] * bool(new) + words[i + 1:])
        if word == "?":
            begin, depth = i, 0
            while begin > 0:
                before = words[begin - 1]
                depth += (before in CLOSING) - (before in OPENING)
                if depth < 0 or (not depth and before in ("?", ":", ",")):
                    break
                begin -= 1
            found.append(words[:begin] + ["!", "("] + words[begin:i] + [")"] + words[i:])
    if slot.clocked and not slot.reset:
        found.append(slot.head.rsplit(None, 1)[0].split())  # keeps its value
    return [join(f) for f in found]


class File:
    """A source with its slots and their alternatives."""

    def __init__(self, path, text):
        self.path, self.original, self.text = path, text, SHORT_PORT.sub(r".\1(\1)", text)
        parser = Parser(self.text)
        self.tokens, self.slots = parser.tokens, parser.slots
        self.alternatives, self.inserted = {}, []

    def line(self, slot):
        """Number of the line of a slot."""
        return self.text.count("\n", 0, slot.start) + 1

    def add(self, number, index, expression):
        """Another alternative of a slot."""
        self.alternatives.setdefault(index, []).append((number, expression))

    def switched(self, without=()):
        """The text with all alternatives, and the numbers of those in each of its lines."""
        pieces, at, lines = [], 0, {}
        changes = [(self.slots[i].start, self.slots[i].end, i) for i in self.alternatives]
        for start, end, what in sorted(changes + [(p, p, t) for p, t in self.inserted], key=lambda c: c[:2]):
            pieces.append(self.text[at:start])
            if isinstance(what, int):
                chosen = [a for a in self.alternatives[what] if a[0] not in without]
                line = "".join(pieces).count("\n") + 1
                lines.setdefault(line, []).extend(n for n, _ in chosen)
                old = join(self.slots[what].words()) if chosen else self.text[start:end]
                chain = "".join(f"tma_mutant_pkg::id == 32'h{BASE + n:x} ? ({new}) : " for n, new in chosen)
                pieces.append(f"({chain}({old}))" if chosen else old)
            else:
                pieces.append(what)
            at = end
        return "".join(pieces) + self.text[at:], lines


def skeleton(file):
    """The tokens, each slot as one `@`: (text, first token, last token)."""
    starts = {slot.first: slot.last for slot in file.slots}
    k, found = 0, []
    while k < len(file.tokens):
        last = starts.get(k, k)
        found.append(("@" if k in starts else file.tokens[k].text, file.tokens[k], file.tokens[last]))
        k = last + 1
    return found


def of_patch(file, text, number):
    """Adds what a patched text changes in a file as alternatives. What it adds stays for all."""
    changed = File(file.path, text)
    old, new = skeleton(file), skeleton(changed)
    same = 0
    while same < min(len(old), len(new)) and old[same][0] == new[same][0]:
        same += 1
    tail = 0
    while tail < min(len(old), len(new)) - same and old[-1 - tail][0] == new[-1 - tail][0]:
        tail += 1
    a, b = old[same:len(old) - tail], new[same:len(new) - tail]
    added = []
    for kind, i, _, j, k in difflib.SequenceMatcher(None, [w[0] for w in a], [w[0] for w in b],
                                                    autojunk=False).get_opcodes():
        if kind == "insert":
            # The same words one place to the left, until it is a whole item of the module.
            while j and b[j][0] not in ITEMS and b[j - 1][0] == b[k - 1][0]:
                i, j, k = i - 1, j - 1, k - 1
            if b[j][0] not in ITEMS or b[k - 1][0] not in (";", "end"):
                raise Unswitchable(f"{file.path}: adds what is not an item of a module")
            first, last = b[j][1].start, b[k - 1][2].end
            added.append((first, last))
            before = old[same + i - 1][2].end
            file.inserted.append((before, " " + join([t.text for t in changed.tokens
                                                      if first <= t.start < last])))
        elif kind != "equal":
            raise Unswitchable(f"{file.path}: changes more than expressions: "
                               + " ".join(w[0] for w in a[:12]))
    mine = [s for s in changed.slots if not any(f <= s.start < l for f, l in added)]
    if len(mine) != len(file.slots):
        raise Unswitchable(f"{file.path}: adds or removes an expression")
    found = False
    for index, (before, after) in enumerate(zip(file.slots, mine)):
        if before.words() != after.words():
            file.add(number, index, join(after.words()))
            found = True
    if not found and not added:
        raise Unswitchable(f"{file.path}: changes no expression")


def apply_patch(read, patch):
    """Texts of the files that a unified diff changes: path -> text. Its context has to be there, once."""
    texts, path = {}, None
    for part in re.split(r"^(?=--- a/|@@ )", patch, flags=re.MULTILINE)[1:]:
        if part.startswith("---"):
            path = re.search(r"^\+\+\+ b/(\S+)$", part, re.MULTILINE).group(1)
            texts.setdefault(path, read(path))
            continue
        lines = part.splitlines(True)[1:]
        old = "".join(l[1:] for l in lines if l[0] in " -")
        new = "".join(l[1:] for l in lines if l[0] in " +")
        near = int(re.match(r"@@ -(\d+)", part).group(1))
        places = [m.start() for m in re.finditer("^" + re.escape(old), texts[path], re.MULTILINE)]
        if not places:
            raise Unswitchable(f"{path}: the patch does not apply")
        start = min(places, key=lambda p: abs(texts[path].count("\n", 0, p) + 1 - near))
        texts[path] = texts[path][:start] + new + texts[path][start + len(old):]
    return texts


class Switches:
    """A tree of RTL whose mutants are chosen at run time."""

    def __init__(self, root):
        self.root, self.files, self.numbers = pathlib.Path(root), {}, {}

    def file(self, path):
        """A source, read once."""
        if path not in self.files:
            self.files[path] = File(path, (self.root / path).read_text(encoding="utf-8"))
        return self.files[path]

    def add_patch(self, number, patch):
        """A mutant that is a patch. Nothing has changed when it is not switchable."""
        for path, text in apply_patch(lambda p: self.file(p).original, patch).items():
            if not path.endswith(".sv"):
                raise Unswitchable(f"{path}: no SystemVerilog")
            trial = File(path, self.file(path).original)
            of_patch(trial, text, number)
            for index, alternatives in trial.alternatives.items():
                self.files[path].alternatives.setdefault(index, []).extend(alternatives)
            self.files[path].inserted += trial.inserted

    def write(self, tree, package_before, without=()):
        """Writes the files into a tree, the package at the beginning of the first source of each build.
        Returns (path, line) -> numbers of the mutants there."""
        places = {}
        texts = {path: f.switched(without) for path, f in self.files.items()}
        if package_before not in texts:
            texts[package_before] = (self.root / package_before).read_text(encoding="utf-8"), {}
        for path, (text, lines) in texts.items():
            if path == package_before:
                text = PACKAGE + text
                lines = {n + PACKAGE.count("\n"): v for n, v in lines.items()}
            target = pathlib.Path(tree) / path
            if not target.is_file() or target.read_text(encoding="utf-8") != text:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text, encoding="utf-8")
            places.update({(path, n): v for n, v in lines.items()})
        return places
