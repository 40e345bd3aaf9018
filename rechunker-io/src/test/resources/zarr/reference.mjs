// Lets zarrita read arrays; their elements go to files, little-endian. Arguments: container, dumps, paths.
import * as zarr from "zarrita";
import { FileSystemStore } from "@zarrita/storage";
import fs from "node:fs";
import path from "node:path";

// The elements in C order, whatever the order they were read in.
function inOrder({ data, shape, stride }) {
  const ordered = new data.constructor(data.length);
  const index = shape.map(() => 0);
  for (let i = 0; i < ordered.length; i++) {
    ordered[i] = data[index.reduce((at, n, axis) => at + n * stride[axis], 0)];
    for (let axis = shape.length - 1; axis >= 0 && ++index[axis] === shape[axis]; axis--) {
      index[axis] = 0;
    }
  }
  return ordered;
}

const [container, dumps, ...paths] = process.argv.slice(2);
const root = zarr.root(new FileSystemStore(path.resolve(container)));
for (const name of paths) {
  const array = await zarr.open(root.resolve(name), { kind: "array" });
  const read = await zarr.get(array);
  let bytes;
  if (ArrayBuffer.isView(read.data)) {
    const ordered = inOrder(read);
    bytes = new Uint8Array(ordered.buffer, ordered.byteOffset, ordered.byteLength);
  } else if (array.dtype === "bool") {
    bytes = Uint8Array.from(read.data, Number);
  } else {
    const one = typeof read === "object" && "data" in read ? read.data : [read];
    bytes = new Uint8Array(Int32Array.from(one).buffer);
  }
  fs.writeFileSync(path.join(dumps, name.replaceAll("/", "~") + ".bin"), bytes);
}
