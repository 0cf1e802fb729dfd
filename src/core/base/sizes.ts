// The fixed sizes of payloads, pages and texts, in one place.

/** No payload into or out of the workflow is larger, except query pages and the state at continue-as-new. */
export const maxPayloadBytes = 256 * 1024;
/** One page of getView or getMessages. */
export const maxPageBytes = 1024 * 1024;
/**
 * Newest part of the log that travels in the state at continue-as-new; older messages are archived. Each byte of it
 * is in two histories: at the end of one execution and at the start of the next.
 */
export const tailBytes = 8 * 1024;
/** A user message's text travels inside the model call's input up to here; longer ones are paged by query. */
export const inlineMessageBytes = 4 * 1024;
/** Text inside an event or a snapshot. */
export const eventTextBytes = 2 * 1024;
/** Of a tool's result in events: enough for a line; the newest events travel at every continue-as-new. */
export const eventResultBytes = 256;
/** The task's own words, kept beside every summary. */
export const taskBytes = 8 * 1024;
/** Texts of all pinned findings of a session. */
export const findingsBytes = 8 * 1024;
/** What a child tells the session that started it, in one signal. */
export const childUpdateBytes = 64 * 1024;
/** A plan when it is set. */
export const planBytes = 16 * 1024;
/** Messages of a result are inlined only below this, else named by range. */
export const inlineMessagesBytes = 64 * 1024;

/** Bytes of an image that travels inside its message. */
export const inlineImageBytes = 128 * 1024;

/** Size of a value as UTF-8 JSON. Exact without building the bytes: the sandbox has no Buffer. */
export function jsonBytes(value: unknown): number {
  return utf8Bytes(JSON.stringify(value) ?? '');
}

const beyondAscii = /[^\0-\x7f]/;

/** Length of a string in UTF-8 bytes. A lone surrogate counts 3, as encoders replace it by U+FFFD. */
export function utf8Bytes(text: string): number {
  // nearly all text: looked at by the engine, not character by character
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
