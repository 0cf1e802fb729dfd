// YAML as people write it: merge keys, and front matter whose values are words without quotes. Runs in Node.
import { parseDocument } from 'yaml';
import type { FrontMatter } from '@holdfast/base/front-matter';
import { messageOf } from '@holdfast/base/message-of';

/** `line` counts from 1. `reason` is the rest of a sentence, without the place. */
type Fault = { line: number; reason: string };
export type ReadValue = { value: unknown } | { fault: Fault };

/** An unknown tag is a fault, too: its value would not be the meant one. */
export function parseYaml(text: string): ReadValue {
  // a text of another encoding has one of these, and would be read wrongly without a word
  const above = /^[^\uFFFD\0]*(?=[\uFFFD\0])/.exec(text)?.[0].split('\n').length;
  if (above !== undefined) return { fault: { line: above, reason: 'it is not UTF-8: save it as UTF-8' } };
  const document = parseDocument(text, { merge: true });
  const [fault] = [...document.errors, ...document.warnings];
  if (fault) {
    const reason = fault.message.replace(/ at line \d+, column \d+:?[^]*$/, '');
    return { fault: { line: fault.linePos?.[0].line ?? 1, reason } };
  }
  try {
    return { value: document.toJS({ maxAliasCount: 100 }) };
  } catch (error) {
    return { fault: { line: 1, reason: messageOf(error) } };
  }
}

/**
 * The fields of front matter. Other programs take everything after `description:` as its words, and their files have colons,
 * `#` and `@` in it: what is no YAML is read again with quotes around such values.
 */
export function parseFrontMatter({ yaml }: FrontMatter): ReadValue {
  // valid YAML that means something else: a comment, and a mapping on the line below
  const text = withQuotes(yaml, (entry) =>
    /^description:(?:[ \t]+(?:#|[^"'|>\s].*\s#).*$|[ \t]*\r?\n[ \t]+[^"'|>\s])/.test(entry),
  );
  const read = parseYaml(text);
  if ('value' in read) return read;
  // a bracket that nothing closes is a mistake, and no word
  const isWords = (entry: string) => /^[\w-]+:\s+(?:[^[{]|\[[^\]]*\]|\{[^}]*\})/.test(entry);
  const again = parseYaml(withQuotes(text, (entry) => isWords(entry) && 'fault' in parseYaml(entry)));
  return 'value' in again ? again : read;
}

/** A field at the left margin, with the indented lines below it. */
const entries = /^([A-Za-z][\w-]*):(?:[ \t]+|[ \t]*\r?\n[ \t]+)(\S[^\r\n]*(?:\r?\n[ \t]+\S[^\r\n]*)*)/gm;

function withQuotes(yaml: string, needs: (entry: string) => boolean): string {
  return yaml.replace(entries, (entry: string, key: string, words: string) =>
    needs(entry) ? `${key}: ${JSON.stringify(words.trim().replaceAll(/\s*\n\s+/g, ' '))}` : entry,
  );
}
