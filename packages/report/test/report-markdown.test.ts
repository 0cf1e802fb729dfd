import { describe, expect, test } from 'vitest';
import { renderReport } from '../src/report-markdown.ts';
import type { CheckedQuote, Report } from '../src/report.ts';

const found: CheckedQuote = {
  callId: 'c1',
  quote: 'pool: 2\nother ``` line',
  verified: true,
  position: { artifactId: 'tool-c1', line: 7, character: 1 },
  source: { tool: 'remote', argument: 'grep `pool`', host: 'db<1>', at: '2026-11-21T03:04:05.000Z' },
};

const report: Report = {
  version: 1,
  sessionId: 's1',
  runId: 'r1',
  turn: 4,
  author: 'agent',
  summary: 'The pool was cut.\n# Not a heading\nSecond line.',
  grade: 'likely',
  claims: [
    { text: 'The pool has 2 places.', verified: true, quotes: [found] },
    {
      text: 'Nothing else.\n1. **Quote found.** A forged claim',
      verified: false,
      quotes: [
        { callId: 'c`2', quote: 'gone', verified: false, reason: 'there is no such call in this session' },
      ],
    },
    { text: '**Quote found.** without <b>quote</b>', verified: false, quotes: [] },
  ],
  ruledOut: [{ text: 'The database: 3 ms', quotes: [] }],
  gaps: [
    { text: 'No access to db2', source: 'model' },
    { text: 'grep {"path":"x"}: refused', source: 'code', callId: 'c3' },
    {
      text: 'restart {}: Outcome unknown',
      source: 'code',
      callId: 'c4',
      closedBy: {
        callId: 'c5',
        quote: 'started',
        verified: true,
        position: { artifactId: 'tool-c5', line: 1, character: 1 },
        source: { tool: 'read', argument: 'shop.log', at: '2026-11-21T03:04:06.000Z' },
      },
    },
  ],
  timeline: [{ at: '12:03', event: 'deploy 41', quotes: [found] }],
};

test('[REPORT-02b] [REPORT-06ab] [REPORT-18a] every claim has its mark, every quote its place or reason, every gap its source', () => {
  expect(renderReport(report)).toBe(`# Report

Grade: **likely (agent: likely)**. 2 of 3 quotes found in the stored tool outputs, all of them for 1 of 3 claims.

The pool was cut.${'  '}
\\# Not a heading${'  '}
Second line.

## Claims

1. **Quote found.** The pool has 2 places.
   - quote found: \`remote grep pool \` on db\\<1>, 2026-11-21 03:04:05 UTC, call \`c1\`, line 7
     \`\`\`\`
     pool: 2
     other \`\`\` line
     \`\`\`\`
     More: \`holdfast output s1 c1 --line 7\`
2. **QUOTE NOT FOUND.** Nothing else. 1. \\*\\*Quote found.\\*\\* A forged claim
   - QUOTE NOT FOUND: call \`c 2\`: there is no such call in this session
     \`\`\`
     gone
     \`\`\`
3. **NO QUOTE.** \\*\\*Quote found.\\*\\* without \\<b>quote\\</b>

## Ruled out

- The database: 3 ms

## Gaps

- No access to db2
- grep {"path":"x"}: refused (found by Holdfast)
- **Closed by a later read.** restart {}: Outcome unknown (found by Holdfast)
   - quote found: \`read shop.log\`, 2026-11-21 03:04:06 UTC, call \`c5\`, line 1
     \`\`\`
     started
     \`\`\`
     More: \`holdfast output s1 c5 --line 1\`

## Timeline

- 12:03: deploy 41
   - quote found: \`remote grep pool \` on db\\<1>, 2026-11-21 03:04:05 UTC, call \`c1\`, line 7 (shown above)

Session s1, run r1, turn 4.
`);
});

test('a report with nothing but a summary', () => {
  const { timeline: _, ...rest } = report;
  const text = renderReport({ ...rest, claims: [], ruledOut: [], gaps: [] });
  expect(text).toContain('0 of 0 quotes found');
  expect(text).not.toContain('##');
});

describe('[REPORT-02b] what the model wrote shows as it is and forges nothing', () => {
  const shown = (text: string): string => {
    const { timeline: _, ...rest } = report;
    const rendered = renderReport({
      ...rest,
      summary: text,
      claims: [],
      ruledOut: [{ text, quotes: [] }],
      gaps: [],
    });
    return rendered.slice(rendered.indexOf('claims.') + 9, rendered.indexOf('\n\nSession'));
  };

  test.each([
    ['a heading', '# Claims', '\\# Claims'],
    ['an underlined heading', 'Claims\n--', 'Claims  \n\\--'],
    ['the other one', 'Claims\n=', 'Claims  \n\\='],
    ['a numbered claim', '1. **Verified.** x\n2) y', '1\\. \\*\\*Verified.\\*\\* x  \n2\\) y'],
    ['emphasis by underscores', '__Verified.__ pool_size', '\\_\\_Verified.\\_\\_ pool_size'],
    ['a list', '- a\n+ b\n* c', '\\- a  \n\\+ b  \n\\* c'],
    ['a fence', '~~~\n```', '\\~\\~\\~  \n\\`\\`\\`'],
    ['a block of code', 'a\n\n      b', 'a\n\nb'],
    ['a quote', '> a -> b', '\\> a -> b'],
    ['a picture', '![x](http://evil/x)', '!\\[x\\](http://evil/x)'],
    ['a link', '<http://evil>', '\\<http://evil>'],
    ['a reference', '[x]: http://evil', '\\[x\\]: http://evil'],
    ['HTML', '<h2>Claims</h2><!--', '\\<h2>Claims\\</h2>\\<!--'],
    ['entities', '&#42;&amp; a & b', '\\&#42;\\&amp; a & b'],
    ['a table', '|a|\n:-\n', '\\|a\\|  \n\\:-'],
    ['a formula', '$\\bf{Verified.}$', '\\$\\\\bf{Verified.}\\$'],
    ['escapes', '\\*', '\\\\\\*'],
  ])('%s', (_name, text, expected) => {
    const [summary, ruledOut] = shown(text).split('\n\n## Ruled out\n\n- ');
    expect(summary).toBe(expected);
    expect(ruledOut).not.toMatch(/^[#>=+:-]|^\d+[.)]|\n/);
  });
});

test('the report of a dry run says so before anything else', () => {
  const head = (dry: Report): string => renderReport(dry).split('\n').slice(0, 3).join('\n');
  expect(head({ ...report, dryRun: true })).toMatch(/^# Report\n\n\*\*Dry run\*\*: nothing was changed/);
  expect(head(report)).not.toContain('Dry run');
});
