// Readers of Sentry's API: https://docs.sentry.io/api/. Pure.
import { z } from 'zod';
import { list, number, readJson, shortText, text } from '@holdfast/sources/json-reader';
import { answer, type Maybe, words } from '@holdfast/sources/source-answer';

const issue = z.object({
  id: z.string(),
  shortId: text,
  title: text,
  culprit: text,
  level: text,
  status: text,
  count: text,
  userCount: text,
  firstSeen: text,
  lastSeen: text,
});

/** In the order that was asked for. */
export const issues = readJson(z.array(issue), (all) =>
  answer(
    all.map(
      ({
        id,
        shortId,
        title,
        culprit,
        level,
        status,
        count = '?',
        userCount = '?',
        firstSeen = '?',
        lastSeen,
      }) => {
        const head = words(
          lastSeen,
          level,
          shortId,
          `(${id})`,
          shortText(title, 200),
          words(culprit && 'in', shortText(culprit, 100)),
        );
        return `${head}: ${count} events, ${userCount} users, since ${firstSeen}${status === undefined ? '' : `, ${status}`}`;
      },
    ),
  ),
);

const frame = z.object({
  filename: text,
  module: text,
  absPath: text,
  function: text,
  lineNo: number,
  inApp: z.boolean().nullish(),
  context: z.array(z.tuple([z.number(), z.string().nullable()])).nullish(),
});
const exception = z.object({
  type: text,
  value: text,
  stacktrace: z.object({ frames: list(frame.nullable()) }).nullish(),
});
const crumb = z.object({
  timestamp: text,
  level: text,
  category: text,
  message: text,
  data: z.unknown().optional(),
});

/** https://docs.sentry.io/api/events/retrieve-an-issue-event/: the parts of an event that are shown. */
const entry = z.discriminatedUnion('type', [
  z.object({ type: z.literal('exception'), data: z.object({ values: list(exception.nullable()) }) }),
  z.object({ type: z.literal('message'), data: z.object({ formatted: text, message: text }) }),
  z.object({ type: z.literal('request'), data: z.object({ method: text, url: text }) }),
  z.object({ type: z.literal('breadcrumbs'), data: z.object({ values: list(crumb) }) }),
]);
const shownParts: ReadonlySet<string> = new Set(['exception', 'message', 'request', 'breadcrumbs']);
const otherPart = z
  .object({ type: z.string().refine((type) => !shownParts.has(type), 'expected a part of an event') })
  .transform((): [] => []);
const shown = z.object({
  dateCreated: text,
  title: text,
  release: z.object({ version: text }).nullish(),
  tags: list(z.object({ key: text, value: text })).optional(),
  entries: list(z.union([entry, otherPart])),
});
const [shownFrames, shownCrumbs] = [30, 10];

/** Error and stack, the innermost frame first, then the request, the tags and the last steps before it. */
export const event = readJson(shown, ({ dateCreated, title, release, tags = [], entries: all }) => {
  const entries = all.flat();
  const head = words(dateCreated, title);
  const crumbs = entries.flatMap((each) => (each.type === 'breadcrumbs' ? each.data.values : []));
  return answer([
    release?.version === undefined ? head : `${head}, release ${release.version}`,
    ...entries.flatMap((each): Maybe<string>[] => {
      if (each.type === 'exception')
        return each.data.values.flatMap((value) => (value ? describeException(value) : []));
      if (each.type === 'message') return [each.data.formatted ?? each.data.message];
      return each.type === 'request' ? [words(each.data.method, each.data.url)] : [];
    }),
    tags.length > 0 && `tags: ${tags.map(({ key = '?', value = '' }) => `${key}=${value}`).join(', ')}`,
    ...crumbs
      .slice(-shownCrumbs)
      .map(({ timestamp, level, category, message, data }) =>
        words(timestamp, level, `${category ?? '?'}:`, shortText(message ?? data, 200)),
      ),
  ]);
});

function describeException({ type, value, stacktrace }: z.output<typeof exception>): string[] {
  const all = (stacktrace?.frames ?? []).filter((each) => each !== null).toReversed();
  const frames = all.slice(0, shownFrames);
  return [
    `${type ?? 'Error'}: ${shortText(value, 500) ?? ''}`,
    ...frames.map(({ filename, module, absPath, function: name, lineNo, inApp, context }) => {
      const source = shortText(context?.find(([number]) => number === lineNo)?.[1]?.trim(), 120);
      const at = `${filename ?? module ?? absPath ?? '?'}:${lineNo ?? '?'} ${name ?? '?'}`;
      return `${inApp === true ? '  * ' : '    '}${at}${source ? ` | ${source}` : ''}`;
    }),
    ...(all.length > frames.length ? [`    [${all.length - frames.length} more frames]`] : []),
  ];
}

const release = z.object({
  version: z.string(),
  dateCreated: text,
  commitCount: text,
  newGroups: text,
  lastDeploy: z.object({ environment: text, dateFinished: text }).nullish(),
  authors: list(z.object({ name: text, email: text })).optional(),
  projects: list(z.object({ slug: text })).optional(),
});

/** For `rowsAre: changes`. Releases come by the page: with one from before `since`, all of the time are there. */
export const changes = readJson(z.array(release), (all, { since }) => {
  const from = Date.parse(shortText(since) ?? '');
  const isWhole = all.some(({ dateCreated = '' }) => Date.parse(dateCreated) < from);
  return answer(
    all.map(
      ({
        version,
        dateCreated,
        commitCount = '?',
        newGroups = '?',
        lastDeploy,
        authors = [],
        projects = [],
      }) => ({
        at: lastDeploy?.dateFinished ?? dateCreated ?? null,
        who: authors.map(({ name, email }) => name ?? email ?? '?').join(', '),
        what: `${lastDeploy ? `deployed to ${lastDeploy.environment ?? '?'}` : 'release'} ${version}, ${commitCount} commits, ${newGroups} new issues`,
        where: projects.map(({ slug }) => slug).join(', '),
      }),
    ),
    { more: isWhole ? false : undefined },
  );
});
