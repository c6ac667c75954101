/**
 * `LUALIB_API lua_Integer luaL_len (…)`: of two words that no keyword explains one is a macro, which the grammar takes for the type, and the
 * type then for the name. Where such a word leads, it becomes a statement by itself, so that its use is not lost; where it stands
 * between others, it is blanked out. Offsets stay.
 */
export function withoutUnknownWords(text: string): string {
  let result = '';
  let done = 0;
  LINE_OF_WORDS.lastIndex = 0;
  for (let line = LINE_OF_WORDS.exec(text); line; line = LINE_OF_WORDS.exec(text)) {
    const head = headAt(text, line.index);
    LINE_OF_WORDS.lastIndex = Math.max(line.index + 1, head.end);
    if (!head.declares || isContinuation(text, line.index)) continue;
    const macros = head.words[0]?.text === 'typedef' ? macrosOfTypedef(head) : macrosOf(head.words);
    for (const [i, word] of head.words.entries()) {
      if (!macros.has(word)) continue;
      const leads = head.words.slice(0, i).every((before) => macros.has(before));
      result += text.slice(done, word.start);
      if (leads && word.blankAfter) {
        result += `${text.slice(word.start, word.end)};`;
        done = word.end + 1;
      } else {
        result += text.slice(word.start, word.end).replace(/[^\r\n]/g, ' ');
        done = word.end;
      }
    }
  }
  return done === 0 ? text : result + text.slice(done);
}

interface Word {
  text: string;
  start: number;
  /** Its arguments included. */
  end: number;
  called: boolean;
  blankAfter: boolean;
}

const LINE_OF_WORDS = /^[A-Za-z_]/gm;
const WORD =
  /([A-Za-z_]\w*)([ \t]{0,80}\([^()\n]{0,200}\)(?=[ \t]{1,80}[A-Za-z_]|\r?\n[a-z_]\w*[ \t]?\())?((?:[\s*]|\\\r?\n){0,200})/y;
const MACRO_WITH_ARGUMENTS = /^(?:_*[A-Z][A-Z0-9_]*|__attribute(?:__)?|__declspec)$/;
const NAME_IN_PARENTHESES = /\([ \t]{0,20}[A-Za-z_]\w*[ \t]{0,20}\)\s{0,80}\(/y;
const WORDS_MAX = 9;

interface Head {
  /** Before the name that is declared. */
  words: Word[];
  declares: boolean;
  /** Behind the name. */
  end: number;
  /** What stands there. */
  sign: string;
}

/** The words before the name that is declared at the beginning of a line. */
function headAt(text: string, start: number): Head {
  const words: Word[] = [];
  let at = start;
  while (words.length <= WORDS_MAX) {
    WORD.lastIndex = at;
    const match = WORD.exec(text);
    if (!match) break;
    const [, word = '', called = '', after = ''] = match;
    const end = at + word.length + called.length;
    // `void f(int) PRINTF_LIKE(1, 2)`: the function, not a macro before one.
    if (called !== '' && !MACRO_WITH_ARGUMENTS.test(word)) {
      words.push({ text: word, start: at, end: at + word.length, called: false, blankAfter: false });
      at += word.length + called.indexOf('(');
      break;
    }
    words.push({ text: word, start: at, end, called: called !== '', blankAfter: /^\s/.test(after) });
    at = end + after.length;
  }
  const sign = text.charAt(at);
  const declares = /[(=;[]/.test(sign) && words.length <= WORDS_MAX;
  NAME_IN_PARENTHESES.lastIndex = at;
  if (!NAME_IN_PARENTHESES.test(text)) words.pop();
  return { words, declares, end: at, sign };
}

const CONTINUED = /(?:[,(\\=&|]|\b(?:typedef|static|extern|inline|const))[ \t]*\r?\n?$/;

/** What follows an open parenthesis or a line that goes on begins no declaration. */
function isContinuation(text: string, start: number): boolean {
  return CONTINUED.test(text.slice(Math.max(0, start - 60), start));
}

const qualifiers: ReadonlySet<string> = new Set(
  'static extern inline const volatile register restrict auto constexpr virtual explicit friend mutable consteval constinit _Noreturn _Thread_local thread_local __inline __inline__ __extension__ __attribute__ __declspec _Alignas alignas'.split(
    ' ',
  ),
);
const ownTypes: ReadonlySet<string> = new Set(
  'void char short int long float double signed unsigned bool _Bool _Complex size_t ssize_t wchar_t'.split(
    ' ',
  ),
);
const tagged: ReadonlySet<string> = new Set(['struct', 'union', 'enum', 'class']);
const statements: ReadonlySet<string> = new Set(
  'typedef return if else for while do switch case default goto break continue sizeof using namespace template typename new delete throw operator concept requires public private protected co_return co_await co_yield asm __asm__ defined'.split(
    ' ',
  ),
);
const callingConventions =
  /^(?:WINAPI|APIENTRY|CALLBACK|STDMETHODCALLTYPE|WSAAPI|NTAPI|[A-Z0-9_]*(?:CALL|CDECL|NOTHROW))$/;

/** All words that are neither keyword nor type. */
function macrosOf(words: readonly Word[]): ReadonlySet<Word> {
  if (words.length < 2 || words.some(({ text }) => statements.has(text))) return new Set();
  const unknown = unknownWords(words);
  const type = isTyped(words) ? undefined : typeAmong(unknown);
  return new Set(unknown.filter((word) => word !== type));
}

function unknownWords(words: readonly Word[]): Word[] {
  return words.filter(
    ({ text }, i) =>
      !tagged.has(text) &&
      !ownTypes.has(text) &&
      !qualifiers.has(text) &&
      !tagged.has(words[i - 1]?.text ?? ''),
  );
}

function isTyped(words: readonly Word[]): boolean {
  return words.some(({ text }) => tagged.has(text) || ownTypes.has(text));
}

/** `typedef CK_BYTE CK_PTR CK_BYTE_PTR;`: macros stand behind the type. Before parentheses a name may be an attribute. */
function macrosOfTypedef({ words: [, ...words], sign }: Head): ReadonlySet<Word> {
  if (sign !== ';' || words.some(({ text }) => statements.has(text))) return new Set();
  const unknown = unknownWords(words);
  const named = isTyped(words) ? undefined : unknown[0];
  return new Set(unknown.filter((word) => word !== named));
}

function typeAmong(unknown: readonly Word[]): Word | undefined {
  const plain = unknown.filter(({ called }) => !called);
  return (
    plain.findLast(({ text }) => /_t$/.test(text)) ??
    plain.findLast(({ text }) => /[a-z]/.test(text)) ??
    plain.findLast(({ text }) => !callingConventions.test(text)) ??
    plain[0]
  );
}
