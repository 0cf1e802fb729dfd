// What servers answer beside, or in place of, a text: nothing of it is lost, and nothing is said twice.
import { expect, test } from 'vitest';
import { callTool, collect, hostileServer } from '../../support/mcp-servers.ts';

async function answerOf(result: object) {
  const { settings } = await hostileServer('result', { env: { RESULT: JSON.stringify(result) } });
  const { tool } = await collect({ shop: settings });
  return callTool(tool('mcp__shop__act'));
}

const text = (words: string) => ({ type: 'text', text: words });
const alerts = { alerts: ['DiskFull db-1', 'OOM web-3'] };
const shown = JSON.stringify(alerts, undefined, 2);

test.each<[string, object, string]>([
  ['[TOOL-40a] an empty text', { content: [text('')], structuredContent: alerts }, shown],
  ['[TOOL-40a] no part at all', { content: [], structuredContent: alerts }, shown],
  ['[TOOL-40a] no list of parts', { structuredContent: alerts }, shown],
  ['[TOOL-40b] a summary', { content: [text('2 alerts')], structuredContent: alerts }, `2 alerts\n${shown}`],
  [
    '[TOOL-40b] a resource',
    { content: [{ type: 'resource', resource: { uri: 'a:b', text: 'x' } }], structuredContent: alerts },
    `[resource a:b]\nx\n${shown}`,
  ],
])('%s: structured content beside it reaches the model', async (_name, result, expected) => {
  expect(await answerOf(result)).toMatchObject({ isError: false, text: expected });
});

test.each<[string, object, string]>([
  ['a list as structured content', { content: [text('2')], structuredContent: [1, 2] }, '2\n[\n  1,\n  2\n]'],
  [
    'null for no content and no error',
    { content: null, structuredContent: null, isError: null },
    '(no output)',
  ],
  ['the field of 2024', { toolResult: { rows: 7 } }, '{\n  "toolResult": {\n    "rows": 7\n  }\n}'],
  ['an empty object', { content: [], structuredContent: {} }, '{}'],
])(
  '[TOOL-40g] a result that is not quite one is read as far as it goes: %s',
  async (_name, result, expected) => {
    expect(await answerOf(result)).toMatchObject({ isError: false, text: expected });
  },
);

test.each<[string | undefined, string, string]>([
  ['text/plain', 'pool exhausted: größer\n', 'pool exhausted: größer\n'],
  [undefined, 'a: 1\n', 'a: 1\n'],
  ['application/pdf', '%PDF-1.7\n\u0000', '[binary data, application/pdf, about 12 bytes: not shown]'],
])(
  '[TOOL-40b] a resource of %s that comes as bytes is shown where these are text',
  async (mimeType, said, shown) => {
    const blob = Buffer.from(said).toString('base64');
    const content = [{ type: 'resource', resource: { uri: 'a:b', mimeType, blob } }];
    expect((await answerOf({ content })).text).toBe(`[resource a:b]\n${shown}`);
  },
);

test('[TOOL-40c] structured content of an error reaches the model, as an error', async () => {
  const result = {
    isError: true,
    content: [text('Denied')],
    structuredContent: { code: 'quota', after: 30 },
  };
  const answer = await answerOf(result);
  expect(answer.isError).toBe(true);
  expect(answer.text).toBe('Denied\n{\n  "code": "quota",\n  "after": 30\n}');
});

test.each<[string, string[], unknown]>([
  ['the same JSON with other blanks and order', ['{"b":1,\n"a":[true]}'], { a: [true], b: 1 }],
  ['a text in "result"', ['all is well'], { result: 'all is well' }],
  ['a text in another single field', ['of a file'], { content: 'of a file' }],
  ['a number in "result"', ['7'], { result: 7 }],
  ['a list in "result", a part for each', ['{"a":1}', 'b'], { result: [{ a: 1 }, 'b'] }],
  ['a list in "result", as one part', ['[1,2]'], { result: [1, 2] }],
])('[TOOL-40d] what a text says already is not repeated: %s', async (_name, texts, structuredContent) => {
  const { text: answer } = await answerOf({ content: texts.map(text), structuredContent });
  expect(answer).toBe(texts.join('\n'));
});

test('[TOOL-40e] a part of an unknown type costs no other part', async () => {
  const content = [text('before'), { type: 'video', data: 'eA==', mimeType: 'video/mp4' }, text('after')];
  const { text: answer, isError } = await answerOf({ content });
  expect(isError).toBe(false);
  expect(answer).toMatch(/^before\n\[a part that is not known: .*"type":"video".*\]\nafter$/);
});

test('[TOOL-40f] structured content that is cut for the model is whole in the store', async () => {
  const rows = Array.from({ length: 3_000 }, (_, index) => ({ id: index, state: 'firing' }));
  const { settings } = await hostileServer('result', {
    env: { RESULT: JSON.stringify({ content: [text('3000 alerts')], structuredContent: { rows } }) },
  });
  const { tool } = await collect({ shop: settings });
  const { artifactId, bench } = await callTool(tool('mcp__shop__act'));
  const stored = await bench.deps.artifacts.get('session-1', artifactId ?? '');
  expect(Buffer.from(stored ?? []).toString()).toContain('"id": 2999');
});
