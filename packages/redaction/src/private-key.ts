// Finds private keys in their text form: the first line, and only what looks like the body. Before each line may be what a
// tool has put there (`key.pem:3:`, a time, `+`), and line ends may be escaped. Pure. Linear: every look is at one place,
// and at most one line long.

const frame = (word: string): string =>
  String.raw`-{4,5} ?${word} [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)? ?-{4,5}`;
const begin = new RegExp(frame('BEGIN'), 'g');
const end = new RegExp(frame('END'), 'y');
const endBehind = new RegExp(String.raw`[^\r\n]{0,200}?${frame('END')}`, 'y');
const between =
  /(?:(?<=[\w+/=-])"[,}][^\r\n]{0,300}(?=\r?\n)|[ \t"'\x60,;+>|│┃║}\\\r\n]|-(?!-)|%0[AaDd]|(?<=\\)[nr]){1,200}/y;
const header = /[^\r\n\\]{0,160}?\b(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash): [^\r\n\\]{0,200}/y;
const wholeLine = /[^\r\n]{0,160}(?=\r?\n)/y;
const word = /=?[A-Za-z0-9+/]{1,16000}={0,2}(?![\w+/=])/y;
const wordBehind =
  /[^\r\n]{0,200}?[^A-Za-z0-9+/=\r\n](?==?[A-Za-z0-9+/]{1,200}={0,2}(?:["'\\n,;+ \t|│┃║}]{0,200}|(?:\\n|(?<=[A-Za-z0-9+/]{16}={0,2}))"[,}][^\r\n]{0,300})(?:\r?\n|$))/y;

const mostHeaders = 8;
/** A key of 16,384 bits has 200 lines. */
const mostBody = 200;
/** Lines of one key that are taken at most: also the empty ones between. */
export const mostKeyLines = mostBody + mostHeaders + 4;

export function* privateKeys(text: string): Generator<{ from: number; to: number }> {
  let taken = 0;
  for (const { index, 0: first } of text.matchAll(begin)) {
    if (index < taken) continue;
    const to = endOfKey(text, index + first.length);
    if (to === undefined) continue;
    yield { from: index, to };
    taken = to;
  }
}

/** Undefined without a body: the first line alone is no secret. */
function endOfKey(text: string, start: number): number | undefined {
  let at = behindHeaders(text, start);
  let lines = 0;
  for (; lines < mostBody; lines++) {
    const to = endOfLine(text, at, lines === 0);
    if (to === undefined) break;
    at = to;
  }
  return lines === 0 ? undefined : (endOfFrame(text, at) ?? at);
}

function behindHeaders(text: string, start: number): number {
  let at = start;
  for (let count = 0; count < mostHeaders; count++) at = endOf(header, text, behindGap(text, at)) ?? at;
  // the empty line behind them may have something before it, too
  const isPlain = at === start || endOfLine(text, at, true) !== undefined;
  return isPlain ? at : (endOf(wholeLine, text, behindGap(text, at)) ?? at);
}

function endOfLine(text: string, before: number, isFirst: boolean): number | undefined {
  const at = behindGap(text, before);
  const to = endOf(word, text, at);
  if (to !== undefined && (isRandom(text.slice(at, to), isFirst) || endOfFrame(text, to) !== undefined))
    return to;
  const isLine = text.slice(before, at).includes('\n');
  if (to !== undefined && isLine && !isFirst && isLastLine(text, at, to)) return to;
  const shown = isLine ? endOf(wordBehind, text, at) : undefined;
  if (shown === undefined) return undefined;
  const shownTo = endOf(word, text, shown);
  if (shownTo === undefined) return undefined;
  const isWide = shownTo - shown >= 40 && isRandom(text.slice(shown, shownTo), false);
  return isWide || (!isFirst && endOfFrame(text, shownTo) !== undefined) ? shownTo : undefined;
}

/** Random characters, or the bytes that every key begins with. */
function isRandom(run: string, isFirst: boolean): boolean {
  if (/^(?:[0-9a-f]+|[0-9A-F]+)$/.test(run)) return false;
  const isStart = isFirst && /^(?:MI[CGI]|MH[Qc]|MC4|b3Bl)(?![A-Z]{4})/.test(run);
  return isStart || run.length >= 60 || (run.length >= 16 && isMixed(run));
}

/** The end of a body is short. */
function isLastLine(text: string, at: number, to: number): boolean {
  const run = text.slice(at, to);
  return (
    (run.endsWith('=') || (run.length > 3 && isMixed(run))) &&
    /^[ \t]{0,9}(?:\r?\n|$)/.test(text.slice(to, to + 12))
  );
}

function isMixed(run: string): boolean {
  return /\d/.test(run) && /[a-z]/.test(run) && /[A-Z]/.test(run);
}

function endOfFrame(text: string, before: number): number | undefined {
  const at = behindGap(text, before);
  return (
    endOf(end, text, at) ?? (text.slice(before, at).includes('\n') ? endOf(endBehind, text, at) : undefined)
  );
}

function behindGap(text: string, at: number): number {
  return endOf(between, text, at) ?? at;
}

/** The end of what the sticky pattern finds at this place. */
function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
