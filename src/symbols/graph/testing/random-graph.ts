import type { SeededRandom } from '../../../base/testing/seeded-random.ts';
import type { TestRepository } from '../../../search/engine/testing/small-index.ts';
import { type GraphRequest, type GraphStart, graphRelations } from '../types.ts';
import { graphRepository } from './graph-index.ts';

const names = ['get', 'send', 'Client', 'Base', 'run', 'parse', 'Store'];
const packages = ['lib-a', 'lib-b', 'lib-c'];
const stems = ['a', 'b', 'index', 'client', 'store'];

/** Repositories that define the same names, import each other's packages and share files. */
export function randomGraphRepositories(random: SeededRandom, firstId: number): TestRepository[] {
  const repositories: TestRepository[] = [];
  const shared: [string, string][] = [];
  const count = 1 + random.below(3);
  for (let i = 0; i < count; i++) {
    const files: Record<string, string> = {};
    if (random.below(3) > 0) files['package.json'] = packageJson(random);
    if (random.below(3) === 0) files['go.mod'] = `module example.com/${random.pick(packages)}\n`;
    if (random.below(3) === 0) files['pyproject.toml'] = `[project]\nname = "${random.pick(packages)}"\n`;
    const size = 2 + random.below(7);
    for (let n = 0; n < size; n++) {
      const [path, text] = randomSource(random);
      files[path] = text;
      shared.push([path, text]);
    }
    for (let n = 0; n < 2; n++) {
      const [path, text] = random.pick(shared);
      files[path] = text;
    }
    repositories.push(graphRepository(firstId + i, `acme/r${firstId + i}`, files));
  }
  return repositories;
}

export function randomGraphRequest(
  random: SeededRandom,
  scope: readonly TestRepository[],
): Omit<GraphRequest, 'revisions' | 'budgetMs'> {
  const repositories = random.below(4) === 0 ? { repositories: [random.pick(scope).id] } : {};
  return {
    relation: random.pick(graphRelations),
    start: randomStart(random, scope),
    scope,
    depth: 1 + random.below(3),
    filters: repositories,
    placesMax: random.pick([1, 3, 50]),
    exact: random.below(3) === 0,
    after: null,
  };
}

function randomStart(random: SeededRandom, scope: readonly TestRepository[]): GraphStart {
  const { id: repositoryId, branches } = random.pick(scope);
  const path = random.pick([...branches[0]!.files.keys()]);
  switch (random.below(6)) {
    case 0:
      return { by: 'file', repositoryId, path };
    case 1:
      return { by: 'place', repositoryId, path, line: 1 + random.below(6) };
    case 2:
      return { by: 'package', name: random.pick(packages) };
    case 3:
      return { by: 'repository', repositoryId };
    default:
      return {
        by: 'name',
        name: `${random.below(4) === 0 ? `${random.pick(names)}.` : ''}${random.pick(names)}`,
      };
  }
}

function packageJson(random: SeededRandom): string {
  return JSON.stringify({
    name: random.pick(packages),
    version: `${random.below(3)}.0.0`,
    dependencies: { [random.pick(packages)]: '^1.0.0' },
    ...(random.below(2) === 0 ? { main: 'dist/index.js' } : {}),
  });
}

function randomSource(random: SeededRandom): [string, string] {
  const folder = random.pick(['src/', 'src/deep/', '', 'test/']);
  const name = () => random.pick(names);
  const module = () => random.pick([...packages, './a', './b', '../client', '.', './store']);
  switch (random.below(4)) {
    case 0:
      return [
        `${folder}${random.pick(stems)}.py`,
        `from ${random.pick(['.a', '.', 'lib_a', 'client'])} import ${name()}\ndef ${name()}():\n    ${name()}()\nclass ${name()}(${name()}):\n    def ${name()}(self):\n        self.${name()}()\n`,
      ];
    case 1:
      return [
        `${folder}${random.pick(stems)}.go`,
        `package x\nimport "example.com/${random.pick(packages)}"\nfunc ${name()}() { ${name()}(); lib.${name()}() }\ntype ${name()} struct{}\n`,
      ];
    default: {
      const lines = [
        `import { ${name()}, ${name()} as other } from '${module()}';`,
        `export * from '${module()}';`,
        `export class ${name()} extends ${name()} { ${name()}(x) { this.${name()}(); x.${name()}(); other(); ${name()}(); } }`,
        `export function ${name()}() { return new ${name()}(); }`,
        `${random.below(9)};`,
      ];
      return [`${folder}${random.pick(stems)}.ts`, `${lines.join('\n')}\n`];
    }
  }
}
