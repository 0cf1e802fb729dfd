// A report as it was stored, by whatever version: the one place where its JSON gets its type. Pure.
import { isRecord } from '../base/json.ts';
import type { Report } from './report.ts';

/** Throws where the value is no report of a version that is known here. Workers alone write them: only the outline is checked. */
export function parseReport(value: unknown): Report {
  const version = isRecord(value) ? value.version : undefined;
  if (version === 2) return value as Report;
  if (version === 1) return fromVersion1(value as ReportV1);
  throw new Error(
    `Expected a report of version 1 or 2, got ${version === undefined ? 'something else' : `version ${JSON.stringify(version)}`}. ` +
      'A later version of Holdfast may have written it: read it with that.',
  );
}

/** Its entries of `ruledOut` and `timeline` had no quotes, and only an agent could hand one in. */
type ReportV1 = Omit<Report, 'version' | 'author' | 'ruledOut' | 'timeline'> & {
  ruledOut: string[];
  timeline?: { at: string; event: string }[];
};

function fromVersion1({ ruledOut, timeline, ...report }: ReportV1): Report {
  return {
    ...report,
    ...{ version: 2, author: 'agent' },
    ruledOut: ruledOut.map((text) => ({ text, quotes: [] })),
    ...(timeline ? { timeline: timeline.map((entry) => ({ ...entry, quotes: [] })) } : {}),
  };
}
