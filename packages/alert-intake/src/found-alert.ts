// One alert as the reader of a payload finds it, and the alert that is made of it: clean texts, one severity, a
// fingerprint, links. Pure.
import type { Alert, AlertSeverity } from '@holdfast/vocabulary/alert';
import type { AlertLink } from '@holdfast/vocabulary/session-alert';
import { cutText } from '@holdfast/base/cut-text';
import { defined } from '@holdfast/base/defined';
import type { JsonRecord } from '@holdfast/base/json';
import { keysOf } from '@holdfast/base/keys';
import { oneLine } from '@holdfast/base/one-line';
import { present } from '@holdfast/base/present';
import { counted } from '@holdfast/base/words';
import { hash } from 'node:crypto';
import type { AlertStatus } from './status-words.ts';
import { isNoTime, toCappedText, toTexts, parseTime } from './texts.ts';

/** Values are as the sender wrote them. */
export type FoundAlert = {
  status: AlertStatus;
  labels: JsonRecord;
  annotations: JsonRecord;
  /** Default: the label `alertname`, else the beginning of the summary. */
  name?: unknown;
  /** Default: the label `severity`, else `priority`. */
  severity?: unknown;
  /** Default: a digest of the name and the labels. */
  fingerprint?: unknown;
  startsAt?: unknown;
  endsAt?: unknown;
  /** Addresses by title; what is no web address becomes an annotation. */
  links?: JsonRecord;
  /** Labels by which the sender has grouped it. */
  groupLabels?: JsonRecord | undefined;
  /** The sender's name of the group: an incident, a monitor. */
  groupId?: unknown;
};

const labelBytes = 1_024;
const annotationBytes = 4_096;
const most = { labels: 64, annotations: 64, links: 16 };

/** The severities of all senders in five words, in lower case. Numbers are in no table: 1 is the worst of one sender and the mildest of another. */
// oxfmt-ignore
const words: Record<Exclude<AlertSeverity, 'unknown'>, string[]> = {
  critical: ['critical', 'crit', 'fatal', 'emergency', 'emerg', 'alert', 'disaster', 'blocker', 'page', 'down', 'unreachable',
    'p0', 'p1', 'sev0', 'sev1', 'sev-0', 'sev-1'],
  error: ['error', 'err', 'major', 'high', 'p2', 'sev2', 'sev-2'],
  warning: ['warning', 'warn', 'minor', 'medium', 'average', 'moderate', 'p3', 'sev3', 'sev-3'],
  info: ['info', 'information', 'informational', 'notice', 'debug', 'low', 'none', 'ok', 'up', 'normal', 'success',
    'p4', 'p5', 'sev4', 'sev5', 'sev-4', 'sev-5'],
};

const severities = new Map(
  keysOf(words).flatMap((severity) =>
    words[severity].map((word): [string, AlertSeverity] => [word, severity]),
  ),
);

/** `unknown` for a word that no sender is known to use, and for no word. */
export function toSeverity(word: string | undefined): AlertSeverity {
  return severities.get(word?.trim().toLowerCase() ?? '') ?? 'unknown';
}

/** Labels that change while the alert stays the same. */
const changing = new Set(['severity', 'status', 'state', 'priority', 'level', 'value']);

/** Has all labels, so that grouping and routes see them: `withinLimits` makes it fit to be kept. */
export function toAlert(found: FoundAlert, status: Alert['status']): Alert {
  const { links: addresses = {} } = found;
  const labels = toTexts(found.labels, labelBytes);
  const links = toTexts(addresses, labelBytes);
  const times = { startsAt: found.startsAt, endsAt: found.endsAt };
  const isUnread = ([, value]: [string, unknown]) => parseTime(value) === undefined && !isNoTime(value);
  const annotations = {
    // what is no link and no time is still a text for the agent
    ...Object.fromEntries(Object.entries(links).filter(([, url]) => !isWebAddress(url))),
    ...toTexts(Object.fromEntries(Object.entries(times).filter(isUnread)), labelBytes),
    ...toTexts(found.annotations, annotationBytes),
  };
  const name = nameOf(found.name, labels, annotations);
  const severity = toCappedText(found.severity, labelBytes) ?? labels['severity'] ?? labels['priority'];
  const [startsAt, endsAt] = [parseTime(times.startsAt), parseTime(times.endsAt)];
  return {
    fingerprint: fingerprintOf(found.fingerprint) ?? toDigest({ ...identityOf(labels), alertname: name }, 16),
    name,
    status,
    severity: toSeverity(severity),
    labels,
    annotations,
    ...defined({ startsAt, endsAt }),
    links: linksOf(links, annotations),
  };
}

function nameOf(given: unknown, labels: Record<string, string>, annotations: Record<string, string>): string {
  const name = toCappedText(given, labelBytes) ?? labels['alertname'] ?? annotations['summary'];
  return cutText(oneLine(name ?? annotations['title'] ?? ''), 200) || 'unnamed alert';
}

function fingerprintOf(given: unknown): string | undefined {
  const text = toCappedText(given, annotationBytes);
  return text !== undefined && text.length > 200 ? hash('sha256', text) : text;
}

/** The labels that tell this alert from others, whatever state it is in. */
export function identityOf(labels: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => !changing.has(name)));
}

/** The first `digits` hex digits of a digest that does not depend on the order of the names. */
export function toDigest(texts: Record<string, string>, digits: number): string {
  const sorted = Object.entries(texts).sort(([left], [right]) => (left < right ? -1 : 1));
  return hash('sha256', JSON.stringify(sorted)).slice(0, digits);
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/./i.test(text) && URL.canParse(text);
}

function linksOf(links: Record<string, string>, annotations: Record<string, string>): AlertLink[] {
  const told = Object.entries(annotations).flatMap(([name, url]) => {
    const [, title] = /^(runbook|dashboard)(?:_?url)?$/i.exec(name) ?? [];
    return title === undefined ? [] : [[title, url] as const];
  });
  const all = [...Object.entries(links), ...told].filter(([, url]) => isWebAddress(url));
  const byUrl = new Map(all.toReversed().map(([title, url]) => [url, { title, url }]));
  return [...byUrl.values()].toReversed();
}

/** The alert with a bounded number of labels, annotations and links; what was cut is said in an annotation. */
export function withinLimits(alert: Alert): Alert {
  const [labels, ofLabels] = firstOf(alert.labels, most.labels);
  const [annotations, ofAnnotations] = firstOf(alert.annotations, most.annotations);
  const links = alert.links.slice(0, most.links);
  const ofLinks = alert.links.length - links.length;
  const left = present([
    ofLabels > 0 && counted(ofLabels, 'label'),
    ofAnnotations > 0 && counted(ofAnnotations, 'annotation'),
    ofLinks > 0 && counted(ofLinks, 'link'),
  ]);
  if (left.length === 0) return alert;
  const holdfast_cut = `left out of this alert: ${left.join(', ')}`;
  return { ...alert, labels, links, annotations: { ...annotations, holdfast_cut } };
}

function firstOf(texts: Record<string, string>, count: number): [kept: Record<string, string>, left: number] {
  const entries = Object.entries(texts);
  return [Object.fromEntries(entries.slice(0, count)), Math.max(0, entries.length - count)];
}
