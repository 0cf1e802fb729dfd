// The log of a process that runs workers: LogTape with one sink, standard error or a file. An application that configured
// LogTape itself gets the lines under the category `holdfast`. Secrets of every worker of the process are removed.
import { appendFileSync } from 'node:fs';
import { configureSync, getConfig, getLogger, type LogRecord } from '@logtape/logtape';
import { createRedactor } from '@holdfast/redaction/redaction';
import type { LogFormat, LogLevel } from '../../config/telemetry.ts';
import { formatLine, type LogLine } from './log-line.ts';

export type LogOptions = {
  /** Default: text on standard error, JSON in a file. */
  format?: LogFormat | undefined;
  /** Default `info`. */
  level?: LogLevel | undefined;
  /** Default: standard error. */
  file?: string | undefined;
};

type Clean = (text: string) => string;

const category = 'holdfast';
/** Removes what looks like a credential; knows no worker's secrets. */
const ofEverybody: Clean = createRedactor([]).text;
const ofWorkers = new Set<Clean>();

/** Removes this worker's secrets from the log until the returned function is called. */
export function cleanLog(clean: Clean): () => void {
  ofWorkers.add(clean);
  return () => void ofWorkers.delete(clean);
}

/** The first call of a process decides. */
export function openLog({
  file,
  level = 'info',
  format = file === undefined ? 'text' : 'json',
}: LogOptions): void {
  if (getConfig() !== null) return;
  const sink = (record: LogRecord): void => write(file, formatLine(toLine(record), format, cleanLogText));
  configureSync({
    sinks: { own: sink },
    loggers: [
      { category, sinks: ['own'], lowestLevel: level },
      // LogTape logs its own configuration at lower levels
      { category: ['logtape', 'meta'], sinks: ['own'], lowestLevel: 'error' },
    ],
  });
}

export function writeLog({ at, level, message, fields }: LogLine): void {
  const source = fields['source'];
  const logger = getLogger(typeof source === 'string' ? [category, source] : category);
  const named = { message: [message], rawMessage: message, properties: fields };
  logger.emit({ level, timestamp: at, ...named });
}

function toLine({ timestamp, level, message, properties }: LogRecord): LogLine {
  const known = level === 'trace' ? 'debug' : level === 'fatal' ? 'error' : level;
  return { at: timestamp, level: known, message: message.map(String).join(''), fields: properties };
}

/** The text without the secrets of all workers of this process, and without what looks like a credential. */
export function cleanLogText(text: string): string {
  return [...ofWorkers].reduce((cleaned, of) => of(cleaned), ofEverybody(text));
}

function write(file: string | undefined, line: string): void {
  try {
    if (file !== undefined) return appendFileSync(file, line);
  } catch {
    // a log that cannot be written must not stop the worker
  }
  process.stderr.write(line);
}
