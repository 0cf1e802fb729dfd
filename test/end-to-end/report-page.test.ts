// The page of a report in a real browser: what a reader sees, in light and dark, on a phone and on paper.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderReportHtml } from '../../src/core/report/report-html.ts';
import { type Browser, chromium, chromiumMissing, openBrowser } from '../support/chromium.ts';
import { limitReport, wholeReport } from '../support/sample-reports.ts';

const page = renderReportHtml(wholeReport);
const opened = page.replaceAll('<details class', '<details open class');

/** Runs in the page: every text with the contrast to what is behind it; only those below 4.5 to 1 (WCAG AA). */
const lowContrast = `(() => {
  const parse = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const [r, g, b, a = 1] = parse(getComputedStyle(at).backgroundColor);
      if (a > 0) return [r, g, b];
    }
    return [255, 255, 255];
  };
  const low = [];
  for (const element of document.querySelectorAll('body *')) {
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')) continue;
    const [one, two] = [light(parse(getComputedStyle(element).color)), light(behind(element))];
    const ratio = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
    if (ratio < 4.5) low.push(element.outerHTML.slice(0, 80) + ' ' + ratio.toFixed(2));
  }
  return low;
})()`;

describe.skipIf(chromium === undefined)(
  `[REPORT-13b] the page of a report in Chromium${chromiumMissing}`,
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openBrowser();
    });
    afterAll(() => browser.close());

    test.each([
      ['light', { width: 1280 }],
      ['dark', { width: 1280, dark: true }],
      ['on a phone, dark', { width: 390, dark: true }],
    ])('every text can be read: %s', async (_, view) => {
      expect(await browser.ask(opened, view, lowContrast)).toEqual([]);
      expect(await browser.ask(renderReportHtml(limitReport), view, lowContrast)).toEqual([]);
    });

    test('dark and light differ, as the reader has it', async () => {
      const background = 'getComputedStyle(document.body).backgroundColor';
      const light = await browser.ask<string>(page, { width: 1280 }, background);
      expect(await browser.ask(page, { width: 1280, dark: true }, background)).not.toBe(light);
      // paper is light, whatever the screen is
      const paper = await browser.ask<string>(page, { width: 800, dark: true, print: true }, background);
      expect(paper).toBe('rgb(255, 255, 255)');
    });

    test('nothing is wider than a phone', async () => {
      const width = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await browser.ask(opened, { width: 390 }, width)).toBe(0);
    });

    const contextHeight = "document.querySelector('.quote .hit').getBoundingClientRect().height";

    test('a quote opens to its context with a click, and is open on paper', async () => {
      const shown = "document.querySelector('.quote .lines').checkVisibility()";
      expect(await browser.ask(page, { width: 1280 }, shown)).toBe(false);
      const click = `document.querySelector('.quote summary').click(); ${shown}`;
      expect(await browser.ask(page, { width: 1280 }, click)).toBe(true);
      expect(await browser.ask(page, { width: 800, print: true }, contextHeight)).toBeGreaterThan(5);
    });

    test('the timelines of agent and code are side by side where there is room', async () => {
      const lefts =
        "['timeline', 'calls'].map((id) => document.getElementById(id).getBoundingClientRect().left)";
      const [left, right] = await browser.ask<number[]>(page, { width: 1280 }, lefts);
      expect(right).toBeGreaterThan(left ?? 0);
      expect(new Set(await browser.ask<number[]>(page, { width: 390 }, lefts)).size).toBe(1);
    });

    test('hostile words run nothing', async () => {
      const words =
        '</style><script>document.title = "run"</script><img src=x onerror="document.title=\'run\'">';
      const hostile = renderReportHtml({ ...wholeReport, summary: words, claims: [] });
      expect(await browser.ask(hostile, { width: 800 }, 'document.title')).toBe(wholeReport.run?.title);
      expect(await browser.ask(hostile, { width: 800 }, "document.querySelector('.lead').textContent")).toBe(
        words,
      );
      expect(
        await browser.ask(hostile, { width: 800 }, 'document.scripts.length + document.images.length'),
      ).toBe(0);
    });
  },
);
