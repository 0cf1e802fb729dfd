// Readers of ServiceNow's Table API: https://developer.servicenow.com/dev.do#!/reference/api/latest/rest/c_TableAPI. Pure.
import { cutText } from '@holdfast/base/cut-text';
import { z } from 'zod';
import { list, readJson, shortText, text } from '@holdfast/sources/json-reader';
import { answer, words } from '@holdfast/sources/source-answer';
import { parts } from './parts.ts';

const change = z.object({
  number: z.string(),
  type: text,
  state: text,
  risk: text,
  short_description: text,
  cmdb_ci: text,
  assigned_to: text,
  requested_by: text,
  start_date: text,
  end_date: text,
  work_start: text,
  work_end: text,
});
const found = z.object({ result: list(change) });

/** Change requests with their time: of the work where it has begun, else as planned. */
export const planned = readJson(found, ({ result }) =>
  answer(
    result.map((each) => {
      const when = each.work_start
        ? `worked on ${each.work_start} to ${each.work_end ?? 'now'}`
        : `planned ${each.start_date ?? '?'} to ${each.end_date ?? '?'}`;
      const kind = parts(words(each.number, each.type), each.state, each.risk && `risk ${each.risk}`);
      const what = words(shortText(each.short_description, 200), each.cmdb_ci && `on ${each.cmdb_ci}`);
      return `${when}: ${kind}: ${what}, by ${each.assigned_to ?? each.requested_by ?? 'nobody'}`;
    }),
  ),
);

/** The times of the table are UTC, without a zone. */
export const changes = readJson(found, ({ result }) =>
  answer(
    result.map((each) => {
      const kind = parts(each.type, each.state, !each.work_start && 'planned');
      return {
        at: `${(each.work_start ?? each.start_date ?? '').replace(' ', 'T')}Z`,
        who: each.assigned_to ?? each.requested_by ?? null,
        what: words(each.short_description ?? 'a change', kind && `(${kind})`),
        where: each.cmdb_ci ?? null,
        id: each.number,
      };
    }),
  ),
);

const told = new Set(
  'description work_notes comments close_notes close_code opened_at closed_at cmdb_ci assigned_to assignment_group justification implementation_plan backout_plan'.split(
    ' ',
  ),
);
const task = z.looseObject({ number: z.string(), state: text, priority: text, short_description: text });

/** One record: its head, then each field that tells something. */
export const record = readJson(z.object({ result: list(task) }), ({ result }) =>
  answer(
    result.flatMap((each) => [
      `${parts(words(each.number, each.state), each.priority)}: ${each.short_description ?? ''}`,
      ...Object.entries(each).flatMap(([name, value]) =>
        told.has(name) && typeof value === 'string' && value !== ''
          ? [`${name}: ${cutText(value, 3_000)}`]
          : [],
      ),
    ]),
  ),
);
