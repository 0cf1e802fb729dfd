// The answer of a tool whose last transform is `series`: the text for the model, and what is stored with it. Pure. The
// report draws a series from the stored lines.
import { messageOf } from '../../core/base/message-of.ts';
import type { Series } from '../../core/base/series.ts';
import { storedSeriesMark } from '../../stored/stored-series.ts';
import { compareWindows } from './compare-windows.ts';
import { readSeries, summarise } from './series-summary.ts';

/** The answer for the window that began so much earlier, such as `1d`. */
export type EarlierAnswer = { text: string; by: string };

/** `stored` follows the text in the stored output; `count` is the number of series. */
export type ShownSeries = { text: string; stored: string; count: number };

/** Both texts in the form of readSeries. A text of another form is shown as it is, with the reason. */
export function seriesAnswer(text: string, earlier?: EarlierAnswer): ShownSeries {
  try {
    const during = readSeries(text);
    const before = earlier && readSeries(earlier.text);
    const shown = earlier && before ? compareWindows(during, before, earlier.by) : summarise(during);
    const more =
      earlier && before ? ['', `[The series ${earlier.by} earlier:]`, ...linesOf(before.series)] : [];
    const stored = [storedSeriesMark, ...linesOf(during.series), ...more].join('\n');
    return { text: shown, stored, count: during.series.length };
  } catch (error) {
    const reason = `[Shown as it came: series could not read it (${messageOf(error)}).]`;
    return { text: `${reason}\n${text}`, stored: earlier?.text ?? '', count: 0 };
  }
}

function linesOf(series: readonly Series[]): string[] {
  return series.map((each) => JSON.stringify(each));
}
