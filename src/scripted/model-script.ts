// A scripted model as data: what it says and calls, step by step, with values that it takes out of the tool
// results it really gets. Types only; script-player.ts plays a script, model-script.schema.ts checks one.
import type { ModelFailureType } from '../core/base/failures.ts';
import type { Json } from '../core/base/json.ts';
import type { StopDetail, StopReason, Usage } from '../core/model/messages.ts';
import type { ReportRef } from '../core/model/run-result.ts';

/**
 * A string with `{{name}}` or `{{name | filter:argument | ...}}` in it (filters: script-template.ts). A template
 * that is nothing but one placeholder keeps its value's type, so `"{{count}}"` may become a number.
 * Names: captures, `prompt`, `steered`, `turn` (number of the reply, from 1), and `<as>.callId` of named calls.
 */
export type Template = string;

/** Which of several matches a capture takes. `all` gives a list; count, sum, max and min give a number. */
export type Take = 'first' | 'last' | 'all' | 'count' | 'sum' | 'max' | 'min';

/** A value to take out of a text. Multi-line is on: `^` and `$` match at line ends. */
export type CaptureSpec = {
  regex: string;
  /** JavaScript's flags beside `g` and `m`, e.g. `i`. */
  flags?: string;
  /** Number or name; default 1 where the expression has a group, else 0. */
  group?: number | string;
  /** Default `first`. */
  take?: Take;
  /** Without it, finding nothing is an error. `count` is 0 then and never an error. */
  optional?: boolean;
};
export type Captures = Record<string, CaptureSpec>;

export type ScriptCall = {
  tool: string;
  /** Strings in it, at any depth, are templates. Default {}. */
  args?: { [key: string]: Json };
  /** Sent instead of `args`, as it is: for arguments that are not valid JSON. */
  rawArguments?: string;
  /** A name for the call: `{{name.callId}}` is its id. Default: the step's id where the step has one call. */
  as?: string;
  /** Taken out of the result's text. */
  capture?: Captures;
  /** Allows a tool that the request does not offer. */
  unlisted?: boolean;
  /** In a recording: what the tool answered. The model never sees it from here; `recordedTools` gives it again. */
  result?: RecordedResult;
};

export type RecordedResult = {
  text: string;
  isError?: boolean;
  details?: Json;
  /** The call ended the run. */
  terminate?: boolean;
  /** What the tool `report` gave; the text that it names is not part of a recording. */
  report?: ReportRef;
};

/** All given parts must hold. `value` is a template; a name without a value makes it absent, not an error. */
export type Condition = {
  /** Regular expression over the user messages that came since the last reply (steering, warnings). */
  steered?: string;
  /** Whether a result of the last batch was an error. */
  failed?: boolean;
  value?: Template;
  exists?: boolean;
  equals?: Template | number | boolean;
  greater?: Template | number;
  less?: Template | number;
  matches?: string;
  all?: Condition[];
  any?: Condition[];
};

/** The first branch that holds is taken; when none does, the following step is. `end` ends the script. */
export type Branch = { when?: Condition; goto: string };
export type Next = string | Branch[];

/** A provider failure instead of a reply, on the first `attempts` attempts (default: on every one). */
export type ScriptFault = {
  type: ModelFailureType;
  message?: string;
  attempts?: number;
  retryAfterMs?: number;
  /** Streams so much of the reply first. */
  afterChars?: number;
};

/** One reply of the model. Neither text nor calls is an empty reply. */
export type ScriptStep = {
  id: string;
  /** Checked when the step is to be played; a mismatch fails the request. */
  expect?: { lastUserMatches?: string; systemMatches?: string };
  /** Taken out of the user messages that came since the last reply. */
  captureSteered?: Captures;
  thinking?: Template;
  text?: Template;
  calls?: ScriptCall[];
  /** Pause before the first piece. */
  delayMs?: number;
  /** Pause before each further piece; a piece is `chunkChars` (default 24) characters. */
  chunkMs?: number;
  chunkChars?: number;
  /** Reported usage. Absent numbers are estimated as a quarter of the characters. */
  usage?: Partial<Usage>;
  /** Default: `tool_use` with calls, else `stop`. */
  stopReason?: StopReason;
  /** `refusal` and the like. */
  stopDetail?: StopDetail;
  /** Default: the following step; after the last one, the end. */
  next?: Next;
  fault?: ScriptFault;
};

export type ModelScript = {
  name: string;
  description?: string;
  /** Texts and arguments are taken as they stand: nothing in them is a template. Set in recordings. */
  verbatim?: boolean;
  /** In a recording: what people said, the prompt first. Not played; whoever starts the replay says it again. */
  prompts?: string[];
  /** Taken out of the first user message. */
  capture?: Captures;
  /** Default: the first step. */
  start?: Next;
  steps: ScriptStep[];
  /** The reply to every request after the end. Without it such a request is an error. */
  afterEnd?: Template;
};

/** The script and the request do not fit. Never worth a retry: the same request gives it again. */
export class ScriptMismatch extends Error {
  override readonly name = 'ScriptMismatch';
}
