// Large logs by their templates: what is shown first, what is kept, hostile input.
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { logPatterns } from '../../../src/activities/logs/log-patterns.ts';
import { LogTemplates } from '../../../src/activities/logs/log-templates.ts';
import { timeOfLine } from '@holdfast/base/line-time';
import { createRedactor } from '@holdfast/redaction/redaction';
import { createFileArtifactStore } from '../../../src/activities/storage/file-artifact-store.ts';
import { openToolset } from '../../../src/activities/toolsets/toolsets.ts';
import { createGrepTool } from '../../../src/activities/built-in/files/grep.ts';
import { createReadArtifactTool } from '../../../src/activities/built-in/files/read-artifact.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import { sharedMissing, sharedPath } from '../../support/shared.ts';
import { bashTool } from '../../support/shell.ts';
import { temporaryFolder, toolBench } from '../../support/tool-calls.ts';
import { createToolBench, starterToolset } from '../../support/toolset-bench.ts';

const at = (second: number): string => new Date(Date.UTC(2026, 10, 28, 5, 0, second)).toISOString();

/** 300 requests, a warning each 50 lines, one failure in the middle. */
const log = Array.from({ length: 300 }, (_, index) => {
  if (index === 150) return `${at(index)} ERROR pool exhausted: 20 of 20 connections in use`;
  if (index % 50 === 25) return `${at(index)} WARN slow query took=${index}ms`;
  return `${at(index)} INFO request path=/cart/${index} status=200`;
});

describe('what is shown', () => {
  test('[SRC-11ab] number and times of the lines, failures first, then the others, then the newest', async () => {
    const shown = ((await logPatterns(log.join('\n'))) ?? '').split('\n');
    expect(shown[0]).toMatch(/^\[300 lines, 2026-11-28T05:00:00Z to 2026-11-28T05:04:59Z, in 3 patterns: /);
    expect(shown.slice(1, 7)).toEqual([
      '#151: 1 line',
      log[150],
      '#1: 293 lines, 05:00:00 to 05:04:59',
      log[0],
      '#26: 6 lines, 05:00:25 to 05:04:35',
      log[25],
    ]);
    expect(shown.slice(-11)).toEqual(['[the newest 10 lines]', ...log.slice(-10)]);
  });

  test('[SRC-11b] the newest lines are those at the end with the later times, behind a notice too', async () => {
    const shown = await logPatterns(['300 match, the newest first:', ...log.toReversed()].join('\n'));
    expect(shown?.split('\n').slice(-9)).toEqual(log.toReversed().slice(0, 9));
  });

  test('[SRC-11c] few lines, and lines without likeness, stay as they are', async () => {
    expect(await logPatterns(log.slice(0, 40).join('\n'))).toBeUndefined();
    const words = fc.sample(fc.string({ minLength: 20, maxLength: 30 }), { numRuns: 60, seed: 1 });
    expect(await logPatterns(words.map((each) => each.replaceAll(/\s/g, '_')).join('\n'))).toBeUndefined();
  });

  test('[SRC-11b] a rare change is not left out for rare lines that say nothing', async () => {
    const rare = Array.from({ length: 40 }, (_, index) => `${at(400)} boot ${'ab '.repeat(index)}`);
    const shown = await logPatterns(
      [...log, ...rare, `${at(500)} pool_size changed: 20 -> 2`, ...log].join('\n'),
    );
    expect(shown).toMatch(/#341: 1 line\n.*pool_size changed: 20 -> 2\n/);
    expect(shown).toMatch(/\n\[not shown: \d+ patterns of other lines with \d+ lines\]\n/);
  });

  test('[SRC-11c] more than 200,000 lines stay as they are: they would hold up the worker', async () => {
    expect(await logPatterns('a\n'.repeat(200_001))).toBeUndefined();
    expect(await logPatterns('a\n'.repeat(200_000))).toMatch(/^\[200000 lines, in 1 pattern: /);
  });

  test('[SRC-11f] heartbeats and other calls get their turn while many lines are grouped', async () => {
    const order: string[] = [];
    const grouped = logPatterns('a\n'.repeat(20_000)).then(() => order.push('grouped'));
    setImmediate(() => order.push('beat'));
    setImmediate(() => setImmediate(() => order.push('beat')));
    await grouped;
    expect(order).toEqual(['beat', 'beat', 'grouped']);
  });

  const recorded = 'data/investigations/07_high_latency/kubectl_logs.txt';
  const file = sharedPath(recorded);

  test.skipIf(!file)(
    `[SRC-11a] [SRC-15b] of the recorded log of a pod each shown line is one of its lines${file ? '' : ` (${sharedMissing(recorded)})`}`,
    async () => {
      const text = await readFile(file ?? '', 'utf8');
      const shown = (await logPatterns(text)) ?? '';
      const said = shown.split('\n').filter((each) => !/^#\d+: |^\[/.test(each));
      expect(said.length).toBeGreaterThan(10);
      expect(said.filter((each) => !text.includes(each.replace(/…$/, '')))).toEqual([]);
      expect(shown.length).toBeLessThan(text.length / 5);
    },
  );

  test.each([
    ['2026-11-28T05:00:01.5+02:00 x', '2026-11-28T03:00:01.500Z'],
    ['2026/11/28 05:00:01 [error] x', '2026-11-28T05:00:01.000Z'],
    ['1.2.3.4 - - [28/Nov/2026:05:00:01 +0000] "GET /"', '2026-11-28T05:00:01.000Z'],
    ['Nov 28 05:00:01 db kernel: x', '2000-11-28T05:00:01.000Z'],
    ['E1128 05:00:01.000000 1 x.go:1] x', '2000-11-28T05:00:01.000Z'],
    ['{"ts":1764306001.25,"msg":"x"}', '2025-11-28T05:00:01.250Z'],
    ['2026-13-45T99:00:00Z x', undefined],
    ['no time', undefined],
  ])('the time of %j', (line, time) => {
    const found = timeOfLine(line).at;
    expect(found === undefined ? undefined : new Date(found).toISOString()).toBe(time);
  });
});

describe('templates', () => {
  const line = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc.stringMatching(/^2026-11-28T0\d:0\d:0\dZ (?:INFO|ERROR) [a-z]{1,3} (?:failed|done) in \d{1,4} ms$/),
    fc.constant('x'.repeat(5_000)),
  );

  test('[SRC-12ac] each line has one, and counts add up, whatever the lines are', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 200 }), (lines) => {
        const templates = new LogTemplates();
        const of = lines.map((each, index) => templates.add(each, index + 1));
        expect(templates.all.reduce((sum, { lines: count }) => sum + count, 0)).toBe(lines.length);
        for (const each of templates.all) {
          expect(of.filter((template) => template === each)).toHaveLength(each.lines);
          expect(lines[each.line - 1]).toBe(each.sample);
        }
      }),
    );
  });

  test('[SRC-12d] the order of the lines changes no count', () => {
    const countsOf = (lines: readonly string[]): number[] => {
      const templates = new LogTemplates();
      for (const [index, each] of lines.entries()) templates.add(each, index + 1);
      return templates.all.map((each) => each.lines).toSorted((left, right) => left - right);
    };
    const shuffled = fc.shuffledSubarray(log, { minLength: log.length, maxLength: log.length });
    fc.assert(
      fc.property(shuffled, (lines) => {
        expect(countsOf(lines)).toEqual([1, 6, 293]);
      }),
      { numRuns: 20 },
    );
  });

  test('[SRC-12c] [SRC-12e] other answers of a server are other templates; a stack belongs to its line', () => {
    const templates = new LogTemplates();
    const request = (status: number): string => `10.0.0.1 - - "GET /a HTTP/1.1" ${status} 512`;
    const lines = [
      request(200),
      request(404),
      request(502),
      'ERROR: no pool',
      '  at a.b(c:1)',
      '',
      request(200),
    ];
    const names = lines.map((each, index) => templates.add(each, index + 1).line);
    expect(names).toEqual([1, 2, 3, 4, 4, 4, 1]);
    expect(templates.all.map(({ isWrong }) => isWrong)).toEqual([false, false, true, true]);
  });

  test('[SRC-12b] there are at most 2,000 and some, also for lines that are all unlike', () => {
    const templates = new LogTemplates();
    for (let index = 0; index < 20_000; index += 1)
      templates.add(`w${index} ${'ab '.repeat(index % 30)} ${(index * 7_919).toString(36)}`, index + 1);
    expect(templates.all.length).toBeLessThan(6_000);
  });
});

/** A log tool over a file, through the activity that stores its output. */
async function logTool(lines: readonly string[], secrets: string[] = []) {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'shop.log'), lines.join('\n'));
  const file = join(folder, 'own.yaml');
  await writeFile(
    file,
    `name: own\ndescription: x\ntools: [{ name: shop_log, description: x, effect: read, command: [cat, ${join(folder, 'shop.log')}], show: log-patterns }]`,
  );
  const { made } = await openToolset(file, {}, createToolBench().deps);
  const [tool] = made;
  if (!tool) throw new Error('no tool');
  const artifacts = await createFileArtifactStore(folder);
  const bench = await toolBench(tool, { artifacts, redactor: createRedactor(secrets) });
  const { message } = await bench.run({});
  return { text: textOf(message), artifacts, artifactId: message.artifactId ?? '' };
}

describe('in a call', () => {
  test('[SRC-11d] [SRC-13] [SRC-15b] the stored output has every line, and each sample; like reads those of one template', async () => {
    const { text, artifacts, artifactId } = await logTool(log);
    expect(text).toContain('#151: 1 line\n');
    expect(text).toMatch(/\[Part of \d+ characters\. The full output is artifact /);
    const reader = await toolBench(createReadArtifactTool(), { artifacts });
    const read = async (args: object) =>
      textOf((await reader.run({ artifactId, ...args }, { callId: 'call_2' })).message).split('\n');
    expect((await read({ limit: 2_000 })).filter((each) => log.includes(each))).toEqual(log);
    const alike = await read({ like: 26, limit: 4 });
    expect(alike.slice(0, 4)).toEqual([26, 76, 126, 176].map((number) => `${number}:${log[number - 1]}`));
    expect(alike[4]).toMatch(/^\[6 lines like line 26; the first 4 are shown; /);
    expect((await read({ like: 26, offset: 200 })).at(-1)).toMatch(
      /^\[2 lines like line 26 from line 200 on/,
    );
  });

  test('[SRC-15a] a secret is in no sample, and no part of one', async () => {
    const lines = log.map((each, index) => (index === 25 ? `${each} token=planted-secret-1 ok` : each));
    const key = [
      '-----BEGIN PRIVATE KEY-----',
      ...Array.from({ length: 20 }, () => 'MIIEvQIBADANBgkqhkiG9w0BAQE'),
      '-----END PRIVATE KEY-----',
    ];
    const { text } = await logTool([...lines, ...key], ['planted-secret-1']);
    expect(text).toContain('token=[redacted:secret] ok');
    expect(text).not.toMatch(/planted-secret|MIIEvQ/);
  });
});

/** Programs that print as many lines as they are asked for. */
async function programsThatLog(...names: string[]): Promise<string> {
  const folder = await temporaryFolder();
  for (const name of names) {
    const file = join(folder, name);
    await writeFile(
      file,
      `#!/bin/sh\nfor each in "$@"; do case $each in --lines=*|--tail=*) seq -f '2026-11-28T05:00:00Z app: got %g items' "\${each#*=}";; esac; done; echo '2026-11-28T05:00:01Z app: "serverVersion" Version= Server'\n`,
    );
    await chmod(file, 0o755);
  }
  return `${folder}:/usr/bin:/bin`;
}

test.each([
  ['systemd', 'journal', {}],
  ['systemd', 'kernel_log', {}],
  ['docker', 'docker_logs', { container: 'shop' }],
  ['kubernetes', 'kubernetes_logs', { pod: 'shop', namespace: 'shop' }],
])(
  '[SRC-11e] %s: %s makes templates of the newest 5,000 lines, or of as many as asked for',
  async (name, tool, args) => {
    const path = await programsThatLog('systemctl', 'journalctl', 'docker', 'kubectl');
    const { open, callerOf } = starterToolset(name, {}, { path });
    const call = callerOf(await open());
    expect(await call(tool, args)).toMatch(/^5001 of at least 5001: .*\n\[5001 lines, .* in 2 patterns: /);
    expect(await call(tool, { ...args, limit: 20_000 })).toMatch(
      /^20001 of at least 20001: .*\n\[20001 lines, /,
    );
  },
);

describe('bash', () => {
  const line = `echo "2026-11-28T05:00:$((i % 50 + 10)) INFO request $i done in $i ms"`;
  const bash = async (count: number) => {
    const bench = await toolBench(bashTool({ sandbox: 'dangerously-off' }));
    const { message } = await bench.run({ command: `for i in $(seq 10 ${count}); do ${line}; done` });
    return textOf(message);
  };

  test('[SRC-14c] a log that is too long to be shown whole is shown by templates, a shorter one as it is', async () => {
    const long = await bash(2_000);
    expect(long).toMatch(/^\[1991 lines, .* in 1 pattern: .*\n#1: /);
    expect(long).toMatch(/\[Exit code 0\.[^\]]*\]\n\[Part of \d+ characters\. The full output is artifact /);
    expect((await bash(200)).split('\n')).toHaveLength(192);
  });
});

describe('grep', () => {
  const grep = async (lines: readonly string[], args: object = {}) => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'shop.log'), lines.join('\n'));
    const bench = await toolBench(createGrepTool({ roots: [folder] }));
    return textOf((await bench.run({ pattern: '.', ...args })).message);
  };

  test('[SRC-14a] many hits of a log are shown by templates, beyond the limit of lines', async () => {
    const shown = await grep(log, { limit: 100 });
    expect(shown).toMatch(/^\[300 lines, .* in 3 patterns: /);
    expect(shown).toContain(`shop.log:151:${log[150]}`);
  });

  test('[SRC-14b] other hits, and those with context, stay lines', async () => {
    const code = Array.from({ length: 60 }, (_, index) => `const value${index} = ${index};`);
    expect(await grep(code)).toContain('shop.log:60:const value59 = 59;');
    expect(await grep(log, { context: 1, limit: 50 })).toContain('the first 50 lines; there are more');
  });
});
