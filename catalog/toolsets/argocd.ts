// Readers of Argo CD's API: https://cd.apps.argoproj.io/swagger-ui. Pure.
import { z } from 'zod';
import { list, readJson, shortText, text } from '@holdfast/sources/json-reader';
import { answer, words } from '@holdfast/sources/source-answer';

const state = z.object({ status: text }).nullish();

const application = z.object({
  metadata: z.object({ name: z.string() }),
  status: z
    .object({
      health: state,
      sync: z.object({ status: text, revision: text, revisions: z.array(z.string()).nullish() }).nullish(),
      operationState: z.object({ phase: text, finishedAt: text, message: text }).nullish(),
      conditions: z.array(z.object({ type: text, message: text })).nullish(),
    })
    .default({}),
});

/** Of a source, or of several. */
function shortRevision(revision?: string, revisions?: readonly string[] | null): string | undefined {
  const all = revision === undefined ? (revisions ?? []) : [revision];
  return all.length === 0 ? undefined : all.map((each) => each.slice(0, 8)).join(', ');
}

const said = (message = ''): string => (message === '' ? '' : `: ${shortText(message, 200) ?? ''}`);

/** Those that are not well first. */
export const applications = readJson(z.object({ items: list(application) }), ({ items }) => {
  const lines = items.map(
    ({ metadata: { name }, status: { health, sync, operationState: last, conditions } }) => {
      const isWell = health?.status === 'Healthy' && sync?.status === 'Synced';
      const head = words(health?.status, sync?.status, name, shortRevision(sync?.revision, sync?.revisions));
      const lastSync =
        last?.phase && `, last sync ${words(last.phase, last.finishedAt)}${said(last.message)}`;
      const wrong = conditions?.map(({ type = '?', message }) => `${type}${said(message)}`).join('; ');
      return { isWell, name, line: `${head}${lastSync ?? ''}${wrong ? `. ${wrong}` : ''}` };
    },
  );
  const sorted = lines.toSorted(
    (one, other) => Number(one.isWell) - Number(other.isWell) || (one.name < other.name ? -1 : 1),
  );
  return answer(sorted.map(({ line }) => line));
});

const node = z.object({
  kind: z.string(),
  name: z.string(),
  namespace: text,
  createdAt: text,
  health: z.object({ status: text, message: text }).nullish(),
});
/** A tree without resources has no list. */
const tree = z.union([
  z.object({ nodes: list(node) }),
  z.strictObject({ orphanedNodes: z.unknown(), hosts: z.unknown(), shardsCount: z.unknown() }).partial(),
]);

/** Those that are not healthy first. */
export const resources = readJson(tree, (found) => {
  const keyed = ('nodes' in found ? found.nodes : []).map((each) => {
    const isIll = each.health?.status !== undefined && each.health.status !== 'Healthy';
    return { each, key: `${isIll ? 0 : 1} ${each.kind} ${each.name}` };
  });
  const sorted = keyed.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const lines = sorted.map(({ each: { kind, name, namespace = '', createdAt, health } }) => {
    const since = createdAt && `since ${createdAt}`;
    return `${words(health?.status ?? '-', kind, `${namespace}/${name}`, since)}${said(health?.message)}`;
  });
  return answer(lines);
});

const deployed = z.object({
  id: z.number().nullish(),
  deployedAt: z.string(),
  revision: text,
  revisions: z.array(z.string()).nullish(),
  initiatedBy: z.object({ username: text, automated: z.boolean().nullish() }).nullish(),
  source: z.object({ repoURL: text }).nullish(),
  sources: z.array(z.object({ repoURL: text })).nullish(),
});
const withHistory = z.object({
  metadata: z.object({ name: z.string() }),
  status: z.object({ history: z.array(deployed).nullish() }).nullish(),
});

/** Deployments in the history of each application. */
export const changes = readJson(z.object({ items: list(withHistory) }), ({ items }) => {
  const rows = items.flatMap(({ metadata: { name }, status }) =>
    (status?.history ?? []).map(
      ({ id, deployedAt: at, revision, revisions, initiatedBy: by, source, sources }) => {
        const from = [...new Set([source, ...(sources ?? [])].flatMap((each) => each?.repoURL ?? []))].join(
          ', ',
        );
        return {
          at,
          who: by?.automated ? 'automated' : (by?.username ?? null),
          what: words('synced', shortRevision(revision, revisions), from !== '' && `of ${from}`),
          where: name,
          id: id ?? null,
        };
      },
    ),
  );
  return answer(rows);
});
