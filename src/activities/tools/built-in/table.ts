// The built-in tools, as far as the configuration opens something to them. Runs in Node.
import type { LookupFunction } from 'node:net';
import { z } from 'zod';
import { createFindTool } from './find.ts';
import { createGrepTool } from './grep.ts';
import { createHttpGetTool } from './http-get.ts';
import { createLsTool } from './ls.ts';
import { createReadArtifactTool } from './read-artifact.ts';
import { createReadTool } from './read.ts';
import { createReportTool } from './report.ts';
import { declareWorkflowTool, type RegisteredTool } from '../define-tool.ts';

export const pinFindingTool = declareWorkflowTool({
  name: 'pin_finding',
  label: 'Pin finding',
  description:
    'Pins one finding for the rest of the session: what you have established and will need to the end, with host, ' +
    'time or number. Older messages may be folded into a summary; pinned findings stay as you wrote them. All of ' +
    'them together have 8 KiB, and none can be taken back: pin facts, not guesses.',
  input: z.strictObject({
    text: z.string().min(1).max(8_192).describe('The finding, in one or two sentences.'),
  }),
  effect: 'read',
  timeoutMs: 1_000,
  runsIn: 'workflow',
  summaryArguments: ['text'],
});

/** Names of the built-in tools that are about the session and not about a machine. */
export const sessionTools: ReadonlySet<string> = new Set(['read_artifact', 'report', 'pin_finding']);

export type BuiltInOptions = {
  /** Folders that the file tools may read; none: no file tools. */
  roots: readonly string[];
  /** Folders inside them that stay closed: the worker's own. */
  closed?: readonly string[];
  /** What http_get may reach; none: no http_get. */
  httpAllow: readonly string[];
  /** The access of another configuration: the same tools, which reach only what both allow. */
  within?: { roots: readonly string[]; hosts: readonly string[] };
  lookup?: LookupFunction;
};

/** read, ls, find, grep with roots; http_get with hosts; read_artifact, report and pin_finding always. */
export function createBuiltInTools({
  roots,
  closed = [],
  httpAllow,
  within,
  lookup,
}: BuiltInOptions): RegisteredTool[] {
  const files = { roots, closed, ...(within && { within: within.roots }) };
  const hosts = { allow: httpAllow, ...(within && { within: within.hosts }), ...(lookup && { lookup }) };
  const fileTools = [createReadTool, createLsTool, createFindTool, createGrepTool];
  return [
    ...(roots.length > 0 ? fileTools.map((create) => create(files)) : []),
    ...(httpAllow.length > 0 ? [createHttpGetTool(hosts)] : []),
    createReadArtifactTool(),
    createReportTool(),
    pinFindingTool,
  ];
}
