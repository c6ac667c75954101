import { describe, expect, it } from 'vitest';
import { readPackageFile } from './read-package-file.ts';

/** A manifest as `name version | dependency version scope line; … | extra`. */
function said(path: string, text: string): string {
  const fact = readPackageFile(path, new TextEncoder().encode(text));
  if (fact === null) return 'none';
  const dependencies = fact.dependencies.map((one) => `${one.name} ${one.version} ${one.scope} ${one.line}`);
  return [`${fact.ecosystem} ${fact.name} ${fact.version}`, dependencies.join('; '), fact.extra ?? '']
    .join(' | ')
    .trim();
}

function check(title: string, path: string, text: string, expected: string): void {
  it(title, () => expect(said(path, text)).toBe(expected));
}

describe('a package manifest tells its package, what it depends on and where its sources lie', () => {
  check(
    'package.json with a workspace',
    'a/package.json',
    '{\n "name": "@acme/a", "version": "1.0.0", "main": "./lib/a.js", "workspaces": ["p/*"],\n "dependencies": {\n  "x": "^1",\n  "y": "workspace:*" },\n "devDependencies": { "x": "2" }, "peerDependencies": { "z": "*" }\n}',
    'npm @acme/a 1.0.0 | x ^1 run 4; y workspace:* run 5; x 2 dev 6; z * peer 6 | {"main":"./lib/a.js","workspaces":["p/*"]}',
  );
  check(
    'pnpm-workspace.yaml',
    'pnpm-workspace.yaml',
    "packages:\n  # all\n  - 'packages/*'\n  - docs # here\n\ncatalog:\n  - no\n",
    'npm null null |  | {"workspaces":["packages/*","docs"]}',
  );
  check(
    'go.mod',
    'go.mod',
    'module github.com/acme/a/v2 // the module\n\ngo 1.22\n\nrequire github.com/x/y v1.2.3\nrequire (\n\tgolang.org/x/z v0.1.0 // indirect\n)\nreplace github.com/x/y => ../y\n',
    'go github.com/acme/a/v2 null | github.com/x/y v1.2.3 run 5; golang.org/x/z v0.1.0 run 7 | {"replace":[["github.com/x/y","../y"]]}',
  );
  check(
    'pyproject.toml as PEP 621 writes it',
    'pyproject.toml',
    '[build-system]\nrequires = ["hatchling"]\n[project]\nname = "flask"\nversion = "3.1"\ndependencies = [\n  "werkzeug>=3.1.0", # comment\n  "click[x] ; python_version < \'4\'",\n]\n[project.optional-dependencies]\nasync = ["asgiref>=3.2"]\n[dependency-groups]\ndev = ["ruff"]\n',
    'python flask 3.1 | hatchling  build 2; werkzeug >=3.1.0 run 7; click  run 8; asgiref >=3.2 optional 11; ruff  dev 13 |',
  );
  check(
    'pyproject.toml as Poetry writes it',
    'pyproject.toml',
    '[tool.poetry]\nname = "a"\nversion = "1"\npackages = [{ include = "a", from = "src" }]\n[tool.poetry.dependencies]\npython = "^3"\nrequests = "^2"\nx = { version = "1", optional = true }\n[tool.poetry.group.dev.dependencies]\npytest = "*"\n',
    'python a 1 | requests ^2 run 7; x 1 run 8; pytest * dev 10 | {"packages":[{"include":"a","from":"src"}]}',
  );
  check(
    'setup.cfg',
    'setup.cfg',
    '[metadata]\nname = a\nversion = 1\n[options]\npackage_dir =\n    = src\ninstall_requires =\n    x>=1\n    y\n[options.extras_require]\nz =\n    q\n',
    'python a 1 | x >=1 run 8; y  run 9; q  optional 12 | {"folders":"src"}',
  );
  check(
    'the static part of setup.py',
    'setup.py',
    'from setuptools import setup\nsetup(name="a", version="2",\n  install_requires=["x>1",\n    "y"], package_dir={"": "lib"})\n',
    'python a 2 | x >1 run 3; y  run 4 | {"folders":"lib"}',
  );
  check(
    'requirements files',
    'requirements-dev.txt',
    '-r base.txt\n# no\nx==1 # yes\ny @ https://e/x\n',
    'python null null | x ==1 dev 3; y @ https://e/x dev 4 |',
  );
  check(
    'Cargo.toml',
    'Cargo.toml',
    '[package]\nname = "a-b"\nversion = "0.1.0"\n[lib]\nname = "ab"\n[dependencies]\nserde = { version = "1", features = ["derive"] }\nold = { package = "new", path = "../new", optional = true }\n[dependencies.tokio]\nversion = "2"\n[target.\'cfg(unix)\'.dependencies]\nlibc = "0.2"\n[dev-dependencies]\nt.workspace = true\n[workspace]\nmembers = ["crates/*"]\n',
    'cargo a-b 0.1.0 | serde 1 run 7; new  optional 8; tokio 2 run 10; libc 0.2 run 12; t  dev 14 | {"lib":{"name":"ab"},"members":["crates/*"],"renamed":{"old":"new"},"folders":{"new":"../new"}}',
  );
  check(
    'pom.xml',
    'pom.xml',
    '<?xml version="1.0"?>\n<project xmlns="x">\n<parent><groupId>g</groupId><artifactId>p</artifactId><version>1</version></parent>\n<artifactId>a</artifactId>\n<properties><y.version>2</y.version></properties>\n<modules><module>m</module></modules>\n<dependencies>\n<dependency><groupId>x</groupId><artifactId>y</artifactId><version>$\x7by.version}</version></dependency>\n<!-- <dependency/> -->\n<dependency>\n<groupId>$\x7bproject.groupId}</groupId><artifactId>z</artifactId><scope>test</scope></dependency>\n</dependencies></project>',
    'maven g:a 1 | x:y 2 run 8; g:z  dev 10 | {"modules":["m"],"parent":"g:p"}',
  );
  check(
    'build.gradle',
    'build.gradle',
    "group = 'com.acme'\nversion '1'\ndependencies {\n  implementation 'a:b:1'\n  testImplementation(\"c:d\")\n  api project(':core')\n  implementation libs.netty.all\n  compileOnly group: 'e', name: 'f', version: '2'\n  // implementation 'no:no'\n}\n",
    'maven null 1 | a:b 1 run 4; c:d  dev 5; e:f 2 build 8 | {"group":"com.acme","projects":[":core"],"catalog":["netty.all"]}',
  );
  check(
    'settings.gradle.kts',
    'settings.gradle.kts',
    'rootProject.name = "a"\ninclude(":core", ":web")\ninclude(":x")\n',
    'maven a null |  | {"modules":[":core",":web",":x"]}',
  );
  check(
    'a version catalog',
    'gradle/libs.versions.toml',
    '[versions]\nnetty = "4"\n[libraries]\nnetty-all = { module = "io.netty:netty-all", version.ref = "netty" }\nx = "a:b:1"\n',
    'maven null null | io.netty:netty-all 4 run 4; a:b 1 run 5 | {"aliases":{"netty.all":"io.netty:netty-all","x":"a:b"}}',
  );
  check(
    'a project file of .NET',
    'src/A.Core.csproj',
    '<Project Sdk="x"><PropertyGroup><RootNamespace>A</RootNamespace></PropertyGroup>\n<ItemGroup><PackageReference Include="X" Version="1" />\n<ProjectReference Include="..\\B\\B.csproj" /></ItemGroup></Project>',
    'nuget A.Core null | X 1 run 2 | {"projects":["../B/B.csproj"],"namespace":"A"}',
  );
  check(
    'a gemspec',
    'a.gemspec',
    'Gem::Specification.new do |s|\n s.name = "a"\n s.version = "1"\n s.add_dependency "x", "~> 1", ">= 1.2"\n s.add_development_dependency("y")\nend\n',
    'gem a 1 | x ~> 1, >= 1.2 run 4; y  dev 5 |',
  );
  check(
    'a Gemfile',
    'Gemfile',
    "source 'x'\ngem 'rails', '~> 7'\ngroup :test do\n  gem 'rspec', path: '../rspec'\nend\ngem 'b'\n",
    'gem null null | rails ~> 7 run 2; rspec  dev 4; b  run 6 | {"gems":{"rspec":"../rspec"}}',
  );
  check(
    'composer.json',
    'composer.json',
    '{"name": "a/b",\n"require": {"php": ">=8", "c/d": "^1"},\n"autoload": {"psr-4": {"A\\\\": "src/"}}}',
    'composer a/b null | c/d ^1 run 2 | {"autoload":{"psr-4":{"A\\\\":"src/"}}}',
  );
  check('what is broken is none', 'package.json', '{"name": ', 'none');
  check('what is something else is none', 'setup.py', 'print(1)', 'none');
});
