// Builds the page: one HTML file with its script and style inside, so that it also opens from disk.
//
//   node build.mjs           writes the committed bundle, crates/impinge-cli/src/view/page.html
//   node build.mjs --check   fails if the committed bundle is not what the sources give
//   node build.mjs --tests   compiles the tests to build/
import { build } from "esbuild";
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const PAGE = here("../crates/impinge-cli/src/view/page.html");

async function bundled(entry, loader) {
  const result = await build({
    entryPoints: [here(entry)],
    bundle: true,
    minify: true,
    write: false,
    charset: "ascii",
    // Keeps the licence notice of three.js.
    legalComments: "eof",
    target: ["chrome110", "firefox115", "safari16.4"],
    ...loader,
  });
  return result.outputFiles[0].text;
}

async function page() {
  const script = await bundled("src/main.ts", { format: "iife" });
  const style = await bundled("src/style.css", {});
  const template = readFileSync(here("src/index.html"), "utf8");
  // A script ends at the first "</script", wherever it stands.
  const inline = script.replaceAll(/<\/(script)/gi, "<\\/$1");

  return template
    .replace("/*STYLE*/", () => style.trim())
    .replace("/*SCRIPT*/", () => inline.trim());
}

async function tests() {
  rmSync(here("build"), { recursive: true, force: true });
  const entries = readdirSync(here("test")).filter((name) => name.endsWith(".test.ts") || name === "measure.ts");
  await build({
    entryPoints: entries.map((name) => here(`test/${name}`)),
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    outdir: here("build"),
    outExtension: { ".js": ".mjs" },
  });
}

const [mode] = process.argv.slice(2);
if (mode === "--tests") {
  await tests();
} else if (mode === "--check") {
  if (readFileSync(PAGE, "utf8") !== (await page())) {
    console.error("the committed page is not what the sources in viewer/ give; run `cargo xtask viewer` and commit");
    process.exit(1);
  }
} else {
  writeFileSync(PAGE, await page());
}
