// Builds the extension, or with the argument `test` its unit tests.
//
// The server's package is copied in, so that the .vsix needs nothing but a Python on the machine.

import { cp, readdir, rm, writeFile } from "node:fs/promises";
import { build } from "esbuild";

const common = {
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  sourcemap: "inline",
  logLevel: "warning",
};

if (process.argv[2] === "test") await buildTests();
else await buildExtension();

async function buildExtension() {
  const { warnings, metafile } = await build({
    ...common,
    entryPoints: ["src/extension.ts"],
    outfile: "dist/extension.js",
    external: ["vscode"],
    minify: true,
    metafile: true,
    sourcemap: false,
  });
  if (warnings.length > 0) process.exit(1);
  await writeFile("dist/packages.json", JSON.stringify(packagesOf(Object.keys(metafile.inputs))));
  await rm("bundled/server", { recursive: true, force: true });
  await cp("../server/forkpoint", "bundled/server/forkpoint", {
    recursive: true,
    // What was compiled is for this machine alone: scripts/package.py adds what is for a platform.
    filter: (source) => !/__pycache__|\.(?:so|pyd)$/.test(source),
  });
  await cp("../LICENSE", "LICENSE");
}

/** Whose work stands in the bundle: scripts/package.py writes down their licences. */
function packagesOf(files) {
  const names = files.map((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]);
  return [...new Set(names)].filter((name) => name !== undefined).sort();
}

/** One bundle a test file: Node 20 runs no TypeScript. */
async function buildTests() {
  await rm("out/test", { recursive: true, force: true });
  const files = (await readdir("test/unit")).filter((name) => name.endsWith(".test.ts"));
  await build({
    ...common,
    entryPoints: files.map((name) => `test/unit/${name}`),
    outdir: "out/test",
    outExtension: { ".js": ".cjs" },
    // It finds its grammars beside itself.
    external: ["@vscode/l10n-dev"],
  });
}
