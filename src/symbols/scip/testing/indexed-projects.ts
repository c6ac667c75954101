import type { WrittenIndex } from './write-index.ts';

/** Two small projects of our own, and what scip-typescript 0.4.0 writes of them: shop depends on money. */
export interface IndexedProject {
  files: Readonly<Record<string, string>>;
  index: WrittenIndex;
}

export const money: IndexedProject = {
  files: {
    'package.json':
      '{ "name": "@acme/money", "version": "1.2.0", "main": "src/money.ts", "types": "src/money.ts" }\n',
    'src/priced.ts': 'export interface Priced {\n  price(): number;\n}\n',
    'src/money.ts':
      "import type { Priced } from './priced';\n\n/** An amount, “in cents”. */\nexport class Money implements Priced {\n  constructor(readonly cents: number) {}\n  price(): number {\n    return this.cents;\n  }\n  add(other: Money): Money {\n    const label = '€€𝄞'; return new Money(other.cents + label.length);\n  }\n}\n\nexport default function parse(text: string): Money {\n  return new Money(Number(text));\n}\n",
  },
  index: {
    documents: [
      {
        path: 'src/priced.ts',
        occurrences: [
          '0 0 0 defines scip-typescript npm @acme/money 1.2.0 src/`priced.ts`/',
          '0 17 23 defines scip-typescript npm @acme/money 1.2.0 src/`priced.ts`/Priced#',
          '1 2 7 defines scip-typescript npm @acme/money 1.2.0 src/`priced.ts`/Priced#price().',
        ],
        implementations: [],
      },
      {
        path: 'src/money.ts',
        occurrences: [
          '0 0 0 defines scip-typescript npm @acme/money 1.2.0 src/`money.ts`/',
          '0 14 20 uses scip-typescript npm @acme/money 1.2.0 src/`priced.ts`/Priced#',
          '0 28 38 uses scip-typescript npm @acme/money 1.2.0 src/`priced.ts`/',
          '3 13 18 defines scip-typescript npm @acme/money 1.2.0 src/`money.ts`/Money#',
          '3 30 36 uses scip-typescript npm @acme/money 1.2.0 src/`priced.ts`/Priced#',
          '4 2 13 defines scip-typescript npm @acme/money 1.2.0 src/`money.ts`/Money#`<constructor>`().',
          '4 23 28 defines scip-typescript npm @acme/money 1.2.0 src/`money.ts`/Money#`<constructor>`().(cents)',
          '5 2 7 defines scip-typescript npm @acme/money 1.2.0 src/`money.ts`/Money#price().',
          '6 16 21 uses scip-typescript npm @acme/money 1.2.0 src/`money.ts`/Money#`<constructor>`().(cents)',
          '8 2 5 defines scip-typescript npm @acme/money 1.2.0 src/`money.ts`/Money#add().',
          '8 6 11 defines scip-typescript npm @acme/money 1.2.0 src/`money.ts`/Money#add().(other)',
          '8 13 18 uses scip-typescript npm @acme/money 1.2.0 src/`money.ts`/Money#',
          '8 21 26 uses scip-typescript npm @acme/money 1.2.0 src/`money.ts`/Money#',
          '9 10 15 defines local 2',
          '9 37 42 uses scip-typescript npm @acme/money 1.2.0 src/`money.ts`/Money#`<constructor>`().',
          '9 43 48 uses scip-typescript npm @acme/money 1.2.0 src/`money.ts`/Money#add().(other)',
          '9 49 54 uses scip-typescript npm @acme/money 1.2.0 src/`money.ts`/Money#`<constructor>`().(cents)',
          '9 57 62 uses local 2',
          '9 63 69 uses scip-typescript npm typescript 5.9.3 lib/`lib.es5.d.ts`/String#length.',
          '13 24 29 defines scip-typescript npm @acme/money 1.2.0 src/`money.ts`/parse().',
          '13 30 34 defines scip-typescript npm @acme/money 1.2.0 src/`money.ts`/parse().(text)',
          '13 45 50 uses scip-typescript npm @acme/money 1.2.0 src/`money.ts`/Money#',
          '14 13 18 uses scip-typescript npm @acme/money 1.2.0 src/`money.ts`/Money#`<constructor>`().',
          '14 19 25 uses scip-typescript npm typescript 5.9.3 lib/`lib.es5.d.ts`/Number#',
          '14 19 25 uses scip-typescript npm typescript 5.9.3 lib/`lib.es5.d.ts`/Number.',
          '14 19 25 uses scip-typescript npm typescript 5.9.3 lib/`lib.es5.d.ts`/Number#',
          '14 19 25 uses scip-typescript npm typescript 5.9.3 lib/`lib.es2020.number.d.ts`/Number#',
          '14 26 30 uses scip-typescript npm @acme/money 1.2.0 src/`money.ts`/parse().(text)',
        ],
        implementations: [
          [
            'scip-typescript npm @acme/money 1.2.0 src/`money.ts`/Money#',
            'scip-typescript npm @acme/money 1.2.0 src/`priced.ts`/Priced#',
          ],
          [
            'scip-typescript npm @acme/money 1.2.0 src/`money.ts`/Money#price().',
            'scip-typescript npm @acme/money 1.2.0 src/`priced.ts`/Priced#price().',
          ],
        ],
      },
    ],
  },
};

export const shop: IndexedProject = {
  files: {
    'package.json': '{ "name": "shop", "version": "0.3.0", "dependencies": { "@acme/money": "^1.2.0" } }\n',
    'src/basket.ts':
      "import read, { Money as Amount } from '@acme/money';\n\nexport class Tag {\n  price() {\n    return 'free';\n  }\n}\n\nexport function items() {\n  return [read('1'), new Amount(2)];\n}\n\nexport function total() {\n  const parse = (text: string) => text;\n  parse('local');\n  let sum = 0;\n  for (const item of items()) sum += item.price();\n  return sum;\n}\n\nexport function tags() {\n  const made = [new Tag()];\n  return made.map((one) => one.price());\n}\n",
  },
  index: {
    documents: [
      {
        path: 'src/basket.ts',
        occurrences: [
          '0 0 0 defines scip-typescript npm shop 0.3.0 src/`basket.ts`/',
          '0 7 11 uses scip-typescript npm @acme/money 1.2.0 src/`money.ts`/parse().',
          '0 15 20 uses scip-typescript npm @acme/money 1.2.0 src/`money.ts`/Money#',
          '0 24 30 uses scip-typescript npm @acme/money 1.2.0 src/`money.ts`/Money#',
          '0 38 51 uses scip-typescript npm @acme/money 1.2.0 src/`money.ts`/',
          '2 13 16 defines scip-typescript npm shop 0.3.0 src/`basket.ts`/Tag#',
          '3 2 7 defines scip-typescript npm shop 0.3.0 src/`basket.ts`/Tag#price().',
          '8 16 21 defines scip-typescript npm shop 0.3.0 src/`basket.ts`/items().',
          '9 10 14 uses scip-typescript npm @acme/money 1.2.0 src/`money.ts`/parse().',
          '9 25 31 uses scip-typescript npm @acme/money 1.2.0 src/`money.ts`/Money#`<constructor>`().',
          '12 16 21 defines scip-typescript npm shop 0.3.0 src/`basket.ts`/total().',
          '13 8 13 defines local 2',
          '13 17 21 defines local 4',
          '13 34 38 uses local 4',
          '14 2 7 uses local 2',
          '15 6 9 defines local 7',
          '16 13 17 defines local 10',
          '16 21 26 uses scip-typescript npm shop 0.3.0 src/`basket.ts`/items().',
          '16 30 33 uses local 7',
          '16 37 41 uses local 10',
          '16 42 47 uses scip-typescript npm @acme/money 1.2.0 src/`money.ts`/Money#price().',
          '17 9 12 uses local 7',
          '20 16 20 defines scip-typescript npm shop 0.3.0 src/`basket.ts`/tags().',
          '21 8 12 defines local 13',
          '21 20 23 uses scip-typescript npm shop 0.3.0 src/`basket.ts`/Tag#',
          '22 9 13 uses local 13',
          '22 14 17 uses scip-typescript npm typescript 5.9.3 lib/`lib.es5.d.ts`/Array#map().',
          '22 19 22 defines local 17',
          '22 27 30 uses local 17',
          '22 31 36 uses scip-typescript npm shop 0.3.0 src/`basket.ts`/Tag#price().',
        ],
        implementations: [],
      },
    ],
  },
};
