// Draws the series behind quoted figures as inline SVG, from the points in the report: no script, colours of the page.
// Pure. The labels are HTML, so that they stay readable on a narrow screen.
import { type Html, html } from '@holdfast/base/html';
import { figure, type FinitePoint, finitePoints, leastOf, mostOf, timeWords } from '@holdfast/base/series';
import type { CheckedQuote, Report, ReportSeries } from '../report.ts';
import { moment } from './parts.ts';

type Named = Pick<Report, 'series'>;

const [width, height] = [600, 120];

/** One picture for each series that the quotes are about, with the times that they name. */
export function seriesCharts({ series = [] }: Named, quotes: readonly CheckedQuote[]): Html[] {
  return series.flatMap((each, index) => {
    const about = quotes.filter((quote) => quote.series === index);
    const points = finitePoints(each.points);
    return about.length === 0 || points.length === 0 ? [] : [chart(each, points, about)];
  });
}

function chart(
  { name, points }: ReportSeries,
  real: readonly FinitePoint[],
  about: readonly CheckedQuote[],
): Html {
  const [from, to] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0];
  const values = real.map(([, value]) => value);
  const [least, most] = [leastOf(values), mostOf(values)];
  const x = (at: number): string => rounded(to === from ? width / 2 : ((at - from) / (to - from)) * width);
  const y = (value: number): string =>
    rounded(most === least ? height / 2 : height - ((value - least) / (most - least)) * height);
  const marked = marksOf(about, real, [from, to]);
  const words = `${real.length} points from ${timeWords(from)} to ${timeWords(to)}, lowest ${figure(least)}, highest ${figure(most)}.`;
  const said = marked.map(([at, value]) => ` Marked: ${figure(value)} at ${timeWords(at)}.`).join('');
  return html`<figure class="chart">
    <figcaption>${name}</figcaption>
    <div class="high"><span>${figure(most)}</span><span>${figure(least)}</span></div>
    <svg role="img" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none">
      <title>${name}</title>
      <desc>${words}${said}</desc>
      <path class="axis" d="M0 0V${height}H${width}" />
      ${marked.map(([at]) => html`<path class="mark" d="M${x(at)} 0V${height}" />`)}
      <path class="line" d="${lineThrough(points, x, y)}" />
      ${marked.map(([at, value]) => html`<path class="dot" d="M${x(at)} ${y(value)}h0" />`)}
    </svg>
    <div class="wide">${moment(timeWords(from))}${moment(timeWords(to))}</div>
    ${
      marked.length > 0
        ? html`<p class="wide marks">
            ${marked.map(([at, value]) => html`<span>● ${moment(timeWords(at))}: ${figure(value)}</span>`)}
          </p>`
        : undefined
    }
  </figure>`;
}

/** Broken at gaps; a sample alone is a dot, by the round ends of the line. */
function lineThrough(
  points: ReportSeries['points'],
  x: (at: number) => string,
  y: (value: number) => string,
): string {
  return points
    .flatMap(([at, value], index) => {
      if (value === null) return [];
      const isFirst = (points[index - 1]?.[1] ?? null) === null;
      return `${isFirst ? 'M' : 'L'}${x(at)} ${y(value)}${isFirst ? 'h0' : ''}`;
    })
    .join('');
}

const mostMarks = 6;
const timeIn = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** The times that the quotes name, each at the point next to it. */
function marksOf(
  about: readonly CheckedQuote[],
  real: readonly FinitePoint[],
  [from, to]: [number, number],
): FinitePoint[] {
  const times = about
    .flatMap(({ quote }) => quote.match(timeIn) ?? [])
    .map((text) => Date.parse(text))
    .filter((at) => at >= from && at <= to);
  const nearest = times.map((at) =>
    real.reduce((best, point) => (Math.abs(point[0] - at) < Math.abs(best[0] - at) ? point : best)),
  );
  return [...new Set(nearest)].toSorted(([left], [right]) => left - right).slice(0, mostMarks);
}

function rounded(value: number): string {
  return String(Math.round(value * 10) / 10);
}
