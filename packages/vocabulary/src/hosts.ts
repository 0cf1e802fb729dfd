// The hosts that agents work on: the answer of a host's worker about its tools, the frozen form in a run, and the
// inputs and outputs of the activities on a host's own task queue. Types only.
import type { Json } from '@holdfast/base/json';
import type { PreparedCall, ToolSpec } from './tool-spec.ts';

/** The argument that names the host of a call. Not `host`, which many network tools have as an argument. */
export const hostParameter = 'on_host';

/** A host of the configuration. */
export type HostToAsk = { name: string; description?: string; taskQueue: string };

/**
 * Returned in place of a context if the hosts of the run must be asked first; it is then assembled with their answers.
 */
export type HostsToAsk = { askHosts: HostToAsk[] };

export type DescribeHostInput = { sessionId: string; runId: string; host: string };
/** `digest` covers name, parameters and effect: two tools with the same digest are the same tool. */
export type DescribedTool = { spec: ToolSpec; digest: string; judged?: true };
export type HostDescription = { tools: DescribedTool[] };

/**
 * A tool as one host offers it. `judged`: before a call runs, the host describes its effect and applies its own rules.
 */
export type HostedTool = { name: string; digest: string; judged?: true };
/** `missing`: the reason that nothing runs there, as the end of a sentence. */
export type HostAnswer = HostToAsk & ({ tools: HostedTool[] } | { missing: string });
/** The answers of all hosts; each different spec is there once, keyed by its digest. */
export type HostAnswers = { hosts: HostAnswer[]; specs: Record<string, ToolSpec> };

/** A host as frozen in a run. */
export type FrozenHost = HostToAsk & {
  /** Names of the tools that the agent has on this host. */
  tools: string[];
  /** Names of the tools whose calls the host judges before they run; absent: none. */
  judged?: string[];
  /** The reason that nothing ran there when the run began. */
  missing?: string;
};

/** The calls of one batch on one host. */
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
/** The effect of a call by the facts of its host, and the decision of the rules of the host and of the run. */
export type HostVerdict = Pick<
  Extract<PreparedCall, { status: 'ready' }>,
  'callId' | 'effect' | 'decision' | 'reason' | 'preview' | 'basis' | 'changes'
>;
export type InspectCallsResult = { verdicts: HostVerdict[] };
