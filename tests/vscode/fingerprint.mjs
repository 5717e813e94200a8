// Was a folder left alone? Every file below it, by path, with the hash of its bytes.

import { createHash } from "node:crypto";
import { lstat, readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** Equal for equal folders: `path hash` lines, sorted; folders and links count by name only. */
export async function fingerprint(folder) {
  const lines = [];
  for (const name of await readdir(folder, { recursive: true })) {
    const file = path.join(folder, name);
    const isFile = (await lstat(file)).isFile();
    lines.push(isFile ? `${name} ${await hashOf(file)}` : name);
  }
  return lines.sort().join("\n");
}

export async function hashOf(file) {
  return createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
}
