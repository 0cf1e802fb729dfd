// The reader of a page of Confluence: https://developer.atlassian.com/cloud/confluence/rest/v2/api-group-page/. Pure.
import { z } from 'zod';
import { readJson, text } from '../src/activities/toolsets/json-reader.ts';
import { answer } from '../src/activities/toolsets/source-answer.ts';

const schema = z.object({
  title: z.string(),
  version: z.object({ number: z.number(), createdAt: text }),
  body: z.object({ storage: z.object({ value: z.string() }) }),
});

/** Its title and version, then its text without the marks of the storage format. */
export const page = readJson(schema, ({ title, version, body }) =>
  answer([
    `${title}, version ${version.number}${version.createdAt ? ` of ${version.createdAt}` : ''}`,
    ...linesOf(body.storage.value),
  ]),
);

const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

function linesOf(storage: string): string[] {
  return storage
    .replaceAll(/<\/(?:p|h\d|li|tr|pre)>|<br ?\/?>|<\/ac:plain-text-body>/g, '\n')
    .replaceAll(/<!\[CDATA\[|\]\]>|<[^<>]*>/g, ' ')
    .replaceAll(/&nbsp;| +/g, ' ')
    .split('\n')
    .map((line) => line.trim().replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => entities[entity] ?? entity))
    .filter((line) => line !== '');
}
