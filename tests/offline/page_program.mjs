// node page_program.mjs FOLDER INTERPRETER TABLES: run a Python program in the files of the page (ui/build.py), as the worker does.
// Standard input: {program, given} as JSON. The program reads `given` and sets `found`, both as JSON texts.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { pathToFileURL } from "node:url";

const [folder, interpreter, trained] = process.argv.slice(2);
const { program, given } = JSON.parse(readFileSync(0, "utf8"));
const packed = (name) => (name.endsWith(".zip") ? readFileSync(`${folder}/${name}`) : gunzipSync(readFileSync(`${folder}/${name}.gz`)));
const read = (name) => new Uint8Array(packed(name));
const listed = JSON.parse(readFileSync(`${folder}/index.json`, "utf8"));
const { loadPyodide } = await import(pathToFileURL(`${interpreter}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${interpreter}/` });
try {
  python.unpackArchive(read(listed.program), "zip", { extractDir: "/dicecup" });
  const [kernels, tables] = ["/dicecup/dicecup/engine/native/built", "/dicecup/dicecup/players/tables"];
  for (const path of [kernels, tables]) python.FS.mkdirTree(path);
  python.FS.writeFile(`${kernels}/kernels.wasm`, read(listed.kernels));
  for (const name of Object.keys(listed.tables)) python.FS.writeFile(`${tables}/${name}`, readFileSync(`${trained}/${name}`));
  python.globals.set("given", JSON.stringify(given));
  python.runPython(`import sys; sys.path.insert(0, "/dicecup")
from dicecup.offline import arrays; arrays.install()`);
  python.runPython(program);
  process.stdout.write(python.globals.get("found"));
} catch (error) {
  process.stderr.write(`${error.message}\n`); // without the long source line of the interpreter
  process.exit(1);
}
