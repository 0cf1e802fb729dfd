// References of settings to secrets: `secret://name`, alone or inside a longer text. Pure.

/** A point or dash at the end belongs to the text around the name. */
export const secretName = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/;
export const expectedSecretName =
  'a name of lower-case letters and digits, with ".", "_" or "-" inside it, such as grafana-token';

/** True for a setting that is one reference and nothing else. */
export function isReference(text: string): boolean {
  return text.startsWith('secret://') && secretName.test(text.slice('secret://'.length));
}

const reference = /secret:\/\/([A-Za-z0-9._-]*[A-Za-z0-9])?/g;

type Piece = { text: string } | { name: string };

/** The text split at its references, in order. A reference without a name has the name ''. */
export function splitReferences(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const found of text.matchAll(reference)) {
    pieces.push({ text: text.slice(end, found.index) }, { name: found[1] ?? '' });
    end = found.index + found[0].length;
  }
  return [...pieces, { text: text.slice(end) }];
}

/** Such as `${TOKEN}`, `${env:TOKEN}`, `${input:token}` and `{env:TOKEN}`, which other products replace. */
const foreignVariable = /\$\{[^}]*\}|\{(?:env|file):[^}]*\}/;

/** Words about each variable in a value. */
export function faultsOfVariables(value: unknown): string[] {
  const found = stringsIn(value).flatMap((text) => foreignVariable.exec(text) ?? []);
  return found.map((one) => `${one} is not replaced: expected a value, or secret://name of "secrets"`);
}

/** Names in the strings of a value, each once. */
export function secretReferences(value: unknown): string[] {
  const pieces = stringsIn(value).flatMap(splitReferences);
  return [...new Set(pieces.flatMap((piece) => ('name' in piece ? [piece.name] : [])))];
}

/** The strings of a value, at any depth. Looks into lists and plain objects only. */
function stringsIn(value: unknown, seen = new Set<object>()): string[] {
  if (typeof value === 'string') return [value];
  if (!isContainer(value) || seen.has(value)) return [];
  seen.add(value);
  return Object.values(value).flatMap((part) => stringsIn(part, seen));
}

/** True for a list or a plain object; a class instance is no setting. */
function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}
