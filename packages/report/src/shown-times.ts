// The times in the words of a report as people read them; its quotes, its JSON and what it recommends, which may be a command, keep
// theirs. Pure.
import { withClockTimes } from '@holdfast/base/clock-times';
import { defined } from '@holdfast/base/defined';
import type { Time } from './document.ts';
import type { Report } from './report.ts';
import type { Action } from './run-facts.ts';

/** The UTC day of the run; empty for a draft, whose times keep their dates. */
export function dayOf({ run }: Pick<Report, 'run'>): string {
  return run?.startedAt.slice(0, 10) ?? '';
}

/** A time in ISO 8601, such as `05:17:38 UTC`; another text stays. */
export function timeIn(report: Pick<Report, 'run'>, at: string): string {
  return withClockTimes(at, dayOf(report));
}

export function toShownTime(report: Pick<Report, 'run'>, at: string): Time {
  return { time: at, shown: timeIn(report, at) };
}

export function withShownTimes(report: Report): Report {
  const day = dayOf(report);
  const shown = (text: string): string => withClockTimes(text, day);
  const told = <T extends { text: string }>(parts: T[]): T[] =>
    parts.map((part) => ({ ...part, text: shown(part.text) }));
  const explained = ({ why, ...action }: Action): Action =>
    why === undefined ? action : { ...action, why: shown(why) };
  const { gradeReason, impact, rootCause, causeChecks, timeline, run } = report;
  return {
    ...report,
    summary: shown(report.summary),
    claims: told(report.claims),
    ruledOut: told(report.ruledOut),
    gaps: told(report.gaps),
    ...defined({
      gradeReason: gradeReason && shown(gradeReason),
      impact: impact && {
        ...impact,
        who: shown(impact.who),
        since: shown(impact.since),
        severity: shown(impact.severity),
      },
      rootCause: rootCause && { ...rootCause, text: shown(rootCause.text) },
      causeChecks: causeChecks && told(causeChecks),
      timeline: timeline?.map((entry) => ({ ...entry, event: shown(entry.event) })),
      run: run && { ...run, actions: run.actions.map(explained) },
    }),
  };
}
