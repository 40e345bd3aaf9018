// Lets h5wasm read datasets; their elements go to files, little-endian. Arguments: file, dumps, paths.
import { FS, File, ready } from "h5wasm/node";
import fs from "node:fs";
import path from "node:path";

const [container, dumps, ...paths] = process.argv.slice(2);
await ready;
const file = new File(container, "r");
for (const name of paths) {
  const dataset = file.get(name);
  const value = dataset.value;
  const bytes = ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : Uint8Array.from([value].flat(), Number);
  fs.writeFileSync(path.join(dumps, name.replaceAll("/", "~") + ".bin"), bytes);
}
const title = file.attrs["title"].value;
if (title !== "caf\u00e9 \ud83d\udd2c") {
  throw new Error("title is " + title);
}
file.close();
