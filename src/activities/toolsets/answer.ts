// The three ways in which a source has no data, in words that a model and a person tell apart: nothing found, no access,
// not reachable. Pure.
import type { AnswerKind } from '../tools/answer-kind.ts';
import type { ToolReturn } from '../tools/define-tool.ts';
import type { ToolsetPlace } from './toolset-place.ts';

type NoData = Extract<AnswerKind, 'nothing' | 'no_access' | 'not_reachable'>;

/** The words for a successful read without data, which is no failure. */
export function nothingFound(asked: string): string {
  return `Nothing found: the source answered, and has nothing that matches${asked === '' ? '' : ` (${asked})`}.`;
}

/** `permissions`: the right that the toolset's reads need. */
export function noAccess(said: string, permissions: string | undefined): ToolReturn {
  const need = permissions === undefined ? '' : ` It needs: ${permissions}`;
  return {
    text: `No access: the source refused the request.${need}\n${said}`.trimEnd(),
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

/** The kind of a failure by the signs of its toolset; undefined where it has none of them. */
export function bySigns(
  said: string,
  { signs, permissions }: Pick<ToolsetPlace, 'signs' | 'permissions'>,
): ToolReturn | undefined {
  if (signs.noAccess?.test(said)) return noAccess(said, permissions);
  return signs.notReachable?.test(said) ? notReachable(said) : undefined;
}

/** A call that was refused before it began, in the words of its toolset's signs where it has one of them. */
export function notRun(reason: string, place: Pick<ToolsetPlace, 'signs' | 'permissions'>): ToolReturn {
  const said = bySigns(reason, place) ?? { text: `Not run. ${reason}`, isError: true };
  return { ...said, outcome: 'refused' };
}
