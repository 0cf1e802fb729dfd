// The tiers of the policy that a configuration adds to its rules, and the verdict of one of them. Runs in Node.
import { z } from 'zod';
import { modelNameSchema } from '../../core/agent/agent-spec.schema.ts';
import type { Infer } from '@holdfast/base/schema-output';
import type { Json } from '@holdfast/base/json';
import type { CallAction, PolicyDecision } from '@holdfast/vocabulary/tool-spec';

const classifierSchema = z.strictObject({
  /** Address of the server, http or https. */
  url: z
    .url({ protocol: /^https?$/, error: 'expected an http(s) address' })
    .refine((address) => !hasUser(address), 'expected an address without a user; use "token"'),
  /** Sent as bearer token; best a reference: `secret://name`. */
  token: z.string().min(1).exactOptional(),
  /** A verdict below this confidence counts as unsure. Default 0.85. */
  threshold: z.number().gt(0).max(1).exactOptional(),
  /** Time limit of one answer. Default 5,000. */
  timeoutMs: z.int().min(1).max(60_000).exactOptional(),
});
export type ClassifierSettings = Infer<typeof classifierSchema>;

export const policyTiersSchema = z.strictObject({
  /** A server that judges one call, asked with POST and JSON. */
  classifier: classifierSchema.exactOptional(),
  /** `<provider>:<model id>`: judges each call of which the classifier is not sure, or without a classifier every call. */
  model: modelNameSchema.exactOptional(),
  /** `changes` (default): calls that do not only read, and every call once a result had a sensitivity tag. */
  calls: z.enum(['changes', 'all']).exactOptional(),
});
export type PolicyTiers = Infer<typeof policyTiersSchema>;

function hasUser(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && (url.username !== '' || url.password !== '');
}

/** A call for a tier to judge. Redacted, because it leaves the worker. */
export type ProposedCall = {
  agent: string;
  task: string;
  tool: string;
  args: Json;
  actions: CallAction[];
  /** Sensitivity tags of the material that the run has read. */
  tags: string[];
};

/** `unsure`: the next tier decides, and a person after the last one. */
export type TierVerdict = { decision: PolicyDecision | 'unsure'; reason?: string };
