// The client of OpenAI's wires and embeddings, and the meaning of its errors.
import { defined } from '../../../../core/base/defined.ts';
import type OpenAI from 'openai';
import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai/error';
import type { ReadError } from '../event-stream.ts';
import { ProviderError } from '../faults.ts';
import { type ServerCall, toClientOptions } from '../vendor.ts';
import { withoutStatus } from '../wire-parts.ts';
import { account } from './account.ts';

/** Only our configuration reads the environment, so every variable that the SDK would read is set here. */
export async function createClient(call: ServerCall): Promise<OpenAI> {
  const { fetch } = call.options;
  const { default: Client } = await import('openai');
  return new Client({
    ...toClientOptions(account, call),
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    ...defined({ fetch }),
  });
}

export const readError: ReadError = (error) => {
  if (error instanceof APIConnectionTimeoutError) return 'unanswered';
  if (error instanceof APIConnectionError) return 'failed';
  if (!(error instanceof APIError)) return undefined;
  const { status, code, type, headers, requestID } = error;
  const google = googleError(error.error);
  return new ProviderError(google?.message ?? withoutStatus(error.message, status), {
    status,
    codes: [code, type, google?.status],
    headers,
    requestId: requestID ?? undefined,
  });
};

type GoogleError = { message?: string; status?: string };

/** Google's compatible endpoint calls its code `status`, and sometimes puts the error into a list. */
function googleError(body: unknown): GoogleError | undefined {
  const error: unknown = Array.isArray(body) ? Object(body[0]).error : body;
  return typeof error === 'object' && error !== null ? error : undefined;
}
