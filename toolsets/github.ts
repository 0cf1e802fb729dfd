// Readers of GitHub's REST API: https://docs.github.com/en/rest. Pure.
import { cutText } from '../src/core/base/cut-text.ts';
import { z } from 'zod';
import { eachOf, list, number, readJson, shortText, text } from '../src/activities/toolsets/json-reader.ts';
import { answer, words } from '../src/activities/toolsets/source-answer.ts';

const user = z.object({ login: text }).nullish();
const anything = z.array(z.unknown());

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
  z.object({ workflow_runs: list(z.unknown()), total_count: number }),
  ({ workflow_runs: items, total_count: total }) => {
    const { fit, gaps } = eachOf(items, run);
    const lines = fit.map((each) => {
      const what = [each.created_at, each.conclusion ?? each.status, each.name, `#${each.run_number}`];
      const where = [
        each.head_branch,
        each.head_sha.slice(0, 8),
        each.actor?.login && `by ${each.actor.login}`,
      ];
      const title = shortText(each.display_title, 200);
      return `${words(...what, ...where)}${title === undefined ? '' : `: ${title}`}`;
    });
    return answer(lines, { gaps, total });
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
/** A page: https://docs.github.com/en/rest/commits/commits#get-a-commit */
const mostFiles = 300;

export const commit = readJson(
  oneCommit.extend({ files: list(z.unknown()) }),
  ({ sha, commit: { message, author, committer }, files }) => {
    const { fit, gaps } = eachOf(files, file);
    const changed = fit.map(
      ({ filename, additions = 0, deletions = 0, patch }) =>
        `${filename} +${additions} -${deletions}${patch === undefined ? '' : `\n${cutText(patch, 2_000)}`}`,
    );
    const isCut = files.length >= mostFiles && `the first ${mostFiles} files`;
    return answer([`${committer?.date ?? '?'} ${sha} by ${author?.name ?? '?'}: ${message}`, ...changed], {
      gaps: [...gaps, isCut],
    });
  },
);

export const commits = readJson(anything, (items) => {
  const { fit, gaps } = eachOf(items, oneCommit);
  const rows = fit.map(({ sha, html_url: link, author, commit: { message, ...by } }) => ({
    at: by.committer?.date ?? null,
    who: author?.login ?? by.author?.name ?? null,
    what: message.split('\n', 1)[0] || '(no message)',
    id: sha.slice(0, 8),
    link: link ?? null,
  }));
  return answer(rows, { gaps });
});

/** The newest come whatever time was asked for, a page at most. */
function cutAt(since: unknown, times: readonly string[]): string | false {
  const isFull =
    times.length >= 100 && Math.min(...times.map((time) => Date.parse(time))) > Date.parse(String(since));
  return isFull && `${times.length} of at least ${times.length}, which are the newest`;
}

const deployment = z.object({
  created_at: z.string(),
  creator: user,
  ref: z.string(),
  description: text,
  environment: text,
  sha: z.string(),
});

export const deployments = readJson(anything, (items, { since }) => {
  const { fit, gaps } = eachOf(items, deployment);
  const rows = fit.map(({ created_at: at, creator, ref, description, environment = null, sha }) => {
    const what = `deployed ${ref}${description === undefined ? '' : `: ${description}`}`;
    return { at, who: creator?.login ?? null, what, where: environment, id: sha.slice(0, 8) };
  });
  const times = fit.map(({ created_at: at }) => at);
  return answer(rows, { gaps: [...gaps, cutAt(since, times)] });
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
export const pulls = readJson(anything, (items, { since }) => {
  const { fit, gaps } = eachOf(items, pull);
  const rows = fit.map(({ merged_at: at, user: by, number: id, title, base, html_url: link }) => {
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
  const touched = fit.map(({ updated_at: at = '' }) => at);
  return answer(rows, { gaps: [...gaps, cutAt(since, touched)] });
});
