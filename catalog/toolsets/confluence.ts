// The reader of a page of Confluence: https://developer.atlassian.com/cloud/confluence/rest/v2/api-group-page/. Pure.
import { z } from 'zod';
import { readJson, text } from '@holdfast/sources/json-reader';
import { answer } from '@holdfast/sources/source-answer';

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

/** Without marks, but with what these name: the page has neither what a macro shows nor the title that a link has. */
function linesOf(storage: string): string[] {
  return storage
    .replaceAll(/<!\[CDATA\[([^]*?)\]\]>/g, (_, code: string) =>
      code.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
    )
    .replaceAll(/<\/(?:p|h\d|li|tr|pre|ac:structured-macro|ac:plain-text-body)>|<br ?\/?>/g, '\n')
    .replaceAll(/<ac:structured-macro\b[^<>]*\bac:name="(?!code")([^"<>]*)"[^<>]*>/g, ' [$1] ')
    .replaceAll(/<(?:ri:\w+|a)\s[^<>]*?(?:content-title|filename|value|href)="([^"<>]*)"[^<>]*>/g, ' $1 ')
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/&nbsp;| +/g, ' ')
    .split('\n')
    .map((line) => line.trim().replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => entities[entity] ?? entity))
    .filter((line) => line !== '');
}
