// Whether a text asks for a call: by the words of the call that nobody but the text has said. Runs in Node, pure.
import type { Json } from '../../core/base/json.ts';
import { hasWord, placeOfWord } from '../../core/base/whole-word.ts';
import type { ToolSpec } from '../../core/model/tool-spec.ts';
import type { LoggedCall } from '../../stored/logged-calls.ts';
import { argumentsOf } from '../../stored/logged-calls.ts';

export type CallWords = {
  /** Lower case: the tool's name and the words of its main arguments. */
  words: string[];
  /** One of them is enough: addresses, and places of secrets. */
  telling: string[];
};

/** Undefined where people have named all of it, or too little is left to know it by. */
export function wordsOfCall(
  { call }: LoggedCall,
  spec: Pick<ToolSpec, 'summaryArguments'> | undefined,
  saidByPeople: string,
): CallWords | undefined {
  const args = argumentsOf(call);
  const main = spec?.summaryArguments?.map((name) => args[name] ?? '') ?? [args];
  const texts = main.flatMap(textsOf);
  const said = saidByPeople.toLowerCase();
  const isNew = (word: string): boolean => !hasWord(said, word);
  const words = [call.name, ...texts.flatMap(wordsOf)].map((word) => word.toLowerCase());
  const telling = texts.flatMap(tellingOf).map((word) => word.toLowerCase());
  const left = [...new Set(words)].filter(isNew);
  return left.length < 2 ? undefined : { words: left, telling: [...new Set(telling)].filter(isNew) };
}

const windowLines = 3;

/**
 * The place in the text that asks for the call: a telling word, or more than half of its words within three lines. `line` is
 * counted from 0.
 */
export function findRequest(text: string, { words, telling }: CallWords): { line: number } | undefined {
  const lower = text.toLowerCase();
  const told = telling.map((word) => placeOfWord(lower, word)).filter((at) => at >= 0);
  if (told.length > 0) return { line: lower.slice(0, Math.min(...told)).split('\n').length - 1 };
  const there = words.filter((word) => hasWord(lower, word));
  if (!isMost(there.length, words)) return undefined;
  const lines = lower.split('\n');
  const found = lines.map(
    (line) => new Set(there.filter((word) => line.includes(word) && hasWord(line, word))),
  );
  for (const line of lines.keys()) {
    const near = found.slice(line, line + windowLines);
    const all = new Set(near.flatMap((each) => [...each]));
    if (isMost(all.size, words)) return { line: line + mostOf(near) };
  }
  return undefined;
}

function isMost(count: number, words: readonly string[]): boolean {
  return count >= 2 && count * 2 > words.length;
}

function mostOf(sets: readonly ReadonlySet<string>[]): number {
  const sizes = sets.map(({ size }) => size);
  return sizes.indexOf(Math.max(...sizes));
}

/** Texts and numbers at any depth; true and false name nothing. */
function textsOf(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

function wordsOf(text: string): string[] {
  const parts = text.split(/[\s"'`()|;<>,=]+/).map((word) => word.replace(/[.:]+$/, ''));
  return parts.filter((word) => word.length >= 2);
}

/** Addresses without their query, which the caller fills in; and where secrets are kept. */
function tellingOf(text: string): string[] {
  const addresses = text.match(/https?:\/\/[^\s"'`<>()|?#]+/gi) ?? [];
  const mails = text.match(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g) ?? [];
  return [
    ...addresses.map((address) => address.replace(/[/.,]+$/, '')),
    ...mails,
    ...wordsOf(text).filter((word) => secretPlace.test(word)),
  ];
}

const secretPlace =
  /(?:^|\/)(?:\.(?:ssh|aws|gnupg|kube|env)(?:\/|$)|etc\/(?:shadow|sudoers)$|id_(?:rsa|ed25519|ecdsa)$)/;
