// Spans of a real provider as they leave: without secrets in any text, and with their own methods.
import { SpanStatusCode } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { expect, test } from 'vitest';
import { createRedactor } from '@holdfast/redaction/redaction';
import { cleanSpan } from '../../../src/worker/telemetry/tracing.ts';

test('no secret is in the name, attributes, status or events of a span, and long texts are cut', () => {
  const secret = 'hunter2-hunter2';
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const open = provider.getTracer('test').startSpan(`chat ${secret}`);
  open.setAttributes({
    reason: `it said ${secret}`,
    list: [secret, 'plain'],
    turn: 7,
    long: 'x'.repeat(5_000),
  });
  open.setStatus({ code: SpanStatusCode.ERROR, message: `refused ${secret}` });
  open.recordException(new Error(`refused ${secret}`));
  open.end();
  const [span] = exporter.getFinishedSpans();
  if (!span) throw new Error('a span was expected');
  const shown = ({ name, attributes, status, events }: typeof span) =>
    JSON.stringify({ name, attributes, status, events });
  expect(shown(span).split(secret).length).toBeGreaterThan(6);
  const cleaned = cleanSpan(span, createRedactor([secret]).text);
  expect(shown(cleaned)).not.toContain(secret);
  expect(cleaned.attributes).toMatchObject({ turn: 7, list: [expect.any(String), 'plain'] });
  expect(String(cleaned.attributes['long'])).toHaveLength(2_000);
  expect(cleaned.spanContext()).toEqual(span.spanContext());
});
