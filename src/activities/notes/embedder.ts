// Vectors of texts by a server with OpenAI's endpoint for embeddings, which many others have, too. Runs in Node.
import { messageOf } from '@holdfast/base/message-of';
import { defined } from '@holdfast/base/defined';
import { parseJson } from '@holdfast/base/json';
import { ProviderError } from '@holdfast/providers/faults';
import { post } from '@holdfast/providers/post';
import { openai } from '@holdfast/providers/openai/vendor';
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

/** A failed request is repeated with the search that it was for. */
export function createEmbedder({ name, model, baseUrl, readKey }: EmbedderSettings): Embed {
  return async (texts) => {
    const apiKey = await readKey();
    const server = { headersTimeoutMs, ...defined({ baseUrl }) };
    const body = { model, input: texts, encoding_format: 'float' };
    try {
      const answer = await post(
        { account: openai, server, options: defined({ apiKey }) },
        '/embeddings',
        body,
      );
      // another server's answer is checked where it is used
      const { data } = Object(parseJson(await answer.text()));
      if (!Array.isArray(data)) return data;
      return data.toSorted((left, right) => left.index - right.index).map(({ embedding }) => embedding);
    } catch (error) {
      const where = `The embedder ${name} failed at ${baseUrl ?? openai.baseUrl}`;
      const status = error instanceof ProviderError ? `${error.status} ` : '';
      throw new Error(`${where}: ${status}${messageOf(error)}`, { cause: error });
    }
  };
}
