// Takes credentials out of an alert before Temporal has it: its texts are those of the sender. Pure.
import { redactJson, redactPatterns } from '../redaction/redact-patterns.ts';
import type { Alert } from './alert.ts';

/** Its fingerprint, which tells it from others, stays. */
export function alertWithoutSecrets(alert: Alert): Alert {
  return {
    ...alert,
    name: redactPatterns(alert.name),
    labels: textsWithoutSecrets(alert.labels),
    annotations: textsWithoutSecrets(alert.annotations),
    links: alert.links.map(({ title, url }) => ({ title: redactPatterns(title), url: redactPatterns(url) })),
  };
}

export function textsWithoutSecrets(texts: Record<string, string>): Record<string, string> {
  return redactJson(texts, redactPatterns) as Record<string, string>;
}
