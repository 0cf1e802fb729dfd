// Checkpoints for the client: read from a session or from the artifact store, and stored for the worker of a new
// session if they are too large to send. Runs in the caller's process.
import { sha256Hex } from '@holdfast/stored/sha256';
import { checkpointArtifact } from '@holdfast/vocabulary/outer-names';
import { parseCheckpointText } from '../core/checkpoint/checkpoint.schema.ts';
import { type CheckpointPage, withRecords, joinPages } from '../core/checkpoint/checkpoint.ts';
import type { LogRecord } from '@holdfast/vocabulary/messages';
import type { Checkpoint, SessionInput } from '@holdfast/vocabulary/session-input';
import { jsonBytes, maxPayloadBytes } from '@holdfast/base/sizes';
import { ClientError } from './client-error.ts';
import type { ArtifactReader, ArtifactWriter } from '@holdfast/stored/artifact-names';
import { readStoredLog, readText } from '@holdfast/stored/stored-session';
import type { MissingRecords } from './session-log.ts';

/** The whole document with every message, without an artifact store. */
export async function readCheckpoint(
  sessionId: string,
  getPage: (offset: number) => Promise<CheckpointPage>,
  messages: AsyncIterable<LogRecord | MissingRecords>,
): Promise<Checkpoint> {
  const checkpoint = await joinPages(getPage);
  const records: LogRecord[] = [];
  for await (const record of messages) {
    if ('type' in record) throw missing(sessionId, record);
    if (record.seq <= checkpoint.messages.toSeq) records.push(record);
  }
  return withRecords(checkpoint, records);
}

/** The last saved checkpoint; undefined if there is none. Needs neither worker nor history. */
export async function readStoredCheckpoint(
  store: ArtifactReader | undefined,
  sessionId: string,
): Promise<Checkpoint | undefined> {
  const text = await readText(store, sessionId, checkpointArtifact);
  if (text === undefined) return undefined;
  const parsed = parseCheckpointText(text);
  if (!parsed.ok) {
    const message = `The stored checkpoint of session ${sessionId} cannot be used: ${parsed.reason}.`;
    throw new ClientError('NoCheckpoint', message);
  }
  const log = (await readStoredLog(store, sessionId)) ?? [];
  const { toSeq } = parsed.value.messages;
  const records = log.filter(({ seq }) => seq <= toSeq);
  if (records.length < toSeq) throw missing(sessionId, { fromSeq: records.length + 1, toSeq });
  return withRecords(parsed.value, records);
}

/**
 * Makes the start input small enough to send: an inline checkpoint that is too large becomes an artifact of the new
 * session. Throws TooLarge if it can be neither sent nor stored.
 */
export async function placeCheckpoint(
  input: SessionInput,
  sessionId: string,
  store: Partial<ArtifactWriter> | undefined,
): Promise<SessionInput> {
  const { checkpoint } = input;
  if (typeof checkpoint !== 'object' || 'artifactId' in checkpoint) return input;
  const size = jsonBytes(input);
  if (size <= maxPayloadBytes) return input;
  if (input.offTheRecord ?? checkpoint.session?.input.offTheRecord) {
    const message = `The checkpoint is ${Math.ceil(size / 1024)} KiB, and off the record nothing is stored: expected at most ${maxPayloadBytes / 1024} KiB. Nothing was sent.`;
    throw new ClientError('TooLarge', message);
  }
  if (!store?.put) {
    throw new ClientError(
      'TooLarge',
      `The checkpoint is ${Math.ceil(size / 1024)} KiB: expected at most ${maxPayloadBytes / 1024} KiB, or an artifact store to put it into. ` +
        'Nothing was sent. Give the client the store that the worker uses.',
    );
  }
  const text = JSON.stringify(checkpoint);
  const sha256 = sha256Hex(text);
  const artifactId = `import-${sha256.slice(0, 16)}.json`;
  await store.put(sessionId, artifactId, text);
  return { ...input, checkpoint: { artifactId, sha256 } };
}

function missing(sessionId: string, { fromSeq, toSeq }: { fromSeq: number; toSeq: number }): ClientError {
  return new ClientError(
    'NoCheckpoint',
    `Messages ${fromSeq} to ${toSeq} of session ${sessionId} are in an artifact store that this client cannot read. ` +
      'Expected the store that its worker uses.',
  );
}
