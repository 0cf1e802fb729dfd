// The rows of the bench, in the order in which they run.
import { measureCondensing } from './condensing.ts';
import { measureCounts } from './counts.ts';
import { measureDelegation } from './delegation.ts';
import { measurePrompt } from './fixed-part.ts';
import { measureHandOvers } from './hand-over.ts';
import { measureIdleMemory } from './memory.ts';
import { measurePackage } from './package.ts';
import { measurePolicy } from './policy.ts';
import { measurePrefix } from './prefix.ts';
import { measureRealShape } from './real-shape.ts';
import { measureReportMemory } from './report-memory.ts';
import type { BenchRow } from './row.ts';
import { measureStarts } from './start.ts';
import { measureStreaming } from './streaming.ts';
import { measureTelemetry } from './telemetry.ts';
import { measureThroughput } from './throughput.ts';
import { measureTurns } from './turn-time.ts';

export const rows: BenchRow[] = [
  { name: 'turn', what: 'time and history of a turn, early, in the middle and late', measure: measureTurns },
  { name: 'throughput', what: 'many sessions at once', measure: measureThroughput },
  { name: 'shape', what: 'turns with large reads and writes', measure: measureRealShape },
  { name: 'condense', what: 'what a condense every 50 to 70 turns costs', measure: measureCondensing },
  { name: 'start', what: 'start to first model call', measure: measureStarts },
  { name: 'hand-over', what: 'time and bytes of a hand-over', measure: measureHandOvers },
  {
    name: 'counts',
    what: 'promises, file and store requests, and actions of a turn',
    measure: measureCounts,
  },
  { name: 'prefix', what: 'requests that extend the one before', measure: measurePrefix },
  { name: 'delegation', what: 'what a delegation costs', measure: measureDelegation },
  { name: 'stream', what: 'what a reply costs that is seen while it is written', measure: measureStreaming },
  { name: 'idle', what: 'memory of an idle session', measure: measureIdleMemory },
  {
    name: 'report',
    what: 'memory of completing the report of a long session (seconds, no server)',
    alone: true,
    measure: measureReportMemory,
  },
  {
    name: 'package',
    what: 'the installed package and its start (a minute)',
    alone: true,
    measure: measurePackage,
  },
  { name: 'telemetry', what: 'a turn with log, metrics and traces', alone: true, measure: measureTelemetry },
  {
    name: 'policy',
    what: 'the judge of shell commands on recorded command lines (seconds, no server)',
    alone: true,
    measure: async (bench) => measurePolicy(bench),
  },
  {
    name: 'prompt',
    what: 'bytes that every request of the investigator begins with (seconds, no server)',
    alone: true,
    measure: measurePrompt,
  },
];
