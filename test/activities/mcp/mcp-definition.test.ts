// What a server lists, read with suspicion: names, schemas and sizes.
import { expect, test } from 'vitest';
import { readDefinition, toMcpToolName } from '../../../src/activities/mcp/mcp-definition.ts';
import { createArgumentValidator } from '../../../src/activities/tools/tool-arguments.ts';
import { callTool, collect, hostileServer } from '../../support/mcp-servers.ts';

const good = { name: 'good', description: 'Good.', inputSchema: { type: 'object' } };
const deep = JSON.parse(`${'{"type":"object","properties":{"a":'.repeat(30)}{}${'}}'.repeat(30)}`);

const refused: [why: RegExp, tool: object][] = [
  [/its name is not/, { ...good, name: 'a\nb' }],
  [/its name is not/, { ...good, name: 7 }],
  [/not that of an object/, { ...good, inputSchema: { type: 'string' } }],
  [/not that of an object/, { name: 'x' }],
  [/cannot be used/, { ...good, inputSchema: { type: 'object', properties: { a: { type: 'nonsense' } } } }],
  [
    /cannot be used/,
    { ...good, inputSchema: { type: 'object', properties: { a: { $ref: 'http://example.org/x' } } } },
  ],
  [/\$async/, { ...good, inputSchema: { type: 'object', $async: true } }],
  [/nested in more than 40 levels/, { ...good, inputSchema: deep }],
  [/its definition has \d+ bytes/, { ...good, description: 'x'.repeat(20_000) }],
  [/as a task only/, { ...good, execution: { taskSupport: 'required' } }],
  [/annotations/, { ...good, annotations: { readOnlyHint: 'yes' } }],
];

test.each(refused)('a tool is refused: %s', (why, tool) => {
  expect(readDefinition(tool, true)).toMatchObject({ ok: false, reason: expect.stringMatching(why) });
});

test('a schema of more levels than can be walked is refused, and does not throw', () => {
  const levels = 50_000;
  const inputSchema = JSON.parse(`${'{"type":"object","not":'.repeat(levels)}{}${'}'.repeat(levels)}`);
  expect(readDefinition({ ...good, inputSchema }, false)).toMatchObject({ ok: false });
});

test('a tool that cannot be used is left out with a warning, and the others are there', async () => {
  const env = {
    TOOLS: JSON.stringify([
      ...refused.map(([, tool], index) => ({ ...tool, name: `bad_${index}` })),
      good,
      good,
    ]),
  };
  const { settings } = await hostileServer('listed', { env });
  const { tools, warnings } = await collect({ shop: settings });
  // two of them have nothing wrong but their names
  expect(tools.map(({ spec }) => spec.name)).toEqual([
    'mcp__shop__bad_0',
    'mcp__shop__bad_1',
    'mcp__shop__good',
  ]);
  expect(warnings.join('\n')).toMatch(
    /MCP server shop: 10 tools not offered: bad_2: .*good: it is listed twice/s,
  );
});

test('a regular expression of a server does not run here: it becomes words, and a field of that name stays', () => {
  const inputSchema = {
    type: 'object',
    properties: { pattern: { type: 'string', pattern: '^(a|a)*$', description: 'Letters.' } },
    patternProperties: { '^(b|b)*$': { type: 'number' } },
  };
  const read = readDefinition({ ...good, inputSchema }, false);
  const input = read.ok ? read.definition.input : {};
  expect(input).toEqual({
    type: 'object',
    properties: { pattern: { type: 'string', description: 'Letters. (pattern: ^(a|a)*$)' } },
  });
  expect(createArgumentValidator()(input, { pattern: `${'a'.repeat(60)}!` }).ok).toBe(true);
});

test('arguments are checked against the schema of the server', () => {
  const inputSchema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { count: { type: 'integer' } },
    required: ['count'],
  };
  const read = readDefinition({ ...good, inputSchema }, false);
  const validate = createArgumentValidator();
  const input = read.ok ? read.definition.input : {};
  expect(validate(input, { count: '3' })).toEqual({ ok: true, value: { count: 3 } });
  expect(validate(input, {})).toEqual({ ok: false, reason: 'count: required, but missing.' });
});

test('names of tools: a plain one is kept; an odd or long one is shortened with a digest, and two stay two', () => {
  expect(toMcpToolName('fs', 'read_file')).toBe('mcp__fs__read_file');
  expect(toMcpToolName('fs', 'read file')).toMatch(/^mcp__fs__read_file_[0-9a-f]{8}$/);
  expect(toMcpToolName('fs', 'read/file')).not.toBe(toMcpToolName('fs', 'read file'));
  const long = toMcpToolName('fs', 'x'.repeat(100));
  expect(long).toMatch(/^[A-Za-z][\w-]{63}$/);
  expect(toMcpToolName('fs', `${'x'.repeat(99)}y`)).not.toBe(long);
});

test('a name that was shortened for the model is whole for the server', async () => {
  const env = { TOOLS: JSON.stringify([{ ...good, name: 'shop.restart/all' }]) };
  const { settings, lines } = await hostileServer('listed', { env });
  const { tools } = await collect({ shop: settings });
  const [tool] = tools;
  expect(tool && (await callTool(tool)).isError).toBe(false);
  expect(lines()).toContain('call shop.restart/all');
});

test('a description is shown without the characters that nobody sees', async () => {
  const description = 'Reads\u200b a file.\u{e0041}\u{e0042}\u202e\u001b[31m';
  const env = { TOOLS: JSON.stringify([{ ...good, description }]) };
  const { settings } = await hostileServer('listed', { env });
  const { tool } = await collect({ shop: settings });
  expect(tool('mcp__shop__good').spec.description).toBe('From the MCP server "shop": Reads a file.');
});

test('servers with more definitions than a run can carry lose what is over', async () => {
  const { settings } = await hostileServer('many');
  const { tools, warnings } = await collect({ shop: settings });
  expect(tools.length).toBeGreaterThan(20);
  expect(JSON.stringify(tools.map(({ spec }) => spec)).length).toBeLessThan(128 * 1024);
  expect(warnings.join()).toContain('name the tools that are needed in "tools" of the server');
});
