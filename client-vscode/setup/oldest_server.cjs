// Starts the VS Code server of a code-server package from before it became an ES module: its entry only
// exports a loader. Usage: node oldest_server.cjs VSCODE_FOLDER, then the server's own options.
const http = require("node:http");
const path = require("node:path");
const { parseArgs } = require("node:util");

const [folder, ...words] = process.argv.slice(2);
const { values } = parseArgs({
  args: words,
  strict: false,
  options: Object.fromEntries(
    ["host", "port", "connection-token-file", "telemetry-level", "install-extension"].map(
      (name) => [name, { type: "string" }],
    ),
  ),
});
const options = { _: [], ...values };

async function main() {
  const server = await require(path.join(folder, "out", "server-main.js")).loadCodeWithNls();
  if (options["install-extension"]) {
    await server.spawnCli({ ...options, "install-extension": [options["install-extension"]] });
    return;
  }
  const code = await server.createServer(null, options);
  const listening = http.createServer((request, response) => code.handleRequest(request, response));
  listening.on("upgrade", (request, socket) => {
    code.handleUpgrade(request, socket);
    socket.resume();
  });
  listening.listen(Number(options.port), options.host, () =>
    process.stdout.write(`Extension host agent listening on ${listening.address().port}\n`),
  );
}

main().catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
