// Readers of the commands of Kafka's distribution: https://kafka.apache.org/documentation/#basic_ops_consumer_lag. Pure.
import { z } from 'zod';
import { list, number, readJson, text } from '@holdfast/sources/json-reader';
import {
  answer,
  failed,
  type Reader,
  type SourceAnswer,
  withGaps,
  words,
} from '@holdfast/sources/source-answer';
import { parts } from './parts.ts';

const unseen = 'none is shown: Kafka leaves out, without a word, what the user may not DESCRIBE';

/** Lines without their indents. */
export const topics: Reader = (came, { problem }) => {
  const { lines, errors } = linesOf(came);
  return answer(lines, { gaps: [...errors, problem === undefined && lines.length === 0 && unseen] });
};

export const config: Reader = (came) => {
  const { lines, errors } = linesOf(came);
  const isHeaded = lines.some((line) => /configs for .* are:/i.test(line));
  return answer(
    lines.filter((line) => line.includes('=')),
    { gaps: [...errors, !isHeaded && `no settings are in it: ${came.trim().slice(0, 200)}`] },
  );
};

/** Java writes its warnings to standard output, as do logs that are configured so. */
const noise = /^(?:\w+ .*VM warning:|SLF4J|\[\d{4}-\d\d-\d\d .*\] (?:WARN|INFO) |Note: This will)/;

/** An error may come after rows, with exit code 0; lines of its stack say no more. */
const trouble =
  /^(?:Error: |Error while |Exception in thread|\[[^\]]*\] (?:ERROR|FATAL) |(?:Caused by: )?[\w.$]+(?:Exception|Error): )/;

function linesOf(came: string): { lines: string[]; errors: string[] } {
  const all = came
    .split('\n')
    .map((line) => line.trim().replaceAll('\t', ' '))
    .filter((line) => line !== '' && !noise.test(line) && !/^(?:at \S+\(|\.\.\. \d+ more$)/.test(line));
  const { errors = [], lines = [] } = Object.groupBy(all, (line) =>
    trouble.test(line) ? 'errors' : 'lines',
  );
  return { lines, errors };
}

type Partition = {
  key: string;
  topic: string;
  partition: string;
  at: string;
  end: string;
  /** Undefined: nothing is committed, or nobody leads the partition. */
  lag: number | undefined;
  /** Empty for a partition that nobody consumes. */
  consumer: string;
};

/** Topic, four figures, then who: ids may have blanks, and old versions leave none between them. */
const figures =
  /(?<topic>\S+)\s+(?<partition>\d+|-)\s+(?<at>\d+|-)\s+(?<end>\d+|-)\s+(?<lag>-?\d+|-)(?:\s+(?<who>.*))?$/;
/** Versions before 2.1 print no group. */
const [grouped, ungrouped] = [
  new RegExp(`^(?<group>.+?)\\s+${figures.source}`),
  new RegExp(`^${figures.source}`),
];
const header = /^(?:GROUP\s+)?TOPIC\s+PARTITION\s+CURRENT-OFFSET\s+LOG-END-OFFSET\s+LAG\b/;
/** A client's address begins with a slash: `billing worker-3f1c2f6a/10.1.2.3 billing worker`. */
const member = /^(?<id>.*?)\s*(?<=\s|[\da-f]{12})(?<host>\/[\w.:%-]+)\s*(?<client>.*)$/;

/** Of `show: lag` the topics and partitions with the largest lag; of others the lines as they are. */
export const groups: Reader = (came, { group, show, limit }) => {
  const { lines: all, errors } = linesOf(came);
  const lacking = errors.find((line) => /^Error: .*(?:GroupIdNotFound|does not exist)/.test(line));
  if (lacking !== undefined && group !== '') return { is: 'none' };
  // of all groups, one that has just ended
  if (lacking !== undefined && all.length === 0) return failed(lacking);
  if (all.length === 0) return answer([], { gaps: [...errors, group === '' && unseen] });
  const most = Number(limit);
  const counted = (some: readonly string[]): number => some.filter((line) => !/^GROUP\s/.test(line)).length;
  if (show !== 'lag') {
    const shown = all.slice(0, most + 1);
    return answer(shown, { came: counted(shown), total: counted(all), gaps: errors });
  }
  if (!all.some((line) => header.test(line)))
    return {
      is: 'unknown',
      why: 'expected the columns TOPIC, PARTITION, CURRENT-OFFSET, LOG-END-OFFSET, LAG',
    };
  const rows = all.filter((line) => !header.test(line));
  const form = all.some((line) => /^GROUP\s/.test(line)) ? grouped : ungrouped;
  const partitions = rows.flatMap((line) => partitionOf(line, form) ?? []);
  const lost = rows.filter((line) => partitionOf(line, form) === undefined);
  return withGaps(lagOf(partitions, most, lost), errors);
};

function partitionOf(line: string, form: RegExp): Partition | undefined {
  const {
    group = '',
    topic = '',
    partition = '',
    at = '',
    end = '',
    lag,
    who = '',
  } = form.exec(line)?.groups ?? {};
  if (topic === '') return undefined;
  const { host, client } = member.exec(who)?.groups ?? {};
  const isIdle = /^-(?:\s+-)*$/.test(who.trim());
  return {
    key: words(group, topic),
    topic,
    partition,
    at,
    end,
    lag: lag === '-' ? undefined : Number(lag),
    consumer: isIdle ? '' : host === undefined ? who.replaceAll(/\s+/g, ' ') : words(client, host),
  };
}

function lagOf(all: readonly Partition[], most: number, lost: readonly string[]): SourceAnswer {
  const partitions = all.filter(({ topic }) => topic !== '-');
  const members = all.filter(({ topic }) => topic === '-');
  const totals = [...Map.groupBy(partitions, ({ key }) => key)].map(([key, own]) => totalOf(key, own));
  const shown = largest(partitions, most);
  return answer(
    [
      ...largest(totals, most).map(({ line }) => line),
      ...shown.map(lineOf),
      ...members
        .slice(0, most)
        .map(({ key, consumer }) => `${key.slice(0, -2)}: ${consumer} has no partition`),
      members.length > most && `[${members.length - most} more members without a partition]`,
    ],
    {
      came: shown.length,
      total: partitions.length,
      gaps: [
        lost.length > 0 && `${lost.length} of the lines could not be read: ${lost.slice(0, 3).join('; ')}`,
      ],
    },
  );
}

/** What is not known is more than nothing. */
function largest<Item extends { lag: number | undefined }>(items: readonly Item[], most: number): Item[] {
  return items.toSorted(({ lag: one = 0.5 }, { lag: other = 0.5 }) => other - one).slice(0, most);
}

function totalOf(key: string, own: readonly Partition[]): { lag: number | undefined; line: string } {
  const known = own.flatMap(({ lag }) => lag ?? []);
  const lag = known.length === 0 ? undefined : known.reduce((sum, each) => sum + each, 0);
  const [idle, unknown] = [own.filter(({ consumer }) => consumer === '').length, own.length - known.length];
  const line = parts(
    `lag ${lag ?? 'unknown'} in all: ${key}`,
    `${own.length} partitions`,
    unknown > 0 && `${unknown} WITH AN UNKNOWN LAG`,
    idle > 0 && `${idle} WITHOUT A CONSUMER`,
  );
  return { lag, line };
}

function lineOf({ key, partition, at, end, lag, consumer }: Partition): string {
  const head = at === '-' ? 'NOTHING COMMITTED' : `lag ${lag ?? 'unknown'}`;
  return `${head} ${key}/${partition}: at ${at} of ${end}, ${consumer === '' ? 'no consumer' : consumer}`;
}

const folder = z.object({
  logDir: text,
  error: text,
  partitions: list(z.object({ partition: z.string(), size: number, offsetLag: number })),
});
const brokers = readJson(
  z.object({ brokers: list(z.object({ broker: number, logDirs: list(folder) })) }),
  ({ brokers: found }, { limit }) => {
    const dirs = found.flatMap(({ broker, logDirs }) => logDirs.map((dir) => ({ ...dir, broker })));
    const own = dirs
      .flatMap(({ broker, partitions }) => partitions.map((each) => ({ ...each, broker })))
      .toSorted(({ size: one = Infinity }, { size: other = Infinity }) => other - one);
    const shown = own.slice(0, Number(limit));
    const sum = own.reduce((bytes, { size = 0 }) => bytes + size, 0);
    const silent = found.filter(({ logDirs }) => logDirs.length === 0).map(({ broker }) => broker);
    return answer(
      [
        ...dirs.flatMap(({ broker, logDir, error }) =>
          error ? [words('broker', broker, logDir, `FAILED: ${error}`)] : [],
        ),
        `${own.length} partitions, ${sum} bytes`,
        ...shown.map(
          ({ size, partition, broker, offsetLag = 0 }) =>
            `${size ?? 'unknown'} bytes ${partition} on broker ${broker ?? '?'}${offsetLag > 0 ? `, behind by ${offsetLag}` : ''}`,
        ),
      ],
      {
        came: shown.length,
        total: own.length,
        gaps: [
          silent.length > 0 &&
            `broker ${silent.join(', ')} names no log folder, as to a user who may not DESCRIBE the cluster`,
        ],
      },
    );
  },
);

/** The JSON comes after lines about the request. */
export const sizes: Reader = (came, args) => {
  const { lines, errors } = linesOf(came);
  const json = lines.find((line) => line.startsWith('{'));
  if (json === undefined) return { is: 'unknown', why: 'expected a line of JSON' };
  return withGaps(brokers(json, args), errors);
};
