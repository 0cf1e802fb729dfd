// Readers of GitHub's REST API: https://docs.github.com/en/rest. Pure.
import { cutText } from '@holdfast/base/cut-text';
import { z } from 'zod';
import { list, number, readJson, shortText, text } from '@holdfast/sources/json-reader';
import { answer, words } from '@holdfast/sources/source-answer';

const user = z.object({ login: text }).nullish();

const run = z.object({
  created_at: z.string(),
  conclusion: text,
  status: text,
  name: text,
  run_number: text,
  head_branch: text,
  head_sha: z.string(),
  actor: user,
  display_title: text,
});

export const runs = readJson(
  z.object({ workflow_runs: list(run), total_count: number }),
  ({ workflow_runs: all, total_count: total }) => {
    const lines = all.map((each) => {
      const id = each.run_number && `#${each.run_number}`;
      const what = [each.created_at, each.conclusion ?? each.status, each.name, id];
      const where = [
        each.head_branch,
        each.head_sha.slice(0, 8),
        each.actor?.login && `by ${each.actor.login}`,
      ];
      const title = shortText(each.display_title, 200);
      return `${words(...what, ...where)}${title === undefined ? '' : `: ${title}`}`;
    });
    return answer(lines, { total });
  },
);

const file = z.object({ filename: z.string(), additions: number, deletions: number, patch: text });
const oneCommit = z.object({
  sha: z.string(),
  html_url: text,
  author: user,
  commit: z.object({
    message: z.string(),
    author: z.object({ name: text }).nullish(),
    committer: z.object({ date: text }).nullish(),
  }),
});
export const commit = readJson(
  oneCommit.extend({ files: list(file) }),
  ({ sha, commit: { message, author, committer }, files }) => {
    const changed = files.map(
      ({ filename, additions = 0, deletions = 0, patch }) =>
        `${filename} +${additions} -${deletions}${patch === undefined ? '' : `\n${cutText(patch, 2_000)}`}`,
    );
    return answer([`${committer?.date ?? '?'} ${sha} by ${author?.name ?? '?'}: ${message}`, ...changed], {
      came: files.length,
    });
  },
);

export const commits = readJson(z.array(oneCommit), (all) => {
  const rows = all.map(({ sha, html_url: link, author, commit: { message, ...by } }) => ({
    at: by.committer?.date ?? null,
    who: author?.login ?? by.author?.name ?? null,
    what: message.split('\n', 1)[0] || '(no message)',
    id: sha.slice(0, 8),
    link: link ?? null,
  }));
  return answer(rows);
});

/** The newest come whatever time was asked for: a page that reaches behind it is all of the time. */
function pageOf(since: unknown, times: readonly string[]): { came: number; more: false | undefined } {
  const isWhole = times.some((time) => Date.parse(time) <= Date.parse(String(since)));
  return { came: times.length, more: isWhole ? false : undefined };
}

const deployment = z.object({
  created_at: z.string(),
  creator: user,
  ref: z.string(),
  description: text,
  environment: text,
  sha: z.string(),
});

export const deployments = readJson(z.array(deployment), (all, { since }) => {
  const rows = all.map(({ created_at: at, creator, ref, description, environment = null, sha }) => {
    const what = `deployed ${ref}${description === undefined ? '' : `: ${description}`}`;
    return { at, who: creator?.login ?? null, what, where: environment, id: sha.slice(0, 8) };
  });
  const times = all.map(({ created_at: at }) => at);
  return answer(rows, pageOf(since, times));
});

const pull = z.object({
  merged_at: text,
  updated_at: text,
  user,
  number: z.number(),
  title: z.string(),
  base: z.object({ ref: text }).nullish(),
  html_url: text,
});

/** Sorted by the time they were touched last, which is not before they were merged. */
export const pulls = readJson(z.array(pull), (all, { since }) => {
  const rows = all.map(({ merged_at: at, user: by, number: id, title, base, html_url: link }) => {
    const where = base?.ref ?? null;
    return (
      at !== undefined && {
        at,
        who: by?.login ?? null,
        what: `merged #${id}: ${title}`,
        where,
        link: link ?? null,
      }
    );
  });
  const touched = all.map(({ updated_at: at = '' }) => at);
  return answer(rows, pageOf(since, touched));
});
