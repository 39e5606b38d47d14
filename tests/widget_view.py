"""A view of AnalysisBoard in a browser, with its own model, which is connected to a real widget in Python."""

import json

from polling import until
from roles import Parts

PAGE = """<!doctype html><meta charset="utf-8"><body style="background: %(background)s; margin: 0">
<div id="cell" style="width: %(width)spx"></div><script type="module">
const listeners = new Map();
const pages = { script: %(script)s };
window.outbox = [];
window.model = {
  values: { position: %(position)s, page: "IPY_MODEL_the-page" },
  widget_manager: { get_model: async (name) => ({ get: (trait) => (name === "the-page" ? pages[trait] : null) }) },
  get(name) { return this.values[name]; },
  set(name, value) { this.values[name] = value; this.tell(`change:${name}`); },
  save_changes() { outbox.push({ position: this.values.position }); },
  send(content) { outbox.push({ content }); },
  on(name, listener) { listeners.set(name, [...(listeners.get(name) ?? []), listener]); },
  off(name, listener) { listeners.set(name, listeners.get(name).filter((each) => each !== listener)); },
  tell(name, message) { for (const listener of listeners.get(name) ?? []) listener(message); },
};
const source = %(source)s;
const widget = await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
window.leave = await widget.default.render({ model, el: document.getElementById("cell") });
window.root = document.getElementById("cell").shadowRoot;
</script>"""


class View(Parts):
    """A view of a widget in the browser. Messages are passed on while the test waits."""

    def __init__(self, driver, widget, path, background="#fff", width=900):
        super().__init__(self)
        self.driver, self.widget = driver, widget
        self.replies, self.passed = [], 0  # of the widget, and how many of them the page has
        widget.send = self.replies.append
        widget.observe(self.take_position, "position")
        source, script = (json.dumps(text).replace("</", "<\\/") for text in (widget._esm, widget.page.script))
        words = {"background": background, "width": width, "source": source, "script": script}
        words["position"] = json.dumps(widget.position)
        path.write_text(PAGE % words, encoding="utf-8")
        driver.get(path.as_uri())
        self.columns = self.button("Column *")
        self.wait(lambda: len(self.columns))

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def take_position(self, change):
        self.run("model.set('position', arguments[0])", change["new"])

    def pump(self):
        """Pass on what both sides have sent."""
        for sent in self.run("return outbox.splice(0)"):
            if "position" in sent:
                self.widget.position = sent["position"]
            else:
                message = {"method": "custom", "content": sent["content"]}
                self.widget.comm.handle_msg({"content": {"data": message}, "buffers": []})
        while self.passed < len(self.replies):
            self.run("model.tell('msg:custom', arguments[0])", self.replies[self.passed])
            self.passed += 1

    def wait(self, condition):
        return until(lambda: condition() or self.pump(), lambda: self.columns.names)

    def simulations(self):
        """The simulations that the replies to the searches of the page tell, in their order."""
        replies = [sent["reply"] for sent in list(self.replies)]
        return [reply["rootInfo"]["simulations"] for reply in replies if "rootInfo" in reply]

    def discs(self):
        return sum(name.count("yellow") + name.count("red") for name in self.columns.names)
