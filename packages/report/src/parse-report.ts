// Reads a stored report: the one place where its JSON gets its type. Pure.
import { isRecord } from '@holdfast/base/json';
import type { Report } from './report.ts';

/**
 * Throws for a value that is no report of this version. Checks only the outline, because only workers write reports.
 */
export function parseReport(value: unknown): Report {
  if (isReport(value)) return value;
  const version = isRecord(value) ? value.version : undefined;
  const got = version === undefined ? 'something else' : `version ${JSON.stringify(version)}`;
  throw new Error(
    `Expected a report of version 1, got ${got}. Another version of Holdfast may have written it: read it with that.`,
  );
}

function isReport(value: unknown): value is Report {
  return isRecord(value) && value.version === 1;
}
