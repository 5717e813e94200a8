// What does the demo home hold? Its sessions as rows of the view, and how to find one of them.

import { readdir, stat } from "node:fs/promises";
import path from "node:path";

/** Sessions by project, newest first: id, title, age in minutes, mark (fixtures/demo/README.md). */
export const PROJECTS = {
  shop: [
    ["3ee8f041-aad2-49f1-a9be-9676af30b1e7", "Round the total", 4],
    ["cdfb398e-154b-454b-b41a-d53ee6da3d4c", "Read all three", 47],
    ["df4fda65-ca11-4af5-82cd-f13d4d71d990", "Run the slow check", 130],
    ["b2e74b0a-2716-490d-ba01-54a73887314f", "What does cart.py do?", 300],
    ["238f6da5-b42d-4166-9416-ddead61f5647", "Round the total", 540],
    ["24784ec7-4bb4-4d16-b451-b70cb98228bb", "Round the total (Branch)", 1560],
    ["7ed5a9cc-2fd0-4298-9de9-05227e5f4453", "Round the total", 1560],
    ["5f0b0332-8882-4d0b-ba29-45d81070c4ad", "What does cart.py do?", 1740],
    ["9fdc6163-1dc6-4c5a-84c4-a01d297a94e3", "What does cart.py do?", 1980],
    ["b2c8d17e-3e57-4fdb-8eef-f34578590cde", "Round the total", 2880],
    ["a125d126-2e36-496b-8157-450403a1fa06", "What does cart.py do?", 4320],
    ["9835315a-e5d8-42df-814a-e2f9ec4997b4", "Open a pull request", 5760],
    ["a394b60b-be10-4356-9f3e-97048baf1628", "Checkout totals", 7200],
    ["6a000c62-4254-4df3-a165-bffac6d86517", "Round the total", 8640],
    ["9c79b434-3f09-4d07-b172-73e11d35ae47", "Round the total", 11520],
    ["bef2bca0-ec90-40c6-8a87-8ac0f3b48c66", "Round the total", 12960],
    ["bfb4ef7d-71da-4063-a1c3-a72ee4b596c0", "Print many lines", 15840],
    ["7fd442d7-739e-4989-90a2-582eb737915c", "Round the total", 17280],
    ["02e48e86-6e97-49f1-8d4f-5e5492968187", "What does cart.py do?", 20160],
    ["4ac9acea-b670-427a-9d2f-69b7c65e9746", "Round the total", 24480],
    ["287b2769-1c9c-4f6e-947c-f0df43680f04", "Round the total", 36000, "deleted in 5 days"],
  ],
  hotfix: [["eab9effd-a61b-4f88-8dc2-815a75a6a7ea", "What does cart.py do?", 3180]],
  "old-shop": [["0b237787-047f-4d2c-942d-757e297ca9da", "Review run", 28800, "cwd gone"]],
};

/** Fork -> its origin, below which it stands. */
const FORKS = { "24784ec7-4bb4-4d16-b451-b70cb98228bb": "7ed5a9cc-2fd0-4298-9de9-05227e5f4453" };

const FOLDERS = { shop: "", hotfix: "/.claude/worktrees/hotfix" };

/** The view's rows grouped by project, as a picture of lines. */
export async function rowsByProject({ configDir, workspace }) {
  const lines = [];
  for (const [project, sessions] of Object.entries(PROJECTS)) {
    const folder = project in FOLDERS ? `${workspace}${FOLDERS[project]}` : `/home/dev/${project}`;
    lines.push(`v ${project} | ${folder}`, ...(await sessionLines(sessions, configDir)));
  }
  return lines;
}

/** The same grouped by date, with the group Older closed. */
export async function rowsByDate({ configDir }, now) {
  const groups = { Today: [], Yesterday: [], "Last 7 days": [], Older: [] };
  const sessions = Object.values(PROJECTS)
    .flat()
    .sort((a, b) => a[2] - b[2]);
  for (const session of sessions) groups[heading(session[2], now)].push(session);
  const lines = [];
  for (const [label, members] of Object.entries(groups).filter((group) => group[1].length > 0)) {
    if (label === "Older") lines.push(`> Older | ${members.length}`);
    else lines.push(`v ${label} | ${members.length}`, ...(await sessionLines(members, configDir)));
  }
  return lines;
}

/**
 * A test that takes minutes sees the newest sessions grow older: minutes become `N min`, and the
 * mark of a prompt cache that lives a minute more is left out.
 */
export function withoutMinutes(lines) {
  return lines.map((line) =>
    line.replace(/ · cache (less than )?\d+ min$/, "").replace(/\b\d+ (min|minutes?)\b/, "N $1"),
  );
}

/** Versions of cart.py, newest first: session, prompt, version and change, mark. */
const CART_VERSIONS = [
  ["3ee8f041", "Lower the tax rate", "v2 · +1 −1", "off the active path"],
  ["3ee8f041", "Round the total", "v1 · first"],
  ["cdfb398e", "Edit both files", "v1 · first · +1 −5"],
  ["b2e74b0a", "Tidy the readme", "v4 · +3"],
  ["b2e74b0a", "Use the discount in cart", "v3 · +1"],
  ["b2e74b0a", "Lower the tax rate", "v2 · +1 −1"],
  ["b2e74b0a", "Round the total", "v1 · first · +1 −1"],
  ["238f6da5", "Run the long check", "v2 · +1 −1"],
  ["238f6da5", "Round the total", "v1 · first · +1 −1"],
  ["7ed5a9cc", "Lower the tax rate", "v2 · +1 −1"],
  ["7ed5a9cc", "Round the total", "v1 · first · +1 −1"],
  ["b2c8d17e", "Lower the tax rate", "v2 · +1 −1"],
  ["b2c8d17e", "Round the total", "v1 · first · +1 −1"],
  ["a394b60b", "Tidy the readme", "v2 · +1 −1"],
  ["a394b60b", "Round the total", "v1 · first · +1 −1"],
  ["6a000c62", "Fill the window", "v2 · +1 −1"],
  ["6a000c62", "Round the total", "v1 · first · +1 −1"],
  ["9c79b434", "/model sonnet", "v2 · +1 −1"],
  ["9c79b434", "Round the total", "v1 · first · +1 −1"],
  ["bef2bca0", "Lower the tax rate", "v2 · +1 −1"],
  ["bef2bca0", "Round the total", "v1 · first · +1 −1"],
  ["7fd442d7", "Lower the tax rate", "v2 · +1 −1", "off the active path"],
  ["7fd442d7", "Round the total", "v1 · first · +1 −1", "off the active path"],
  ["4ac9acea", "Lower the tax rate", "v2 · +1 −1"],
  ["4ac9acea", "Round the total", "v1 · first"],
  ["287b2769", "Round the total", "v1 · first"],
];

/** The rows of cart.py's history, without minutes. */
export function cartHistory() {
  const lines = ["  Working file | same as v2"];
  CART_VERSIONS.forEach(([id, prompt, change, mark], index) => {
    const [, label, minutes] = PROJECTS.shop.find(([sessionId]) => sessionId.startsWith(id));
    const isNewSession = CART_VERSIONS[index - 1]?.[0] !== id;
    if (isNewSession) lines.push(`  ${label} | ${age(minutes)}`);
    const description = [change, age(minutes), ...(mark ? [mark] : [])].join(" · ");
    lines.push(`  ${prompt} | ${description}`);
  });
  const sessions = new Set(CART_VERSIONS.map(([id]) => id)).size;
  lines.push(`> Sessions that touched this file | ${sessions} sessions`);
  return withoutMinutes(lines);
}

async function sessionLines(sessions, configDir) {
  const sizes = await transcriptSizes(configDir);
  const said = ([id, label, minutes, mark]) => {
    const size = `${Math.round(sizes.get(id) / 1000)} kB`;
    return `${label} | ${[age(minutes), "main", size, ...(mark ? [mark] : [])].join(" · ")}`;
  };
  return sessions.flatMap((session) => {
    const fork = sessions.find(([id]) => FORKS[id] === session[0]);
    if (session[0] in FORKS) return [];
    if (!fork) return [`  > ${said(session)}`];
    return [`  v ${said(session)}`, `    > ${said(fork)}`, "    > In This Session"];
  });
}

async function transcriptSizes(configDir) {
  const projects = path.join(configDir, "projects");
  const sizes = new Map();
  for (const file of await readdir(projects, { recursive: true })) {
    const { size } = await stat(path.join(projects, file));
    sizes.set(path.basename(file, ".jsonl"), size);
  }
  return sizes;
}

function age(minutes) {
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`;
  const days = Math.floor(minutes / (24 * 60));
  return days === 1 ? "1 day" : `${days} days`;
}

// The browser's and the server's time zone is UTC in these runs.
function heading(minutes, now) {
  const day = (time) => Math.floor(time / 86_400_000);
  const days = day(now) - day(now - minutes * 60_000);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  return days <= 7 ? "Last 7 days" : "Older";
}
