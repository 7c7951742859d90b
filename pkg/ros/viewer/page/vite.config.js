import { readFileSync, existsSync } from "node:fs";
import { defineConfig } from "vite";

// oneFile puts script and styles into the page, which then is one request: links with a token need
// no more.
const oneFile = {
  name: "one-file",
  enforce: "post",
  generateBundle(_, bundle) {
    const html = bundle["index.html"];
    for (const [name, part] of Object.entries(bundle)) {
      if (name.endsWith(".js")) {
        const code = part.code.replace(/<\/script/g, "<\\/script").trimEnd();
        html.source = html.source.replace(/\s*<script type="module"[^>]*src="[^"]*"[^>]*><\/script>/, "");
        html.source = html.source.replace("</body>", () => `<script type="module">${code}</script>\n</body>`);
        delete bundle[name];
      } else if (name.endsWith(".css")) {
        html.source = html.source.replace(/\s*<link rel="stylesheet"[^>]*>/, () => `\n<style>${String(part.source).trim()}</style>`);
        delete bundle[name];
      }
    }
  },
};

// roots are the packages that the page is made of, those of its workers too, which are built before it.
const roots = new Set();

const collect = {
  name: "packages",
  generateBundle(_, bundle) {
    for (const part of Object.values(bundle)) {
      for (const id of Object.keys(part.modules ?? {})) {
        const m = /^.*\/node_modules\/(@[^/]+\/[^/]+|[^/]+)/.exec(id);
        if (m) roots.add(m[0]);
      }
    }
  },
};

// licenses writes the licenses of these packages.
const licenses = {
  name: "licenses",
  generateBundle() {
    const texts = [...roots].sort().map((root) => {
      const about = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));
      const file = ["LICENSE", "LICENSE.md", "LICENSE.txt", "license"].map((f) => `${root}/${f}`).find(existsSync);
      return `${about.name} ${about.version} (${about.license})\n\n${file ? readFileSync(file, "utf8").trim() : `License: ${about.license}`}\n`;
    });
    this.emitFile({ type: "asset", fileName: "licenses.txt", source: texts.join("\n" + "-".repeat(80) + "\n\n") });
  },
};

export default defineConfig({
  base: "./",
  plugins: [collect, licenses, oneFile],
  worker: { plugins: () => [collect] },
  build: { target: "es2022", modulePreload: false, assetsInlineLimit: 1e6, chunkSizeWarningLimit: 2000 },
  server: { port: 5173 },
});
