// Entry of the demo's worker as a separate process that can be killed. Reports when it is ready, and ends with the demo's
// process.
import { parseArgs } from 'node:util';
import { loadConfig } from '../../../src/config/config.ts';
import { readEnvironment } from '../../../src/config/environment.ts';
import { createHoldfastWorker } from '../../../src/worker.ts';

process.once('disconnect', () => process.exit(0));

const names = ['configFile', 'address', 'namespace', 'taskQueue', 'dir'] as const;
const { values } = parseArgs({
  options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
});
const argument = (name: (typeof names)[number]): string => {
  const value = values[name];
  if (typeof value !== 'string')
    throw new Error(`Argument --${name} is missing: this is started by "holdfast demo".`);
  return value;
};

const dir = argument('dir');
const config = await loadConfig({
  cwd: dir,
  environment: readEnvironment(),
  configFile: argument('configFile'),
});
const worker = await createHoldfastWorker({
  config: { ...config, dir, taskQueue: argument('taskQueue') },
  server: { address: argument('address'), namespace: argument('namespace') },
  shutdownGraceMs: 2_000,
});
process.send?.('ready');
await worker.run();
