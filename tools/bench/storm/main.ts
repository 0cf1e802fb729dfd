// node tools/bench/storm/main.ts [--alerts 5000] [--groups 40] [--seconds 60] [--calm]: an alert storm with kills, or without, and its table in Markdown
// (docs/alerts.md). Exit code 1 if something was lost, or investigated twice.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readEnvironment } from '../../../src/config/environment.ts';
import { playStorm, type StormResult } from './storm.ts';

const { values } = parseArgs({
  options: {
    alerts: { type: 'string', default: '5000' },
    groups: { type: 'string', default: '40' },
    seconds: { type: 'string', default: '60' },
    calm: { type: 'boolean', default: false },
  },
});
const dir = await mkdtemp(join(tmpdir(), 'holdfast-storm-'));
const result = await playStorm({
  alerts: Number(values.alerts),
  groups: Number(values.groups),
  overMs: Number(values.seconds) * 1_000,
  calm: values.calm,
  dir,
  environment: readEnvironment(),
  say: (line) => console.error(line),
});
console.log(toTable(result));
const isGood = result.lost.length === 0 && result.twice.length === 0;
if (isGood) await rm(dir, { recursive: true, force: true });
else console.error(`Logs and database: ${dir}`);
process.exit(isGood ? 0 : 1);

function toTable(storm: StormResult): string {
  const { fates, memory, answerMs } = storm;
  const rows: [string, string | number][] = [
    ['messages sent', storm.sent],
    ['accepted (2xx)', storm.accepted],
    ['refused (422)', storm.refused],
    ['requests sent again', storm.sentAgain],
    ...Object.entries(fates).map(([kind, count]): [string, number] => [`fate: ${kind}`, count]),
    ['messages that the fates count', storm.counted],
    ['refused ones that the receiver counts', storm.countedRefused],
    ['sessions', storm.sessions],
    ['groups with two sessions', storm.twice.length],
    ['accepted and lost', storm.lost.length],
    ['answer, p50 and p99', `${answerMs.p50} ms, ${answerMs.p99} ms`],
    ['memory of gateway, worker, server', `${memory.gateway}, ${memory.worker}, ${memory.server} MiB`],
  ];
  return ['| figure | value |', '|---|---|', ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join(
    '\n',
  );
}
