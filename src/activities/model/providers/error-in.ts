// Errors that a server reports in a body with status 200: in a stream, or in its place.
import { isRecord, isText } from '../../../core/base/json.ts';
import { ProviderError } from './faults.ts';

/**
 * `{error: {...}}` in the vendors' form, `{error: "..."}`, and flat ones: `{object: "error"}` of older servers, `{type:
 * "error"}` of Responses, and anything under the event `error` (`isNamed`).
 */
export function errorIn(value: unknown, isNamed = false, headers?: Headers): ProviderError | undefined {
  if (!isRecord(value)) return isNamed ? new ProviderError(String(value)) : undefined;
  const isFlat = isNamed || value['object'] === 'error' || value['type'] === 'error';
  const error = value['error'] || (isFlat ? value : undefined);
  if (!isRecord(error)) return error === undefined ? undefined : new ProviderError(wordsIn(error));
  const { code, type, status, details } = error;
  const exact = isRecord(details) ? details['error_code'] : undefined;
  const requestId = headers?.get('x-request-id') ?? headers?.get('request-id') ?? undefined;
  const codes = [exact, code, type === 'error' ? undefined : type, status];
  return new ProviderError(wordsIn(error), { codes, headers, requestId });
}

/** The sentence in an error, or all of it; `detail` is FastAPI's, `msg` that of many gateways. */
export function wordsIn(error: unknown): string {
  const { message, msg, detail } = Object(error);
  return [error, message, msg, detail].find(isText) ?? JSON.stringify(error);
}
