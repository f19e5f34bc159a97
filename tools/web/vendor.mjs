// Makes the page's two bundled libraries anew, from the exact versions of package-lock.json:
//
//     npm ci && npm run vendor            into clients/web/guandan_web/static/vendor
//     node vendor.mjs --check             says whether what is there is what would be made
//
// The page itself needs no build step; this runs once per upgrade of a library.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "../../clients/web/guandan_web/static/vendor");

const BUNDLES = {
  "ui.js": `
    export { render, h, Fragment, createContext } from "preact";
    export { useState, useEffect, useLayoutEffect, useRef, useMemo, useCallback, useContext } from "preact/hooks";
    export { signal, computed, effect, batch, untracked, useSignal, useComputed, useSignalEffect } from "@preact/signals";
    import htm from "htm";
    import { h } from "preact";
    export const html = htm.bind(h);
  `,
  "msgpack.js": `export { encode, decode } from "@msgpack/msgpack";`,
};

/** What is in a bundle, for its first line and the README beside it. */
const CONTENTS = {
  "ui.js": ["preact", "@preact/signals", "@preact/signals-core", "htm"],
  "msgpack.js": ["@msgpack/msgpack"],
};

const info = async (name) => JSON.parse(await readFile(join(here, "node_modules", name, "package.json"), "utf8"));

async function made(file) {
  const parts = await Promise.all(CONTENTS[file].map(info));
  const banner = parts.map((one) => `${one.name} ${one.version} (${one.license})`).join(", ");
  const result = await build({
    stdin: { contents: BUNDLES[file], resolveDir: here, loader: "js" },
    banner: { js: `/*! ${banner}; see README.md here. */` },
    bundle: true,
    format: "esm",
    minify: true,
    legalComments: "none",
    target: "es2022",
    write: false,
  });
  return result.outputFiles[0].text;
}

const digest = (text) => createHash("sha256").update(text).digest("hex");

async function readme(bundles) {
  const lines = [];
  for (const [file, text] of Object.entries(bundles)) {
    for (const name of CONTENTS[file]) {
      const one = await info(name);
      lines.push(`| \`${file}\` | ${one.name} | ${one.version} | ${one.license} |`);
    }
    lines.push(`| | | sha256 | \`${digest(text)}\` |`);
  }
  return `# Libraries of the page

Bundled by \`tools/web/vendor.mjs\` from the versions and hashes in \`tools/web/package-lock.json\`; not
edited by hand. Their licences are in LICENSES.txt. To upgrade: change the versions in
\`tools/web/package.json\`, then \`npm install\` and \`npm run vendor\` there.

| file | library | version | licence |
|---|---|---|---|
${lines.join("\n")}
`;
}

async function licences() {
  const names = [...new Set(Object.values(CONTENTS).flat())];
  const texts = await Promise.all(
    names.map(async (name) => {
      for (const file of ["LICENSE", "LICENSE.md", "LICENSE.txt"]) {
        const text = await readFile(join(here, "node_modules", name, file), "utf8").catch(() => null);
        if (text) return `${name}\n${"=".repeat(name.length)}\n\n${text.trim()}\n`;
      }
      throw new Error(`${name} has no licence file`);
    }),
  );
  return texts.join("\n\n");
}

const bundles = Object.fromEntries(await Promise.all(Object.keys(BUNDLES).map(async (f) => [f, await made(f)])));
const files = { ...bundles, "README.md": await readme(bundles), "LICENSES.txt": await licences() };

let differ = 0;
for (const [file, text] of Object.entries(files)) {
  const path = join(target, file);
  if (!process.argv.includes("--check")) await writeFile(path, text);
  else if ((await readFile(path, "utf8").catch(() => "")) !== text) {
    console.error(`${file} is not what would be made`);
    differ += 1;
  }
}
process.exitCode = differ ? 1 : 0;
