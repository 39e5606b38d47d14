// The module that anywidget loads. bundle.py puts MODULES (the modules of the page, [name, text], those first that import
// no others) and STYLE before it. A module is imported by its address, so each becomes a blob with one.

async function load() {
  const addresses = new Map();
  for (const [name, text] of MODULES) {
    const linked = text.replace(/ from "\.\/([\w-]+\.js)";/g, (_, imported) => ` from "${addresses.get(imported)}";`);
    addresses.set(name, URL.createObjectURL(new Blob([linked], { type: "text/javascript" })));
  }
  const loaded = await import(addresses.get("notebook.js"));
  for (const address of addresses.values()) URL.revokeObjectURL(address);
  return loaded;
}

const loading = load();

export default {
  async render({ model, el }) {
    const { show } = await loading;
    return show(model, el, STYLE);
  },
};
