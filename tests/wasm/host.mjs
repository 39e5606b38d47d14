// Python in Node: Pyodide with NumPy and the wheel, from a folder of wheels. library: the file of another standard
// library than Pyodide's.
import fs from "node:fs";
import path from "node:path";
import { loadPyodide } from "pyodide";

export async function load(wheels, library) {
  const python = await loadPyodide({ env: { HOME: "/tmp" }, ...(library && { stdLibURL: library }) });
  const packages = python.runPython("import site; site.getsitepackages()[0]");
  for (const name of fs.readdirSync(wheels)) {
    const content = new Uint8Array(fs.readFileSync(path.join(wheels, name)));
    python.unpackArchive(content, "wheel", { extractDir: packages });
  }
  return python;
}

// Run an async function; an error ends the process with its message alone, since the trace quotes all of Pyodide.
export async function main(run) {
  try {
    process.exitCode = await run();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
