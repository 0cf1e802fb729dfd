// The tiers of the policy that a configuration adds to its rules, and the verdict of one of them. Runs in Node.
import type { Json } from '../../core/base/json.ts';
import type { CallAction, PolicyDecision } from '../../core/model/tool-spec.ts';

export type PolicyTiers = {
  classifier?: ClassifierSettings;
  /** `<provider>:<model id>`: asked about each call of which the classifier is not sure, or about all without one. */
  model?: string;
  /** `changes` (default): calls that do not only read, and every call once a result had a sensitivity tag. */
  calls?: 'changes' | 'all';
};

/** A server that judges one call, asked with POST and JSON. */
export type ClassifierSettings = {
  /** Its address, http or https. */
  url: string;
  /** Sent as bearer token; best a reference: `secret://name`. */
  token?: string;
  /** A verdict below this confidence counts as unsure. Default 0.85. */
  threshold?: number;
  /** Default 5,000. */
  timeoutMs?: number;
};

/** What a tier judges. Redacted: it leaves the worker. */
export type ProposedCall = {
  agent: string;
  task: string;
  tool: string;
  args: Json;
  actions: CallAction[];
  /** Sensitivity tags of what the run has read. */
  tags: string[];
};

/** `unsure`: the next tier decides, and a person after the last one. */
export type TierVerdict = { decision: PolicyDecision | 'unsure'; reason?: string };
