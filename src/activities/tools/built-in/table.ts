// The tools that come with Holdfast, as far as the configuration opens something to them. Runs in Node.
import type { LookupFunction } from 'node:net';
import { createFindTool } from './find.ts';
import { createGrepTool } from './grep.ts';
import { createHttpGetTool } from './http-get.ts';
import { createLsTool } from './ls.ts';
import { createReadArtifactTool } from './read-artifact.ts';
import { createReadTool } from './read.ts';
import { createReportTool } from './report.ts';
import { pinFindingTool } from '../../../core/tools/built-in/pin-finding.ts';
import { declareWorkflowTool } from '../tool-handler.ts';
import type { RegisteredTool } from '../tool-handler.ts';

export type BuiltInOptions = {
  /** Folders that the file tools may read; none: no file tools. */
  roots: readonly string[];
  /** Folders inside them that stay closed: the worker's own. */
  closed?: readonly string[];
  /** What http_get may reach; none: no http_get. */
  httpAllow: readonly string[];
  /** What another configuration opens: the tools stay, and reach only what both open. */
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
  const files = [createReadTool, createLsTool, createFindTool, createGrepTool].map((create) =>
    create({ roots, closed, ...(within ? { within: within.roots } : {}) }),
  );
  const hosts = {
    allow: httpAllow,
    ...(within ? { within: within.hosts } : {}),
    ...(lookup ? { lookup } : {}),
  };
  return [
    ...(roots.length > 0 ? files : []),
    ...(httpAllow.length > 0 ? [createHttpGetTool(hosts)] : []),
    createReadArtifactTool(),
    createReportTool(),
    declareWorkflowTool(pinFindingTool),
  ];
}
