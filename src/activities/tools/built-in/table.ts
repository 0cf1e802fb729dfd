// The built-in tools, as far as the configuration opens something to them. Runs in Node.
import type { LookupFunction } from 'node:net';
import { z } from 'zod';
import { createEditTool } from './edit.ts';
import { createFindTool } from './find.ts';
import { createGrepTool } from './grep.ts';
import { createHttpGetTool, createHttpPostTool, type HttpOptions } from './http-tools.ts';
import { createLsTool } from './ls.ts';
import { createReadArtifactTool } from './read-artifact.ts';
import { createReadTool } from './read.ts';
import { createReportTool } from './report.ts';
import { createWriteTool } from './write.ts';
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

export type BuiltInOptions = {
  /** Folders that the file tools may read; none: no file tools. */
  roots: readonly string[];
  /** Folders in them whose files may be changed; none: no write and edit. */
  writable?: readonly string[];
  /** Folders inside them that stay closed: the worker's own. */
  closed?: readonly string[];
  /** What http_get may reach; none: no http_get. */
  httpAllow: readonly string[];
  /** Headers and paths of hosts; http_post is there where one has paths. */
  httpHosts?: HttpOptions['hosts'] | undefined;
  /** Replaces references to secrets in them. */
  resolve?: HttpOptions['resolve'] | undefined;
  /** The access of another configuration: the same tools, which reach only what both allow. */
  within?: { roots: readonly string[]; writable?: readonly string[]; hosts: readonly string[] };
  lookup?: LookupFunction;
};

/** read, ls, find, grep with roots; write, edit with writable folders; http_get with hosts; read_artifact, report and pin_finding always. */
export function createBuiltInTools({
  roots,
  writable = [],
  closed = [],
  httpAllow,
  httpHosts = {},
  resolve,
  within,
  lookup,
}: BuiltInOptions): RegisteredTool[] {
  const changes = { folders: writable, ...(within && { within: within.writable ?? [] }) };
  const files = {
    ...{ roots, closed, ...(within && { within: within.roots }) },
    ...(writable.length > 0 && { writable: changes }),
  };
  const hosts = {
    ...{ allow: httpAllow, hosts: httpHosts, ...(resolve && { resolve }) },
    ...(within && { within: within.hosts }),
    ...(lookup && { lookup }),
  };
  const takesPost = Object.values(httpHosts).some(({ post = [] }) => post.length > 0);
  const fileTools = [createReadTool, createLsTool, createFindTool, createGrepTool];
  return [
    ...(roots.length > 0 ? fileTools.map((create) => create(files)) : []),
    ...(writable.length > 0 ? [createWriteTool(files), createEditTool(files)] : []),
    ...(httpAllow.length > 0 ? [createHttpGetTool(hosts)] : []),
    ...(takesPost ? [createHttpPostTool(hosts)] : []),
    createReadArtifactTool(),
    createReportTool(),
    pinFindingTool,
  ];
}
