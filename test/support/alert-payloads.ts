// Payloads of alert senders, and the receivers that docs/alerts.md and examples/alert-mappings show for them: the tests read with
// those that people copy.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Alert } from '@holdfast/vocabulary/alert';
import type { ReceiverConfig } from '@holdfast/alert-intake/receivers.schema';
import { parseConfig } from '../../src/config/config-file.ts';
import { parseBody } from '@holdfast/alert-intake/parse-body';
import { type AlertEntry, type AlertsRead, readBody } from '@holdfast/alert-intake/read-alerts';
import { blocksOf } from '../docs/pages.ts';
import { projectRoot } from './project-root.ts';

const page = blocksOf('docs/alerts.md');
const mappings = 'examples/alert-mappings/holdfast.config.yaml';
const configs = [
  ...page.filter(({ language, file }) => language === 'yaml' && file === undefined).map(({ text }) => text),
  readFileSync(join(projectRoot, mappings), 'utf8'),
];

/** By name; of several under one name the first. */
const shown: Record<string, ReceiverConfig> = Object.fromEntries(
  configs
    .toReversed()
    .flatMap((text) => Object.entries(parseConfig(parse(text), 'docs/alerts.md').receivers ?? {})),
);

export function shownReceiver(name: string): ReceiverConfig {
  const receiver = shown[name];
  if (receiver === undefined) throw new Error(`no page shows a receiver ${name}`);
  return receiver;
}

/** The block of the page that the reader writes into `file`. */
export function shownFile(file: string): string {
  return page.find((block) => block.file === file)?.text ?? '';
}

export function payload(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures/alerts', `${name}.json`), 'utf8'));
}

export function bytesOf(body: unknown): Uint8Array {
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** As a gateway reads it from a sender that is known. */
export function read(receiver: ReceiverConfig, body: unknown): AlertsRead {
  return readBody({ name: 'prod', receiver }, parseBody(body instanceof Uint8Array ? body : bytesOf(body)));
}

/** Throws the reason of a refusal. */
export function entriesOf(receiver: ReceiverConfig, body: unknown): AlertEntry[] {
  const found = read(receiver, body);
  if (!found.ok) throw new Error(found.reason);
  return found.groups;
}

export function alertsOf(receiver: ReceiverConfig, body: unknown): Alert[] {
  return entriesOf(receiver, body).flatMap(({ alerts }) => alerts);
}

export function reasonOf(receiver: ReceiverConfig, body: unknown): string {
  const found = read(receiver, body);
  return found.ok ? 'it was read' : `${found.status} ${found.code}: ${found.reason}`;
}

/** A webhook of Alertmanager with these alerts. */
export function webhook(...alerts: { labels: object; [field: string]: unknown }[]): object {
  return { status: 'firing', groupLabels: { alertname: 'DiskFull' }, alerts };
}
