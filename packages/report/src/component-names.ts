// Compares names of components as engineers do: case, separators, camel case and plural make no difference, and a few
// short forms are known. Pure.

/** A name in the words of the report, and as its words are compared; `pairs`: written as one word with its neighbours. */
export type Name = { said: string; words: string[]; pairs?: string[] };

const shortForms: Readonly<Record<string, string>> = {
  cert: 'certificate',
  conf: 'configuration',
  config: 'configuration',
  conn: 'connection',
  db: 'database',
  k8s: 'kubernetes',
  mongo: 'mongodb',
  pg: 'postgres',
  postgre: 'postgres',
  postgresql: 'postgres',
  rabbit: 'rabbitmq',
  svc: 'service',
};

/** Words for kinds of things, which are in many outputs. */
const kinds = toSet(
  'service server host node database table index pool connection queue topic cache cluster container pod process task job ' +
    'configuration setting file folder deployment release version application app api system component module network ' +
    'disk memory cpu certificate client worker user team code data',
);
/** Behind a name these say no more than the name. */
const suffixes = toSet('service server application app deployment pod container process job');
const fillers = toSet(
  'the a an of in on at to for from by with and or its is are was were be been no not it this that new old too very has have had ' +
    'after before each all there then than so as into up over under',
);

function toSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

/** The words of a text in their common form, in order. */
export function wordsOf(text: string): string[] {
  const parted = text
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
  return (parted.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(toForm);
}

function toForm(word: string): string {
  const single = /(?:ss|us|is)$/.test(word) || word.length < 4 ? word : toSingular(word);
  return shortForms[single] ?? single;
}

function toSingular(word: string): string {
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:sses|xes|ches|shes)$/.test(word) && !word.endsWith('caches')) return word.slice(0, -2);
  return word.replace(/s$/, '');
}

/** The names of a component: those that are no words for kinds of things, else these. */
export function toComponentNames(component: string): Name[] {
  const all = component.split(/[\s,;()"'`/]+/).flatMap((said): Name[] => {
    const words = wordsOf(said).filter((word) => !fillers.has(word));
    return words.length === 0 ? [] : [{ said, words: withoutSuffix(words) }];
  });
  const joined = all.map(({ words }) => words.join(''));
  const pair = (at: number): string[] =>
    at in joined && at + 1 in joined ? [`${joined[at]}${joined[at + 1]}`] : [];
  const paired = all.map((name, at): Name => ({ ...name, pairs: [...pair(at - 1), ...pair(at)] }));
  const own = paired.filter(({ words }) => !words.every((word) => kinds.has(word)));
  return own.length > 0 ? own : paired;
}

/** True if the two components have a name in common. */
export function haveNameInCommon(one: string, other: string): boolean {
  return toComponentNames(one).some(nameFinder(other)) || toComponentNames(other).some(nameFinder(one));
}

function withoutSuffix(words: string[]): string[] {
  const last = words.at(-1) ?? '';
  return words.length > 1 && suffixes.has(last) ? words.slice(0, -1) : words;
}

/** The words of a sentence that name something. */
export function contentWords(text: string): Set<string> {
  return new Set(wordsOf(text).filter((word) => !fillers.has(word) && !states.has(word) && word.length > 1));
}

export function wordsInCommon(one: ReadonlySet<string>, other: ReadonlySet<string>): string[] {
  return [...one].filter((word) => other.has(word));
}

/** Words that say how something is, and not what. */
const states = toSet(
  'slow fast full empty down up high low bad good wrong broken failed failing fail failure error fault problem issue cause ' +
    'caused causing because due reason overloaded exhausted unavailable unreachable itself own',
);

/** Finds names in one text; prepares it once. */
export function nameFinder(text: string): (name: Name) => boolean {
  const words = wordsOf(text);
  const line = ` ${words.join(' ')} `;
  let joined: Set<string> | undefined;
  return ({ words: name, pairs = [] }) => {
    if (line.includes(` ${name.join(' ')} `)) return true;
    joined ??= new Set(
      words.flatMap((word, at) => [word, numberless(word), toForm(word + (words[at + 1] ?? ''))]),
    );
    return [name.join(''), ...pairs].some((word) => joined?.has(toForm(word)));
  };
}

/** `db1` is a database, too. */
function numberless(word: string): string {
  return toForm(word.replace(/\d{1,3}$/, ''));
}
