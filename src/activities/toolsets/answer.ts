// The three ways in which a source has no data, in words that a model and a person tell apart: nothing found, no access,
// not reachable. Pure.
import type { AnswerKind } from '@holdfast/sources/answer-kind';
import type { ToolReturn } from '../tools/define-tool.ts';
import { fromRetryAfter } from '@holdfast/base/retry-after';
import { timeWords } from '@holdfast/base/series';
import type { HttpReply } from '../built-in/http/http-request.ts';
import type { ToolsetPlace } from './toolset-place.ts';

type NoData = Extract<AnswerKind, 'nothing' | 'no_access' | 'not_reachable'>;

/** The words for a successful read without data, which is no failure. */
export function nothingFound(asked: string): string {
  return `Nothing found: the source answered, and has nothing that matches${asked === '' ? '' : ` (${asked})`}.`;
}

/** The right that the toolset's reads need, for the end of a sentence to people. */
export function needOf({ permissions }: Pick<ToolsetPlace, 'permissions'>): string {
  return permissions === undefined ? '' : ` It needs: ${permissions}`;
}

export function noAccess(said: string, place: Pick<ToolsetPlace, 'permissions'>): ToolReturn {
  return {
    text: `No access: the source refused the request.${needOf(place)}\n${said}`.trimEnd(),
    isError: true,
    details: { answer: 'no_access' satisfies NoData },
  };
}

export function notReachable(said: string): ToolReturn {
  return {
    text: `Not reachable: ${said}`,
    isError: true,
    details: { answer: 'not_reachable' satisfies NoData },
  };
}

/** A limit of requests, which is no lack of rights though GitHub says 403; undefined for another refusal. */
export function tooOften(
  { status, retryAfter }: Pick<HttpReply, 'status' | 'retryAfter'>,
  said: string,
  now: number,
): ToolReturn | undefined {
  const hasWords = /rate[-_ ]?limit|too many requests|abuse detection|throttl/i.test(said);
  if (status !== 429 && !(status === 403 && (retryAfter !== undefined || hasWords))) return undefined;
  const waitMs = fromRetryAfter(retryAfter, now);
  const again =
    waitMs === undefined
      ? 'It does not say when it takes requests again: wait a minute at least.'
      : `Again in ${Math.ceil(waitMs / 1_000)} s, at ${timeWords(now + waitMs)}.`;
  return {
    text: `Asked too often: the source takes no more requests now. ${again}\n${said}`,
    isError: true,
    details: { answer: 'failed' satisfies AnswerKind },
  };
}

/** The kind of a failure by the signs of its toolset; undefined where it has none of them. */
export function bySigns(
  said: string,
  place: Pick<ToolsetPlace, 'signs' | 'permissions'>,
): ToolReturn | undefined {
  if (place.signs.noAccess?.test(said)) return noAccess(said, place);
  return place.signs.notReachable?.test(said) ? notReachable(said) : undefined;
}

/** A call that was refused before it began, in the words of its toolset's signs where it has one of them. */
export function notRun(reason: string, place: Pick<ToolsetPlace, 'signs' | 'permissions'>): ToolReturn {
  const said = bySigns(reason, place) ?? { text: `Not run. ${reason}`, isError: true };
  return { ...said, outcome: 'refused' };
}
