// The kinds of text that memory reads, by the ending of a file's name, each as Markdown with a `## ` heading for every part
// that is found alone. Pure.
import { stringify } from 'yaml';

const plain = (text: string): string => text;
/** A line with an underline is a title. */
const rst = (text: string): string => text.replaceAll(/^(\S.*)\r?\n([=\-~^"'`#*+])\2{2,}[ \t]*$/gm, '## $1');
const adoc = (text: string): string => text.replaceAll(/^={2,6} +/gm, '## ');

const kinds = new Map(
  // oxfmt-ignore
  Object.entries({ md: plain, markdown: plain, txt: plain, rst, adoc, asciidoc: adoc, html, htm: html, yaml, yml: yaml, json }),
);
/** Folders have many such files that are no notes, and some with secrets. */
const data = ['yaml', 'yml', 'json'];

export const kindsOfText = [...kinds.keys()].map((kind) => `.${kind}`).join(', ');

/** A file without an ending, e.g. NOTES, is plain text; another ending, also of a pattern, is of no kind that is read. */
export function isUnknownKind(name: string): boolean {
  return endingOf(name) !== '' && !kinds.has(endingOf(name));
}

/** A pattern that matches the name means files of its kind: of data only if it ends so. */
export function isKindOf(pattern: string, name: string): boolean {
  const ending = endingOf(name);
  const isNamed = new RegExp(`\\b${ending}\\b[^/]*$`, 'i').test(pattern);
  return kinds.has(ending) && (isNamed || !data.includes(ending));
}

export function toMarkdown(name: string, text: string): string {
  return (kinds.get(endingOf(name)) ?? plain)(text);
}

function endingOf(name: string): string {
  return /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** A key above a block, a document, and an item with a name, e.g. an alert in a file of rules, begin a part. Comments stay. */
function yaml(text: string): string {
  const part =
    /^(?:([\w.-]+):[ \t]*[|>]?[-+]?|---.*|[ \t]*- +(?:alert|record|title|name|id): *["']?(.*?)["']?)[ \t]*$/gm;
  return text.replaceAll(part, (line, key?: string, name?: string) => `## ${key ?? name ?? ''}\n${line}`);
}

/** On lines of its own, as YAML; what cannot be parsed stays. */
function json(text: string): string {
  try {
    return yaml(stringify(JSON.parse(text)));
  } catch {
    return text;
  }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The words that a browser shows. */
function html(text: string): string {
  return text
    .replaceAll(/<!--[^]*?-->|<(script|style|head)\b[^]*?<\/\1\s*>/gi, '')
    .replaceAll(/<h[1-6]\b[^>]*>\s*/gi, '\n## ')
    .replaceAll(/<li\b[^>]*>/gi, '\n- ')
    .replaceAll(/<\/?(?:p|div|br|hr|tr|ul|ol|pre|table|section|h[1-6])\b[^>]*>/gi, '\n')
    .replaceAll(/<\/?[a-z][^>]*>/gi, '')
    .replaceAll(/&#(x[\da-f]{1,5}|\d{1,6});/gi, (_, code: string) => String.fromCodePoint(Number(`0${code}`)))
    .replaceAll(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole)
    .replaceAll(/\s*\n\s*/g, '\n');
}
