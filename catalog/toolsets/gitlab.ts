// Readers of GitLab's REST API: https://docs.gitlab.com/api/rest/. Pure.
import { cutText } from '@holdfast/base/cut-text';
import { z } from 'zod';
import { readJson, text } from '@holdfast/sources/json-reader';
import { answer, words } from '@holdfast/sources/source-answer';

const user = z.object({ username: text }).nullish();
const common = { updated_at: z.string(), status: text, ref: text, sha: z.string() };

const pipeline = z.object({ ...common, id: z.number(), source: text });

export const pipelines = readJson(z.array(pipeline), (all) =>
  answer(
    all.map(({ updated_at: at, status, id, ref, sha, source }) =>
      words(at, status, `#${id}`, ref, sha.slice(0, 8), source && `(${source})`),
    ),
  ),
);

const difference = z.object({
  new_path: z.string(),
  new_file: z.boolean().nullish(),
  deleted_file: z.boolean().nullish(),
  diff: text,
  too_large: z.boolean().nullish(),
  collapsed: z.boolean().nullish(),
});

/** A large one is left out by the server: https://docs.gitlab.com/api/commits/#retrieve-commit-diff */
export const differences = readJson(z.array(difference), (all) => {
  const lines = all.map(({ new_path: path, new_file: isNew, deleted_file: isGone, diff = '', ...size }) => {
    const kind = isNew ? ' (new)' : isGone ? ' (deleted)' : '';
    const left = size.too_large || size.collapsed ? ' (too large to show)' : '';
    return `${path}${kind}${left}\n${cutText(diff, 2_000)}`;
  });
  return answer(lines);
});

const deployment = z.object({ ...common, user, environment: z.object({ name: text }).nullish() });

export const deployments = readJson(z.array(deployment), (all) => {
  const rows = all.map(({ updated_at: at, user: by, ref = '?', status = '?', environment, sha }) => ({
    at,
    who: by?.username ?? null,
    what: `deployed ${ref}: ${status}`,
    where: environment?.name ?? null,
    id: sha.slice(0, 8),
  }));
  return answer(rows);
});

const merge = z.object({
  merged_at: text,
  merge_user: user,
  author: user,
  iid: z.number(),
  title: z.string(),
  target_branch: text,
  web_url: text,
});

export const merges = readJson(z.array(merge), (all) => {
  const rows = all.map(
    ({ merged_at: at, merge_user: by, author, iid, title, target_branch: where, web_url: link }) => {
      const who = by?.username ?? author?.username ?? null;
      return (
        at !== undefined && {
          at,
          who,
          what: `merged !${iid}: ${title}`,
          where: where ?? null,
          link: link ?? null,
        }
      );
    },
  );
  return answer(rows, { came: all.length });
});
