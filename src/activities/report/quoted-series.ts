// The series behind quoted figures, from the stored outputs of their calls: few, with as many points as a picture shows.
// Runs in Node; reads the store.
import { cutText } from '@holdfast/base/cut-text';
import { isRecord } from '@holdfast/base/json';
import { figure, finitePoints, median, type SeriesPoint } from '@holdfast/base/series';
import { type CheckedQuote, quotesOf, type Report, type ReportSeries } from '@holdfast/report/report';
import type { ArtifactReader } from '@holdfast/stored/artifact-names';
import type { LoggedCalls } from '@holdfast/stored/logged-calls';
import { openOutput } from '@holdfast/stored/stored-output';
import { readStoredSeries, type SeriesAt } from '@holdfast/stored/stored-series';

/** A series is up to 7 KiB of the report, which stays below 200 KiB. */
const mostSeries = 8;
const mostPoints = 200;
const nameLength = 300;

type Session = { artifacts: ArtifactReader; sessionId: string };

/** A copy of the report with its series; each quote about one has its index. The first quotes matter most. */
export async function withQuotedSeries(given: Report, calls: LoggedCalls, session: Session): Promise<Report> {
  const report = structuredClone(given);
  const series: ReportSeries[] = [];
  // only of the last call, because an output may have megabytes
  let last: { callId: string; seriesAt: SeriesAt } | undefined;
  for (const quote of [...quotesOf(report), ...(report.standsOut ?? [])]) {
    const { callId, position } = quote;
    if (position === undefined || !hasSeries(quote, calls)) continue;
    if (last?.callId !== callId)
      last = { callId, seriesAt: readStoredSeries(await outputOf(quote, calls, session)) };
    const found = last.seriesAt(position.line);
    if (found === undefined) continue;
    const name = cutText(found.name, nameLength);
    const known = series.findIndex((each) => each.callId === callId && each.name === name);
    if (known < 0 && series.length === mostSeries) continue;
    quote.series = known < 0 ? series.push({ callId, name, points: drawnPoints(found.points) }) - 1 : known;
  }
  return series.length === 0 ? report : { ...report, series };
}

/** Said by the tool, so that no other output is read again. */
function hasSeries({ callId }: CheckedQuote, calls: LoggedCalls): boolean {
  const details = calls.get(callId)?.result?.details;
  return isRecord(details) && typeof details['series'] === 'number' && details['series'] > 0;
}

async function outputOf(
  { callId, position }: CheckedQuote,
  calls: LoggedCalls,
  { artifacts, sessionId }: Session,
): Promise<string> {
  const owner = calls.get(callId)?.by?.sessionId ?? sessionId;
  const output = await openOutput(artifacts, owner, position?.artifactId ?? '');
  const pieces = output?.pieces.map(async (piece) => piece.load()) ?? [];
  return (await Promise.all(pieces)).join('');
}

/** At most 200: of many, the lowest and the highest of each of 100 stretches of time. A gap is a point without a value. */
export function drawnPoints(given: readonly SeriesPoint[]): SeriesPoint[] {
  const points = given.map(([at, value]): SeriesPoint => [at, value === null ? null : Number(figure(value))]);
  const whole = withGaps(points);
  if (whole.length <= mostPoints) return whole;
  const [from, to] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0];
  const width = (to - from) / (mostPoints / 2) || 1;
  const last = mostPoints / 2 - 1;
  const byStretch = Map.groupBy(points, ([at]) => Math.min(last, Math.floor((at - from) / width)));
  return Array.from({ length: last + 1 }, (_, index) => {
    const within = finitePoints(byStretch.get(index) ?? []).toSorted(([, left], [, right]) => left - right);
    const [lowest, highest] = [within[0], within.at(-1)];
    if (!lowest || !highest) return [[Math.round(from + index * width), null] satisfies SeriesPoint];
    const chosen = lowest === highest ? [lowest] : [lowest, highest];
    return chosen.toSorted(([left], [right]) => left - right);
  }).flat();
}

function withGaps(points: readonly SeriesPoint[]): SeriesPoint[] {
  const step = median(points.slice(1).map(([at], index) => at - (points[index]?.[0] ?? at)));
  return points.flatMap((point, index): SeriesPoint[] => {
    const before = points[index - 1]?.[0];
    return before !== undefined && point[0] - before > 2.5 * step ? [[before + step, null], point] : [point];
  });
}
