// The classifier tier: another server's verdict on one call, with its confidence. Runs in Node. Every answer but a whole
// one denies; Temporal retries a server that does not answer.
import { defined } from '@holdfast/base/defined';
import { parseJson } from '@holdfast/base/json';
import { messageOf } from '@holdfast/base/message-of';
import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import { toOneLine } from '@holdfast/redaction/sanitise';
import type { ClassifierSettings, ProposedCall, TierVerdict } from './policy-tiers.ts';

export type Classify = (call: ProposedCall, signal: AbortSignal) => Promise<TierVerdict>;

/** The confidence of MODE-05. */
const defaultThreshold = 0.85;
const defaultTimeoutMs = 5_000;
const maxAnswerBytes = 65_536;

const answerSchema = z.object({
  verdict: z.enum(['allow', 'ask', 'deny']),
  confidence: z.number().min(0).max(1),
  reason: z.string().optional(),
});

export type ClassifierDeps = {
  /** Replaces references to secrets. */
  resolve?(text: string): Promise<string>;
  /** Removes secrets from a message. */
  redact?(text: string): string;
};

export function createClassifier(
  settings: ClassifierSettings,
  { resolve = (text) => Promise.resolve(text), redact = (text) => text }: ClassifierDeps = {},
): Classify {
  const { url, token, threshold = defaultThreshold, timeoutMs = defaultTimeoutMs } = settings;
  return async (call, signal) => {
    const text = await ask(url, call, {
      ...defined({ authorization: token === undefined ? undefined : `Bearer ${await resolve(token)}` }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      redact,
    });
    const answer = answerSchema.safeParse(parseJson(text));
    if (!answer.success)
      return { decision: 'deny', reason: 'the classifier gave no verdict that can be read' };
    const { verdict, confidence, reason } = answer.data;
    const said = reason === undefined ? '' : `: ${toOneLine(reason, 300)}`;
    const sure = `the classifier says ${verdict} (confidence ${confidence})${said}`;
    return confidence < threshold
      ? {
          decision: 'unsure',
          reason: `the classifier is not sure (${verdict}, confidence ${confidence})${said}`,
        }
      : { decision: verdict, reason: sure };
  };
}

async function ask(
  url: string,
  call: ProposedCall,
  {
    authorization,
    signal,
    redact,
  }: { authorization?: string; signal: AbortSignal; redact: (text: string) => string },
): Promise<string> {
  const headers = defined({ 'content-type': 'application/json', authorization });
  try {
    // a redirect could send the call to a server that nobody named
    const reply = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(call),
      signal,
      redirect: 'error',
    });
    if (!reply.ok) {
      await reply.body?.cancel();
      throw new Error(`it answered with status ${reply.status}`);
    }
    return await readAnswer(reply);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
    const reason = messageOf(error);
    throw ApplicationFailure.create({
      type: 'Policy.Classifier',
      message: `the classifier could not be asked: ${toOneLine(redact(withoutUser(`${reason} ${cause}`)), 200)}`,
    });
  }
}

/** An answer over the limit counts as no answer (''). */
async function readAnswer({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxAnswerBytes) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The message enters the history, and fetch quotes the whole address. */
function withoutUser(message: string): string {
  return message.replaceAll(/\/\/[^/\s]*@/g, '//');
}
