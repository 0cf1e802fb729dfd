// The client of OpenAI's wires and embeddings, and the meaning of its errors.
import { isRecord, parseJson } from '../../../../core/base/json.ts';
import type OpenAI from 'openai';
import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai/error';
import { errorReader } from '../error-body.ts';
import { type ServerCall, toClientOptions } from '../vendor.ts';
import { account } from './account.ts';

/** Only our configuration reads the environment, so every variable that the SDK would read is set here. */
export async function createClient(call: ServerCall): Promise<OpenAI> {
  const { default: Client } = await import('openai');
  return new Client({
    ...toClientOptions(account, call),
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    fetch: withErrorBody(call.options.fetch),
  });
}

export const readError = errorReader({ APIError, APIConnectionError, APIConnectionTimeoutError });

/** The SDK reads of an error only what `error` holds, and many servers have no such field, or a text in it. */
function withErrorBody(send: typeof fetch = fetch): typeof fetch {
  return async (...request) => {
    const response = await send(...request);
    if (response.ok) return response;
    const { status, statusText, headers } = response;
    const text = await response.text();
    const body = parseJson(text);
    const isVendors = body === undefined || (isRecord(body) && isRecord(body['error']));
    const whole = isVendors ? text : JSON.stringify({ error: body });
    return new Response(whole, { status, statusText, headers });
  };
}
