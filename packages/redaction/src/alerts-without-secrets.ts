// Takes credentials out of an alert before Temporal has it: its texts are those of the sender. Pure.
import { redactJson, redactPatterns } from './redact-patterns.ts';
import type { Alert } from '@holdfast/vocabulary/alert';

type Texts = Record<string, string>;

/** The alert itself if there are none, as in most: one look at all of its texts. Its fingerprint stays. */
export function alertWithoutSecrets(alert: Alert): Alert {
  const { name, labels, annotations, links } = alert;
  const others = links.flatMap(({ title, url }) => [title, url]);
  if (isClean([name, ...others, ...lines(labels), ...lines(annotations)])) return alert;
  return {
    ...alert,
    name: redactPatterns(name),
    labels: textsWithoutSecrets(labels),
    annotations: textsWithoutSecrets(annotations),
    links: links.map(({ title, url }) => ({ title: redactPatterns(title), url: redactPatterns(url) })),
  };
}

/** The texts themselves if there are none. */
export function textsWithoutSecrets(texts: Texts): Texts {
  return isClean(lines(texts)) ? texts : (redactJson(texts, redactPatterns) as Texts);
}

function lines(texts: Texts): string[] {
  // in quotes a value of any length counts behind the name of a credential
  return Object.entries(texts).map(([name, text]) => `${name}="${text}"`);
}

function isClean(texts: string[]): boolean {
  const whole = texts.join('\n\n');
  return redactPatterns(whole) === whole;
}
