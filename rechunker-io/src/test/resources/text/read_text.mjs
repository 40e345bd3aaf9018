// Writes the texts of the array x of groups of Zarr as lists in JSON, as zarrita sees them. Arguments: dumps, groups.
import * as zarr from "zarrita";
import { FileSystemStore } from "@zarrita/storage";
import fs from "node:fs";
import path from "node:path";

const [dumps, ...groups] = process.argv.slice(2);
for (const group of groups) {
  const root = zarr.root(new FileSystemStore(path.resolve(group)));
  const array = await zarr.open(root.resolve("x"), { kind: "array" });
  const texts = [];
  const shape = array.shape;
  const read = await zarr.get(array);
  for (let row = 0; row < shape[0]; row++) {
    for (let column = 0; column < shape[1]; column++) {
      texts.push(read.data[row * read.stride[0] + column * read.stride[1]]);
    }
  }
  fs.writeFileSync(path.join(dumps, path.basename(group) + ".zarrita.json"), JSON.stringify(texts));
}
