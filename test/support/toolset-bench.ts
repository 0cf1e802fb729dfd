// Calls tools of a toolset as a worker would: arguments parsed, judged, run. And the starter toolsets.
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import type { ToolsetSettings } from '@holdfast/sources/toolset.schema';
import { type OpenedToolset, openToolset, type ToolsetDeps } from '../../src/activities/toolsets/toolsets.ts';
import type { Json } from '@holdfast/base/json';
import type { ToolContext, ToolReturn } from '../../src/activities/tools/define-tool.ts';

type Call = (tool: string, args: Json) => Promise<string>;

type Given = {
  secrets?: Record<string, string>;
  openHosts?: string[];
  path?: string;
  now?: number;
  environment?: Record<string, string>;
};

type Bench = {
  deps: ToolsetDeps;
  context: ToolContext;
  callerOf(toolset: OpenedToolset): Call;
  /** The whole outcome of a call. */
  returnOf(toolset: OpenedToolset, tool: string, args: Json): Promise<ToolReturn>;
};

/** The secret `secret://password` of a starter toolset. */
export const plantedPassword = 'planted-password-1';

/** One of the starter toolsets, by its name. */
export function starterToolset(
  name: string,
  settings: Record<string, string>,
  given: Given = {},
): Bench & { open(more?: ToolsetSettings): Promise<OpenedToolset> } {
  const bench = createToolBench({ secrets: { password: plantedPassword }, ...given });
  const file = resolve(import.meta.dirname, `../../catalog/toolsets/${name}.yaml`);
  return { ...bench, open: (more) => openToolset(file, { settings, ...more }, bench.deps) };
}

export function createToolBench(given: Given = {}): Bench {
  const { secrets = {}, openHosts = [], path, environment, now } = given;
  const deps: ToolsetDeps = {
    environment: { ...process.env, ...environment, ...(path === undefined ? {} : { PATH: path }) },
    folder: tmpdir(),
    ...(now === undefined ? {} : { now: () => now }),
    isOpenHost: (host) => openHosts.includes(host),
    resolve: async (text) => text.replace(/secret:\/\/(\w+)/g, (_, name: string) => secrets[name] ?? ''),
  };
  const context = {
    signal: new AbortController().signal,
    onUpdate: () => undefined,
    redact: (text: string) => text,
  } as Partial<ToolContext> as ToolContext;
  const returnOf: Bench['returnOf'] = async (toolset, name, args) => {
    const tool = [...toolset.made, ...toolset.changes.readers].find(({ spec }) => spec.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    const parsed = tool.parse(args) as Json;
    const { found } = (await tool.inspect?.(parsed)) ?? {};
    return tool.run(parsed, { ...context, found });
  };
  const callerOf =
    (toolset: OpenedToolset): Call =>
    async (name, args) =>
      (await returnOf(toolset, name, args)).text;
  return { deps, context, callerOf, returnOf };
}
