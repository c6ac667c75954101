import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExtractor, type Extractor } from '../../extractor/create-extractor.ts';
import { type MemoryTree, memoryTree, type TestTree } from '../testing/memory-tree.ts';
import { Resolver } from './resolver.ts';

let extractor: Extractor;
beforeAll(async () => {
  extractor = await createExtractor();
});
afterAll(() => extractor.close());

/**
 * `use`: `path:name`, `path:receiver.name` or `path:name@line`. Expected: `path:Container.name how confidence` for each definition, with
 * the repository in front where it is another one; a module is its path alone.
 */
function check(
  title: string,
  files: TestTree | Record<string, string>,
  uses: Record<string, string | string[]>,
): void {
  it(title, () => {
    const isWhole = Object.values(files).every((value) => typeof value === 'object');
    const tree = memoryTree((isWhole ? files : { own: files }) as TestTree, (language, path, text) =>
      extractor.extract({ language, path, text }),
    );
    const resolver = new Resolver(tree);
    const found = Object.fromEntries(Object.keys(uses).map((use) => [use, resolvedUse(tree, resolver, use)]));
    const expected = Object.fromEntries(
      Object.entries(uses).map(([use, places]) => [use, typeof places === 'string' ? [places] : places]),
    );
    expect(found).toEqual(expected);
  });
}

function resolvedUse(tree: MemoryTree, resolver: Resolver, use: string): string[] {
  const [path = '', written = ''] = use.split(/:(.*)/);
  const [, receiver, name, line] = /^(?:(.*)\.)?([^.@]+)(?:@(\d+))?$/.exec(written)!;
  const repository = path.includes('|') ? path.split('|')[0]! : 'own';
  const file = tree.file(repository, path.replace(/^.*\|/, ''));
  const reference = tree
    .referencesOf(file)
    .find(
      (one) =>
        one.name === name &&
        (receiver === undefined ||
          one.receiver === receiver ||
          (one.receiver === null && receiver === '?')) &&
        (line === undefined || one.line === Number(line)),
    );
  if (!reference)
    return [
      `no use: ${tree.referencesOf(file).map((one) => `${one.receiver ?? ''}.${one.name}@${one.line}`)}`,
    ];
  return resolver.resolve(file, reference).map((one) => {
    const symbols = tree.symbolsOf(one.file);
    const names: string[] = [];
    for (let at = one.symbol; at >= 0; at = symbols[at]!.parent) names.unshift(symbols[at]!.name);
    const prefix = tree.repositoryOf(one.file) === repository ? '' : `${tree.repositoryOf(one.file)}|`;
    const definition = names.length === 0 ? '' : `:${names.join('.')}`;
    return `${prefix}${tree.pathOf(one.file)}${definition} ${one.how} ${one.confidence}`;
  });
}

describe('TypeScript and JavaScript', () => {
  check(
    'relative imports, with endings, without, of folders, under other names',
    {
      'src/a.ts': `import { one, two as zwei } from './b';\nimport * as c from './c/index.js';\nimport Thing from '../lib/thing.js';\nexport function run() { one(); zwei(); c.three(); new Thing(); c.nothing(); missing(); }`,
      'src/b.ts': 'export function one() {}\nexport const two = () => 1;',
      'src/c/index.ts': 'export function three() {}',
      'lib/thing.ts': 'export default class Thing {}',
    },
    {
      'src/a.ts:one': 'src/b.ts:one import certain',
      'src/a.ts:zwei': 'src/b.ts:two import certain',
      'src/a.ts:c.three': 'src/c/index.ts:three namespace certain',
      'src/a.ts:Thing': 'lib/thing.ts:Thing import certain',
      'src/a.ts:c.nothing': [],
      'src/a.ts:missing': [],
    },
  );
  check(
    'barrels, chains and circles of re-exports',
    {
      'a.ts': `import { deep, renamed, only } from './barrel';\nimport { lost } from './x';\ndeep(); renamed(); only(); lost();`,
      'barrel.ts': `export * from './x';\nexport * from './y';\nexport { inner as renamed } from './z';`,
      'x.ts': `export * from './y';\nexport * from './barrel';`,
      'y.ts': `export * from './x';\nexport * from './z';`,
      'z.ts': `export function deep() {}\nexport function inner() {}\nexport const only = () => {};`,
    },
    {
      'a.ts:deep': 'z.ts:deep re-export certain',
      'a.ts:renamed': 'z.ts:inner re-export certain',
      'a.ts:only': 'z.ts:only re-export certain',
      'a.ts:lost': [],
    },
  );
  check(
    'what comes from outside, or is a global, is nothing of ours',
    {
      'a.ts': `import { readFile } from 'fs';\nimport { useState } from 'react';\nreadFile(); useState(); fetch('x');`,
      'b.ts': 'export function readFile() {}\nexport function useState() {}\nfunction fetch() {}',
    },
    { 'a.ts:readFile': [], 'a.ts:useState': [], 'a.ts:fetch': [] },
  );
  check(
    'an export that nothing imports is only possible',
    { 'a.ts': `fetch('x');`, 'b.ts': 'export function fetch() {}' },
    { 'a.ts:fetch': 'b.ts:fetch unique-name possible' },
  );
  check(
    'what is handed on by another name, before what a module only uses itself',
    {
      'a.ts': `import { made, shown, cart } from './b';\nimport whole from './d';\nmade(); shown(); cart(); whole();`,
      'b.ts': `import { shown } from './x';\nexport * from './c';\nfunction inner() { shown(); }\nexport { inner as made };`,
      'c.ts': 'export function shown() {}\nimport { basket } from "./x";\nexport { basket as cart };',
      'd.ts': 'function first() {}\nfunction second() {}\nexport { second as default, first };',
      'x.ts': 'export function shown() {}\nexport function basket() {}',
    },
    {
      'a.ts:made': 'b.ts:inner import certain',
      'a.ts:shown': 'c.ts:shown re-export certain',
      'a.ts:cart': 'x.ts:basket re-export certain',
      'a.ts:whole': 'd.ts:second import certain',
    },
  );
  check(
    'a name that modules neither define nor import is the platform’s',
    {
      'a.ts': `import './c';\ntest('x');`,
      'b.ts': 'export function test() {}',
      'c.ts': 'export {};',
    },
    { 'a.ts:test': [] },
  );
  check(
    'of functions within functions without a name the one before the use; of an object’s members none by the name alone',
    {
      'a.ts': `import { run } from './b';\nrun(() => {\n  function same() {}\n  same();\n});\nrun(() => {\n  function same() {}\n  same();\n});\nfunction insert() {}\nexport const all: { insert: typeof insert } = { insert };\nexport const other = { insert: insert };`,
      'b.ts': 'export function run(f: any) {}',
    },
    {
      'a.ts:same@4': ['a.ts:same same-file certain', 'a.ts:same same-file possible'],
      'a.ts:insert@11': 'a.ts:insert same-file certain',
      'a.ts:insert@12': 'a.ts:insert same-file certain',
    },
  );
  check(
    'a module of CommonJS that is a function',
    {
      'a.js': `var Router = require('./router');\nexports.Router = Router;\nexports.Route = Router.Route;\nnew Router();`,
      'router.js': `const Route = require('./route')\nmodule.exports = Router\nmodule.exports.Route = Route\nfunction Router() {}`,
      'route.js': 'module.exports = Route;\nfunction Route() {}',
    },
    {
      'a.js:Router@2': 'router.js:Router import certain',
      'a.js:Router.Route': 'route.js:Route namespace certain',
      'a.js:Router@4': 'router.js:Router import certain',
    },
  );
  check(
    'methods of prototypes are no plain names; what a module makes when it is required is a variable',
    {
      'a.js': `var debug = require('debug')('a');\nvar resolve = require('path').resolve;\nfunction View() {}\nView.prototype.lookup = function () { resolve(); debug(); };\nView.prototype.resolve = function () {};`,
    },
    { 'a.js:resolve': [], 'a.js:debug': 'a.js:debug same-file certain' },
  );
  check(
    'a package whose entry is a thin file around what is built',
    {
      app: {
        'package.json': '{"dependencies": {"view": "1"}}',
        'a.ts': `import { ref } from 'view';\nref();`,
      },
      view: {
        'packages/view/package.json':
          '{"name": "view", "main": "index.js", "exports": {".": {"import": {"types": "./dist/view.d.mts", "node": "./index.mjs"}}}}',
        'packages/view/index.mjs': `export * from './index.js'`,
        'packages/view/index.js': `module.exports = require('./dist/view.cjs.js')`,
        'packages/view/src/index.ts': 'export function ref() {}',
      },
    },
    { 'app|a.ts:ref': 'view|packages/view/src/index.ts:ref import certain' },
  );
  check(
    'members by this, by declared and inferred types, inherited, and by name alone',
    {
      'a.ts': `import { Base, Client } from './b';\nclass Own extends Base {\n client = new Client();\n go(c: Client, x: any) {\n this.own(); this.base(); c.send(); this.client.send(); x.send(); x.rare(); super.base();\n }\n own() {}\n}`,
      'b.ts':
        'export class Base { base() {} }\nexport class Client { send() {} }\nexport class Other { send() {} rare() {} }',
    },
    {
      'a.ts:this.own': 'a.ts:Own.own same-file certain',
      'a.ts:this.base': 'b.ts:Base.base inherited likely',
      'a.ts:super.base': 'b.ts:Base.base inherited likely',
      'a.ts:c.send': 'b.ts:Client.send receiver-type likely',
      'a.ts:this.client.send': 'b.ts:Client.send receiver-type likely',
      'a.ts:x.send': ['b.ts:Client.send name possible', 'b.ts:Other.send name possible'],
      'a.ts:x.rare': 'b.ts:Other.rare unique-name possible',
      'a.ts:Base': 'b.ts:Base import certain',
    },
  );
  check(
    'paths of tsconfig.json, with comments, and its parents',
    {
      'tsconfig.base.json': `{ "compilerOptions": { /* here */ "baseUrl": ".", "paths": { "@app/*": ["src/app/*"], } } }`,
      'web/tsconfig.json': `{ "extends": "../tsconfig.base.json" } // end`,
      'web/a.ts': `import { x } from '@app/x';\nx();`,
      'src/app/x.ts': 'export function x() {}',
    },
    { 'web/a.ts:x': 'src/app/x.ts:x import certain' },
  );
  check(
    'a workspace beside, and a package in another repository, built or not',
    {
      own: {
        'package.json': `{"workspaces": ["packages/*"]}`,
        'packages/util/package.json': `{"name": "@acme/util", "main": "dist/index.js"}`,
        'packages/util/src/index.ts': 'export function help() {}',
        'packages/web/a.ts': `import { help } from '@acme/util';\nimport { Router } from 'routing';\nimport { deep } from 'routing/deep';\nimport express from 'expresso';\nhelp(); new Router(); deep(); express(); express.start();`,
      },
      routing: {
        'package.json': `{"name": "routing", "exports": {".": {"import": "./dist/main.mjs", "types": "./dist/main.d.ts"}, "./*": "./dist/parts/*.js"}}`,
        'src/main.ts': `export { Router } from './router';`,
        'src/router.ts': 'export class Router {}',
        'src/parts/deep.ts': 'export function deep() {}',
      },
      expresso: {
        'package.json': `{"name": "expresso"}`,
        'index.js': `module.exports = require('./lib/expresso');`,
        'lib/expresso.js': `exports = module.exports = create;\nfunction create() {}\nexports.start = function start() {};`,
      },
    },
    {
      'own|packages/web/a.ts:help': 'packages/util/src/index.ts:help import certain',
      'own|packages/web/a.ts:Router': 'routing|src/router.ts:Router re-export certain',
      'own|packages/web/a.ts:deep': 'routing|src/parts/deep.ts:deep import certain',
      'own|packages/web/a.ts:express': 'expresso|lib/expresso.js:create re-export certain',
      'own|packages/web/a.ts:express.start': 'expresso|lib/expresso.js:start import likely',
    },
  );
});

describe('Python', () => {
  check(
    'packages, relative modules, submodules, names that __init__ hands on, stars',
    {
      'src/shop/__init__.py': 'from .cart import Cart\nfrom .prices import *\n',
      'src/shop/cart.py':
        'from .prices import price as p\nfrom . import prices\nclass Cart:\n    def total(self):\n        return p() + prices.price() + self.count()\n    def count(self):\n        pass\n',
      'src/shop/prices.py': 'def price():\n    pass\n',
      'tests/test_cart.py':
        'import shop\nimport shop.cart\nfrom shop import Cart, price\ndef test():\n    Cart()\n    price()\n    shop.Cart()\n    shop.cart.Cart()\n    c = Cart()\n    c.total()\n',
      'pyproject.toml': '[project]\nname = "shop"\n',
    },
    {
      'src/shop/cart.py:p': 'src/shop/prices.py:price import certain',
      'src/shop/cart.py:prices.price': 'src/shop/prices.py:price namespace certain',
      'src/shop/cart.py:self.count': 'src/shop/cart.py:Cart.count same-file certain',
      'tests/test_cart.py:Cart@5': 'src/shop/cart.py:Cart re-export certain',
      'tests/test_cart.py:price': 'src/shop/prices.py:price re-export certain',
      'tests/test_cart.py:shop.Cart': 'src/shop/cart.py:Cart re-export certain',
      'tests/test_cart.py:shop.cart.Cart': 'src/shop/cart.py:Cart namespace certain',
      'tests/test_cart.py:c.total': 'src/shop/cart.py:Cart.total receiver-type likely',
    },
  );
  check(
    'types that stand in quotes, functions within the method that declares a field',
    {
      'a.py': `import typing as t\nfrom .b import Env, Tpl\ndef f(a: "Env", b: t.List["Tpl"]) -> "Tpl": pass\nclass L:\n    def __init__(self):\n        def c(x): return x\n        self.x = 1\n        self.r = {"a": [c(3)]}\n`,
      'b.py': 'class Env: pass\nclass Tpl: pass\n',
    },
    {
      'a.py:Env': 'b.py:Env import certain',
      'a.py:Tpl': 'b.py:Tpl import certain',
      'a.py:c': 'a.py:L.__init__.c same-file certain',
    },
  );
  check(
    'imports within functions, of submodules, and a function that is defined in steps',
    {
      'pkg/__init__.py': 'from .core import echo\n',
      'pkg/core.py': 'def echo(): pass\ndef pager(): pass\n',
      'pkg/term.py':
        'import pkg.core\ndef pager():\n    from .core import pager\n    return pager()\npkg.echo()\ndef over(a): pass\ndef over(a, b): pass\nover()\n',
    },
    {
      'pkg/term.py:pager@4': 'pkg/core.py:pager import certain',
      'pkg/term.py:pkg.echo': 'pkg/core.py:echo re-export certain',
      'pkg/term.py:over@8': ['pkg/term.py:over same-file certain', 'pkg/term.py:over same-file certain'],
    },
  );
  check(
    'another repository by its top module, and not by the name of a module within a package',
    {
      own: { 'app.py': 'from click import command\nimport json\ncommand()\njson.dumps()\n' },
      click: {
        'pyproject.toml': '[project]\nname = "click"\n',
        'src/click/__init__.py': 'from .decorators import command as command\n',
        'src/click/decorators.py': 'def command():\n    pass\n',
        'src/click/json.py': 'def dumps():\n    pass\n',
      },
    },
    {
      'own|app.py:command': 'click|src/click/decorators.py:command re-export certain',
      'own|app.py:json.dumps': [],
    },
  );
});

describe('Go', () => {
  check(
    'the same folder, packages of this and of another module, methods in other files',
    {
      own: {
        'go.mod': 'module example.com/shop\n\nrequire example.com/lib/v2 v2.0.0\n',
        'main.go': `package main\nimport (\n "example.com/shop/cart"\n l "example.com/lib/v2/log"\n "fmt"\n)\nfunc main() {\n help()\n c := cart.New()\n c.Add()\n var d cart.Cart\n d.Add()\n l.Print()\n fmt.Println()\n}\n`,
        'help.go': 'package main\nfunc help() {}\n',
        'cart/cart.go':
          'package cart\ntype Cart struct { Base }\nfunc New() *Cart { return &Cart{} }\nfunc (c *Cart) All() { c.Add(); c.Sum() }\n',
        'cart/add.go':
          'package cart\nfunc (c *Cart) Add() {}\ntype Base struct {}\nfunc (b *Base) Sum() {}\n',
      },
      lib: {
        'go.mod': 'module example.com/lib/v2\n',
        'log/print.go': 'package log\nfunc Print() {}\nfunc Println() {}\n',
      },
    },
    {
      'own|main.go:help': 'help.go:help package certain',
      'own|main.go:cart.New': 'cart/cart.go:New namespace certain',
      'own|main.go:d.Add': 'cart/add.go:Add receiver-type likely',
      'own|main.go:l.Print': 'lib|log/print.go:Print namespace certain',
      'own|main.go:fmt.Println': [],
      'own|cart/cart.go:c.Add': 'cart/add.go:Add receiver-type likely',
      'own|cart/cart.go:c.Sum': 'cart/add.go:Base.Sum inherited likely',
    },
  );
});

describe('Java', () => {
  check(
    'imports, packages, stars, static members, inheritance, across repositories',
    {
      own: {
        'src/main/java/a/b/Main.java': `package a.b;\nimport c.d.Helper;\nimport static c.d.Helper.twice;\nimport e.*;\npublic class Main extends Base {\n  Helper helper;\n  void run(Star star) {\n    local(); base(); twice(); Helper.once(); helper.act(); new Beside(); star.shine(); other.unknown();\n  }\n  void local() {}\n}\n`,
        'src/main/java/a/b/Beside.java': 'package a.b;\nclass Beside {}\n',
        'src/main/java/a/b/Base.java': 'package a.b;\nclass Base { void base() {} }\n',
        'src/main/java/x/Beside.java': 'package x;\nclass Beside {}\n',
      },
      lib: {
        'src/main/java/c/d/Helper.java':
          'package c.d;\npublic class Helper { public static void twice() {} public static void once() {} public void act() {} }\n',
        'src/main/java/e/Star.java': 'package e;\npublic class Star { public void shine() {} }\n',
      },
    },
    {
      'own|src/main/java/a/b/Main.java:local': 'src/main/java/a/b/Main.java:Main.local same-file certain',
      'own|src/main/java/a/b/Main.java:base': 'src/main/java/a/b/Base.java:Base.base inherited likely',
      'own|src/main/java/a/b/Main.java:twice':
        'lib|src/main/java/c/d/Helper.java:Helper.twice import certain',
      'own|src/main/java/a/b/Main.java:Helper.once':
        'lib|src/main/java/c/d/Helper.java:Helper.once receiver-type certain',
      'own|src/main/java/a/b/Main.java:helper.act':
        'lib|src/main/java/c/d/Helper.java:Helper.act receiver-type likely',
      'own|src/main/java/a/b/Main.java:Beside': 'src/main/java/a/b/Beside.java:Beside package certain',
      'own|src/main/java/a/b/Main.java:star.shine':
        'lib|src/main/java/e/Star.java:Star.shine receiver-type likely',
      'own|src/main/java/a/b/Main.java:other.unknown': [],
    },
  );
});

describe('Rust', () => {
  check(
    'modules of the crate, other crates by their manifest, types with members in several blocks',
    {
      own: {
        'Cargo.toml': '[package]\nname = "shop"\n[dependencies]\nmoney-lib = "1"\n',
        'src/main.rs':
          'mod cart;\nmod util;\nuse cart::Cart;\nuse crate::util::help;\nuse crate::util;\nuse money_lib::{Money, parse};\nuse std::fs::read;\nfn main() { help(); util::help(); crate::util::help(); let c = Cart::new(); c.add(); parse(); Money::zero(); read(); }\n',
        'src/util.rs': 'pub fn help() {}\n',
        'src/cart/mod.rs':
          'pub struct Cart;\nimpl Cart { pub fn new() -> Cart { Cart } }\nimpl Cart { pub fn add(&self) { super::util::help(); } }\n',
      },
      money: {
        'Cargo.toml': '[package]\nname = "money-lib"\n',
        'src/lib.rs': 'mod inner;\npub use inner::Money;\npub fn parse() {}\n',
        'src/inner.rs': 'pub struct Money;\nimpl Money { pub fn zero() {} }\n',
      },
    },
    {
      'own|src/main.rs:help@8': 'src/util.rs:help import certain',
      'own|src/main.rs:util.help': 'src/util.rs:help namespace certain',
      'own|src/main.rs:crate.util.help': 'src/util.rs:help namespace certain',
      'own|src/main.rs:Cart.new': 'src/cart/mod.rs:Cart.new receiver-type certain',
      'own|src/main.rs:c.add': 'src/cart/mod.rs:Cart.add receiver-type likely',
      'own|src/main.rs:parse': 'money|src/lib.rs:parse import certain',
      'own|src/main.rs:Money.zero': 'money|src/inner.rs:Money.zero receiver-type certain',
      'own|src/main.rs:read': [],
      'own|src/cart/mod.rs:super.util.help': 'src/util.rs:help namespace certain',
    },
  );
});

describe('C and C++', () => {
  check(
    'what includes lead to, near ones first, then what is alone in the repository',
    {
      'src/main.c':
        '#include "util.h"\n#include <lib/deep.h>\n#include <stdio.h>\nint main(void) { help(); deep(); alone(); twice(); printf("x"); return LIMIT; }\n',
      'src/util.h': '#define LIMIT 3\nvoid help(void);\n',
      'include/lib/deep.h': 'void deep(void);\n',
      'other/util.h': 'void help(void);\n',
      'src/alone.c': 'void alone(void) {}\nvoid twice(void) {}\n',
      'src/second.c': 'void twice(void) { }\nstatic void printf(void) {}\n',
    },
    {
      'src/main.c:help': 'src/util.h:help import certain',
      'src/main.c:deep': 'include/lib/deep.h:deep import certain',
      'src/main.c:alone': 'src/alone.c:alone unique-name likely',
      'src/main.c:twice': ['src/alone.c:twice name possible', 'src/second.c:twice name possible'],
      'src/main.c:printf': [],
      'src/main.c:LIMIT': 'src/util.h:LIMIT import certain',
    },
  );
});

describe('C#, Kotlin, PHP, Ruby', () => {
  check(
    "namespaces that are used, and those around one's own",
    {
      'App/Main.cs':
        'using Acme.Money;\nnamespace Acme.App.Shop {\n  class Main : Base {\n    Coin coin;\n    void Run() { coin.Spend(); Own(); Inherited(); new Near(); Coin.Mint(); }\n    void Own() {}\n  }\n}\n',
      'App/Base.cs': 'namespace Acme.App { class Base { void Inherited() {} } class Near {} }\n',
      'Money/Coin.cs':
        'namespace Acme.Money { public class Coin { public void Spend() {} public static void Mint() {} } }\n',
      'Other/Coin.cs': 'namespace Acme.Other { public class Coin { public void Spend() {} } }\n',
    },
    {
      'App/Main.cs:coin.Spend': 'Money/Coin.cs:Acme.Money.Coin.Spend receiver-type likely',
      'App/Main.cs:Own': 'App/Main.cs:Acme.App.Shop.Main.Own same-file certain',
      'App/Main.cs:Inherited': 'App/Base.cs:Acme.App.Base.Inherited inherited likely',
      'App/Main.cs:Near': 'App/Base.cs:Acme.App.Near package certain',
      'App/Main.cs:Coin.Mint': 'Money/Coin.cs:Acme.Money.Coin.Mint receiver-type certain',
    },
  );
  check(
    'Kotlin uses what Java defines',
    {
      'a/Main.kt':
        'package a\nimport b.Helper\nimport b.top\nclass Main { fun run(h: Helper) { h.act(); top(); beside() } }\n',
      'a/Beside.kt': 'package a\nfun beside() {}\n',
      'b/Helper.java': 'package b;\npublic class Helper { public void act() {} }\n',
      'b/Top.kt': 'package b\nfun top() {}\n',
    },
    {
      'a/Main.kt:h.act': 'b/Helper.java:Helper.act receiver-type likely',
      'a/Main.kt:top': 'b/Top.kt:top import certain',
      'a/Main.kt:beside': 'a/Beside.kt:beside package certain',
    },
  );
  check(
    'PHP classes under other names, Ruby constants anywhere in the repository',
    {
      'src/Shop.php':
        '<?php\nnamespace Acme\\Shop;\nuse Acme\\Money\\Coin as Cash;\nclass Shop extends Base { function run(Cash $c) { $c->spend(); Cash::mint(); $this->inherited(); } }\n',
      'src/Base.php': '<?php\nnamespace Acme\\Shop;\nclass Base { function inherited() {} }\n',
      'src/Coin.php':
        '<?php\nnamespace Acme\\Money;\nclass Coin { function spend() {} static function mint() {} }\n',
      'lib/shop.rb':
        "require_relative 'money'\nclass Shop < Model\n  def run\n    own\n    Money.mint\n    inherited\n  end\n  def own; end\nend\n",
      'lib/money.rb': 'class Money\n  def self.mint; end\nend\n',
      'app/model.rb': 'class Model\n  def inherited; end\nend\n',
    },
    {
      'src/Shop.php:?.Base': 'src/Base.php:Base package certain',
      'src/Shop.php:Cash.mint': 'src/Coin.php:Coin.mint receiver-type certain',
      'lib/shop.rb:?.Model': 'app/model.rb:Model unique-name likely',
      'lib/shop.rb:Money.mint': 'lib/money.rb:Money.mint receiver-type certain',
    },
  );
});
