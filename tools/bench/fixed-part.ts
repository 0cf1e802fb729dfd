// `--only prompt`: the beginning of every request of the investigator, in bytes by part. Deterministic: the same tools on
// every machine, whatever is installed there.
import { createAssembleContext } from '../../src/activities/assembly/assemble-context.ts';
import { createBuiltInTools } from '../../src/activities/assembly/built-in-tools.ts';
import { defaultAgent } from '@holdfast/vocabulary/session-input';
import { utf8Bytes } from '@holdfast/base/sizes';
import { toDefinitions } from '@holdfast/vocabulary/tool-spec';
import { createMemoryArtifactStore } from '../../src/in-process/memory-artifact-store.ts';
import { exactly, type Figure } from './figures.ts';
import { starterAgents } from '../../src/worker/agents.ts';

export type FixedPart = { systemBytes: number; tools: Record<string, number>; bytes: number };

/** Measured the same way before descriptions and schemas were shortened (2026-11-23). */
const bytesBefore = 25_194;

export async function measureFixedPart(): Promise<FixedPart> {
  const built = createBuiltInTools({
    roots: ['/var/log'],
    httpAllow: ['localhost:9090'],
    shell: {
      sandbox: 'bubblewrap',
      changes: 'sandbox',
      network: false,
      unixSockets: false,
      writable: [],
      hidden: [],
      open: [],
      ownPaths: [],
      environment: {},
      limits: {},
      timeoutMs: 600_000,
    },
  });
  const tools = new Map(built.map((tool) => [tool.spec.name, tool]));
  const assemble = createAssembleContext({
    tools,
    agents: new Map(Object.entries(await starterAgents(tools))),
    models: {},
    defaultModel: 'scripted:none',
    artifacts: createMemoryArtifactStore(),
    searchAttributes: [],
  });
  const input = { agent: defaultAgent, prompt: '-' };
  const context = await assemble({ sessionId: '', runId: '', input });
  const systemBytes = utf8Bytes(context.systemPrompt);
  const sizes = toDefinitions(context.tools).map(
    (tool) => [tool.name, utf8Bytes(JSON.stringify(tool))] as const,
  );
  const bytes = sizes.reduce((sum, [, size]) => sum + size, systemBytes);
  return { systemBytes, tools: Object.fromEntries(sizes), bytes };
}

export async function measurePrompt(): Promise<Figure[]> {
  const { systemBytes, tools, bytes } = await measureFixedPart();
  const part = (what: string, size: number): Figure => ({
    name: `prompt.${what}`,
    what: `bytes of ${what}`,
    unit: '',
    value: exactly(size),
  });
  return [
    part('system prompt', systemBytes),
    ...Object.entries(tools).map(([name, size]) => part(`tool ${name}`, size)),
    {
      name: 'prompt',
      what: 'bytes that every request of the investigator begins with',
      unit: '',
      value: exactly(bytes),
      detail: `${Math.round((100 * bytes) / bytesBefore)} % of what it was (${bytesBefore})`,
    },
  ];
}
