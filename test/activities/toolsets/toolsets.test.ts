// Toolset files: what is refused, how words are filled, what a status says, and tools whose programs are not here.
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text as textIn } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { openOutput } from '@holdfast/stored/stored-output';
import { textOf } from '@holdfast/vocabulary/messages';
import type { Json } from '@holdfast/base/json';
import { withWindow } from '../../../src/core/tools/window.ts';
import type { ToolContext } from '../../../src/activities/tools/define-tool.ts';
import { readToolset } from '../../../src/activities/toolsets/read-toolset.ts';
import { openToolset } from '../../../src/activities/toolsets/toolsets.ts';
import { judgeCommand } from '@holdfast/shell-judge';
import { startHttpServer } from '../../support/http-server.ts';
import { temporaryFolder, toolBench } from '../../support/tool-calls.ts';
import { createToolBench } from '../../support/toolset-bench.ts';

const starter = resolve(import.meta.dirname, '../../../catalog/toolsets');

async function fileOf(yaml: string): Promise<string> {
  const file = join(await temporaryFolder(), 'own.yaml');
  await writeFile(file, yaml);
  return file;
}

const echo = (tool: string, more = ''): string => `
name: own
description: Own tools.
${more}
tools:
  - name: say
    description: Says its words.
    effect: read
${tool.replaceAll(/^/gm, '    ')}
`;

async function openOwn(yaml: string, given: Parameters<typeof createToolBench>[0] = {}, settings = {}) {
  const bench = createToolBench(given);
  const toolset = await openToolset(await fileOf(yaml), { settings }, bench.deps);
  return { toolset, call: bench.callerOf(toolset) };
}

function contextOf(basis?: string): ToolContext {
  const own: Partial<ToolContext> = {
    signal: new AbortController().signal,
    onUpdate: () => undefined,
    redact: (text) => text,
    ...(basis === undefined ? {} : { basis }),
  };
  return own as ToolContext;
}

test.each(readdirSync(starter).filter((name) => name.endsWith('.yaml')))(
  '[TOOL-25c] the starter toolset %s is valid, and every tool of it only reads or says what it changes',
  async (name) => {
    const { tools } = (await readToolset(join(starter, name))).toolset;
    expect(tools.filter(({ effect, change }) => (effect === 'read') === (change !== undefined))).toEqual([]);
  },
);

describe('a mistake names the file and the field', () => {
  test.each([
    ['tools: {', /no YAML/],
    ['name: own\ndescription: d\ntools: []', /tools/],
    [echo('command: [echo, "{{text}}"]'), /names \{\{text\}\}: expected one of none/],
    [
      echo('parameters: { text: { type: string, optional: true } }\ncommand: [echo, "{{text}}"]'),
      /expected \{when: text/,
    ],
    [echo('command: [echo]\nhttp: { url: "http://x/" }'), /expected one of command, http and code/],
    [
      echo('http: { url: "{{host}}/x" }\nparameters: { host: { type: string } }'),
      /expected \{\{settings\.NAME\}\} or http/,
    ],
    [
      echo('http: { url: "http://{{host}}/x" }\nparameters: { host: { type: string } }'),
      /expected \{\{settings\.NAME\}\} or http/,
    ],
    [
      echo('http: { url: "http://shop{{host}}/x" }\nparameters: { host: { type: string } }'),
      /expected \{\{settings/,
    ],
    [echo('command: [echo]\nlines: many'), /lines/],
    [echo('command: [echo]\nlines: 0'), /lines/],
    [echo('command: [echo]\neffects: read'), /effects/],
    [echo('parameters: { text: { type: string, pattern: "(" } }\ncommand: [echo]'), /regular expression/],
  ])('%j', async (yaml, expected) => {
    await expect(readToolset(await fileOf(yaml))).rejects.toThrow(expected);
  });

  test('a setting and a tool that do not exist', async () => {
    const { deps } = createToolBench();
    const file = await fileOf(echo('command: [echo]'));
    await expect(openToolset(file, { settings: { url: 'x' } }, deps)).rejects.toThrow(
      'has no setting url: expected one of none, it has none.',
    );
    await expect(openToolset(file, { tools: ['shout'] }, deps)).rejects.toThrow('expected one of say');
  });
});

describe('a command', () => {
  const words =
    'command: [printf, "%s|", "{{text}}", "--x={{text}}", { when: loud, words: [LOUD] }, "{{names}}"]';
  const parameters = `parameters:
  text: { type: string }
  loud: { type: boolean, default: false }
  names: { type: list, default: [a, b] }
`;

  test('gets each value as one word, whatever is in it', async () => {
    const { call } = await openOwn(echo(`${parameters}${words}`));
    const text = `a b; rm -rf / $(id) \`id\` 'x' "y" | z > w\n*`;
    expect(await call('say', { text })).toBe(`${text}|--x=${text}|a|b|`);
    expect(await call('say', { text: 'a', loud: true, names: ['x y', '$z'] })).toBe('a|--x=a|LOUD|x y|$z|');
  });

  test('refuses a value that its program would read as an option, unless the file allows it or `--` comes before', async () => {
    const { call } = await openOwn(echo(`${parameters}${words}`));
    await expect(call('say', { text: '-n' })).rejects.toThrow('does not begin with "-"');
    await expect(call('say', { text: 'a', names: ['b', '--exec'] })).rejects.toThrow(
      'does not begin with "-"',
    );
    const after = await openOwn(
      echo('parameters: { text: { type: string } }\ncommand: [printf, --, "%s", "{{text}}"]'),
    );
    expect(await after.call('say', { text: '-n' })).toBe('-n');
    const allowed = await openOwn(
      echo('parameters: { text: { type: string, dash: true } }\ncommand: [printf, "%s", "{{text}}"]'),
    );
    expect(await allowed.call('say', { text: '-n' })).toBe('-n');
  });

  test('a pattern is for the whole value', async () => {
    const { call } = await openOwn(
      echo('parameters: { text: { type: string, pattern: "[a-z]+" } }\ncommand: [printf, "%s", "{{text}}"]'),
    );
    await expect(call('say', { text: 'abc; id' })).rejects.toThrow('has characters or a form');
    await expect(call('say', { text: 'abc\nid' })).rejects.toThrow('has characters or a form');
  });

  test('[TOOL-23cd] a time reaches the program in its own form, and keeps the words of the model for people', async () => {
    const command = 'command: [printf, "%s %s", "{{from}}", "{{to}}"]';
    const parameters = 'parameters: { from: { type: time, form: seconds }, to: { type: time } }';
    const given = { now: Date.parse('2026-01-31T14:00:00Z') };
    const { toolset, call } = await openOwn(echo(`${parameters}\n${command}`), given);
    const words = { from: '-30m', to: '2026-01-31T15:00:00+01:00' };
    expect(await call('say', words)).toBe('1769866200 2026-01-31T14:00:00Z');
    const { actions } = (await toolset.made[0]?.inspect?.(toolset.made[0].parse(words) as Json)) ?? {};
    expect(actions).toMatchObject([{ command: `printf '%s %s' -30m 2026-01-31T15:00:00+01:00` }]);
  });

  test('[TOOL-22a] a refusal is a sentence: in the words of the file, or of the description, never the pattern', async () => {
    const refusalOf = async (parameter: string, text: string) => {
      const { call } = await openOwn(
        echo(`parameters: { text: { type: string, ${parameter} } }\ncommand: [printf, "%s", "{{text}}"]`),
      );
      return call('say', { text }).catch((error: Error) => error.message);
    };
    const digits = 'pattern: "[0-9]+"';
    expect(await refusalOf(`${digits}, expected: digits`, 'x')).toContain('expected digits');
    expect(await refusalOf(`${digits}, description: A number.`, 'x')).toContain('expected a number.');
    const refuses = 'refuses: [{ pattern: "drop_[a-z]+", because: "{match} changes it; this tool reads" }]';
    expect(await refusalOf(refuses, 'please DROP_all now')).toContain('DROP_all changes it; this tool reads');
    expect(await refusalOf(refuses, 'read')).toBe('read');
    expect(await refusalOf(digits, 'x')).not.toContain('[0-9]');
  });

  test('has a small environment: none of the keys of the worker, what the file passes on, secrets by reference', async () => {
    process.env['PLANTED_API_KEY'] = 'planted-1';
    process.env['PASSED_ON'] = 'yes';
    try {
      const more =
        'environment: { TOKEN: "{{settings.token}}" }\nsettings: { token: { optional: true } }\npassEnvironment: [PASSED_ON]';
      const { call } = await openOwn(
        echo('command: [env]', more),
        { secrets: { token: 'value-1' } },
        { token: 'secret://token' },
      );
      const shown = await call('say', {});
      expect(shown).toContain('TOKEN=value-1');
      expect(shown).toContain('PASSED_ON=yes');
      expect(shown).not.toContain('planted-1');
    } finally {
      delete process.env['PLANTED_API_KEY'];
      delete process.env['PASSED_ON'];
    }
  });

  test('[SRC-64a] [SRC-64b] gets the variables that its configuration names, and always those of proxies and authorities', async () => {
    const environment = {
      AWS_PROFILE: 'ops',
      OTHER_PROFILE: 'other',
      HTTPS_PROXY: 'http://proxy.example:3128',
      no_proxy: '.svc',
      SSL_CERT_FILE: '/etc/own.pem',
      NODE_EXTRA_CA_CERTS: '/etc/node.pem',
    };
    const { deps, callerOf } = createToolBench({ environment });
    const file = await fileOf(echo('command: [env]'));
    const shownFor = async (more: object) => callerOf(await openToolset(file, more, deps))('say', {});
    const shown = (await shownFor({ passEnvironment: ['AWS_PROFILE'] })).split('\n');
    const { OTHER_PROFILE: _, ...passed } = environment;
    expect(shown).toEqual(
      expect.arrayContaining(Object.entries(passed).map(([name, value]) => `${name}=${value}`)),
    );
    for (const name of ['OTHER_PROFILE', 'AWS_PROFILE']) expect(await shownFor({})).not.toContain(`${name}=`);
  });

  test('[SRC-62ab] a default is not used beside the parameter that it would fight, nor the start of a window', async () => {
    const parameters =
      'parameters: { since: { type: time, default: -1h, unless: boot, lookBack: logs }, boot: { type: integer, optional: true } }';
    const command =
      'command: [printf, "%s|", x, { when: since, words: ["{{since}}"] }, { when: boot, words: ["b{{boot}}"] }]';
    const given = { now: Date.parse('2026-01-31T14:00:00Z') };
    const { call, toolset } = await openOwn(echo(`${parameters}\n${command}`), given);
    expect(await call('say', {})).toBe('x|2026-01-31T13:00:00Z|');
    expect(await call('say', { boot: -1 })).toBe('x|b-1|');
    expect(await call('say', { boot: -1, since: '-2h' })).toBe('x|2026-01-31T12:00:00Z|b-1|');
    const spec = toolset.made[0]?.spec ?? {};
    const window = { startsAt: given.now };
    expect(withWindow({}, spec, window)).toEqual({ since: '2026-01-31T13:45:00.000Z' });
    expect(withWindow({ boot: -1 }, spec, window)).toEqual({ boot: -1 });
    // arguments are filled in from the schema of the model, too
    expect(JSON.stringify(spec)).toContain('Default -1h, beside boot none.');
    expect(JSON.stringify(spec)).not.toContain('"default"');
    await expect(
      openOwn(echo(`${parameters.replace('boot: {', 'other: {')}\n${command.replaceAll('boot', 'other')}`)),
    ).rejects.toThrow('unless: expected the name of another parameter');
  });

  test('that fails is an error result with its exit code and output', async () => {
    const { toolset } = await openOwn(echo('command: [sh, -c, "echo broken >&2; exit 3"]'));
    const [tool] = toolset.made;
    expect(await tool?.run({}, contextOf())).toMatchObject({
      isError: true,
      text: '[exit code 3]\nbroken\n',
    });
  });

  test('the question shows the command with references, never with a secret', async () => {
    const { toolset } = await openOwn(
      echo('command: [login, "{{settings.token}}", "a b"]', 'settings: { token: {} }'),
      { secrets: { token: 'value-1' } },
      { token: 'secret://token' },
    );
    const command = "login secret://token 'a b'";
    expect(await toolset.made[0]?.inspect?.({})).toEqual({
      actions: [{ effect: 'read', command }],
      preview: command,
      basis: expect.any(String),
      found: expect.objectContaining({ shown: command }),
    });
  });

  test('resolves references of the file and of its settings, never one in an argument', async () => {
    const { call } = await openOwn(
      echo(
        `parameters: { text: { type: string }, rest: { type: string }, list: { type: list } }
command: [printf, "%s|", "{{text}}", "{{settings.user}}:{{text}}", "secret://{{settings.which}}-{{text}}", "x{{text}}{{rest}}", "{{list}}", "secret://token"]`,
        'settings: { user: {}, which: {} }',
      ),
      { secrets: { token: 'value-1' } },
      { user: 'secret://token', which: 'token' },
    );
    const reference = 'secret://token';
    expect(await call('say', { text: reference, rest: 'r', list: [reference] })).toBe(
      `${reference}|value-1:${reference}|value-1-${reference}|x${reference}r|${reference}|value-1|`,
    );
    expect(await call('say', { text: 'secret:/', rest: '/token', list: ['{{settings.user}}'] })).toBe(
      'secret:/|value-1:secret:/|value-1-secret:/|xsecret://token|{{settings.user}}|value-1|',
    );
  });

  test('shows a control character to the person who is asked, and does not obey it', async () => {
    const { toolset } = await openOwn(
      echo('parameters: { text: { type: string } }\ncommand: [echo, "{{text}}"]'),
    );
    const facts = await toolset.made[0]?.inspect?.({ text: 'a\u001b[2Kb' });
    expect(facts?.preview).toBe(String.raw`echo $'a\x1b[2Kb'`);
    expect(facts?.actions?.[0]?.command).toBe(facts?.preview);
  });

  test('runs only what was approved: with other settings it is another call', async () => {
    const yaml = echo(
      'parameters: { text: { type: string } }\ncommand: [printf, "%s", "{{settings.host}}/{{text}}"]',
      'settings: { host: {} }',
    );
    const [shown, other] = [
      await openOwn(yaml, {}, { host: 'a' }),
      await openOwn(yaml, {}, { host: 'b' }),
    ].map(({ toolset }) => toolset.made[0]);
    const facts = await shown?.inspect?.({ text: 'x' });
    const context = contextOf(facts?.basis);
    expect(await shown?.run({ text: 'x' }, context)).toMatchObject({ text: 'a/x' });
    await expect(other?.run({ text: 'x' }, context)).rejects.toThrow('another call than the one that was');
  });

  test('that changes something and is too long to be read whole is denied', async () => {
    const yaml = echo(
      'parameters: { text: { type: string, maxLength: 20000 } }\ncommand: [echo, "{{text}}"]',
    );
    const { toolset } = await openOwn(yaml.replace('effect: read', ''));
    const text = 'x'.repeat(15_001);
    expect(await toolset.made[0]?.inspect?.({ text })).toMatchObject({ actions: [{ decision: 'deny' }] });
    const reads = await openOwn(yaml);
    const [action] = (await reads.toolset.made[0]?.inspect?.({ text }))?.actions ?? [];
    expect(action).not.toHaveProperty('decision');
  });

  test.each([
    ['http://allowed.test/x', ['allowed.test']],
    ['HTTP://Allowed.Test./x', undefined],
    ['http://allowed.test.:80', ['allowed.test']],
    ['Allowed.test', ['allowed.test']],
    ['allowed.test:443', ['allowed.test']],
    ['[::1]:443', ['::1']],
    ['0:0::1', ['::1']],
    ['http://2130706433/', ['127.0.0.1']],
    ['http://[::1]:9/', ['::1']],
    ['http://allowed.test\\@evil.test/', undefined],
    ['http://allowed.test@evil.test/', undefined],
    ['http://allow%65d.test/', undefined],
    ['a:b', undefined],
  ])('that reaches %j reaches %j', async (text, hosts) => {
    const { toolset } = await openOwn(
      echo('reaches: "{{text}}"\nparameters: { text: { type: string } }\ncommand: ["true"]'),
      { openHosts: ['allowed.test', '::1'] },
    );
    const facts = async () => (await toolset.made[0]?.inspect?.({ text }))?.actions?.[0];
    if (hosts) expect((await facts())?.hosts).toEqual(hosts);
    else await expect(facts()).rejects.toThrow('is not clear');
  });

  test('that reaches several hosts names each that is not open; an absent one reaches nothing', async () => {
    const { toolset } = await openOwn(
      echo(
        'reaches: ["{{text}}", "{{other}}"]\nparameters: { text: { type: string }, other: { type: string, optional: true } }\ncommand: ["true"]',
      ),
      { openHosts: ['shop.internal'] },
    );
    const action = async (input: Json) => (await toolset.made[0]?.inspect?.(input))?.actions?.[0];
    expect(await action({ text: 'shop.internal' })).toMatchObject({
      effect: 'read',
      hosts: ['shop.internal'],
    });
    expect(await action({ text: 'shop.internal', other: 'evil.test' })).toMatchObject({
      effect: 'idempotent',
      hosts: ['shop.internal', 'evil.test'],
      reason: 'It reaches evil.test, which http.allow does not name.',
    });
  });
});

test.each([
  [5, '1\n2\n[3 more lines: ask for more, or read the artifact]'],
  [3, '1\n2\n3\n'],
])(
  '[FAULT-75] of %i lines a tool with lines: 2 shows two and how many more there are; a single one more is shown, too',
  async (count, shown) => {
    const { call } = await openOwn(echo(`command: [seq, "${count}"]\nlines: 2`));
    expect(await call('say', {})).toBe(shown);
  },
);

test('[FAULT-75] all of a long output of a command is an artifact', async () => {
  const { toolset } = await openOwn(echo('command: [seq, "1250000"]\nlines: 2'));
  const [tool] = toolset.made;
  if (!tool) throw new Error('no tool');
  const bench = await toolBench(tool);
  const { message } = await bench.run({});
  expect(textOf(message)).toMatch(
    /^1\n2\n\[\d+ more lines[^\]]*\]\n\[Part of 8888896 characters\. The full output is artifact tool-call_1\.pieces:/,
  );
  expect(message.details).toMatchObject({ exitCode: 0, bytes: 8_888_896 });
  expect(await openOutput(bench.deps.artifacts, 'session-1', message.artifactId ?? '')).toMatchObject({
    characters: 8_888_896,
    lines: 1_250_000,
  });
});

describe('an HTTP tool', () => {
  test('sends values encoded, a reference in an argument as text, and a body of the given form; headers of the file and of the tool are resolved', async () => {
    const heard: string[] = [];
    const server = await startHttpServer((request, response) => {
      const { 'x-own': own, 'x-all': all } = request.headers;
      void textIn(request).then((body) => {
        heard.push([request.method, request.url, own, all, body].join(' '));
        response.end('ok');
      });
    });
    const tool = `parameters:
  name: { type: string }
  size: { type: integer, optional: true }
http:
  method: POST
  url: '{{settings.url}}/api/{{name}}/x'
  query: { q: '{{name}}', size: '{{size}}' }
  headers: { x-own: 'Bearer {{settings.auth}}' }
  body: { query: '{{name}}', size: '{{size}}', fixed: [1, '{{name}}!'] }`;
    const more = "settings: { url: {}, auth: {} }\nheaders: { x-all: '{{settings.auth}}' }";
    const { call } = await openOwn(
      echo(tool, more),
      { secrets: { key: 'value-1' } },
      { url: server.url, auth: 'secret://key' },
    );
    expect(await call('say', { name: '../a b?c#d@e' })).toBe('ok');
    await call('say', { name: 'secret://key' });
    expect(heard).toEqual([
      'POST /api/..%2Fa%20b%3Fc%23d%40e/x?q=..%2Fa+b%3Fc%23d%40e Bearer value-1 value-1 {"query":"../a b?c#d@e","fixed":[1,"../a b?c#d@e!"]}',
      'POST /api/secret%3A%2F%2Fkey/x?q=secret%3A%2F%2Fkey Bearer value-1 value-1 {"query":"secret://key","fixed":[1,"secret://key!"]}',
    ]);
  });

  test.each([
    ['/a/{{name}}/b', '..'],
    ['/a/{{name}}/b', '.'],
    ['/a/{{name}}', '..'],
    ['/a/.{{name}}/b', '.'],
    ['/a/{{name}}?x=1', '..'],
  ])('%s refuses %j: it would lead out of the path', async (path, name) => {
    const { toolset } = await openOwn(
      echo(`parameters: { name: { type: string } }\nhttp: { url: "http://127.0.0.1:1${path}" }`),
    );
    const inspect = async () => toolset.made[0]?.inspect?.({ name });
    await expect(inspect()).rejects.toThrow('expected none of "." and ".."');
    await expect(toolset.made[0]?.run({ name }, contextOf())).rejects.toThrow('expected none of');
  });

  test('shows method, URL and body to the person who is asked, and sends only what was approved', async () => {
    const heard: (string | undefined)[] = [];
    const server = await startHttpServer((request, response) => {
      heard.push(request.url);
      response.end('ok');
    });
    const at = async (amount: number) => {
      const { toolset } = await openOwn(
        echo(
          `parameters: { name: { type: string } }\nhttp: { method: POST, url: "${server.url}/{{name}}", body: { n: "{{name}}", amount: ${amount} } }`,
        ),
      );
      return toolset.made[0];
    };
    const facts = await (await at(1))?.inspect?.({ name: 'x y' });
    expect(facts?.preview).toBe(`POST ${server.url}/x%20y\n{"n":"x y","amount":1}`);
    const other = await at(2);
    await expect(other?.run({ name: 'x y' }, contextOf(facts?.basis))).rejects.toThrow('another call than');
    expect(heard).toEqual([]);
    expect(await (await at(1))?.run({ name: 'x y' }, contextOf(facts?.basis))).toMatchObject({ text: 'ok' });
    expect(heard).toEqual(['/x%20y']);
  });

  test('does not follow a redirect, and says what the server said over a refusal', async () => {
    const server = await startHttpServer((request, response) => {
      if (request.url === '/moved') return response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
      return response.writeHead(400).end('unknown field');
    });
    const at = async (path: string) => {
      const { toolset } = await openOwn(echo(`http: { url: "${server.url}/${path}" }`));
      return toolset.made[0]?.run({}, contextOf());
    };
    expect(await at('moved')).toMatchObject({ isError: true, text: expect.stringContaining('[HTTP 302') });
    expect(await at('x')).toMatchObject({ isError: true, text: '[HTTP 400 Bad Request]\nunknown field' });
  });
});

describe('the status of a toolset', () => {
  test.each([
    ['- program: no-such-program-here', /no-such-program-here is not installed/],
    ['- file: /no/such/file', /cannot be read/],
    ['- { command: [echo, no], output: yes }', /answered "no": expected "yes"/],
    [
      '- { program: nothing-here, advice: Install it with apt-get. }',
      /not installed\. Install it with apt-get/,
    ],
  ])('%s', async (prerequisite, reason) => {
    const { toolset } = await openOwn(echo('command: [echo]', `prerequisites:\n  ${prerequisite}`));
    expect(toolset).toMatchObject({ status: 'failed', reason: expect.stringMatching(reason), made: [] });
  });

  test('a program may be a path, from the folder of the configuration', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'own-ctl'), '#!/bin/sh\necho it works\n');
    await writeFile(join(folder, 'text'), '');
    await chmod(join(folder, 'own-ctl'), 0o755);
    const { deps } = createToolBench();
    const absentOf = async (program: string) => {
      const text = echo(`command: [${program}]`, `prerequisites: [{ program: ${program} }]`);
      const opened = await openToolset(await fileOf(text), {}, { ...deps, folder });
      return opened.status === 'failed' ? opened.reason : opened.made[0]?.run({}, contextOf());
    };
    for (const program of ['./own-ctl', join(folder, 'own-ctl')])
      expect(await absentOf(program)).toMatchObject({ text: 'it works\n' });
    expect(await absentOf('./text')).toBe('the program ./text is not there, or may not be run');
  });

  test('[SRC-04b] a setting that is no address is said when the worker starts', async () => {
    const text = `${echo("http: { url: '{{settings.url}}/x' }", 'settings: { url: {} }')}`;
    for (const url of ['127.0.0.1:4646', 'localhost:4646']) {
      const { toolset } = await openOwn(text, {}, { url });
      expect(toolset).toMatchObject({
        status: 'failed',
        reason: 'its setting url is no address: expected one that begins with http:// or https://',
      });
    }
  });

  test.each([
    "url: '{{settings.url}}/x', query: { key: '{{settings.token}}' }",
    "url: '{{settings.url}}/x', method: POST, body: { key: '{{settings.token}}' }",
  ])('[SRC-04b] a secret where it would be sent as its reference is said: %s', async (http) => {
    const text = echo(`http: { ${http} }`, 'settings: { url: {}, token: {} }');
    const given = { url: 'http://127.0.0.1', token: 'secret://token' };
    const { toolset } = await openOwn(text, {}, given);
    const reason =
      'its setting token is a secret, and stands in an address or a body: expected it in headers alone';
    expect(toolset).toMatchObject({ status: 'failed', reason });
    expect((await openOwn(text, {}, { ...given, token: 'plain' })).toolset.status).toBe('ready');
  });

  test('[SRC-05c] a secret that cannot be read is no server that is not reachable', async () => {
    const file = await fileOf(echo('http: { url: "http://127.0.0.1:1/x", headers: { x: y } }'));
    const refused = () => Promise.reject(new Error('The secret "token" has no value.'));
    const { made } = await openToolset(file, {}, { ...createToolBench().deps, resolve: refused });
    await expect(made[0]?.run({}, contextOf())).rejects.toThrow('The secret "token" has no value.');
  });

  test.each([
    ['{ type: time, default: yesterday }', /default: is no time that is known here/],
    ['{ type: integer, maximum: 5, default: 50 }', /default: too big/],
    ["{ type: string, pattern: '[a-z]+', default: A }", /default: has characters or a form/],
    ["{ type: string, enum: [a, b], default: '' }", /default: invalid option/],
  ])('a default that no call could have is refused: %s', async (parameter, words) => {
    const own = openOwn(echo(`parameters: { x: ${parameter} }\ncommand: [echo, '{{x}}']`));
    await expect(own).rejects.toThrow(/the tool say, x: /);
    await expect(openOwn(echo(`parameters: { x: ${parameter} }\ncommand: [echo]`))).rejects.toThrow(words);
  });

  test('an unknown key of a file is answered with the one that was meant', async () => {
    await expect(openOwn(echo('parameter: {}\ncommand: [echo]'))).rejects.toThrow(
      'tools.0: unrecognized key: "parameter" (did you mean "parameters"?)',
    );
  });

  test.each([
    ['- command: [sh, -c, "echo no database >&2; exit 2"]', /exit code 2: no database/],
    ['- http: http://127.0.0.1:1/ready', /cannot be reached/],
  ])('[SRC-04a] %s: its tools are there for later', async (prerequisite, reason) => {
    const { toolset } = await openOwn(echo('command: [echo]', `prerequisites:\n  ${prerequisite}`));
    expect(toolset.made.map(({ spec }) => spec.name)).toEqual(['say']);
    expect(toolset.instances?.[0]?.absent).toMatchObject([{ reason: expect.stringMatching(reason) }]);
  });

  test('[SRC-04b] a server that does not answer keeps no tool whose program is missing', async () => {
    const asked = '[{ program: not-here }, { command: [sh, -c, exit 1] }]';
    const { toolset } = await openOwn(`${echo('command: [echo]', `prerequisites: ${asked}`).trimEnd()}
  - { name: reach, description: Reaches., effect: read, command: [not-here] }
`);
    expect(toolset.made.map(({ spec }) => spec.name)).toEqual(['say']);
    expect(toolset.absent).toMatchObject([{ tools: ['reach'] }]);
  });

  test('a program that is missing switches off the tools that begin with it, declared or not', async () => {
    const { toolset, call } = await openOwn(`
name: own
description: Own tools.
prerequisites:
  - { program: dig-is-not-here, advice: Install it. }
  - command: [dig-is-not-here, -v]
tools:
  - { name: lookup, description: Looks up., command: [dig-is-not-here, '+short'] }
  - { name: trace, description: Traces., command: [mtr-is-not-here] }
  - { name: say, description: Says., effect: read, command: [echo, it works] }
`);
    expect(toolset).toMatchObject({
      status: 'ready',
      absent: [
        { tools: ['lookup'], reason: 'the program dig-is-not-here is not installed. Install it.' },
        { tools: ['trace'], reason: 'the program mtr-is-not-here is not installed' },
      ],
    });
    expect(toolset.made.map(({ spec }) => spec.name)).toEqual(['say']);
    expect(await call('say', {})).toBe('it works\n');
  });

  test('a needed setting without a value; a toolset that is switched off', async () => {
    const { toolset } = await openOwn(echo('command: [echo]', 'settings: { url: {} }'));
    expect(toolset).toMatchObject({ status: 'failed', reason: expect.stringContaining('setting url') });
    const { deps } = createToolBench();
    const off = await openToolset(await fileOf(echo('command: [echo]')), { enabled: false }, deps);
    expect(off).toMatchObject({ status: 'disabled', tools: [{ name: 'say' }], made: [] });
  });

  test('[TOOL-01b] the effect of a YAML tool is once by default', async () => {
    const { toolset } = await openOwn(echo('command: [echo]').replace('effect: read', ''));
    expect(toolset.made[0]?.spec).toMatchObject({ effect: 'once', source: 'toolset:own' });
  });
});

describe('programs that are not here, by a program of their name that says how it was called', () => {
  async function withPrograms(...names: string[]): Promise<string> {
    const folder = join(await temporaryFolder(), 'bin');
    await mkdir(folder);
    for (const name of names) {
      await writeFile(
        join(folder, name),
        `#!/bin/sh\nprintf '%s' "$0" | sed 's,.*/,,'; for each in "$@"; do printf ' <%s>' "$each"; done; echo; echo '"serverVersion" Version= Server'\n`,
      );
      await chmod(join(folder, name), 0o755);
    }
    return `${folder}:/usr/bin:/bin`;
  }

  test.each([
    [
      'kubernetes',
      { context: 'prod' },
      'kubernetes_get',
      { kind: 'pods', namespace: 'shop', selector: 'app=shop' },
      'kubectl <--context=prod> <--request-timeout=20s> <get> <pods> <--namespace=shop> <--selector=app=shop> <--output=wide>',
    ],
    [
      'kubernetes',
      {},
      'kubernetes_get',
      { kind: 'nodes' },
      'kubectl <--request-timeout=20s> <get> <nodes> <--all-namespaces> <--output=wide>',
    ],
    [
      'kubernetes',
      {},
      'kubernetes_logs',
      { pod: 'shop-1', namespace: 'shop', previous: true },
      'kubectl <--request-timeout=50s> <logs> <shop-1> <--namespace=shop> <--tail=5000> <--timestamps> <--previous>',
    ],
    [
      'kubernetes',
      {},
      'kubernetes_logs',
      { pod: 'shop-1', namespace: 'shop', since: '-30m' },
      'kubectl <--request-timeout=50s> <logs> <shop-1> <--namespace=shop> <--tail=5000> <--timestamps> <--since-time=2026-01-31T13:30:00Z>',
    ],
    [
      'docker',
      {},
      'docker_logs',
      { container: 'shop', since: '5m' },
      'docker <logs> <--timestamps> <--tail=5000> <--since=2026-01-31T13:55:00Z> <shop>',
    ],
    [
      'systemd',
      {},
      'journal',
      { unit: 'nginx.service', priority: 'err' },
      'journalctl <--no-pager> <--all> <--output=short-iso-precise> <--reverse> <--lines=5000> <--unit=nginx.service> <--since=@1769864400> <--priority=err>',
    ],
    [
      'systemd',
      {},
      'journal',
      { since: '2026-01-31T13:00:00+01:00', until: 'now' },
      'journalctl <--no-pager> <--all> <--output=short-iso-precise> <--reverse> <--lines=5000> <--since=@1769860800> <--until=@1769868000>',
    ],
    [
      'systemd',
      {},
      'systemd_unit',
      { unit: 'nginx.service' },
      'systemctl <--no-pager> <--full> <--lines=20> <status> <--> <nginx.service>',
    ],
    [
      'systemd',
      { scope: 'user' },
      'journal',
      { unit: String.raw`mnt-shop\x2ddata.mount`, boot: -1 },
      String.raw`journalctl <--no-pager> <--all> <--output=short-iso-precise> <--reverse> <--lines=5000> <--user-unit=mnt-shop\x2ddata.mount> <--boot=-1>`,
    ],
  ])('[SRC-59c] [SRC-60ab] %s: %j %s %j', async (name, settings, tool, args, expected) => {
    const path = await withPrograms('kubectl', 'docker', 'systemctl', 'journalctl');
    const bench = createToolBench({ path, now: Date.parse('2026-01-31T14:00:00Z') });
    const toolset = await openToolset(join(starter, `${name}.yaml`), { settings }, bench.deps);
    expect(toolset).toMatchObject({ status: 'ready' });
    expect((await bench.callerOf(toolset)(tool, args)).split('\n')[0]).toBe(expected);
    // what is judged and approved has the model's words
    const made = 'made' in toolset ? toolset.made.find(({ spec }) => spec.name === tool) : undefined;
    expect(made?.parse(args)).toMatchObject(args);
  });

  test.each([
    ['kubernetes', 'kubernetes_get', { kind: 'secrets' }],
    ['kubernetes', 'kubernetes_get', { kind: 'pods,secret' }],
    ['kubernetes', 'kubernetes_describe', { kind: 'Secret', name: 'x' }],
    ...['SECRETS', 'sEcrets', 'pods,SECRETS', 'secrets.v1.', 'Pods', 'pods,'].map(
      (kind): [string, string, { kind: string }] => ['kubernetes', 'kubernetes_get', { kind }],
    ),
    ['kubernetes', 'kubernetes_get', { kind: 'pods', sort_by: '--raw=/' }],
    ['docker', 'docker_inspect', { container: '--help' }],
    ['systemd', 'journal', { since: 'last week' }],
    ['systemd', 'journal', { since: '2026-01-31 14:00:00' }],
  ])('%s refuses %s %j', async (name, tool, args) => {
    const path = await withPrograms('kubectl', 'docker', 'systemctl', 'journalctl');
    const bench = createToolBench({ path });
    const toolset = await openToolset(join(starter, `${name}.yaml`), {}, bench.deps);
    const refused = await bench
      .callerOf(toolset)(tool, args)
      .catch((error: Error) => error.message);
    // a sentence that a model can act on: no regular expression, no class of characters
    expect(refused).toMatch(/expected|not read here|write /);
    expect(refused).not.toMatch(/\[a-z|\\w|\(\?/);
  });
});

test('redis: what the toolset shows of its settings is what bash may read of them', async () => {
  const { tools } = (await readToolset(join(starter, 'redis.yaml'))).toolset;
  const setting = tools.find(({ name }) => name === 'redis_config')?.parameters?.['setting'];
  const names = setting?.type === 'string' ? (setting.enum ?? []) : [];
  expect(names).toContain('maxmemory');
  const effects = names.map((name) => {
    const judged = judgeCommand(`redis-cli CONFIG GET ${name}`);
    return judged.ok && judged.actions.map(({ effect }) => effect);
  });
  expect(effects).toEqual(names.map(() => ['read']));
  expect(names.filter((name) => /pass|auth|user|acl|key/.test(name))).toEqual([]);
});

describe('[SRC-41ef] the words of a model do not leave the settings of a cloud', () => {
  const clouds: [string, string, Record<string, string>, own: string[], others: string[]][] = [
    [
      'aws',
      'ec2 describe-instances',
      { region: 'eu-west-1', profile: 'ops' },
      ['--region eu-west-1', '--region=eu-west-1 --profile ops'],
      [
        '--region us-east-1',
        '--region=us-east-1',
        '--region eu-west-1 --profile root',
        '--reg us-east-1',
        'out.json',
      ],
    ],
    ['aws', 'ec2 describe-instances', {}, ['--max-items 5'], ['--region us-east-1', '--profile ops']],
    [
      'gcloud',
      'compute instances list',
      { project: 'shop' },
      ['--project=shop', '--instance=projects/shop/instances/x'],
      ['--project=other', '--account=x', '--instance=projects/other/instances/x', '--instance=other:x'],
    ],
    [
      'azure',
      'vm show',
      { subscription: 'shop' },
      ['-g x', '--ids /subscriptions/shop/resourceGroups/g/providers/x/vm'],
      [
        '--subscription other',
        '--subs other',
        '--ids /subscriptions/other/resourceGroups/g/providers/x/vm',
        '--ids /subscriptions/shop/vm /subscriptions/other/vm',
        '--ids /subscriptions/shop/../other/vm',
      ],
    ],
    [
      'azure',
      'graph query -q Resources',
      { subscription: 'shop' },
      [],
      ['--subscriptions other', '--first 5'],
    ],
  ];
  test.each(clouds)('%s %s with %j', async (name, line, settings, own, others) => {
    const program = name === 'azure' ? 'az' : name;
    const folder = await temporaryFolder();
    await writeFile(join(folder, program), '#!/bin/sh\necho \'{"ran":"it"}\'\n');
    await chmod(join(folder, program), 0o755);
    const bench = createToolBench({ path: `${folder}:/usr/bin:/bin` });
    const toolset = await openToolset(join(starter, `${name}.yaml`), { settings }, bench.deps);
    const ran = async (more: string): Promise<boolean> => {
      const words = [...line.split(' '), ...more.split(' ')];
      return (await bench.returnOf(toolset, `${name}_read`, { words })).outcome !== 'refused';
    };
    expect(await Promise.all(own.map(ran))).toEqual(own.map(() => true));
    expect(await Promise.all(others.map(ran))).toEqual(others.map(() => false));
  });
});
