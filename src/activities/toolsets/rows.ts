// The rows of an answer in JSON, by a JSONata expression of the toolset: what is decisive, in few lines. Runs in Node.
// Language: https://docs.jsonata.org
import { messageOf } from '../../core/base/message-of.ts';
import { isRecord, type Json } from '../../core/base/json.ts';

/** The evaluation does not let the event loop run. The clock is read between its steps: one regular expression may take longer. */
const limits = { timeout: 5_000 };

/** Undefined for a valid expression, else the mistake. */
export async function rowsFault(expression: string): Promise<string | undefined> {
  const { default: jsonata } = await import('jsonata');
  // it would run what a server sent
  if (/\$eval\b/.test(expression)) return '$eval is not taken: $json(text) reads JSON';
  try {
    jsonata(expression);
    return undefined;
  } catch (error) {
    return messageOf(toError(error));
  }
}

/** JSONata throws plain objects. */
function toError(thrown: unknown): unknown {
  if (!isRecord(thrown) || thrown instanceof Error) return thrown;
  const { message, position } = thrown;
  return new Error(`${String(message)}${typeof position === 'number' ? ` (at character ${position})` : ''}`);
}

/**
 * The rows of `text`. In the expression `$` is its value, and `$input` has the arguments of the call. Empty: nothing
 * found. Throws for text that is no JSON, and for an expression that fails.
 */
export async function readRows(
  text: string,
  { rows: expression, reads }: { rows: string; reads?: 'json' | 'lines' },
  input: { readonly [name: string]: unknown },
): Promise<Json[]> {
  const { default: jsonata } = await import('jsonata');
  const answer = reads === 'lines' ? linesOf(text) : parseAnswer(text);
  const compiled = jsonata(expression, limits);
  compiled.registerFunction('json', (part: string) => JSON.parse(part) as unknown, '<s:x>');
  const found: unknown = await compiled.evaluate(answer, { input }).catch((error: unknown) => {
    throw toError(error);
  });
  if (found === undefined || found === null) return [];
  // plain values: JSONata marks its sequences
  const rows = JSON.parse(JSON.stringify(found)) as Json;
  return Array.isArray(rows) ? rows : [rows];
}

/** Rows that are texts, a line each; others as a JSON array with a line for each, which a transform can read. */
export function rowsText(rows: readonly Json[]): string {
  if (rows.every((row) => typeof row === 'string')) return rows.join('\n');
  return `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]`;
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** One JSON value, or one in each line; undefined for a blank text, such as NDJSON without a line. */
function parseAnswer(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return parseJson(text);
  } catch (error) {
    const lines = linesOf(text);
    if (lines.length < 2) throw error;
    return lines.map(parseJson);
  }
}

/** A field that is null is absent: functions of JSONata refuse null, and one such field would cost all rows. */
function parseJson(text: string): unknown {
  return JSON.parse(text, function (this: unknown, _name, value: unknown) {
    return value === null && !Array.isArray(this) ? undefined : value;
  });
}
