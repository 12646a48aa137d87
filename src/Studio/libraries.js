// The libraries of the Studio in lib/, each file as its package ships it.
// usage: node libraries.js          compares lib/ with libraries.json and with the packages below node_modules (npm ci)
//        node libraries.js bring    copies the files of libraries.json into lib/ and writes their hashes
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const lib = join(here, 'lib');
const manifestFile = join(here, 'libraries.json');

/** @type {Record<string, { version: string, licence: string, files: Record<string, string> }>} */
const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));

/** @param {Buffer} content */
const hashOf = content => createHash('sha256').update(content).digest('hex');

/** @param {string} folder @returns {string[]} */
const filesBelow = folder => existsSync(folder)
  ? readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  : [];

function bring() {
  rmSync(lib, { recursive: true, force: true });
  for (const [name, library] of Object.entries(manifest)) {
    for (const file of Object.keys(library.files)) {
      const content = readFileSync(join(here, 'node_modules', name, file));
      const target = join(lib, name, file);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, content);
      library.files[file] = hashOf(content);
    }
  }

  writeFileSync(manifestFile, `${JSON.stringify(manifest, null, 2)}\n`);
}

/** @returns {string[]} what is wrong */
function check() {
  const problems = [];
  const listed = new Set();
  for (const [name, library] of Object.entries(manifest)) {
    const shipped = JSON.parse(readFileSync(join(here, 'node_modules', name, 'package.json'), 'utf8'));
    if (shipped.version !== library.version) problems.push(`${name}: the list says ${library.version}, the package ${shipped.version}`);
    if (shipped.license !== library.licence) problems.push(`${name}: the list says the licence ${library.licence}, the package ${shipped.license}`);
    for (const [file, hash] of Object.entries(library.files)) {
      const mine = join(lib, name, file);
      listed.add(mine);
      if (!existsSync(mine)) problems.push(`lib/${name}/${file} is missing: run node libraries.js bring`);
      else if (hashOf(readFileSync(mine)) !== hash) problems.push(`lib/${name}/${file} is not what the list says`);
      else if (hashOf(readFileSync(join(here, 'node_modules', name, file))) !== hash) problems.push(`lib/${name}/${file} is not what the package ships`);
    }
  }

  for (const file of filesBelow(lib)) {
    if (!listed.has(file)) problems.push(`${relative(here, file)} is in no list`);
  }

  return problems;
}

if (process.argv[2] === 'bring') bring();
const problems = check();
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
