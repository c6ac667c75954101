/** Checks every import under src/ against scripts/imports.json: who may import whom, modules entered by index.ts alone, outside packages kept in one place. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const table = JSON.parse(readFileSync(new URL('./imports.json', import.meta.url), 'utf8'));
const root = path.resolve(import.meta.dirname, '../src');
const faults = [];

for (const file of readdirSync(root, { recursive: true }).map(String)) {
  if (!file.endsWith('.ts') || file.endsWith('.test.ts') || file.endsWith('.as.ts')) continue;
  const module = file.split(path.sep)[0];
  const rule = table.modules[module];
  if (!rule) {
    faults.push(`${file}: the module ${module} is not in scripts/imports.json`);
    continue;
  }
  // A testing/ folder holds helpers for tests alone and follows the tests' freedom.
  if (file.split(path.sep).includes('testing')) continue;
  for (const target of importsOf(readFileSync(path.join(root, file), 'utf8'))) {
    if (target.startsWith('.')) checkOwn(file, module, rule, target);
    else checkOutside(file, module, target);
  }
}

function importsOf(source) {
  const found = source.matchAll(
    /^\s*(?:import|export)\b[^'"`;]*?from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]/gm,
  );
  return [...found].map((match) => match[1] ?? match[2] ?? match[3]);
}

function checkOwn(file, module, rule, target) {
  const resolved = path.relative(root, path.resolve(root, path.dirname(file), target));
  const [targetModule, ...rest] = resolved.split(path.sep);
  if (targetModule === module) return;
  if (rule.may !== '*' && !rule.may.includes(targetModule)) {
    faults.push(`${file}: ${module} may not import ${targetModule}: ${rule.reason}`);
  }
  // base is a shelf of small files, each its own front door; every other module is entered by index.ts.
  if (targetModule !== 'base' && rest.join('/') !== 'index.ts') {
    faults.push(`${file}: enter ${targetModule} by its index.ts, not by ${rest.join('/')}`);
  }
}

function checkOutside(file, module, target) {
  for (const [name, rule] of Object.entries(table.outside)) {
    if ((target === name || target.startsWith(`${name}/`)) && !rule.only.includes(module)) {
      faults.push(`${file}: only ${rule.only.join(', ')} may import ${name}: ${rule.reason}`);
    }
  }
}

for (const fault of faults) console.error(fault);
console.log(faults.length === 0 ? 'imports: clean' : `imports: ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
