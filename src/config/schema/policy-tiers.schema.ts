// The judges beside the rules of the policy in a config file. Runs where a process starts.
import { z } from 'zod';
import { modelNameSchema } from '../../core/agent/agent-spec.schema.ts';

export const policyTiersSchema = z.strictObject({
  classifier: z
    .strictObject({
      url: z
        .url({ protocol: /^https?$/, error: 'expected an http(s) address' })
        .refine((address) => !hasUser(address), 'expected an address without a user; use "token"'),
      token: z.string().min(1).exactOptional(),
      threshold: z.number().gt(0).max(1).exactOptional(),
      timeoutMs: z.int().min(1).max(60_000).exactOptional(),
    })
    .exactOptional(),
  model: modelNameSchema.exactOptional(),
  calls: z.enum(['changes', 'all']).exactOptional(),
});

function hasUser(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && (url.username !== '' || url.password !== '');
}
