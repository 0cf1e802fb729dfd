// Programs of the names of real ones, which say what rules have: by a regular expression over their words. And the small
// inputs of data/reports, which are made of them.
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ToolReturn } from '../../src/activities/tools/define-tool.ts';
import type { Json } from '@holdfast/base/json';
import { startHttpServer } from './http-server.ts';
import { sharedMissing, sharedPath } from './shared.ts';
import { temporaryFolder } from './tool-calls.ts';
import { starterToolset } from './toolset-bench.ts';

type Says = { out?: string; err?: string; exit?: number };
/** The first rule that fits answers; `every` is said before it. `$SECOND` is the time, with nanoseconds. */
export type StandIn = readonly (({ if?: string } & Says) | { every: Says })[];

/** A PATH with them before the programs of the system. */
export async function standIns(programs: Readonly<Record<string, StandIn>>): Promise<string> {
  const folder = join(await temporaryFolder(), 'bin');
  await mkdir(folder, { recursive: true });
  for (const [name, rules] of Object.entries(programs)) {
    await writeFile(
      join(folder, name),
      `#!/bin/sh\nsecond=$(date +%S.%N)\n${rules.map(toShell).join('\n')}\n`,
    );
    await chmod(join(folder, name), 0o755);
  }
  return `${folder}:${process.env['PATH']}`;
}

function toShell(rule: StandIn[number]): string {
  if ('every' in rule) return said(rule.every);
  const lines = `${said(rule)}\nexit ${rule.exit ?? 0}`;
  return rule.if === undefined
    ? lines
    : `if printf '%s' "$*" | grep -qE -e ${quoted(rule.if)}; then\n${lines}\nfi`;
}

function said({ out = '', err = '' }: Says): string {
  return `printf '%s' ${quoted(out)}\nprintf '%s' ${quoted(err)} >&2`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`.replaceAll('$SECOND', `'"$second"'`);
}

type Report = {
  toolset: string;
  settings?: Record<string, string>;
  changes?: boolean;
  program?: Record<string, StandIn>;
  http?: { status: number; headers: Record<string, string>; body: Json };
  call: [tool: string, args: Json];
};

const reportPath = (file: string): string => join('data/reports', file);

/** Why the input cannot be tried; undefined where it can. */
export function reportMissing(file: string): string | undefined {
  return sharedPath(reportPath(file)) === undefined ? sharedMissing(reportPath(file)) : undefined;
}

/** Makes the call of the input, of a toolset that is ready. */
export async function madeReport(file: string): Promise<ToolReturn> {
  const report = JSON.parse(await readFile(sharedPath(reportPath(file)) ?? '', 'utf8')) as Report;
  const { toolset: name, http, program = {}, changes = false, call } = report;
  const server =
    http &&
    (await startHttpServer((_, response) => {
      response.writeHead(http.status, http.headers).end(JSON.stringify(http.body));
    }));
  const settings = { ...report.settings, ...(server && { url: server.url }) };
  const bench = starterToolset(name, settings, { path: await standIns(program) });
  const toolset = await bench.open({ settings, changes });
  if (toolset.status !== 'ready') throw new Error(JSON.stringify(toolset));
  return bench.returnOf(toolset, ...call);
}
