// Readers of Helm's JSON. Pure.
import { z } from 'zod';
import { readJson, text } from '@holdfast/sources/json-reader';
import { answer, words } from '@holdfast/sources/source-answer';

const release = z.object({
  name: z.string(),
  namespace: text,
  revision: text,
  updated: z.string(),
  status: z.string(),
  chart: text,
  app_version: text,
});

/** Those that are not deployed first, then the newest. */
export const releases = readJson(z.array(release), (all) => {
  const sorted = all.toSorted(
    (one, other) =>
      Number(one.status === 'deployed') - Number(other.status === 'deployed') ||
      Date.parse(other.updated) - Date.parse(one.updated),
  );
  const lines = sorted.map(({ updated, status, namespace, name, revision, chart, app_version: app }) =>
    words(
      updated,
      status,
      `${namespace ?? ''}/${name}`,
      revision && `revision ${revision}`,
      chart,
      app && `app ${app}`,
    ),
  );
  return answer(lines);
});
