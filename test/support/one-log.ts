// The first log of a process is that of all its workers: the tests that read it must find it, whichever file ran before them.
import { installRuntime } from '../../src/worker/telemetry/install-runtime.ts';
import { workerLog } from './worker-log.ts';

installRuntime(workerLog());
