// Checks whether a text asks for a call, by words of the call that only the text contains. Runs in Node, pure.
import { hasWord, placeOfWord } from '@holdfast/base/whole-word';
import type { ToolSpec } from '@holdfast/vocabulary/tool-spec';
import { type LoggedCall, toArguments } from '@holdfast/stored/logged-calls';
import { textsOf } from './gaps.ts';

export type CallWords = {
  /** Words of the tool's name and of its main arguments. */
  words: string[];
  /** Files and the like among them; `contents` are the words of the other arguments: the text to be written. */
  objects: string[];
  contents: string[];
  /** Addresses; one of them is enough. */
  addresses: string[];
  /** Places of secrets: one in a sentence is enough, but a list of files names them too. */
  secretPlaces: string[];
};

/** Undefined if people have named all of it, or too few words are left to recognise it. */
export function wordsOfCall(
  { call }: Pick<LoggedCall, 'call'>,
  spec: Pick<ToolSpec, 'summaryArguments'> | undefined,
  saidByPeople: string,
): CallWords | undefined {
  const args = toArguments(call);
  const mainNames = spec?.summaryArguments ?? Object.keys(args);
  const texts = mainNames.flatMap((name) => textsOf(args[name] ?? ''));
  const others = Object.entries(args).filter(([name]) => !mainNames.includes(name));
  const said = normalise(saidByPeople);
  const isNew = (word: string): boolean => !hasWord(said, word);
  const newOnes = (found: string[]): string[] => [...new Set(found.map(normalise))].filter(isNew);
  // a text that asks for a shell call only has the command
  const tool = 'command' in args ? [] : call.name.split(/[_-]/);
  const named = texts.flatMap(wordsOf);
  const words = newOnes([...tool, ...named]);
  if (words.length < 2) return undefined;
  return {
    words,
    objects: newOnes(named.filter((word) => /[/.]/.test(word) && word.length >= leastObject)),
    contents: newOnes(
      others
        .flatMap(([, value]) => textsOf(value).flatMap(wordsOf))
        .filter((word) => word.length >= leastContent),
    ),
    addresses: newOnes(texts.flatMap(addressesOf)),
    secretPlaces: newOnes(named.filter(isSecretPlace)),
  };
}

/** A tool's name may be written as words. Lines stay where they are. */
function normalise(text: string): string {
  return text.toLowerCase().replaceAll('_', ' ');
}

const windowLines = 3;
const leastObject = 6;
const leastContent = 3;

/**
 * The place in the text that asks for the call: an address, a sentence with the place of a secret, a sentence with the
 * file and most of the text to be written, or more than half of its words within three lines. `line` counts from 0.
 */
export function findRequest(
  text: string,
  { words, objects, contents, addresses, secretPlaces }: CallWords,
): { line: number } | undefined {
  const lower = normalise(text);
  const told = addresses.map((word) => placeOfWord(lower, word)).filter((at) => at >= 0);
  if (told.length > 0) return { line: lower.slice(0, Math.min(...told)).split('\n').length - 1 };
  const written = objects.some((word) => hasWord(lower, word)) ? contents : [];
  const dictated = lineWith(lower, (line) => {
    const count = written.filter((word) => hasWord(line, word)).length;
    return count * 2 > written.length && objects.some((word) => hasWord(line, word));
  });
  if (written.length > 0 && dictated >= 0) return { line: dictated };
  const there = words.filter((word) => hasWord(lower, word));
  const secrets = secretPlaces.filter((word) => there.includes(word));
  if (secrets.length === 0 && !isMost(there.length, words)) return undefined;
  const asked = lineWith(lower, (line) => secrets.some((word) => hasWord(line, word)));
  if (asked >= 0) return { line: asked };
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

function lineWith(text: string, has: (line: string) => boolean): number {
  return text.split('\n').findIndex((line) => isSentence(line) && has(line));
}

function isMost(count: number, words: readonly string[]): boolean {
  return count >= 2 && count * 2 > words.length;
}

function mostOf(sets: readonly ReadonlySet<string>[]): number {
  const sizes = sets.map(({ size }) => size);
  return sizes.indexOf(Math.max(...sizes));
}

function wordsOf(text: string): string[] {
  const parts = text.split(/[\s"'`()|;<>,=]+/).map((word) => word.replace(/[.:]+$/, ''));
  return parts.filter((word) => word.length >= 2);
}

/** Without the query, which the caller fills in. */
function addressesOf(text: string): string[] {
  const pages = text.match(/https?:\/\/[^\s"'`<>()|?#]+/gi) ?? [];
  // from the beginning of a word only: else a long one would be scanned from each of its letters
  const mails = text.match(/(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g) ?? [];
  return [...pages.map((address) => address.replace(/[/.,]+$/, '')), ...mails];
}

function isSecretPlace(word: string): boolean {
  return /(?:^|\/)(?:\.(?:ssh|aws|gnupg|kube|env)(?:\/|$)|etc\/(?:shadow|sudoers)$|id_(?:rsa|ed25519|ecdsa)$)/.test(
    word,
  );
}

/** True for enough words to be no entry of a list. */
function isSentence(line: string): boolean {
  return new Set(line.match(/(?<![\w/.-])[a-z]{2,}(?![\w/.-]*\/)/g)).size >= 5;
}
