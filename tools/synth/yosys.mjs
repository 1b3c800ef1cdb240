// SPDX-License-Identifier: Apache-2.0
// Runs the WebAssembly build of yosys: node yosys.mjs NPM_DIR OUT_DIR SCRIPT FILE...
//
// The script sees the given files under the names given and nothing else. Files that it writes end
// up in OUT_DIR; its log goes to standard output. The exit status is that of yosys.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [npmDir, outDir, script, ...sources] = process.argv.slice(2);
const bundle = path.resolve(npmDir, 'node_modules/@yowasp/yosys/gen/bundle.js');
const { runYosys } = await import(pathToFileURL(bundle));

const scriptName = 'script.ys';
const tree = { [scriptName]: fs.readFileSync(script) };
const given = new Set([scriptName]);
for (const name of sources) {
  const parts = path.normalize(name).split(path.sep);
  let dir = tree;
  for (const part of parts.slice(0, -1)) dir = dir[part] ??= {};
  dir[parts.at(-1)] = fs.readFileSync(name);
  given.add(parts[0]);
}

// The log is read by programs: no colours in it.
const decoder = new TextDecoder();
const print = (bytes) => bytes && process.stdout.write(
    decoder.decode(bytes, { stream: true }).replace(/\x1b\[[0-9;]*m/g, ''));
let status = 0;
let written = {};
try {
  written = await runYosys(['-s', scriptName], tree,
                           { stdout: print, stderr: print, fetchProgress: () => {} });
} catch (error) {
  if (error.code === undefined) throw error;
  status = error.code;
  written = error.files;
}
for (const [name, content] of Object.entries(written)) {
  const isFile = typeof content === 'string' || content instanceof Uint8Array;
  if (isFile && !given.has(name)) fs.writeFileSync(path.join(outDir, name), content);
}
process.exitCode = status;
