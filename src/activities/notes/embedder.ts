// Vectors of texts by a server with OpenAI's endpoint for embeddings, which many others have, too. Runs in Node.
import { messageOf } from '../../core/base/message-of.ts';
import { defined } from '../../core/base/defined.ts';
import { openai } from '../model/providers/openai/vendor.ts';
import type { Embed } from './ranking.ts';

export type EmbedderSettings = {
  name: string;
  model: string;
  /** Default: OpenAI's own server. */
  baseUrl?: string | undefined;
  /** Read again for each request; undefined for a server without keys. */
  readKey(): Promise<string | undefined>;
};

const headersTimeoutMs = 30_000;

/** The first text loads the SDK. A failed request is repeated with the search that it was for. */
export function createEmbedder({ name, model, baseUrl, readKey }: EmbedderSettings): Embed {
  return async (texts) => {
    const { createClient, readError } = await import('../model/providers/openai/client.ts');
    const apiKey = await readKey();
    const server = { headersTimeoutMs, ...defined({ baseUrl }) };
    const client = await createClient({ account: openai, server, options: defined({ apiKey }) });
    try {
      const { data } = await client.embeddings.create({ model, input: texts, encoding_format: 'float' });
      // another server's answer is checked where it is used
      if (!Array.isArray(data)) return data;
      return data.toSorted((left, right) => left.index - right.index).map(({ embedding }) => embedding);
    } catch (error) {
      const where = `The embedder ${name} failed at ${client.baseURL}`;
      const refusal = readError(error);
      const said =
        refusal instanceof Error ? `${refusal.status ?? ''} ${refusal.message}`.trim() : messageOf(error);
      throw new Error(`${where}: ${said}`, { cause: error });
    }
  };
}
