// Lets ngff-zarr and ome-zarr.js open images, and zarrita read their levels; checks all groups against a schema.
// Arguments: schema, container, version, dumps, paths of images. Writes what they say to dumps/images.json.
import * as ngff from "@fideus-labs/ngff-zarr";
import { FileSystemStore } from "@zarrita/storage";
import Ajv from "ajv/dist/2020.js";
import fs from "node:fs";
import { NgffImage } from "ome-zarr.js";
import path from "node:path";
import * as zarr from "zarrita";

const [schemaFile, container, version, dumps, ...images] = process.argv.slice(2);

function fail(message) {
  console.error(message);
  process.exit(1);
}

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

const json = (file) => JSON.parse(fs.readFileSync(file, "utf8"));

// The attributes of a group; nothing if there is none.
function group(directory) {
  const newer = path.join(directory, "zarr.json");
  if (fs.existsSync(newer)) {
    const document = json(newer);
    return document.node_type === "group" ? document.attributes ?? {} : undefined;
  }
  const attributes = path.join(directory, ".zattrs");
  return fs.existsSync(path.join(directory, ".zgroup")) ? (fs.existsSync(attributes) ? json(attributes) : {}) : undefined;
}

const ajv = new Ajv({ allErrors: true, strict: false });
ajv.addSchema(json(schemaFile), "groups");
const isValid = ajv.getSchema(`groups#/$defs/${version}`);
let groups = 0;

function check(directory) {
  const attributes = group(directory);
  if (attributes === undefined) {
    return;
  }
  groups++;
  if (!isValid(attributes)) {
    fail(`${directory}: ${JSON.stringify(isValid.errors, null, 1)}`);
  }
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) {
      check(path.join(directory, entry.name));
    }
  }
}

check(container);
const said = { groups, images: {} };
for (const name of images) {
  const directory = path.resolve(container, name);
  const store = new FileSystemStore(directory);
  const read = await ngff.fromNgffZarr(directory, { validate: true, version });
  const image = await NgffImage.load(store);
  const levels = [];
  for (const [i, level] of image.paths.entries()) {
    const array = await zarr.open(zarr.root(store).resolve(level), { kind: "array" });
    if (version === "0.5") {
      const named = json(path.join(directory, level, "zarr.json")).dimension_names;
      if (JSON.stringify(named) !== JSON.stringify(image.axes.map((axis) => axis.name))) {
        fail(`${directory}/${level}: dimension_names ${JSON.stringify(named)}`);
      }
    }
    const ordered = inOrder(await zarr.get(array));
    const dump = `${name}/${level}`.replaceAll("/", "~") + ".bin";
    fs.writeFileSync(path.join(dumps, dump), new Uint8Array(ordered.buffer, ordered.byteOffset, ordered.byteLength));
    const { dims, scale, translation, axesUnits } = read.images[i];
    levels.push({ path: level, shape: array.shape, dims, scale, translation, units: axesUnits ?? {} });
    if (JSON.stringify(image.getScales()[i]) !== JSON.stringify(dims.map((axis) => scale[axis]))) {
      fail(`${directory}/${level}: scales ${image.getScales()[i]} and ${JSON.stringify(scale)}`);
    }
  }
  said.images[name] = { version: image.getVersion(), axes: image.axes.map((axis) => axis.name), levels };
}
fs.writeFileSync(path.join(dumps, "images.json"), JSON.stringify(said));
process.exit(0);
