// Readers of Splunk's REST API: https://docs.splunk.com/Documentation/Splunk/9.4.0/RESTREF/RESTsearch. Pure.
import { z } from 'zod';
import { readJsonLines, record, shortText, text, valueAt } from '@holdfast/sources/json-reader';
import { answer, failed, words } from '@holdfast/sources/source-answer';

const message = z.object({ type: text, text });
const line = z
  .looseObject({
    preview: z.boolean().nullish(),
    result: record.nullish(),
    messages: z.array(message).nullish(),
    lastrow: z.boolean().nullish(),
  })
  .refine(
    (each) =>
      [each.preview, each.result, each.messages, each.lastrow].some(
        (part) => part !== undefined && part !== null,
      ),
    'expected a result, messages or a preview',
  );

/** Says that a search has not seen all, whatever its type: https://docs.splunk.com/Documentation/Splunk/9.4.0/Search/Partialresults */
const cutShort =
  /finaliz|truncat|results? (?:\w+ )?(?:(?:may|might|could) be|are|is) (?:incomplete|partial)|(?:incomplete|partial) results|timed out|time limit|unable to distribute|(?:peers?|indexers?|buckets?|events?|results?) (?:\w+ )?(?:was|were|has been|have been) skipped/i;

/** Results of a search, a line each; previews are said again later. */
export const results = readJsonLines(line, (lines) => {
  const said = lines.flatMap(({ messages }) => messages ?? []);
  const gaps = said.filter(
    ({ type = '', text: words = '' }) => /^(?:fatal|error|warn)/i.test(type) || cutShort.test(words),
  );
  const rows = lines.flatMap(({ preview, result }) =>
    preview === true || !result ? [] : [resultLine(result)],
  );
  const error = gaps.find(({ type = '' }) => /^(?:fatal|error)/i.test(type));
  if (rows.length === 0 && error) return failed(words(error.type && `${error.type}:`, error.text));
  return answer(rows, { gaps: gaps.map(({ type, text: what }) => words(type && `${type}:`, what)) });
});

function resultLine(result: z.infer<typeof record>): string | undefined {
  const raw = valueAt(result, '_raw');
  if (raw === undefined) return shortText(result, 400);
  const [time, host, kind] = ['_time', 'host', 'sourcetype'].map((name) => shortText(valueAt(result, name)));
  return words(time, host, `${kind ?? '?'}:`, shortText(raw));
}
