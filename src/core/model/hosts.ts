// The hosts that agents work on: what a host's worker says of its tools, what a run is frozen to of them, and the contracts
// of the activities on a host's own task queue. Pure.
import type { Json } from '../base/json.ts';
import type { PolicyDecision, ToolEffect, ToolSpec } from './tool-spec.ts';

/** The argument that names the host of a call. Not `host`: tools of networks have one of that name. */
export const hostParameter = 'on_host';

/** A host of the configuration. */
export type HostToAsk = { name: string; description?: string; taskQueue: string };

/** In place of a context where hosts of the run have to be asked first; then it is assembled with their answers. */
export type HostsToAsk = { askHosts: HostToAsk[] };

export type DescribeHostInput = { sessionId: string; runId: string; host: string };
/** `digest` is that of what decides whether the tool is the same elsewhere: name, parameters and effect. */
export type DescribedTool = { spec: ToolSpec; digest: string; judged?: true };
export type HostDescription = { tools: DescribedTool[] };

/** A tool as one host offers it. `judged`: this host says what a call does, and asks its own rules, before it runs. */
export type HostedTool = { name: string; digest: string; judged?: true };
/** `missing`: why nothing runs there, as the end of a sentence. */
export type HostAnswer = HostToAsk & ({ tools: HostedTool[] } | { missing: string });
/** What all hosts have said; equal specs are there once, by their digest. */
export type HostAnswers = { hosts: HostAnswer[]; specs: Record<string, ToolSpec> };

/** A host as a run is frozen to it. */
export type FrozenHost = HostToAsk & {
  /** Names of the tools that the agent has there. */
  tools: string[];
  /** Of those, the ones whose calls the host judges before they run; absent: none. */
  judged?: string[];
  /** Why nothing ran there when the run began. */
  missing?: string;
};

/** Calls of one batch on one host. */
export type InspectCallsInput = {
  sessionId: string;
  runId: string;
  turn: number;
  contextDigest: string;
  host: string;
  /** Sensitivity tags of the results so far. */
  tags: string[];
  calls: { callId: string; tool: string; args: Json }[];
};
/** What a call does by the facts of its host, and what the rules of the host and of the run say. */
export type HostVerdict = {
  callId: string;
  effect: ToolEffect;
  decision: PolicyDecision;
  reason?: string;
  preview?: string;
  basis?: string;
  changes?: string;
};
export type InspectCallsResult = { verdicts: HostVerdict[] };

/** Activities on the task queue of a host; its tools come on top as `tool.<name>`. */
export type HostActivities = {
  describeHost(input: DescribeHostInput): Promise<HostDescription>;
  inspectCalls(input: InspectCallsInput): Promise<InspectCallsResult>;
};
