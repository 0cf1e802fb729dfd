// Readers of Grafana's HTTP API: https://grafana.com/docs/grafana/latest/developers/http_api/. What comes through its proxy is
// read as from the source itself. Pure.
import { z } from 'zod';
import { list, number, readJson, record, shortText, text, timeOf } from '@holdfast/sources/json-reader';
import { answer, words } from '@holdfast/sources/source-answer';

export { logs } from './loki.ts';
export { range } from './prometheus.ts';
export { search, trace } from './tempo.ts';

const annotation = z.object({
  id: number,
  time: number,
  timeEnd: number,
  login: text,
  alertName: text,
  prevState: text,
  newState: text,
  text,
  tags: list(z.string()).optional(),
  dashboardUID: text,
});
const annotated = z.array(annotation);
type Annotation = z.output<typeof annotation>;

/** The newest first; one without a time is not over. */
export const annotations = readJson(annotated, (all) =>
  answer(
    newestFirst(all).map((each) => {
      const { time = 0, timeEnd = 0, login, alertName, prevState = '?', newState = '?', dashboardUID } = each;
      const who =
        alertName === undefined ? login && `${login}:` : `alert ${alertName} ${prevState} -> ${newState}:`;
      const at = words(timeOf(each.time), timeEnd > time && words('to', timeOf(timeEnd)));
      const said = words(at, who, saidIn(each));
      return dashboardUID === undefined ? said : `${said}, dashboard ${dashboardUID}`;
    }),
  ),
);

/** For `rowsAre: changes`. */
export const changes = readJson(annotated, (all) =>
  answer(
    newestFirst(all).map((each) => ({
      at: timeOf(each.time) ?? null,
      who: each.login ?? null,
      id: each.id ?? null,
      what: saidIn(each) || 'an annotation without a text',
    })),
  ),
);

function newestFirst(all: readonly Annotation[]): Annotation[] {
  return all.toSorted(({ time: one = Infinity }, { time: other = Infinity }) => other - one || 0);
}

/** Without the tags of HTML. */
function saidIn({ text: said = '', tags }: Annotation): string {
  return words(
    shortText(
      said
        .slice(0, 2_000)
        .replaceAll(/<[^<>]*>|\s+/g, ' ')
        .trim(),
    ),
    tagged(tags),
  );
}

function tagged(tags: readonly string[] = []): string {
  return tags.length === 0 ? '' : `[${tags.join(', ')}]`;
}

const sourceOf = z.union([z.string(), z.object({ uid: text })]).nullish();
const panel = z.object({
  id: number,
  type: text,
  title: text,
  datasource: sourceOf,
  targets: list(z.looseObject({ datasource: sourceOf })).optional(),
});
const row = panel.extend({ panels: list(panel).optional() });
const shown = z.object({
  dashboard: z
    .object({
      templating: z
        .object({ list: list(z.object({ name: z.string(), current: record.nullish() })) })
        .nullish(),
      panels: list(row).optional(),
      /** In place of panels, of dashboards from before Grafana 5. */
      rows: list(z.object({ panels: list(panel).optional() })).optional(),
    })
    .refine(({ panels: own, rows }) => own ?? rows, 'expected panels'),
});

/** Variables, then panels with their queries, those in rows too. */
export const panels = readJson(shown, ({ dashboard: { templating, panels: top = [], rows = [] } }) => {
  const all = [
    ...top.flatMap((each) => [...(each.type === 'row' ? [] : [each]), ...(each.panels ?? [])]),
    ...rows.flatMap((each) => each.panels ?? []),
  ];
  return answer([
    ...(templating?.list ?? []).map(
      ({ name, current }) => `$${name} = ${shortText(current?.['value']) ?? ''}`,
    ),
    ...all.map((each) => {
      const queries = (each.targets ?? []).map((target) => describeTarget(target, each.datasource));
      return `panel ${each.id ?? '?'} (${each.type ?? 'of a library'}) ${each.title ?? ''}: ${queries.join('; ')}`;
    }),
  ]);
});

function describeTarget(
  target: Record<string, unknown> & { datasource?: z.output<typeof sourceOf> },
  usual: z.output<typeof sourceOf>,
): string {
  const { expr, query, rawSql } = target;
  const asked = [expr, query, rawSql].find((part) => part !== undefined && part !== null && part !== '');
  return `[${uidOf(target.datasource) ?? uidOf(usual) ?? 'default source'}] ${shortText(asked ?? target, 400) ?? ''}`;
}

function uidOf(from: z.output<typeof sourceOf>): string | undefined {
  return typeof from === 'string' ? from : from?.uid;
}
