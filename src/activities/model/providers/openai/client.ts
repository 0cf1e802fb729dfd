// The client of OpenAI's wires and embeddings, and the meaning of its errors.
import { defined } from '../../../../core/base/defined.ts';
import type OpenAI from 'openai';
import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai/error';
import type { Json } from '../../../../core/base/json.ts';
import { errorReader, shallowBody } from '../error-body.ts';
import { type ServerCall, toClientOptions } from '../vendor.ts';

/** Only our configuration reads the environment, so every variable that the SDK would read is set here. */
export async function createClient(call: ServerCall): Promise<OpenAI> {
  const { fetch } = call.options;
  const { default: Client } = await import('openai');
  class WholeErrorClient extends Client {
    // the SDK would keep the field `error` alone
    protected override makeStatusError(
      status: number,
      body: object,
      message: string | undefined,
      headers: Headers,
    ) {
      return APIError.generate(status, { error: shallowBody(body as Json) }, message, headers);
    }
  }
  return new WholeErrorClient({
    ...toClientOptions(call),
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    ...defined({ fetch }),
  });
}

export const readError = errorReader({ APIError, APIConnectionError, APIConnectionTimeoutError });
