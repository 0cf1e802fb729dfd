// Cleans a span before it leaves the worker: secrets are removed, and the reason of a failure is cut. Pure.
import type { Attributes, AttributeValue } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { mapValues } from '../../core/base/map-values.ts';
import { cutText } from '../../core/base/cut-text.ts';

/** Characters of each text; a stack has many lines. */
const shownText = 2_000;

export function cleanSpan(span: ReadableSpan, clean: (text: string) => string): ReadableSpan {
  const text = (value: string): string => cutText(clean(value), shownText);
  const all = (attributes: Attributes): Attributes =>
    mapValues(attributes, (value) => cleanValue(value, text));
  const { message } = span.status;
  const events = span.events.map((event) => ({
    ...event,
    ...(event.attributes && { attributes: all(event.attributes) }),
  }));
  // keeps the span's own getters and methods
  return Object.create(span, {
    name: { value: text(span.name) },
    attributes: { value: all(span.attributes) },
    events: { value: events },
    status: { value: { ...span.status, ...(message !== undefined && { message: text(message) }) } },
  }) as ReadableSpan;
}

function cleanValue(
  value: AttributeValue | undefined,
  text: (value: string) => string,
): AttributeValue | undefined {
  if (typeof value === 'string') return text(value);
  if (!Array.isArray(value)) return value;
  return value.map((item) => (typeof item === 'string' ? text(item) : item)) as AttributeValue;
}
