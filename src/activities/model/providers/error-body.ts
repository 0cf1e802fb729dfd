// The body of a refusal in words. Servers nest it: the vendor's own `error`, a list, FastAPI's `detail`, and a gateway's
// `metadata.raw` with the words of the server behind it.
import { isRecord, parseJson } from '../../../core/base/json.ts';

export type ErrorBody = { words: string; codes: unknown[]; param?: string };

export function readErrorBody(body: unknown): ErrorBody {
  const found: ErrorBody[] = levelsOf(body);
  const param = found.find((level) => level.param !== undefined)?.param;
  return {
    words: [...new Set(found.map(({ words }) => words))].filter(Boolean).join(': '),
    codes: found.flatMap(({ codes }) => codes),
    ...(param !== undefined && { param }),
  };
}

/** In the order from the outermost. */
const inner = ['error', 'message', 'msg', 'detail', 'details', 'errors', 'metadata', 'raw', 'innererror'];

function levelsOf(body: unknown): ErrorBody[] {
  if (typeof body === 'string') {
    const parsed = parseJson(body);
    return typeof parsed === 'object' && parsed !== null ? levelsOf(parsed) : [{ words: body, codes: [] }];
  }
  if (Array.isArray(body)) return body.flatMap(levelsOf);
  if (!isRecord(body)) return [];
  const { code, type, status, param, loc } = body;
  const named = typeof param === 'string' ? { param } : {};
  const levels = inner.flatMap((name) => levelsOf(body[name]));
  const [first, ...rest] = Array.isArray(loc) ? levels.map((level) => at(loc, level)) : levels;
  return [
    {
      words: '',
      ...first,
      codes: [code, type === 'error' ? undefined : type, status, ...(first?.codes ?? [])],
      ...named,
    },
    ...rest,
  ];
}

/** FastAPI's place of a fault, e.g. `body.stream_options: Extra inputs are not permitted`. */
function at(place: unknown[], level: ErrorBody): ErrorBody {
  return { ...level, words: `${place.join('.')}: ${level.words}` };
}
