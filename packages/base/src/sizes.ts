// The fixed sizes of payloads, pages and texts, in one place. Pure.

/** No payload into or out of the workflow is larger, except query pages and the state at continue-as-new. */
export const maxPayloadBytes = 256 * 1024;
/** Size of one page of getView or getMessages. */
export const maxPageBytes = 1024 * 1024;
/**
 * The newest part of the log that travels in the state at continue-as-new; older messages are archived. Each byte is in
 * two histories: at the end of one execution and at the start of the next.
 */
export const tailBytes = 8 * 1024;
/** Up to this size, a user message travels inside the model call's input; a longer one is paged by query. */
export const inlineMessageBytes = 4 * 1024;
/** Limit for a text inside an event or a snapshot. */
export const eventTextBytes = 2 * 1024;
/** Limit for a tool result inside an event, enough for one line: the newest events travel at every continue-as-new. */
export const eventResultBytes = 256;
/** Limit for the words of the task, which are kept beside every summary. */
export const taskBytes = 8 * 1024;
/** Limit for the texts of all pinned findings of a session. */
export const findingsBytes = 8 * 1024;
/** Limit for one signal from a child to the session that started it. */
export const childUpdateBytes = 64 * 1024;
/** Limit for the words of people that a session keeps, and for those of one of them. */
export const saidBytes = 6 * 1024;
export const saidTextBytes = 2 * 1024;
/** Limit for a plan, checked when it is set. */
export const planBytes = 16 * 1024;
/** A result has its messages inline below this size, else it names their range. */
export const inlineMessagesBytes = 64 * 1024;

/** Largest image that travels inside its message. */
export const inlineImageBytes = 128 * 1024;

/** Size of a value as UTF-8 JSON. Exact without building the bytes: the sandbox has no Buffer. */
export function jsonBytes(value: unknown): number {
  return utf8Bytes(JSON.stringify(value) ?? '');
}

const beyondAscii = /[^\0-\x7f]/;

/** Length in UTF-8 bytes. A lone surrogate counts 3: encoders replace it by U+FFFD. */
export function utf8Bytes(text: string): number {
  // the engine tests nearly every text faster than a loop over its characters
  if (!beyondAscii.test(text)) return text.length;
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit <= 0xdbff && isLowSurrogate(text.charCodeAt(index + 1))) {
      bytes += 4;
      index++;
    } else bytes += 3;
  }
  return bytes;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Characters by which two messages with one id are compared: fewer than the list of a queue shows. */
export const comparedText = 400;
