// Draws quotes of stored outputs in the forms in which models give them: true ones, inventions of the same form, and cuts
// that change the meaning. By a seed, so that a draw can be made again.

export type Drawn = { form: string; kind: 'true' | 'invented' | 'cut'; output: string; quote: string };

type Pick = <Item>(items: readonly Item[]) => Item;
/** Undefined if the lines have nothing that the form is about. `firstLine` counts from 1. */
type Form = (lines: readonly string[], place: Place) => { quote: string; output?: string } | undefined;
type Place = { pick: Pick; firstLine: number; output: string };

/** Mulberry32, public domain. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const one = (lines: readonly string[]) => (lines[0] ?? '').trim();
const wordsOf = (line: string) => line.trim().split(/\s+/);

const perLine = (make: (line: string, index: number, first: number) => string): Form => {
  return (lines, { firstLine }) => ({
    quote: lines.map((line, index) => make(line, index, firstLine)).join('\n'),
  });
};
const replaced = (pattern: RegExp, by: (found: string) => string): Form => {
  return (lines) => {
    const line = one(lines);
    return line.search(pattern) < 0 ? undefined : { quote: line.replaceAll(pattern, by) };
  };
};

const forms: Record<string, Form> = {
  verbatim: (lines) => ({ quote: lines.join('\n') }),
  'an ellipsis in the line': (lines) => {
    const words = wordsOf(one(lines));
    if (words.length < 8) return undefined;
    return { quote: `${words.slice(0, 3).join(' ')} ... ${words.slice(-3).join(' ')}` };
  },
  'an ellipsis at the end': (lines) => ({ quote: `${one(lines)}...` }),
  'an ellipsis at both ends': (lines) => ({ quote: `…${one(lines)}…` }),
  'an ellipsis in brackets': (lines) => {
    const words = wordsOf(one(lines));
    if (words.length < 8) return undefined;
    return { quote: `${words.slice(0, 4).join(' ')} [...] ${words.slice(-3).join(' ')}` };
  },
  'an ellipsis for a line': (lines) =>
    lines.length < 3 ? undefined : { quote: `${lines[0]}\n...\n${lines.at(-1)}` },
  'a fence with a language': (lines) => ({ quote: `\`\`\`log\n${lines.join('\n')}\n\`\`\`` }),
  'a fence': (lines) => ({ quote: `\`\`\`\n${lines.join('\n')}\n\`\`\`` }),
  'list marks': perLine((line) => `- ${line.trim()}`),
  'list marks of stars': perLine((line) => `* ${line.trim()}`),
  'a block quote': perLine((line) => `> ${line.trim()}`),
  bold: (lines) => ({ quote: `**${one(lines)}**` }),
  italics: (lines) => ({ quote: `*${one(lines)}*` }),
  'a bold word': (lines) => {
    const words = wordsOf(one(lines));
    return { quote: [`**${words[0]}**`, ...words.slice(1)].join(' ') };
  },
  'a code span': (lines) => ({ quote: `\`${one(lines)}\`` }),
  'quotation marks': (lines) => ({ quote: `"${lines.join('\n').trim()}"` }),
  'single quotation marks': (lines) => ({ quote: `'${one(lines)}'` }),
  'typographic marks around': (lines) => ({ quote: `“${one(lines)}”` }),
  'typographic marks inside': replaced(/["']/g, (mark) => (mark === '"' ? '”' : '’')),
  'a typographic dash': replaced(/ - | -- |(?<=\w)-(?=\w)/g, (dash) => dash.replace('-', '–')),
  entities: replaced(/[<>&"]/g, (sign) => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;' })[sign] ?? '&quot;'),
  'a full stop': (lines) => ({ quote: `${one(lines)}.` }),
  'line N:': perLine((line, index, first) => `line ${first + index}: ${line.trim()}`),
  'Line N:': perLine((line, index, first) => `Line ${first + index}: ${line.trim()}`),
  'N:': perLine((line, index, first) => `${first + index}: ${line.trim()}`),
  'N|': perLine((line, index, first) => `${first + index} | ${line}`),
  'N and a tab': perLine((line, index, first) => `${first + index}\t${line}`),
  'LN:': perLine((line, index, first) => `L${first + index}: ${line.trim()}`),
  'file:N:': perLine((line, index, first) => `app.log:${first + index}: ${line.trim()}`),
  'path:N:': perLine((line, index, first) => `/var/log/app.log:${first + index}:${line}`),
  'without the prefix of grep': (lines, { firstLine }) => ({
    output: lines.map((line, index) => `/srv/app/a.log:${firstLine + index}:${line}`).join('\n'),
    quote: lines.join('\n'),
  }),
  'with another blank after the prefix of grep': (lines, { firstLine }) => ({
    output: lines.map((line, index) => `/srv/app/a.log:${firstLine + index}:${line.trim()}`).join('\n'),
    quote: lines.map((line, index) => `/srv/app/a.log:${firstLine + index}: ${line.trim()}`).join('\n'),
  }),
  'the number of a page': (lines, { output, firstLine }) => ({
    output: `${output}\n[lines 201 to ${200 + output.split('\n').length} of 9000; continue with offset 900]`,
    quote: lines.map((line, index) => `${200 + firstLine + index}: ${line.trim()}`).join('\n'),
  }),
  'an escaped line feed': (lines) => (lines.length < 2 ? undefined : { quote: lines.join(String.raw`\n`) }),
  'an empty line dropped': (lines) =>
    lines.length < 2 ? undefined : { output: lines.join('\n\n'), quote: lines.join('\n') },
  'an empty line added': (lines) => (lines.length < 2 ? undefined : { quote: lines.join('\n\n') }),
  'JSON escaped': (lines) =>
    /["\\]/.test(lines.join()) ? { quote: JSON.stringify(one(lines)).slice(1, -1) } : undefined,
  'JSON unescaped': (lines) => ({
    output: `{"logs":${JSON.stringify(lines.join('\n'))},"count":${lines.length}}`,
    quote: lines.join('\n'),
  }),
  'thousands separators': replaced(/(?<![\d.,:+-])[1-9]\d{4,}(?![\d.,:\w-])/g, (number) =>
    Number(number).toLocaleString('en-US'),
  ),
  'without thousands separators': (lines) => {
    const line = one(lines);
    const made = line.replaceAll(/(?<![\d.,:+-])[1-9]\d{4,}(?![\d.,:\w-])/g, (number) =>
      Number(number).toLocaleString('en-US'),
    );
    return made === line ? undefined : { output: made, quote: line };
  },
  'redacted in other words': (lines, { pick }) => {
    const words = wordsOf(one(lines));
    if (words.length < 3) return undefined;
    const made = (mark: string) => [...words.slice(0, -1), `token=${mark}`, words.at(-1)].join(' ');
    const mark = pick(['[REDACTED]', '***', '<redacted>', '[redacted]', '********', '[token removed]']);
    return { output: made('[redacted:api-key]'), quote: made(mark) };
  },
  'characters of no width': (lines) => ({ quote: `\u200B${one(lines).replace(' ', ' \u200B')}` }),
  'full-width digits': replaced(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfe_e0)),
  'no-break spaces': replaced(/ /g, () => '\u00A0'),
  'one blank for many': replaced(/\s+/g, () => ' '),
  'two blanks for one': replaced(/ +/g, () => '  '),
  'tabs for blanks': replaced(/ +/g, () => '\t'),
  'blanks at the ends': perLine((line) => `  ${line.trim()}   `),
  'bold in a list': (lines) => ({ quote: `- **${one(lines)}**` }),
  'quotation marks and a full stop': (lines) => ({ quote: `"${one(lines)}".` }),
  'a number in a fence': (lines, { firstLine }) => ({
    quote: `\`\`\`\n${lines.map((line, index) => `${firstLine + index}: ${line}`).join('\n')}\n\`\`\``,
  }),
};

const formNames = Object.keys(forms);

/** Changes of a line that make another statement of it; undefined if the line has nothing to change. */
const lies: Record<string, (line: string, pick: Pick, all: readonly string[]) => string | undefined> = {
  'another figure': (line, pick) => {
    const digits = [...line.matchAll(/\d/g)];
    if (digits.length === 0) return undefined;
    const { index, 0: digit } = pick(digits);
    return `${line.slice(0, index)}${(Number(digit) + 1 + Math.floor(index % 8)) % 10}${line.slice(index + 1)}`;
  },
  'a figure more': (line, pick) => {
    const digits = [...line.matchAll(/\d/g)];
    if (digits.length === 0) return undefined;
    const { index } = pick(digits);
    return `${line.slice(0, index)}7${line.slice(index)}`;
  },
  'another word': (line, pick, all) => {
    const words = wordsOf(line);
    const others = all.flatMap(wordsOf).filter((word) => !line.includes(word) && /\p{L}{3}/u.test(word));
    if (words.length < 3 || others.length === 0) return undefined;
    const at = pick([...words.keys()]);
    return words.map((word, index) => (index === at ? pick(others) : word)).join(' ');
  },
  'a word less': (line, pick) => {
    const words = wordsOf(line);
    // what follows a mark of a list is a part of the line
    if (words.length < 4 || /^[-*>+]$/.test(words[0] ?? '')) return undefined;
    const inner = [...words.keys()].slice(1, -1).filter((at) => words[at] !== words[at - 1]);
    if (inner.length === 0) return undefined;
    const at = pick(inner);
    return words.filter((_, index) => index !== at).join(' ');
  },
  'a word more': (line, pick) => {
    const words = wordsOf(line);
    if (words.length < 2) return undefined;
    const at = pick([...words.keys()].slice(1));
    return [...words.slice(0, at), 'not', ...words.slice(at)].join(' ');
  },
  'a letter of another case': (line, pick) => {
    const letters = [...line.matchAll(/[a-z]/g)];
    if (letters.length === 0) return undefined;
    const { index, 0: letter } = pick(letters);
    return line.slice(0, index) + letter.toUpperCase() + line.slice(index + 1);
  },
  'a blank less': (line, pick) => {
    const blanks = [...line.matchAll(/(?<=[^\s"'`\\]) (?=[^\s"'`\\])/g)];
    if (blanks.length === 0) return undefined;
    const { index } = pick(blanks);
    return line.slice(0, index) + line.slice(index + 1);
  },
  'a blank more': (line, pick) => {
    const inside = [...line.matchAll(/(?<=(?<!\\)[\p{L}\p{N}])(?=[\p{L}\p{N}])/gu)];
    if (inside.length === 0) return undefined;
    const { index } = pick(inside);
    return `${line.slice(0, index)} ${line.slice(index)}`;
  },
};

const lieNames = Object.keys(lies);

/** Ends inside a token, or without the word that turns the rest. The line is made for it, from words of the output. */
const cuts: Record<string, (words: string, pick: Pick) => { line: string; quote: string }> = {
  'a fraction': (words, pick) => cutEnd(`${words} rate is 0`, pick(['.95', '.5', ',25'])),
  'a separator': (words, pick) => cutEnd(`${words} count 12`, pick([',345', '.345', ':30'])),
  'a unit': (words, pick) =>
    cutEnd(`${words} took 30`, pick(['ms', 's', 'Gi', 'MB', '%', 'm', ' ms', ' min', 'd'])),
  'a range': (words, pick) => cutEnd(`${words} pods 1`, pick(['-5', '/5', '-rc1', '+2'])),
  'an address': (words, pick) => cutEnd(`${words} host 10.0.0.1`, pick(['2', '.7', ':80'])),
  'a sign': (words, pick) =>
    cutBegin(`${words} `, pick(['-', '+', '<', '≤', '!=', '.', '~']), `5 below the limit of ${words}`),
  'the end of a version': (words, pick) =>
    cutBegin(`${words} `, pick(['1.', 'v1.', '10.']), `2.4 was rolled out by ${words}`),
  'the beginning of a word': (words, pick) =>
    cutBegin(`${words} `, pick(['un', 'in', 'dis', 'non_', 'x']), `available is ${words}`),
  'the end of a word': (words, pick) =>
    cutEnd(`${words} is ready`, pick(['ness gate failed', '_max=0', 'Replicas: 0'])),
  'a negation': (words, pick) =>
    cutBegin(
      `${words} is `,
      pick(['not ', 'never ', 'no longer ', 'not yet ', "isn't ", 'non-', 'without ']),
      `ready to serve ${words}`,
    ),
  'a negated verb': (words, pick) =>
    cutBegin(
      `${words} `,
      pick(['did not ', 'cannot ', 'failed to ', 'unable to ', "doesn't ", 'refused to ']),
      `restart the pool of ${words}`,
    ),
  'a count of none': (words, pick) =>
    cutBegin(`${words} had `, pick(['0 ', 'no ', 'zero ']), `errors in the last hour of ${words}`),
  'a condition': (words, pick) =>
    cutBegin(
      `${words} `,
      pick(['if ', 'unless ', 'whether ', 'expected ']),
      `the pool is exhausted by ${words}`,
    ),
  'a value that denies it': (words, pick) =>
    cutEnd(`${words} deadlock detected`, pick([': false', '=0', ': no', ': none', ' = false'])),
};

const cutNames = Object.keys(cuts);

function cutEnd(quote: string, rest: string) {
  return { line: quote + rest, quote };
}

function cutBegin(before: string, left: string, quote: string) {
  return { line: before + left + quote, quote };
}

/** As many as asked for, of all forms alike. What an invention says stands nowhere in its output. */
export function* drawQuotes(outputs: readonly string[], seed: number, count: number): Generator<Drawn> {
  const next = numbersFrom(seed);
  const pick: Pick = (items) => items[Math.floor(next() * items.length)] as (typeof items)[number];
  const kinds: Drawn['kind'][] = ['true', 'invented', 'cut'];
  for (let made = 0; made < count;) {
    const kind = kinds[made % kinds.length] ?? 'true';
    const output = pick(outputs);
    const drawn = kind === 'cut' ? drawCut(output, pick) : drawForm(output, pick, kind);
    if (drawn === undefined) continue;
    made += 1;
    yield drawn;
  }
}

function drawForm(output: string, pick: Pick, kind: 'true' | 'invented'): Drawn | undefined {
  const all = output.split('\n');
  const at = pick([...all.keys()]);
  const length = pick([1, 1, 1, 2, 3]);
  const lines = all.slice(at, at + length);
  if (lines.length < length || lines.some((line) => line.trim().length < 20 || line.length > 1_000))
    return undefined;
  const form = pick(formNames);
  const place = { pick, firstLine: at + 1, output };
  const honest = forms[form]?.(lines, place);
  if (honest === undefined) return undefined;
  if (kind === 'true') return { form, kind, output: honest.output ?? output, quote: honest.quote };
  const lie = pick([...lieNames, 'another number', 'another order']);
  const told =
    lie === 'another number' || lie === 'another order' ? undefined : tellLie(lie, lines, pick, all);
  const made =
    lie === 'another number'
      ? misnumbered(form, lines, place)
      : lie === 'another order'
        ? reordered(form, lines, place)
        : told && forms[form]?.(told, place);
  // the lie may be in a part that the form does not show
  if (made === undefined || made.quote === honest.quote) return undefined;
  // the output is that of the true one
  const stored = honest.output ?? output;
  const quoted = lie === 'another number' ? undefined : told;
  if (quoted && (isThere(quoted, stored) || isThere(quoted.slice(0, 1), stored))) return undefined;
  return { form: `${form}: ${lie}`, kind, output: stored, quote: made.quote };
}

function tellLie(
  lie: string,
  lines: readonly string[],
  pick: Pick,
  all: readonly string[],
): string[] | undefined {
  const changed = lies[lie]?.(lines[0] ?? '', pick, all);
  return changed === undefined || changed === lines[0] ? undefined : [changed, ...lines.slice(1)];
}

/** Before a true line the number of another one. */
function misnumbered(form: string, lines: readonly string[], place: Place) {
  if (!/N(?::|\||  | and a)|number (?:of a page|in a fence)/.test(form)) return undefined;
  const firstLine = place.firstLine + place.pick([1, 2, 7, 40, 100]);
  const there = place.output.split('\n').slice(firstLine - 1, firstLine - 1 + lines.length);
  return lines.some((line, index) => line === there[index])
    ? undefined
    : forms[form]?.(lines, { ...place, firstLine });
}

function reordered(form: string, lines: readonly string[], place: Place) {
  if (lines.length < 2 || new Set(lines).size < lines.length) return undefined;
  const turned = lines.toReversed();
  const made = isThere(turned, place.output) ? undefined : forms[form]?.(turned, place);
  // a form of one line shows no order
  return made && lines.every((line) => made.quote.includes(line.trim())) ? made : undefined;
}

/** All signs but blanks; by this measure a true quote in another place is there, too. */
function isThere(lines: readonly string[], output: string): boolean {
  const bare = (text: string) => text.replaceAll('\\', '').replaceAll(/\s+/g, ' ').trim();
  // a first word of `-` is taken for a mark of a list
  return bare(output).includes(bare(lines.join('\n')).replace(/^[-*>] /, ''));
}

function drawCut(output: string, pick: Pick): Drawn | undefined {
  const lines = output.split('\n').filter((line) => /\p{L}{3}/u.test(line));
  const words = wordsOf(pick(lines.length > 0 ? lines : ['']))
    .slice(0, 3)
    .join(' ');
  if (!/^\p{L}[\p{L}\p{N} ]{4,}$/u.test(words)) return undefined;
  const form = pick(cutNames);
  const made = cuts[form]?.(words, pick);
  if (made === undefined) return undefined;
  return { form, kind: 'cut', output: `${output}\n${made.line}\nend of output`, quote: made.quote };
}
