// Config files as people write them, with the habits of other programs and systems: each is read, or says what is other here.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Loaded, loadConfigs } from '../support/load-configs.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const tool = (zod: string) => `
  import { defineConfig, defineTool } from 'holdfast';
  ${zod}
  const input = z.object({ q: z.string() });
  export default defineConfig({ tools: [defineTool({ name: 'a', description: 'a', input, run: () => 'x' })] });`;

type Case = [name: string, text: string | Buffer, expected: object | RegExp];

const yaml: Case[] = [
  [
    'merge.yaml',
    'agents:\n  a: &a\n    instructions: y\n    tools: [read]\n  b:\n    <<: *a\n    description: z\n',
    { agents: { b: { instructions: 'y', tools: ['read'], description: 'z' } } },
  ],
  ['mark.yaml', '\uFEFFtaskQueue: x\r\nmodel: openai:x\r\n', { taskQueue: 'x', model: 'openai:x' }],
  ['tag.yaml', 'model: openai:x\ntaskQueue: !env QUEUE', /tag.yaml:2 does not parse: Unresolved tag: !env\./],
  ['alias.yaml', 'taskQueue: *queue', /alias.yaml:1 does not parse: Unresolved alias/],
  ['twice.yaml', 'taskQueue: a\ntaskQueue: b', /twice.yaml:2 does not parse: Map keys must be unique/],
  ['tab.yaml', 'http:\n\tallow: []', /tab.yaml:2 does not parse: Tabs are not allowed/],
  [
    'two.yaml',
    'taskQueue: a\n---\ntaskQueue: b',
    /two.yaml:2 does not parse: Source contains multiple documents/,
  ],
  [
    'latin.yaml',
    Buffer.from('taskQueue: x\n# caf\xE9', 'latin1'),
    /latin.yaml:2 does not parse: it is not UTF-8/,
  ],
  ['wide.yaml', Buffer.from('\uFEFFtaskQueue: x', 'utf16le'), /wide.yaml:1 does not parse: it is not UTF-8/],
];

const typeScript: Case[] = [
  ['enum.ts', 'enum Queue { a }\nexport default {};', /enum.ts:1 does not parse: .*enum.* "import type"/],
  [
    'parameter.ts',
    'class A { constructor(private x: 1) {} }\nexport default {};',
    /parameter property or decorator/,
  ],
  ['decorator.ts', 'class A {\n @x b = 1 }\nexport default {};', /decorator.ts:2 does not parse: .*no enum/],
  [
    'namespace.ts',
    'namespace N { export const a = 1 }\nexport default {};',
    /or compile the config to JavaScript/,
  ],
  [
    'type.ts',
    "import { HoldfastConfig } from 'holdfast';\nexport default {};",
    /import types with "import type"/,
  ],
  ['paths.ts', "import x from '@/x';\nexport default x;", /Cannot find package '@\/x' .*no "paths" of it/],
  ['ending.ts', "import x from './queue';\nexport default x;", /by its whole name, such as "\.\/queue\.ts"/],
  ['js.js', 'export default { ;', /js.js:1 does not parse: (?!.*TypeScript)/],
];

const schemas: Case[] = [
  [
    'zod3.ts',
    tool("import { z } from 'zod/v3';"),
    /the tool "a" is no object schema of zod 4: .* not from zod 3 or zod\/mini/,
  ],
  [
    'mini.ts',
    tool("import * as z from 'zod/mini';"),
    /the tool "a" is no object schema of zod 4: .* not from zod 3 or zod\/mini/,
  ],
];

const cases = [...yaml, ...typeScript, ...schemas];
const results = new Map<string, Loaded>();

beforeAll(async () => {
  const folder = await temporaryFolder(afterAll);
  for (const [name, text] of cases) await writeFile(join(folder, name), text);
  const loaded = await loadConfigs(
    folder,
    cases.map(([name]) => name),
  );
  cases.forEach(([name], index) => results.set(name, loaded[index] ?? {}));
});

function check(name: string, expected: object | RegExp): void {
  const { loaded, failure } = results.get(name) ?? {};
  if (!(expected instanceof RegExp)) return expect(loaded?.config).toMatchObject(expected);
  expect(failure).toMatchObject({ name: 'ConfigError', message: expect.stringMatching(expected) });
}

test.each(yaml)('[CORE-08] %s', (name, _text, expected) => check(name, expected));
test.each(typeScript)('[CORE-09a] %s', (name, _text, expected) => check(name, expected));
test.each(schemas)('[CORE-09b] %s', (name, _text, expected) => check(name, expected));

test('[CORE-08] a folder with the name of a config is told with its path', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'holdfast.config.yaml'));
  const [result] = await loadConfigs(folder, ['']);
  expect(result?.failure).toMatchObject({
    name: 'ConfigError',
    message: expect.stringMatching(/holdfast\.config\.yaml cannot be read: EISDIR/),
  });
});
