// The reader of an issue of Jira: https://developer.atlassian.com/cloud/jira/platform/rest/v2/api-group-issues/. Pure.
import { cutText } from '@holdfast/base/cut-text';
import { z } from 'zod';
import { list, readJson, shortText, text } from '@holdfast/sources/json-reader';
import { answer } from '@holdfast/sources/source-answer';
import { parts } from './parts.ts';

const named = z.object({ name: text }).nullish();
const person = z.object({ displayName: text }).nullish();
const comment = z.object({ created: z.string(), author: person, body: text });
const item = z.object({ field: z.string(), fromString: text, toString: text });
const history = z.object({ created: z.string(), author: person, items: list(item) });
const schema = z.object({
  fields: z.object({
    status: named,
    priority: named,
    summary: text,
    assignee: person,
    created: text,
    updated: text,
    description: text,
    comment: z.object({ comments: list(comment), total: z.number().optional() }).nullish(),
  }),
  changelog: z.object({ histories: list(history), total: z.number().optional() }).nullish(),
});

/** Text, the newest comments, then who changed what, the newest first. */
export const issue = readJson(schema, ({ fields, changelog }) => {
  const comments = newest(fields.comment?.comments ?? []);
  const histories = newest(changelog?.histories ?? []);
  const head = [fields.status?.name, fields.priority?.name].filter(Boolean).join(', ');
  const lines = [
    parts(
      `${head}: ${fields.summary ?? ''}`,
      fields.assignee?.displayName,
      fields.created && `made ${fields.created}`,
      fields.updated && `changed ${fields.updated}`,
    ),
    fields.description && cutText(fields.description, 4_000),
    ...comments.map(
      ({ created, author, body = '' }) => `${created} ${author?.displayName ?? '?'}: ${cutText(body, 1_000)}`,
    ),
    ...histories.flatMap(({ created, author, items }) =>
      items.map(({ field, fromString, toString }) => {
        const [from, to] = [shortText(fromString, 100) ?? 'nothing', shortText(toString, 100) ?? 'nothing'];
        return `${created} ${author?.displayName ?? '?'} changed ${field} from ${from} to ${to}`;
      }),
    ),
  ];
  return answer(lines, {
    gaps: [leftOut(comments, fields.comment, 'comments'), leftOut(histories, changelog, 'changes')],
  });
});

function newest<Item extends { created: string }>(items: readonly Item[]): Item[] {
  return items.toSorted((one, other) => (one.created < other.created ? 1 : -1)).slice(0, 20);
}

function leftOut(
  kept: readonly unknown[],
  all: { total?: number | undefined; comments?: unknown[]; histories?: unknown[] } | null | undefined,
  what: string,
): string | undefined {
  const total = all?.total ?? (all?.comments ?? all?.histories)?.length ?? 0;
  return total > kept.length ? `the newest ${kept.length} of ${total} ${what}` : undefined;
}
