// Declaration of the tool http_get. Activities only: it builds a schema.
import { z } from 'zod';
import { defineTool } from '../define-tool.ts';

export const httpGetTool = defineTool({
  name: 'http_get',
  label: 'HTTP GET',
  description:
    'Sends one HTTP GET and returns status and text body: for metrics pages, health checks, status and search ' +
    'APIs. Only hosts that the operator allowed are reached, also after redirects. An error status is an answer, ' +
    'not a failure: its body is shown. No other method, no headers, no cookies. Bodies are cut at 1 MiB and ' +
    'images and other binary bodies are not shown; ask the API for less where you can.',
  input: z.strictObject({
    url: z
      .url({ protocol: /^https?$/ })
      .max(4_000)
      .describe('http or https, with the query in it.'),
  }),
  effect: 'read',
  timeoutMs: 30_000,
  summaryArguments: ['url'],
});
