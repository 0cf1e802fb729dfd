// Inputs after public bug reports: what programs and servers of databases, queues and workflows answer, and the right words.
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHttpServer } from '../../support/http-server.ts';
import { sharedMissing, sharedPath } from '../../support/shared.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';
import { starterToolset } from '../../support/toolset-bench.ts';
import type { ToolReturn } from '../../../src/activities/tools/define-tool.ts';
import type { Json } from '@holdfast/base/json';

type Rule = { if?: string; out?: string; err?: string; exit?: number };
type Report = {
  toolset: string;
  settings?: Record<string, string>;
  /** By the name of a program: the first rule whose pattern its words match. */
  program?: Record<string, Rule[]>;
  /** By path. */
  http?: Record<string, Json>;
  call: [tool: string, args: Json];
};

async function answerOf({ toolset, settings = {}, program = {}, http, call }: Report): Promise<ToolReturn> {
  const folder = await temporaryFolder();
  await mkdir(folder, { recursive: true });
  for (const [name, rules] of Object.entries(program)) await writeProgram(join(folder, name), rules);
  const server =
    http &&
    (await startHttpServer((request, response) => {
      const found = http[new URL(request.url ?? '', 'http://source').pathname];
      response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(found ?? {}));
    }));
  const filled = Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, value.replace('{{folder}}', folder)]),
  );
  const chosen = { ...filled, ...(server && { url: server.url }) };
  const { open, returnOf } = starterToolset(toolset, chosen, { path: `${folder}:${process.env['PATH']}` });
  return returnOf(await open(), ...call);
}

/** A stand-in that writes down its words in `said`. */
async function writeProgram(file: string, rules: readonly Rule[]): Promise<void> {
  const cases = rules.map(
    ({
      if: pattern = '',
      out = '',
      err = '',
      exit = 0,
    }) => `if (new RegExp(${JSON.stringify(pattern)}).test(said)) {
      process.stdout.write(${JSON.stringify(out)});
      process.stderr.write(${JSON.stringify(err)});
      process.exit(${exit});
    }`,
  );
  const head = `#!${process.execPath}\nconst said = process.argv.slice(2).join(' ');\n`;
  await writeFile(file, `${head}${cases.join('\n')}\n`, { mode: 0o755 });
}

const right: Record<string, (answer: ToolReturn) => void> = {
  's02-error-exit0.json': ({ text, isError, details }) => {
    expect(text).toMatch(/^Not reachable: .*DisconnectException/);
    expect({ isError, details }).toEqual({ isError: true, details: { answer: 'not_reachable' } });
  },
  's03-columns-with-blanks.json': ({ text }) => {
    expect(text.split('\n').slice(0, 2)).toEqual([
      'lag 980001 in all: billing orders, 2 partitions',
      'lag 980000 billing orders/0: at 1200 of 981200, billing worker /10.1.2.3',
    ]);
  },
  's17-rabbit-no-stats.json': ({ text, details }) => {
    expect(text).toMatch(
      /^Not whole: .*statistics are off[^]*\nunknown messages in \/ orders: ready unknown/,
    );
    expect(text).not.toMatch(/\b(?:in|out|ready|acknowledged|consumers) 0/);
    expect(details).toMatchObject({ answer: 'partial' });
  },
  // the words "show replica" are refused there, as MySQL 5.7 does
  's32-mysql57.json': ({ isError, text }) => {
    expect(isError).toBeUndefined();
    expect(text).not.toContain('1064');
  },
};

const ids: Record<string, string> = {
  's02-error-exit0.json': '[SRC-52a]',
  's03-columns-with-blanks.json': '[SRC-53a]',
  's17-rabbit-no-stats.json': '[SRC-54a]',
  's32-mysql57.json': '[SRC-57a]',
};

for (const [name, expected] of Object.entries(right)) {
  const path = sharedPath(`data/reports/${name}`);
  const missing = path === undefined ? ` (${sharedMissing(`data/reports/${name}`)})` : '';
  test.skipIf(path === undefined)(`${ids[name]} ${name}${missing}`, async () => {
    expected(await answerOf(JSON.parse(readFileSync(path ?? '', 'utf8')) as Report));
  });
}
