// Runs pytest in Pyodide: node pytest.mjs WHEELS CHECKOUT [ARGUMENT...]
import { load, main } from "./host.mjs";

await main(async () => {
  const [wheels, root, ...rest] = process.argv.slice(2);
  const python = await load(wheels);
  python.FS.mkdirTree("/checkout");
  python.FS.mount(python.FS.filesystems.NODEFS, { root }, "/checkout");
  python.globals.set("arguments", python.toPy(rest));
  return python.runPythonAsync(`
import os, sys, types
os.chdir("/checkout")
# jsonschema needs binaries; that messages are as their schemas say is tested elsewhere
sys.modules["schemas"] = types.SimpleNamespace(require_valid=lambda kind, value: None)
import pytest
int(pytest.main(["-p", "no:cacheprovider", "--capture=sys", *arguments]))
`);
});
