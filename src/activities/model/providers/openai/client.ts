// How both wires of OpenAI build their client, and what its errors mean.
import type OpenAI from 'openai';
import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai/error';
import type { ReadError } from '../event-stream.ts';
import { ProviderError } from '../faults.ts';
import { toClientOptions } from '../vendor.ts';
import type { WireCall } from '../vendor.ts';
import { withoutStatus } from '../wire-parts.ts';
import { account } from './account.ts';

/** The environment is read by our configuration only, so every variable that the SDK would read is given here. */
export async function createClient(call: WireCall): Promise<OpenAI> {
  const { fetch } = call.options;
  const { default: Client } = await import('openai');
  return new Client({
    ...toClientOptions(account, call),
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    ...(fetch === undefined ? {} : { fetch }),
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

/** Google's compatible endpoint names its code `status`, and at times puts the error into a list. */
function googleError(body: unknown): GoogleError | undefined {
  const error: unknown = Array.isArray(body) ? Object(body[0]).error : body;
  return typeof error === 'object' && error !== null ? error : undefined;
}
