import type { DocumentClass } from '../manifests/types.ts';

/**
 * How much a document is worth reading in an answer, by its path and size: 0 source, 1 tests and examples, 2 documents and data,
 * 3 what others or programs wrote. It only orders, so a wrong guess costs a place and hides nothing.
 */
export function documentClass(path: string, sizeBytes = 0): DocumentClass {
  if (isVendored(path) || generated.test(path)) return 3;
  if (dataNames.test(path) && !sourceNames.test(path)) return sizeBytes > LARGE_DATA_BYTES ? 3 : 2;
  if (sizeBytes > LARGE_SOURCE_BYTES) return 3;
  if (testPlaces.test(path) || testNames.test(path)) return 1;
  return documentPlaces.test(path) && !sourcePlaces.test(path) ? 2 : 0;
}

/** Nobody writes so much by hand, or nobody reads it. */
const LARGE_DATA_BYTES = 300_000;
const LARGE_SOURCE_BYTES = 512 * 1024;

const vendoredPlaces =
  /(?:^|\/)(?:node_modules|bower_components|jspm_packages|third[_-]?party|3rdparty|site-packages|Godeps|Pods|Carthage|\.yarn|\.cargo\/registry)\/|^deps\//i;
const vendorPlace = /(?:^|\/)vendor(?:ed)?\//;
/** A vendor may be one of the things that a program is about: a shop's suppliers. */
const vendorAsSubject =
  /(?:^|\/)(?:models?|controllers?|views?|components?|pages?|services?|domains?|modules|features|entities|routes?|api|java|kotlin|scala)\/(?:.*\/)?vendor\//;

function isVendored(path: string): boolean {
  return vendoredPlaces.test(path) || (vendorPlace.test(path) && !vendorAsSubject.test(path));
}

const generated = new RegExp(
  [
    // Folders of built and generated files. build/ and gen/ more often hold what builds and generates.
    /(?:^|\/)(?:dist|generated|__generated__|_generated|__snapshots__)\//,
    /[.-](?:min|bundle)\.(?:js|mjs|cjs|css)$/,
    /\.(?:js|css|ts|mjs)\.map$/,
    /(?:^|\/)jquery(?:[-.][\d.]+)?(?:\.slim)?\.js$/,
    /\.pb\.(?:go|cc|h|gw\.go|validate\.go)$|\.pb\.gw\.go$|_pb2(?:_grpc)?\.pyi?$|_pb\.(?:js|ts|d\.ts|rb)$/,
    /\.(?:g|designer|Designer)\.(?:cs|vb|dart)$|\.freezed\.dart$/,
    /\.(?:gen|generated)\.\w+$|(?:^|\/)zz_generated\.|_generated\.\w+$|(?:^|\/)bindata\.go$/,
    /\.snap$/,
    // What a package manager resolved.
    /\.lock$|(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum|go\.work\.sum|gradle\.lockfile|\.terraform\.lock\.hcl|packages\.lock\.json|Package\.resolved|bun\.lockb)$/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

const dataNames = new RegExp(
  [
    /\.(?:md|mdx|markdown|rst|txt|text|adoc|asciidoc|tex|bib|log|org)$/,
    /\.(?:json|jsonl|ndjson|json5|geojson|csv|tsv|xml|svg|po|pot|xlf|xliff|resx|ipynb|html?|pem|crt|asc|map|plist)$/,
    /(?:^|\/)(?:LICEN[CS]E|COPYING|NOTICE|AUTHORS|CONTRIBUTORS|CHANGE(?:LOG|S)|NEWS|README|INSTALL)(?:[.-][\w-]+)?$/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
);

/** Text that is a program all the same: build files, and pages that a framework renders. */
const sourceNames =
  /(?:^|\/)(?:CMakeLists|requirements[-.\w]*|meson_options|constraints)\.txt$|(?:^|\/)(?:templates?|views?|components?|layouts?|partials|_includes|_layouts|src\/app)\/.*\.html?$|\.component\.html$/;

const testPlaces =
  /(?:^|\/)(?:[\w.-]+\.)?(?:tests?|__tests__|__mocks__|mocks|specs?|testing|testdata|test[-_](?:utils?|helpers?|support|data|fixtures)|fixtures?|e2e|examples?|samples?|benchmarks?|benches)\//i;
const testNames =
  /[._-](?:test|tests|spec|e2e|bench)\.\w+$|_(?:test|spec)\.\w+$|(?:^|\/)(?:test_[^/]*|conftest)\.py$|[a-z\d](?:Tests?|Spec|IT)\.(?:java|kt|cs|scala|groovy|swift|php|m|fs|vb)$/;

const documentPlaces = /(?:^|\/)(?:docs?|documentation|changelogs?)\//i;
/** Below these a folder called docs belongs to the program. */
const sourcePlaces = /(?:^|\/)(?:src|lib|app|internal|pkg|cmd|main)\/(?:.*\/)?docs?\//i;
