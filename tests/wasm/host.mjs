// Runs a Python program in Pyodide: node host.mjs FOLDER PROGRAM [ARGUMENT...]
// FOLDER: of the wheels to unpack first, which also has openblas-*.zip for NumPy. The program's working directory is
// that of this process.
import fs from "node:fs";
import path from "node:path";
import { loadPyodide } from "pyodide";

const [folder, program, ...rest] = process.argv.slice(2);
const python = await loadPyodide({ args: [program, ...rest] });
for (const name of fs.readdirSync(folder).sort()) {
  const content = new Uint8Array(fs.readFileSync(path.join(folder, name)));
  if (name.endsWith(".whl")) python.unpackArchive(content, "wheel");
  else python.unpackArchive(content, "zip", { extractDir: "/lib" });
}
const here = "/host";
python.FS.mkdirTree(here);
python.FS.mount(python.FS.filesystems.NODEFS, { root: process.cwd() }, here);
try {
  await python.runPythonAsync(fs.readFileSync(program, "utf8"), { filename: program });
} catch (error) {
  process.stderr.write(error.message);
  process.exitCode = 1;
}
