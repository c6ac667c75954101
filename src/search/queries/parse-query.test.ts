import { describe, expect, it } from 'vitest';
import { PeriscopeError } from '../../base/errors.ts';
import { parseQuery } from './parse-query.ts';
import { shownQuery } from './testing/shown-query.ts';
import type { ParsedQuery, ParseQueryOptions, QueryFilters } from './types.ts';

const options: ParseQueryOptions = {
  mode: 'auto',
  case: 'auto',
  nowMs: Date.parse('2024-06-15T12:00:00Z'),
  repositorySets: { backend: ['acme/*', 'flask'] },
};

describe('a word is text unless it looks like a regex', () => {
  check('test(', '"test("i');
  check('foo[', '"foo["i');
  check('*ptr', '"*ptr"i');
  check('a++', '"a++"i');
  check('$scope.x', '"$scope.x"i');
  check('func (s *Server) Start(', '(all "func"i "(s"i "*Server)" "Start(")');
  check('arr[i]', '"arr[i]"i');
  check('x.y()', '"x.y()"i');
  check('?.', '"?."i');
  check('foo?.bar', '"foo?.bar"i');
  check('foo.*bar', '/foo.*bar/i');
  check('func\\s+\\w+', '/func\\s+\\w+/i');
  check('^import', '/^import/i');
  check('(a|b)c', '/(a|b)c/i');
  check('\\bword\\b', '/\\bword\\b/i');
  check('[A-Z]{3}', '/[A-Z]{3}/');
  check('retr(y|ies)', '/retr(y|ies)/i');
  check('max_?retries', '/max_?retries/i');
  check('std::vector', '"std::vector"i');
  check('http://x.y/z', '"http://x.y/z"i');
  check('if err != nil {', '(all "if"i "err"i "!="i "nil"i "{"i)');
  check('for (int i = 0; i < n; i++)', '(all "for"i "(int"i "i"i "="i "0;"i "<"i "n;"i "i++)"i)');
  check('if not user', '(all "if"i "not"i "user"i)');
  check('not found', '(all "not"i "found"i)');
  check('->next', '"->next"i');
  check('"foo bar" \'it is\'', '(all "foo bar"i "it is"i)');
  check('/foo \\/ bar/ x', '(all /foo \\/ bar/i "x"i)');
  check('/usr/local/bin', '"/usr/local/bin"i');
  check('/Foo/i', '/Foo/i');
  check('or', '"or"i');
  check('foo ()', '(all "foo"i "()"i)');
  check('a || b', '(all "a"i "||"i "b"i)');
  check('|x| x + 1', '(all "|x|"i "x"i "+"i "1"i)');
  check('func\\s+foo(', '/func\\s+foo\\(/i');
  check('App\\Services\\Billing', '"App\\\\Services\\\\Billing"');
  check('C:\\foo\\bar', '"C:\\\\foo\\\\bar"');
  check('"name": "x"', '(all "\\"name\\":"i "x"i)');
  check('println("hello world")', '"println(\\"hello world\\")"i');
  check("don't do it won't", '(all "don\'t"i "do"i "it"i "won\'t"i)');
  check('t:string', '"t:string"i');
  check('@Override x', '(all "@Override" "x"i)');
  check('get*User', '"get*User"');
  check('(x|y) z', '(all /x|y/i "z"i)');
  check('café Ünï', '(all "café"i "Ünï")');
  check('foo\\nbar', '/foo\\nbar/i');
  check('split("\\n")', '"split(\\"\\\\n\\")"i');
  check('java.util.*', '/java.util.*/i');
  check('.*', '/.*/i');
  check('a*', '"a*"i');
  check('foo$', '/foo$/i');
  check('t:string x', '(all "t:string"i "x"i)');
  check('l:foo', '"l:foo"i');
  check('(x, y) => z', '(all "(x,"i "y)"i "=>"i "z"i)');
  check('print ("hello world")', '(all "print"i "hello world"i)');
  check('while (true) {', '(all "while"i "true"i "{"i)');
  check('(foo bar).baz()', '(all "(foo"i "bar).baz()"i)');
  check('foo (bar) baz', '(all "foo"i "bar"i "baz"i)');
  check('a <- b', '(all "a"i "<-"i "b"i)');
  check('x -= 1', '(all "x"i "-="i "1"i)');
  check('-1', '"-1"i');
  check('--flag', '"--flag"i');
  check('a - b', '(all "a"i "-"i "b"i)');
  check("'a' || 'b'", '(all "a"i "||"i "b"i)');
  check('#include <stdio.h>', '(all "#include"i "<stdio.h>"i)');
  check('SELECT * FROM users WHERE id = ?', '(all "SELECT" "*"i "FROM" "users"i "WHERE" "id"i "="i "?"i)');
  check('@app.route("/x")', '"@app.route(\\"/x\\")"i');
  check('import "fmt"', '(all "import"i "fmt"i)');
  check('fmt.Printf("%d\\n", x)', '(all "fmt.Printf(\\"%d\\\\n\\"," "x)"i)');
  check('const x = () => {', '(all "const"i "x"i "="i "()"i "=>"i "{"i)');
  check('$(HOME)/bin', '"$(HOME)/bin"');
  check('git log --oneline', '(all "git"i "log"i "--oneline"i)');
  check('\\.go$', '/\\.go$/i');
  check('\\d{3}-\\d{4}', '/\\d{3}-\\d{4}/i');
  check('(?i)foo', '/(?i)foo/i');
  check('[^ ]+foo', '/[^ ]+foo/i');
  check('foo.', '"foo."i');
  check('...args', '"...args"i');
  check('arr[0]', '"arr[0]"i');
  check('map[string]int', '"map[string]int"i');
  check('[]byte', '"[]byte"i');
  check('foo[a-z]+', '/foo[a-z]+/i');
  check('char *p', '(all "char"i "*p"i)');
  check('**kwargs', '"**kwargs"i');
  check('a.b.c', '"a.b.c"i');
  check('x == y', '(all "x"i "=="i "y"i)');
  check('!isValid', '"!isValid"');
  check('E:', '"E:"');
  check('TODO|FIXME', '/TODO|FIXME/');
  check('open(O_RDWR|O_CREAT', '"open(O_RDWR|O_CREAT"');
  check('foo\\.bar\\(', '/foo\\.bar\\(/i');
  check('colou?r', '/colou?r/i');
  check('url?key=value', '"url?key=value"i');
  check('a?b:c', '"a?b:c"i');
  check('err := f(x); err != nil', '(all "err"i ":="i "f(x);"i "!="i "nil"i)');
  check('foo(.*)bar', '/foo(.*)bar/i');
});

describe('words are joined, left out and grouped', () => {
  check('foo or bar baz', '(any "foo"i (all "bar"i "baz"i))');
  check('(foo or bar) baz', '(all (any "foo"i "bar"i) "baz"i)');
  check('foo -bar -file:x', '(all "foo"i (not "bar"i) (not path:"x"i))');
  check('foo NOT bar', '(all "foo"i (not "bar"i))');
  check('-Wall', '(not "Wall")');
  check('a and b', '(all "a"i "b"i)');
  check('foo | bar', '(any "foo"i "bar"i)');
  check('((((a or b))))', '(any "a"i "b"i)');
  check('-(a b) c', '(all (not (all "a"i "b"i)) "c"i)');
  check('NOT (a or b)', '(not (any "a"i "b"i))');
  check('-"a b" x', '(all (not "a b"i) "x"i)');
  check('(a (b or c) d)', '(all "a"i (any "b"i "c"i) "d"i)');
  check('(a or b)c', '(any "(a"i "b)c"i)');
  check('foo() or bar()', '(any "foo()"i "bar()"i)');
  check('foo OR bar AND baz', '(any "foo"i (all "bar"i "baz"i))');
});

describe('filters', () => {
  check('foo:bar', '"foo:bar"i');
  check('filee:foo.go', '"filee:foo.go"i');
  check('not file:x foo', '(all (not path:"x"i) "foo"i)');
  check('repo:acme/pay*@v1.2 x', '(all repository:/(?:^|/)acme/pay[^/]*$/i "x"i)');
  check('repo:flask TODO', '(all repository:"flask"i "TODO")');
  check('repo:^github\\.com/x/y$ x', '(all repository:/^github\\.com/x/y$/i "x"i)');
  check('repo:has.file(go.mod) x', '(all has("go.mod"i, anything) "x"i)');
  check('repo:has.file(path:go.mod content:"grpc x") x', '(all has("go.mod"i, "grpc x"i) "x"i)');
  check('repo.has.file:go.mod', 'has("go.mod"i, anything)');
  check('type: string', '(all "type:"i "string"i)');
  check('file:*.go x', '(all path:/(?:^|/)[^/]*\\.go$/i "x"i)');
  check('file:src/** x', '(all path:/^src//i "x"i)');
  check('file:*.{ts,tsx}', 'path:/(?:^|/)[^/]*\\.(?:ts|tsx)$/i');
  check('file:*.ts,*.tsx', 'path:/(?:(?:^|/)[^/]*\\.ts$|(?:^|/)[^/]*\\.tsx$)/i');
  check('file:\\.go$ x', '(all path:/\\.go$/i "x"i)');
  check('file:_test\\.go$', 'path:/_test\\.go$/i');
  check('file:readme', 'path:"readme"i');
  check('file:"my file.txt" x', '(all path:"my file.txt"i "x"i)');
  check('file:/src/*.ts x', '(all path:/^src/[^/]*\\.ts$/i "x"i)');
  check('file:[a-c]*.py', 'path:/(?:^|/)(?:\\[a-c\\]|[a-c])[^/]*\\.py$/i');
  check('file:src/[^a]*/x.ts', 'path:/^src/(?:\\[\\^a\\]|[^/a])[^/]*/x\\.ts$/i');
  check('file:{a,b}/*.ts', 'path:/^(?:a|b)/[^/]*\\.ts$/i');
  check('file:*.y?ml', 'path:/(?:^|/)[^/]*\\.y[^/]ml$/i');
  check('file:[0-9]{2,3}/x', 'path:/[0-9]{2,3}/x/i');
  check('file:v[0-9]+.*', 'path:/v[0-9]+.*/i');
  check('file:app/(auth)/page.tsx', 'path:"app/(auth)/page.tsx"i');
  check('file:routes/+page.svelte', 'path:"routes/+page.svelte"i');
  check('file:[id].tsx', 'path:"[id].tsx"i');
  check(
    'lang:c++ x',
    '(all (any lang:22 (all lang:21 path:/\\.h$/i has(/\\.(?:cpp|cc|cxx|hpp|hh|hxx)$/i, anything))) "x"i)',
  );
  check('lang:golang x', '(all lang:1 "x"i)');
  check('lang:go lang:py', '(any lang:1 lang:9)');
  check('lang:go,python', '(any lang:1 lang:9)');
  check('sym:Foo', 'symbol:"Foo"');
  check('content:foo', 'content:"foo"i');
  check('case:yes foo', '"foo"');
  check('(case:yes foo) bar', '(all "foo" "bar"i)');
  check('type:commit author:jane after:2024-01-01 before:"2 weeks ago" fix', '"fix"i');
  check('count:all x', '"x"i');
  check('select:repo foo', '"foo"i');
  check('type:path readme', 'path:"readme"i');
  check('type:symbol Foo', 'symbol:"Foo"');
  check('archived:no fork:only x', '(all archived:false fork:true "x"i)');
  check('branch:release/* x', '(all branch:/^release/[^/]*$/ "x"i)');
  check('rev:v1 repo:x y', '(all repository:"x"i "y"i)');
  check('is:archived', 'archived:true');
  check('org:acme x', '(all repository:/(?:^|/)acme/.*$/i "x"i)');
  check('regex:a"b"', '/a"b"/i');
  check('content:/ := $/', 'content:/ := $/i');
  check('(regex:/ \\(a|b/ c)', '(all / \\(a|b/i "c"i)');
  check('a / b / c', '(all "a"i "/"i "b"i "c"i)');
  check('type:commit author:jane after:2024-01-01 before:"2 weeks ago" fix', '"fix"i');
  check('repo:a repo:b x', '(all repository:"a"i repository:"b"i "x"i)');
  check('rev:v1 repo:x y', '(all repository:"x"i "y"i)');
  check('repo:https://github.com/a/b.git x', '(all repository:"github.com/a/b"i "x"i)');
  check('file:src/app x', '(all path:"src/app"i "x"i)');
  check('file:a?c.go x', '(all path:/(?:^|/)a[^/]c\\.go$/i "x"i)');
  check('file:webpack.*.js', 'path:/webpack.*.js/i');
  check('-lang:go x', '(all (not lang:1) "x"i)');
  check('content:"a b"', 'content:"a b"i');
  check('f:test\\.go$ r:acme foo', '(all path:/test\\.go$/i repository:"acme"i "foo"i)');
  check('b:main x', '(all branch:"main" "x"i)');
  check('path:/src\\/.*\\.ts/ x', '(all path:/src\\/.*\\.ts/i "x"i)');
  check('file:(a|b)\\.go$', 'path:/(a|b)\\.go$/i');
  check('file:has.content(foo) x', '(all content:"foo"i "x"i)');
  check('public:yes x', '"x"i');
  check('repo:"a b" x', '(all repository:"a b"i "x"i)');
  check('extension:go x', '(all path:/(?:^|/)[^/]*\\.go$/i "x"i)');
  check('filename:package.json x', '(all path:/^(?:.*/)?package\\.json$/i "x"i)');
  check(
    '(file:*.go or file:*.ts) x',
    '(all (any path:/(?:^|/)[^/]*\\.go$/i path:/(?:^|/)[^/]*\\.ts$/i) "x"i)',
  );
  check('context:backend x', '(all repository:/(?:(?:^|/)acme/[^/]*$|(?:^|/)flask$)/i "x"i)');
  check('@backend x', '(all repository:/(?:(?:^|/)acme/[^/]*$|(?:^|/)flask$)/i "x"i)');
  check('context:global x', '"x"i');
});

describe('case', () => {
  checkWith({ case: 'yes' }, 'foo file:Bar', '(all "foo" path:"Bar")');
  checkWith({ case: 'no' }, 'Foo [A-Z]{2}', '(all "Foo"i /[A-Z]{2}/i)');
  checkWith({ case: 'yes' }, 'case:no Foo', '"Foo"i');
  check('(case:yes a (b)) c', '(all "a" "b" "c"i)');
  check('case:auto (foo case:yes) Bar', '(all "foo" "Bar")');
  check('\\W\\S\\pL\\x{4A}x \\p{Lu}x', '(all /\\W\\S\\pL\\x{4A}x/i /\\p{Lu}x/)');
  check('file:README x', '(all path:"README"i "x"i)');
});

describe('in regex mode one regex stands beside the filters', () => {
  const mode = { mode: 'regex' } as const;
  checkWith(mode, 'func \\w+ \\( file:*.go', '(all path:/(?:^|/)[^/]*\\.go$/i /func \\w+ \\(/i)');
  checkWith(mode, 'lang:go (a file:x)', '(all lang:1 /(a file:x)/i)');
  checkWith(mode, 'a  or "b', '/a  or "b/i');
  checkWith(mode, '-lang:go case:yes a b', '(all (not lang:1) /a b/)');
  checkWith(mode, 'a lang:go b', '(all lang:1 /a b/i)');
  checkWith(mode, 'r:x t:string', '/r:x t:string/i');
  checkWith(mode, 'content:"x', '/content:"x/i');
  checkWith(mode, 'a*', '/a*/i');
  check('patterntype:regexp a b', '/a b/i');
  check('patterntype:literal foo bar( file:*.go', '(all path:/(?:^|/)[^/]*\\.go$/i "foo bar("i)');
  check('patterntype:keyword foo bar', '(all "foo"i "bar"i)');
  checkFault('(a b', 'This ( is never closed, at offset 0:\n  (a b\n  ^', mode);
  checkFault('lang:go  a)', 'This ) closes nothing, at offset 10:\n  lang:go  a)\n            ^', mode);
  checkFault('a lang:go b)', 'This ) closes nothing, at offset 3:\n  a b)\n     ^', mode);
  checkFault('(a)\\1', 'Backreferences are not supported, at offset 3:\n  (a)\\1\n     ^^', mode);
});

describe('in literal mode all of it is one text', () => {
  const mode = { mode: 'literal' } as const;
  checkWith(mode, 'file:x "foo( or', '"file:x \\"foo( or"i');
  checkWith(mode, '  a b\n', '"  a b"i');
  checkWith(mode, 'a.b\n\tc', '/a\\.b\\r?\\n\tc/i');
  checkWith(mode, '  \n', '"  "i');
  checkFault('\n', 'The query is empty.', mode);
});

describe('filters that come as parameters', () => {
  checkFilters({ file: ['*.go', 'src/**'] }, '(all "x"i path:/(?:(?:^|/)[^/]*\\.go$|^src/)/i)');
  checkFilters(
    { file: ['*.go', '!vendor/', '-*_test.go'] },
    '(all "x"i path:/(?:^|/)[^/]*\\.go$/i (not path:/(?:(?:^|/)vendor/|(?:^|/)[^/]*_test\\.go$)/i))',
  );
  checkFilters(
    { repo: ['flask', 'acme/*'] },
    '(all "x"i repository:/(?:(?:^|/)flask$|(?:^|/)acme/[^/]*$)/i)',
  );
  checkFilters({ lang: ['go', 'py'] }, '(all "x"i (any lang:1 lang:9))');
  checkFilters({ lang: ['-go'] }, '(all "x"i (not lang:1))');
  checkFilters({ repo: [], file: ['', ' ', '!'] }, '"x"i');

  it('a wrong language names near ones', () => {
    expect(faultOf('x', {}, { lang: ['pyhton'] })).toMatchObject({
      code: 'search/query-syntax',
      message: 'lang "pyhton": there is no such language.',
      next: 'Did you mean lang:Python?',
    });
  });

  function checkFilters(filters: QueryFilters, expected: string) {
    it(JSON.stringify(filters), () => expect(shownQuery(parsed('x', {}, filters).root)).toBe(expected));
  }
});

describe('what is about the whole query', () => {
  checkFacts('foo', {
    target: 'content',
    select: null,
    count: null,
    author: null,
    sinceMs: null,
    untilMs: null,
  });
  checkFacts('type:commit author:"Jane D" after:2024-01-31 until:yesterday x', {
    target: 'commit',
    author: 'Jane D',
    sinceMs: Date.parse('2024-01-31'),
    untilMs: Date.parse('2024-06-14'),
  });
  checkFacts('t:filename x', { target: 'file' });
  checkFacts('file:x', { target: 'file' });
  checkFacts('repo:x archived:no', { target: 'repo' });
  checkFacts('-x y', { target: 'content' });
  checkFacts('NOT (x or y)', { target: 'file', leavesOutAlone: true });
  checkFacts('-foo -bar', { leavesOutAlone: true });
  checkFacts('-foo bar', { leavesOutAlone: false });
  checkFacts('-foo file:x', { target: 'file', leavesOutAlone: false });
  checkFacts('-foo -lang:go', { leavesOutAlone: false });
  checkFacts('-file:x', { leavesOutAlone: false });
  checkFacts('type:commit -fix', { leavesOutAlone: false });
  checkFacts('type:diff x', { target: 'diff' });
  checkFacts('count:ALL x select:repo', { count: 'all', select: 'repo' });
  checkFacts('count:50 x', { count: 50 });
  checkFacts('repo:a/b@v1:main x', {
    revisions: [
      { repository: { source: 'a/b', literal: true, ignoreCase: true }, revision: 'v1' },
      { repository: { source: 'a/b', literal: true, ignoreCase: true }, revision: 'main' },
    ],
  });
  checkFacts('rev:v1 x', {
    revisions: [{ repository: { source: '', literal: true, ignoreCase: true }, revision: 'v1' }],
  });

  function checkFacts(query: string, expected: Partial<ParsedQuery>) {
    it(query, () => expect(parsed(query)).toMatchObject(expected));
  }
});

describe('how it was understood is told', () => {
  checkReading('test( file:*.ts', 'text "test(" (any case), in files *.ts');
  checkReading('Foo bar', 'text "Foo" (exact case) and text "bar" (any case)');
  checkReading('foo.*bar -x', 'regex /foo.*bar/ and not text "x" (any case)');
  checkReading(
    'a (b or c) -lang:go repo:x',
    'text "a" and (text "b" or text "c") (any case), not in Go, in repositories x',
  );
  checkReading('a or b', 'text "a" or text "b" (any case)');
  checkReading('file:*.go', 'files: in files *.go');
  checkReading('file:[a-c]*.py -file:x.*y', 'files: in files [a-c]*.py, not in files /x.*y/');
  checkReading('lang:c++ x', 'text "x" (any case), in C++');
  checkReading('fork:no', 'repositories: outside forks');
  checkReading(
    'type:commit fix author:jane since:2024-01-01',
    'commits: text "fix" (any case), by jane, since 2024-01-01',
  );
  checkReading('repo:x@v1 a', 'text "a" (any case), in repositories x at v1');
  checkReading('sym:Foo', 'text "Foo" as a definition (exact case)');
  checkReading('"a\nb"', 'text "a\u23ceb" (any case)');
  checkReading('x'.repeat(90), `text "${'x'.repeat(80)}\u2026" (any case)`);

  checkNote(
    'foo(bar|baz',
    'took "foo(bar|baz" as text, because it is no valid regex; for a regex write /foo\\(bar\\|baz/ and change it',
  );
  checkNote('func\\s+foo(', 'took "func\\s+foo(" as the regex /func\\s+foo\\(/');
  checkNote(
    'get*User',
    'took "get*User" as text, star included; for any characters in its place write /get.*User/',
  );
  checkNote('filee:x', 'took "filee:x" as text; the filter is written file:');
  checkNote('fooo:bar', 'took "fooo:bar" as text; fooo: is no filter');
  checkNote('type: string', 'took "type:" as text, because no value follows at once');
  checkNote('lang:go lang:py x', 'took the languages as alternatives');
  checkNote(
    'repo:a repo:b',
    'one repository must fit every repo: of the query; for either write (repo:a or repo:b)',
  );
  checkNote('/a*/', 'regex /a*/ fits every line');
  checkNote('/^.*$/', 'regex /^.*$/ fits every line');
  checkNote('/^|x/', 'regex /^|x/ fits every line');
  checkNote('/^$/', undefined);
  checkNote('/$^/', undefined);
  checkNote('/\\b/', undefined);
  checkNote('/a*/ /b*/ /c*/', 'regex /a*/ fits every line (2 more parts were read likewise)');
  checkNote('foo( bar', undefined);
  checkNote('std::vector foo::bar http://x y:z', undefined);

  function checkReading(query: string, expected: string) {
    it(query.slice(0, 60), () => expect(parsed(query).reading).toBe(expected));
  }
  function checkNote(query: string, expected: string | undefined) {
    it(`note on ${query}`, () => expect(parsed(query).notes[0]).toBe(expected));
  }
});

describe('what is written as syntax must be right, and the caret shows where it is not', () => {
  checkFault('a or', 'Nothing stands behind this or, at offset 2:\n  a or\n    ^^');
  checkFault('or a', 'Nothing stands before this or, at offset 0:\n  or a\n  ^^');
  checkFault('()', 'These parentheses hold nothing, at offset 0:\n  ()\n  ^^');
  checkFault('( or', 'Nothing stands behind this or, at offset 2:\n  ( or\n    ^^');
  checkFault('foo(?!bar)', 'Lookaround is not supported, at offset 3:\n  foo(?!bar)\n     ^^^');
  checkFault('repo:', 'repo: has no value, at offset 0:\n  repo:\n  ^^^^^');
  checkFault('repo: x', 'repo: has no value, at offset 0:\n  repo: x\n  ^^^^^');
  checkFault('lang:pyhton x', 'There is no language "pyhton", at offset 5:\n  lang:pyhton x\n       ^^^^^^');
  checkFault(
    'after:2024-02-30 x',
    'after: is a date, at offset 6:\n  after:2024-02-30 x\n        ^^^^^^^^^^',
  );
  checkFault(
    'count:0 x',
    'count: is a number from 1 to 1000000, or all, at offset 6:\n  count:0 x\n        ^',
  );
  checkFault('file:"foo', 'This quote is never closed, at offset 5:\n  file:"foo\n       ^');
  checkFault(
    '-case:yes x',
    'case: is about the whole query and can not be negated, at offset 1:\n  -case:yes x\n   ^^^^^^^^',
  );
  checkFault('-repo:x@y z', 'A revision can not be left out, at offset 1:\n  -repo:x@y z\n   ^^^^^^^^');
  checkFault('case:maybe x', 'case: is yes, no or auto, at offset 0:\n  case:maybe x\n  ^^^^^^^^^^');
  checkFault('select:nope', 'select: knows no "nope", at offset 7:\n  select:nope\n         ^^^^');
  checkFault('fork:maybe', 'fork: is yes, only or no, at offset 0:\n  fork:maybe\n  ^^^^^^^^^^');
  checkFault('is:open', 'is: knows archived and fork, at offset 0:\n  is:open\n  ^^^^^^^');
  checkFault('sym:', 'sym: has no value, at offset 0:\n  sym:\n  ^^^^');
  checkFault(
    'repo:has.topic(x)',
    'repo: knows no has.topic(x), at offset 0:\n  repo:has.topic(x)\n  ^^^^^^^^^^^^^^^^^',
  );
  checkFault('/(unclosed/ x', 'This ( is never closed, at offset 1:\n  /(unclosed/ x\n   ^');
  checkFault('/a**/ x', 'A repetition is repeated, at offset 3:\n  /a**/ x\n     ^');
  checkFault('', 'The query is empty.');
  checkFault('  ', 'The query is empty.');
  checkFault(
    'context:nope x',
    'There is no set of repositories named "nope", at offset 8:\n  context:nope x\n          ^^^^',
  );
  checkFault('x'.repeat(100_001), 'The query has 100001 characters; 100000 is the most.');
});

it('a query has a bounded number of terms', () => {
  expect(faultOf('a '.repeat(2001))?.message).toMatch(/^The query has more than 2000 terms, at offset 4000:/);
  expect(faultOf('(a) '.repeat(2001))?.message).toMatch(/^The query has more than 2000 terms/);
});

it('of a long query the message shows what surrounds the fault', () => {
  const message = faultOf(`${'x '.repeat(100)}lang:nope ${'y '.repeat(100)}`)?.message;
  expect(message).toBe(
    `There is no language "nope", at offset 205:\n  ...${' x'.repeat(12)} lang:nope ${'y '.repeat(12)}y...\n${' '.repeat(35)}^^^^`,
  );
});

describe('hostile queries end soon', () => {
  // Each of these takes far longer than a test may where a look-ahead begins anew at every sign.
  for (const piece of [
    '(',
    '(a or ',
    '"',
    "' ",
    '/[ ',
    '[^',
    '\\',
    '{,',
    'file:{',
    'a|',
    'x*',
    '(a|',
    'NOT ',
    '-a ',
    'repo:has.file( ',
    '\ud800',
    '\u0000',
    'Ab\\',
    '`a ',
    'path:"a"',
    'case:yes ',
  ]) {
    it(JSON.stringify(piece), () => {
      const query = piece.repeat(Math.floor(40_000 / piece.length));
      for (const mode of ['auto', 'regex'] as const)
        for (const before of ['', '(', 'file:']) faultOf(before + query, { mode });
    });
  }

  it('ten thousand alternatives are read', () => {
    const query = Array.from({ length: 10_000 }, (_, index) => `w${index}`).join('|');
    expect(parsed(query).root).toEqual({
      kind: 'text',
      where: 'either',
      pattern: { source: query, literal: false, ignoreCase: true },
    });
  });
});

it('no query fails but with an error that a caller can act on', () => {
  const pieces =
    `( ) " ' / or and not NOT - file: repo: lang:go lang: case:yes type: foo bar.* \\ \\w+ [ [^ { } * ? | @ @backend a: has.file( x A \ud800 \` $ ^ count:all 1 after: 2024-01-01 context:backend . + (a|b) patterntype:regexp regex: sym: rev: \n`.split(
      ' ',
    );
  let seed = 20240615;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >> 8) % below;
  };
  for (let round = 0; round < 5000; round++) {
    const query = Array.from(
      { length: 1 + random(12) },
      () => pieces[random(pieces.length)]! + (random(3) === 0 ? ' ' : ''),
    ).join('');
    const mode = (['auto', 'auto', 'regex', 'literal'] as const)[random(4)]!;
    const fault = faultOf(query, { mode });
    if (fault === undefined) continue;
    expect(fault, JSON.stringify(query)).toBeInstanceOf(PeriscopeError);
    expect(fault).toMatchObject({ kind: 'invalid-request', next: expect.stringMatching(/\S/) });
  }
});

function parsed(
  query: string,
  changed: Partial<ParseQueryOptions> = {},
  filters?: QueryFilters,
): ParsedQuery {
  return parseQuery(query, { ...options, ...changed }, filters);
}

function faultOf(
  query: string,
  changed: Partial<ParseQueryOptions> = {},
  filters?: QueryFilters,
): PeriscopeError | undefined {
  try {
    parsed(query, changed, filters);
    return undefined;
  } catch (error) {
    return error as PeriscopeError;
  }
}

function check(query: string, expected: string) {
  checkWith({}, query, expected);
}

function checkWith(changed: Partial<ParseQueryOptions>, query: string, expected: string) {
  it(query, () => expect(shownQuery(parsed(query, changed).root)).toBe(expected));
}

function checkFault(query: string, expected: string, changed: Partial<ParseQueryOptions> = {}) {
  it(query.slice(0, 60) || '(empty)', () => expect(faultOf(query, changed)?.message).toBe(expected));
}
