// The errors of servers as ours. They nest their words: the vendor's own `error`, a list, FastAPI's `detail`, and a
// gateway's `metadata.raw` with the words of the server behind it.
import { isRecord, isTooDeep, parseJson } from '@holdfast/base/json';
import { ProviderError, type ProviderErrorFacts } from './faults.ts';

/** `otherwise`: the words of a body that has none. */
export function toProviderError(
  body: unknown,
  { status, headers }: Pick<ProviderErrorFacts, 'status' | 'headers'>,
  otherwise: string,
): ProviderError {
  const { words, codes } = readErrorBody(body);
  const requestId = headers?.get('x-request-id') ?? headers?.get('request-id') ?? undefined;
  return new ProviderError(words || otherwise, { status, headers, requestId, codes });
}

/**
 * An error that a server reports with status 200, in a stream or in its place: `{error: {...}}` in the vendors' form,
 * `{error: "..."}`, and flat ones: `{object: "error"}` of older servers, `{type: "error"}` of Responses, and anything
 * under the event `error` (`isNamed`).
 */
export function errorIn(value: unknown, isNamed = false, headers?: Headers): ProviderError | undefined {
  const { object, type, error } = Object(value);
  // some servers put an empty one into every event
  if (!isNamed && object !== 'error' && type !== 'error' && !isTelling(error)) return undefined;
  return toProviderError(value, { headers }, JSON.stringify(error || value));
}

function isTelling(value: unknown): boolean {
  return typeof value === 'object' ? Object.values(value ?? {}).some(isTelling) : Boolean(value);
}

/** The sentences in an error, or all of it. */
export function wordsIn(error: unknown): string {
  return readErrorBody(error).words || JSON.stringify(error);
}

type ErrorBody = { words: string; codes: unknown[] };

function readErrorBody(body: unknown): ErrorBody {
  const levels = levelsOf(body);
  const words = [...new Set(levels.map((level) => level.words))].filter(Boolean).join(': ');
  return { words, codes: levels.flatMap(({ codes }) => codes) };
}

/** In the order from the outermost. */
const inner = ['error', 'message', 'msg', 'detail', 'details', 'errors', 'metadata', 'raw', 'innererror'];

function levelsOf(body: unknown): ErrorBody[] {
  if (Array.isArray(body)) return body.flatMap(levelsOf);
  if (typeof body === 'string') {
    const parsed = parseJson(body);
    const isBody = typeof parsed === 'object' && parsed !== null && !isTooDeep(parsed);
    return isBody ? levelsOf(parsed) : [{ words: body, codes: [] }];
  }
  if (!isRecord(body)) return [];
  const { code, type, status, statusCode, param, loc, details, error } = body;
  const place = Array.isArray(loc) ? loc.join('.') : param;
  const levels = inner.flatMap((name) => levelsOf(body[name]));
  const placed = levels.map((level) => ({ ...level, words: withPlace(place, level.words) }));
  // beside an error a type and a status are those of the event
  if (isRecord(error)) return [...placed, { words: '', codes: [code, statusCode] }];
  const ownType = /^(error$|response\.)/.test(String(type)) ? undefined : type;
  return [{ words: '', codes: [Object(details).error_code, code, ownType, status, statusCode] }, ...placed];
}

function withPlace(place: unknown, words: string): string {
  return typeof place !== 'string' || words === '' || place === '' || words.includes(place)
    ? words
    : `${place}: ${words}`;
}
