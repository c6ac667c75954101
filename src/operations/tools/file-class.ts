/** Source before tests before what others wrote: the order in which answers are worth reading. */
export function fileClass(path: string): number {
  if (vendored.test(path)) return 3;
  if (tests.test(path)) return 1;
  return documents.test(path) ? 2 : 0;
}

const vendored =
  /(?:^|\/)(?:node_modules|vendor|third_party|dist|generated)\/|\.min\.|\.lock$|-lock\.(?:json|yaml)$/;
const tests =
  /(?:^|\/)(?:tests?|__tests__|specs?|testdata|fixtures|examples?)\/|[._-](?:test|spec)\.|(?:^|\/)test_|_test\./;
const documents = /\.(?:md|rst|txt|adoc)$|(?:^|\/)(?:docs?|changelogs?)\//i;
