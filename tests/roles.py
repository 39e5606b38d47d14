"""The parts of a page as a person and a screen reader find them: by role and name, both as Chromium computes them."""

import re
from functools import partialmethod

ARGUMENTS = ("force-renderer-accessibility", "enable-blink-features=ComputedAccessibilityInfo")  # of Chromium
FIND = """const [path, ...a] = arguments;
    const roleOf = (each) => (each.localName === "summary" ? "disclosure" : each.computedRole);
    const textOf = (each) => (each instanceof SVGElement ? each.textContent : each.innerText).trim();
    const isUsable = (each) => !each.closest("[inert]"); // whose computed role may be that from before
    const isSeen = (each) => each.checkVisibility() || getComputedStyle(each).display === "contents";
    const matches = (role, name) => (each) =>
        roleOf(each) === role && new RegExp(name).test(each.computedName) && isSeen(each) && isUsable(each);
    const modal = [...document.querySelectorAll("dialog:modal")].at(-1);
    const within = (part) => [...(part === modal ? [part] : []), ...part.querySelectorAll("*")];
    const found = path.reduce((parts, [role, name, index]) => {
      const all = parts.flatMap((part) => within(part).filter(matches(role, name)));
      return index === null ? all : all.slice(index, index + 1 || undefined);
    }, [modal ?? window.root ?? document]);"""


class Parts:
    """What has parts. page: has a driver and can wait. path: the steps that lead here."""

    def __init__(self, page, path=()):
        self.page, self.path = page, path

    def part(self, role, *names):
        """The parts in this one with a role and one of some accessible names, in which * stands for any text."""
        pattern = "|".join(f"^{'.*'.join(map(re.escape, name.split('*')))}$" for name in names)
        return Part(self.page, (*self.path, [role, pattern, None]))

    alert = partialmethod(part, "alert")
    button = partialmethod(part, "button")
    cell = partialmethod(part, "cell")
    checkbox = partialmethod(part, "checkbox")
    combobox = partialmethod(part, "combobox")
    definition = partialmethod(part, "definition")
    dialog = partialmethod(part, "dialog")
    disclosure = partialmethod(part, "disclosure")  # the summary of <details>
    figure = partialmethod(part, "figure")
    group = partialmethod(part, "group")
    heading = partialmethod(part, "heading")
    image = partialmethod(part, "image")
    link = partialmethod(part, "link")
    listbox = partialmethod(part, "listbox")
    listitem = partialmethod(part, "listitem")
    navigation = partialmethod(part, "navigation")
    paragraph = partialmethod(part, "paragraph")
    progressbar = partialmethod(part, "progressbar")
    radio = partialmethod(part, "radio")
    region = partialmethod(part, "region")
    slider = partialmethod(part, "slider")
    spinbutton = partialmethod(part, "spinbutton")
    status = partialmethod(part, "status")
    table = partialmethod(part, "table")
    term = partialmethod(part, "term")
    textbox = partialmethod(part, "textbox")


class Part(Parts):
    """The elements with a role and a name, in the order of the document, within other parts. Each question looks anew.

    While a dialog is open, only its parts are found.
    """

    def __getitem__(self, index):
        *path, (role, pattern, _) = self.path
        return Part(self.page, (*path, [role, pattern, index]))

    def ask(self, body, *arguments):
        """What the body of a function in JavaScript says about `found`, with `a` the arguments."""
        return self.page.driver.execute_script(FIND + body, self.path, *arguments)

    def __len__(self):
        return self.ask("return found.length")

    @property
    def elements(self):
        return self.ask("return found")

    @property
    def names(self):
        return self.ask("return found.map((each) => each.computedName)")

    @property
    def texts(self):
        """The texts that are seen, at one moment."""
        return self.ask("return found.map(textOf)")

    @property
    def text(self):
        return "\n".join(self.texts)

    @property
    def rows(self):
        """The texts of the cells in each row of a table's body, at one moment."""
        rows = "[...found[0]?.tBodies[0].rows ?? []]"
        return self.ask(f"return {rows}.map((row) => [...row.cells].map(textOf))")

    @property
    def value(self):
        """What a field holds; of a menu, the text of the choice."""
        return self.ask("return found[0].selectedOptions?.[0].text ?? found[0].value")

    @property
    def options(self):
        """The texts of what can be chosen from a menu."""
        return self.ask("return [...found[0]?.options ?? []].map((each) => each.text)")

    @property
    def is_checked(self):
        return self.ask("return found[0].checked")

    @property
    def is_current(self):
        """Which of the parts are marked as where the user is."""
        return self.ask("return found.map((each) => each.hasAttribute('aria-current'))")

    @property
    def is_enabled(self):
        return self.ask("return Boolean(found[0]) && !found[0].disabled && !found[0].hasAttribute('aria-disabled')")

    def wait_for(self, words=""):
        """Wait until one of these parts says some words; returns its text."""
        self.page.wait(lambda: any(words in text for text in self.texts))
        return next(text for text in self.texts if words in text)

    def click(self):
        """Click the first of these parts, or its label, once it is there."""
        seen = "return found[0]?.checkVisibility({opacityProperty: true}) === false ? found[0].labels[0] : found[0]"
        self.page.wait(lambda: (element := self.ask(seen)) and (element.click(), True))

    def focus(self):
        self.page.wait(lambda: self.ask("found[0]?.focus(); return Boolean(found[0])"))

    def type(self, *keys):
        self.page.wait(lambda: (elements := self.elements) and (elements[0].send_keys(*keys), True))

    def write(self, text):
        """Replace what a field holds."""
        self.ask("found[0].select()")
        self.type(text)

    def choose(self, option):
        """Choose an option by its text, its value or its number."""
        script = """const [field, options] = [found[0], [...found[0]?.options ?? []]];
            const isChoice = ({text, value}) => text === a[0] || value === a[0];
            const option = Number.isInteger(a[0]) ? options.at(a[0]) : options.find(isChoice);
            if (!option) return false;
            field.value = option.value;
            for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, {bubbles: true}));
            return true;"""
        self.page.wait(lambda: self.ask(script, option))

    def slide(self, number):
        """Drag a slider to a number, once it is there."""
        script = """if (!found[0]) return false;
            found[0].value = a[0];
            for (const type of ["input", "change"]) found[0].dispatchEvent(new Event(type, {bubbles: true}));
            return true;"""
        self.page.wait(lambda: self.ask(script, number))
