// Readers of Notion's API: https://developers.notion.com/reference. Pure.
import { z } from 'zod';
import { list, readJson, record, shortText, valueAt } from '@holdfast/sources/json-reader';
import { answer, words } from '@holdfast/sources/source-answer';

const richText = z.array(z.object({ plain_text: z.string() }));
const found = z.object({
  id: z.string(),
  last_edited_time: z.string(),
  properties: z.record(z.string(), record).default({}),
});

/** The last changed first, with the text of the property that is the title. */
export const search = readJson(
  z.object({ results: list(found), has_more: z.boolean().optional() }),
  ({ results, has_more: more }) =>
    answer(
      results.map(({ id, last_edited_time: at, properties }) => {
        const title = Object.values(properties).find(({ type }) => type === 'title');
        return words(at, id, plainText(title?.['title']));
      }),
      { more },
    ),
);

const block = z.looseObject({ id: z.string(), type: z.string(), has_children: z.boolean().optional() });

const marks: Readonly<Record<string, string>> = {
  heading_1: '# ',
  heading_2: '## ',
  heading_3: '### ',
  bulleted_list_item: '- ',
  numbered_list_item: '1. ',
  quote: '> ',
  child_page: 'page: ',
};

/** A line for each block with a text, or with blocks in it. */
export const page = readJson(
  z.object({ results: list(block), has_more: z.boolean().optional(), next_cursor: z.string().nullish() }),
  ({ results, has_more: more, next_cursor: cursor }) =>
    answer([...results.map(lineOf), more === true && words('Continues with cursor', cursor)]),
);

function lineOf(each: z.output<typeof block>): string {
  const own = each[each.type];
  const cells = valueAt(own, 'cells');
  const said =
    valueAt(own, 'title') ??
    (plainText(valueAt(own, 'rich_text')) || (Array.isArray(cells) ? cells.map(plainText).join(' | ') : ''));
  const inside = each.has_children === true ? ` (more in ${each.id})` : '';
  const todo = valueAt(own, 'checked') === true ? '[x] ' : '[ ] ';
  const mark = each.type === 'to_do' ? todo : (marks[each.type] ?? '');
  // an empty paragraph is a space between others; a picture, a file or a bookmark has no text
  if (said === '' && valueAt(own, 'rich_text') === undefined && cells === undefined && inside === '')
    return words(
      `[${each.type}]`,
      shortText(valueAt(own, 'url', 'external.url', 'file.url'))?.replace(/\?.*/, ''),
    );
  return said === '' && inside === '' ? '' : `${mark}${shortText(said, 4_000) ?? ''}${inside}`;
}

function plainText(value: unknown): string {
  const parts = richText.safeParse(value);
  return parts.success ? parts.data.map((part) => part.plain_text).join('') : '';
}
