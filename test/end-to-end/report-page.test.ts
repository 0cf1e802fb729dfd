// The page of a report in a real browser: what a reader sees, in light and dark, on a phone and on paper.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderReportHtml } from '@holdfast/report/report-html';
import { type Browser, chromium, chromiumMissing, openBrowser } from '../support/chromium.ts';
import { limitReport, seriesReport, wholeReport } from '../support/sample-reports.ts';

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

    const withSeries = renderReportHtml(seriesReport);

    test.each([
      ['light', { width: 1280 }],
      ['dark', { width: 1280, dark: true }],
      ['on a phone', { width: 390 }],
      ['on paper', { width: 800, print: true }],
    ])(
      '[SRC-20b] a series is drawn within its frame, in colours of the page, readable: %s',
      async (_, view) => {
        expect(await browser.ask(withSeries, view, lowContrast)).toEqual([]);
        const drawn = `(() => {
        const svg = document.querySelector('.chart svg');
        const frame = svg.getBoundingClientRect();
        const line = svg.querySelector('.line');
        const { left, right, top, bottom } = line.getBoundingClientRect();
        return {
          inside: left >= frame.left - 1 && right <= frame.right + 1 && top >= frame.top - 1 && bottom <= frame.bottom + 1,
          wide: Math.round(right - left) >= Math.round(frame.width) - 1 && frame.width > 150,
          high: frame.height > 80 && Math.round(bottom - top) >= Math.round(frame.height) - 1,
          link: getComputedStyle(line).stroke === getComputedStyle(document.querySelector('nav a')).color,
          beyond: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        };
      })()`;
        const expected = { inside: true, wide: true, high: true, link: true, beyond: 0 };
        expect(await browser.ask(withSeries, view, drawn)).toEqual(expected);
      },
    );

    test('[SRC-20ac] the quoted time is marked where it is, and the picture has a name and a description', async () => {
      const asked = `(() => {
        const svg = document.querySelector('.chart svg');
        const [mark, line] = ['.mark', '.line'].map((name) => svg.querySelector(name).getBoundingClientRect());
        return {
          count: document.querySelectorAll('.chart').length,
          share: Math.round(((mark.left + mark.right) / 2 - line.left) / line.width * 59),
          parts: svg.querySelector('.line').getAttribute('d').match(/M/g).length,
          role: svg.getAttribute('role'),
          name: svg.querySelector('title').textContent,
          description: svg.querySelector('desc').textContent.trim(),
          labels: document.querySelector('.chart').innerText.replace(/\\s+/g, ' '),
          bold: document.querySelectorAll('.chart b').length,
        };
      })()`;
      expect(await browser.ask(withSeries, { width: 1280 }, asked)).toEqual({
        count: 1,
        share: 41,
        // before and after the gap
        parts: 2,
        role: 'img',
        name: 'failures{path="<b>pay</b>"}',
        description:
          '55 points from 2026-11-22T03:00:00Z to 2026-11-22T03:59:00Z, lowest 0.01, highest 0.93. Marked: 0.93 at 2026-11-22T03:41:00Z.',
        labels:
          'failures{path="<b>pay</b>"} 0.93 0.01 22 Nov 03:00:00 UTC 22 Nov 03:59:00 UTC ● 22 Nov 03:41:00 UTC: 0.93',
        bold: 0,
      });
    });

    test('hostile words run nothing', async () => {
      const words =
        '</style><script>document.title = "run"</script><img src=x onerror="document.title=\'run\'">';
      const hostile = renderReportHtml({ ...wholeReport, summary: words, claims: [] });
      expect(await browser.ask(hostile, { width: 800 }, 'document.title')).toMatch(
        /^Likely cause found, changed/,
      );
      expect(await browser.ask(hostile, { width: 800 }, "document.querySelector('.lead').textContent")).toBe(
        words,
      );
      expect(
        await browser.ask(hostile, { width: 800 }, 'document.scripts.length + document.images.length'),
      ).toBe(0);
    });
  },
);
