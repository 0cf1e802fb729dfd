// One spelling for every literal word, so that a person, a rule and bash see the same text.

/** Words that bash parses as syntax in place of a command's name. */
const reserved = new Set(
  'if then elif else fi do done case esac while until for select function time coproc in'.split(' '),
);

const plain = /^[\w@%+=:,./-]+$/;
// oxlint-disable-next-line no-control-regex -- terminal escapes and the like have to be seen, not obeyed
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f]/;

/** The word for bash: bare if no character in it is special, else in single quotes. */
export function quote(value: string): string {
  if (plain.test(value) || value === '[' || value === ']') return value;
  if (unseen.test(value)) return ansiQuote(value);
  return `'${value.replaceAll("'", String.raw`'\''`)}'`;
}

/** Like `quote`, for the name of a command: a keyword, an assignment or a leading dash would change the meaning. */
export function quoteName(value: string): string {
  if (reserved.has(value) || value.includes('=') || value.startsWith('-')) return `'${value}'`;
  return quote(value);
}

/** Text between double quotes, where only four characters are special. */
export function escapeInDoubleQuotes(value: string): string {
  return value.replaceAll(/[\\"$`]/g, String.raw`\$&`);
}

function ansiQuote(value: string): string {
  const escaped = value.replaceAll(/[\\']/g, String.raw`\$&`);
  // a hex escape takes at most two digits, and both are always written
  const hex = (char: string): string => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;
  return `$'${escaped.replaceAll(new RegExp(unseen, 'g'), hex)}'`;
}
