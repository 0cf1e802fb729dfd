// Calls tools of a toolset as a worker would: arguments parsed, judged, run.
import { tmpdir } from 'node:os';
import type { OpenedToolset, ToolsetDeps } from '../../src/activities/toolsets/toolsets.ts';
import type { Json } from '../../src/core/base/json.ts';
import type { ToolContext } from '../../src/activities/tools/define-tool.ts';

type Call = (tool: string, args: Json) => Promise<string>;

export function createToolBench(
  given: {
    secrets?: Record<string, string>;
    openHosts?: string[];
    path?: string;
    now?: number;
    environment?: Record<string, string>;
  } = {},
): {
  deps: ToolsetDeps;
  context: ToolContext;
  callerOf(toolset: OpenedToolset): Call;
} {
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
  const callerOf =
    (toolset: OpenedToolset): Call =>
    async (name, args) => {
      const tool = toolset.made.find(({ spec }) => spec.name === name);
      if (!tool) throw new Error(`no tool ${name}`);
      const parsed = tool.parse(args) as Json;
      await tool.inspect?.(parsed);
      const { text } = await tool.run(parsed, context);
      return text;
    };
  return { deps, context, callerOf };
}
