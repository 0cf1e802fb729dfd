// The three ways in which a source has no data, in words that a model and a person tell apart: nothing found, no access,
// not reachable. Pure.
import type { ToolReturn } from '../tools/define-tool.ts';

export type NoData = 'nothing' | 'no_access' | 'not_reachable';

/** A successful read without data, so that absence is no failure. */
export function nothingFound(asked: string): ToolReturn {
  return {
    text: `Nothing found: the source answered, and has nothing that matches${asked === '' ? '' : ` (${asked})`}.`,
    details: { answer: 'nothing' satisfies NoData },
  };
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

/** A proxy answers so for a server that it does not reach. */
const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

/** Undefined for any other status. */
export function noDataOf(status: number): Exclude<NoData, 'nothing'> | undefined {
  if (status === 401 || status === 403) return 'no_access';
  return gatewayStatuses.has(status) ? 'not_reachable' : undefined;
}
