// Which scenarios are there, and what does each need? Prints a JSON list of their exports, without
// `run`. Arguments: names of scenario files without `.mjs`; none means all.

import { readdir } from "node:fs/promises";

const folder = new URL("./scenarios/", import.meta.url);
const wanted = process.argv.slice(2);
const files = (await readdir(folder)).filter((file) => file.endsWith(".mjs")).sort();
const names = files.map((file) => file.slice(0, -".mjs".length));

const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`no such scenario: ${unknown.join(", ")}; there are: ${names.join(", ")}`);
  process.exit(2);
}

const list = [];
for (const name of names.filter((each) => wanted.length === 0 || wanted.includes(each))) {
  const scenario = await import(new URL(`${name}.mjs`, folder).href);
  const { title, home, settings = {}, extension = {}, turn = "" } = scenario;
  list.push({ name, title, home, settings, extension, turn });
}
console.log(JSON.stringify(list));
