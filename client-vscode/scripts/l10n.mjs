// `npm run l10n` writes down the texts that are to be translated.

import { writeFile } from "node:fs/promises";
import { BUNDLE, collected } from "./texts.mjs";

await writeFile(BUNDLE, JSON.stringify(await collected(), null, 2));
