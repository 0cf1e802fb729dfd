// Gives a run's context its digests. Equal contexts have equal names on every worker.
import { toDefinitions } from '../../core/model/tool-definitions.ts';
import type { FrozenContext } from '../../core/model/frozen-context.ts';
import { digestOf } from './digest.ts';

type Digests = 'digest' | 'prefixDigest' | 'systemPromptDigest';

/** Anew for every change of a context: the name of the old one must not stay on it. */
export function freezeContext(context: Omit<FrozenContext, Digests>): FrozenContext {
  const { digest: _, prefixDigest: __, ...fields }: Partial<FrozenContext> & typeof context = context;
  const systemPromptDigest = digestOf(fields.systemPrompt);
  const frozen = { ...fields, systemPromptDigest, prefixDigest: prefixDigestOf(fields) };
  return { ...frozen, digest: digestOf(frozen) };
}

/** Of what every request begins with; labels and time limits of tools do not reach the model. */
function prefixDigestOf({ systemPrompt, tools }: Pick<FrozenContext, 'systemPrompt' | 'tools'>): string {
  const definitions = toDefinitions(tools);
  return digestOf({ systemPrompt, definitions });
}
