// The result of a tool call from the outcome of its body: clean, capped for the model, stored whole. Runs in Node. It is
// clean first, which keeps secrets out of store and history. Only what history does not have whole is waited for.
import { defined } from '@holdfast/base/defined';
import type { ToolCallInput } from '@holdfast/vocabulary/activity-contracts';
import type { ToolCallResult } from '@holdfast/vocabulary/call-results';
import { decideOutcome } from '@holdfast/vocabulary/call-outcome';
import { agentDefaults } from '@holdfast/vocabulary/agent-spec';
import type { CallOutcome, ImagePart, ToolResultMessage } from '@holdfast/vocabulary/messages';
import type { Json } from '@holdfast/base/json';
import { jsonBytes, maxPayloadBytes } from '@holdfast/base/sizes';
import type { ToolSpec } from '@holdfast/vocabulary/tool-spec';
import type { BehindStore } from '../storage/behind-store.ts';
import { capText } from '@holdfast/base/cut-text';
import { unlessEmpty } from '@holdfast/base/unless-empty';
import { cleanDetails, cleanImages, cleanText } from '@holdfast/redaction/clean-output';
import { toolOutputId } from '@holdfast/stored/artifact-names';
import { type EndedRun, type FrozenStore, type Kept, keepOutput } from './keep-output.ts';
import type { MessageCache } from '../base/message-cache.ts';
import type { Redactor } from '@holdfast/redaction/redaction';
import { endingOf, type HandlerRun } from './run-handler.ts';

export type ToolResultDeps = {
  artifacts: BehindStore;
  redactor: Redactor;
  /** Caches the message for callModel, and returns its digest. */
  cache: Pick<MessageCache, 'remember'>;
  /** Named in every result. */
  host?: string | undefined;
};

/** The call whose result is made. */
type Call = { spec: ToolSpec; input: ToolCallInput; deps: ToolResultDeps };

/** The end of a text whose call a person stopped. */
export const stoppedNotice = '[Stopped before it had finished: this is what it had.]';

/**
 * Cleans, stores and caps the outcome of a body that ran. `frozen` holds the run's store: a worker with another store
 * keeps nothing and names no artifact, and off the record nothing is stored. Rejects if the store is down for a moment
 * and the call may run again.
 */
export async function toToolCallResult(
  run: EndedRun,
  call: Call,
  frozen: FrozenStore,
): Promise<ToolCallResult> {
  const { spec, input, deps } = call;
  const clean = cleanOutcome(run, spec, deps.redactor);
  const { full, details, images, isError, withheld } = clean;
  const resultCap = input.resultCap ?? agentDefaults.loop.toolResultCap;
  const show = (kept: Kept): ToolResultMessage =>
    withinPayload((cap) => {
      const text = shownText(clean, kept, cap, run.long?.addedBytes());
      const artifactId = 'artifactId' in kept ? kept.artifactId : undefined;
      const isPart = (artifactId !== undefined && text !== full) || undefined;
      return {
        ...messageHead(call, isError),
        content: [{ type: 'text', text }, ...images],
        ...defined({ details, artifactId, isPart }),
      };
    }, resultCap);
  const ended = withheld ? withOwnEnd(run) : run;
  if (run.outcome.ownWords === true || withheld) return finish(show({ notEvidence: true }), ended, call);
  const message = show({ artifactId: toolOutputId(input.callId) });
  const isWhole = message.isPart === undefined && frozen.hooksResults !== true;
  const kept = await keepOutput({ full, isWhole }, run, call, frozen);
  const isAsShown = 'artifactId' in kept && kept.artifactId === message.artifactId;
  return finish(isAsShown ? message : show(kept), ended, call);
}

/** The parts of an outcome that may leave the process. */
type CleanOutcome = {
  text: string;
  full: string;
  isSelection?: boolean;
  details?: Json;
  images: ImagePart[];
  isError: boolean;
  withheld?: true;
};

/** If the redaction itself fails, nothing of the output is passed on. */
function cleanOutcome(run: EndedRun, spec: ToolSpec, redactor: Redactor): CleanOutcome {
  const { outcome, long } = run;
  // in pieces all of it is clean and stored: a long one would take seconds more
  const whole = long?.addedBytes() ? '' : outcome.full;
  try {
    const text = withEnding(cleanText(outcome.text, redactor), run);
    return defined({
      text,
      full: typeof outcome.full === 'string' ? withEnding(cleanText(whole, redactor), run) : text,
      isSelection: outcome.isSelection === true,
      details: outcome.details === undefined ? undefined : cleanDetails(outcome.details, redactor),
      images: cleanImages(outcome.images),
      isError: outcome.isError === true,
    });
  } catch (error) {
    const text = withheldText(spec.name, error);
    return { text, full: text, images: [], isError: true, withheld: true };
  }
}

/** Withheld words do not make a body's outcome a failure. */
function withOwnEnd(run: HandlerRun): HandlerRun {
  const { outcome, interrupted = false } = run;
  const message = { isError: outcome.isError === true };
  return { ...run, outcome: { ...outcome, outcome: decideOutcome({ ...outcome, message, interrupted }) } };
}

/** Excludes the error's message, which may quote the output. */
function withheldText(tool: string, error: unknown): string {
  const kind = error instanceof Error ? error.name : 'unknown error';
  return (
    `[What ${tool} answered is withheld: secrets could not be taken out of it (${kind}). ` +
    'If it ran, it has taken effect. Ask for less of its output, or tell the operator.]'
  );
}

/** The result of a call that was refused before its body ran; nothing is stored. */
export function toRefusedResult(reason: string, call: Call, outcome: CallOutcome): ToolCallResult {
  const { spec, input, deps } = call;
  const refused = { outcome: { text: reason, isError: true } };
  const { text } = cleanOutcome(refused, spec, deps.redactor);
  const message: ToolResultMessage = { ...messageHead(call, true), content: [{ type: 'text', text }] };
  return { message, outcome, digest: deps.cache.remember(input.sessionId, message) };
}

function messageHead(
  { spec, input, deps: { host } }: Call,
  isError: boolean,
): Pick<ToolResultMessage, 'role' | 'callId' | 'toolName' | 'isError' | 'host'> {
  const where = host === undefined ? {} : { host };
  return { role: 'tool_result', callId: input.callId, toolName: spec.name, isError, ...where };
}

function finish(message: ToolResultMessage, run: HandlerRun, { spec, input, deps }: Call): ToolCallResult {
  const { outcome, interrupted } = run;
  const sensitivity = [...new Set([...(spec.sensitivity ?? []), ...tagsOf(outcome.sensitivity)])];
  return defined({
    message,
    sensitivity: unlessEmpty(sensitivity),
    digest: deps.cache.remember(input.sessionId, message),
    terminate: (outcome.terminate === true && !message.isError) || undefined,
    interrupted: interrupted === true || undefined,
    outcome: outcome.outcome,
    report: outcome.report,
    reportIsFinal: outcome.reportIsFinal || undefined,
  });
}

/** A body may be plain JavaScript; anything but a list of texts counts as one unknown tag. */
function tagsOf(given: unknown): string[] {
  if (given === undefined) return [];
  const tags: unknown[] = Array.isArray(given) ? given : [undefined];
  return tags
    .slice(0, 20)
    .map((tag) => (typeof tag === 'string' && tag !== '' ? tag.slice(0, 100) : 'unknown'));
}

/** Added to the redacted text. */
function withEnding(text: string, { outcome, interrupted }: HandlerRun): string {
  const wasStopped = interrupted === true && outcome.isError !== true;
  return [text, endingOf(outcome), wasStopped ? stoppedNotice : undefined]
    .filter((part) => part !== undefined)
    .join('\n');
}

function shownText(clean: CleanOutcome, kept: Kept, cap: number, addedBytes = 0): string {
  const { text, full, isSelection = false } = clean;
  const body = text.trim() === '' ? '(no output)' : text;
  const size = addedBytes === 0 ? '' : `It had ${addedBytes} bytes. `;
  const noted = (said: string, notice: string): string =>
    capText(body, Math.max(0, cap - notice.length), said) + notice;
  if ('notEvidence' in kept) return capText(body, cap, 'The rest was not kept.');
  if ('offTheRecord' in kept) {
    const said = `${size}The rest was not kept: the session is off the record.`;
    return noted(said, isSelection ? `\n[${said}]` : '');
  }
  if ('lost' in kept) {
    const said = `${size}The full output was not kept: this worker cannot write the artifact store.`;
    return noted(said, `\n[${said} Quotes from it cannot be looked up.]`);
  }
  const isLong = 'characters' in kept;
  const characters = isLong ? kept.characters : full.length;
  const isCut = isLong && kept.cutBytes > 0;
  const what = isCut ? `The output without ${kept.cutBytes} bytes of its middle` : 'The full output';
  const where = `${what} is artifact ${kept.artifactId}: read_artifact pages and searches it.`;
  const isPart = full === text ? isLong && body.length <= cap : isSelection || characters > cap;
  if (!isPart) return capText(body, cap, where, Math.max(characters, body.length));
  return noted(where, `\n[Part of ${characters} characters. ${where}]`);
}

// for a large cap, or text with many bytes a character: the payload limit is in bytes and it wins
function withinPayload(toMessage: (cap: number) => ToolResultMessage, resultCap: number): ToolResultMessage {
  // for digest, flags and the report reference
  const room = maxPayloadBytes - 4_096;
  let cap = resultCap;
  for (;;) {
    const message = toMessage(cap);
    const sizeBytes = jsonBytes(message);
    if (sizeBytes <= room || cap < 1_000) return message;
    cap = Math.floor(cap * Math.min(0.9, room / sizeBytes));
  }
}
