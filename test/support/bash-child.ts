// A worker in a process of its own, to be killed while its bash runs:
// `node bash-child.ts <address> <queue> <artifacts> <writable folder> <command in base64>`. SIGTERM ends it
// gracefully. In base64 so that a search for the command's own process does not find this one.
import { NativeConnection } from '@temporalio/worker';
import { createBashTool } from '../../src/activities/built-in/bash/bash.ts';
import { resolveShell } from '../../src/config/shell.ts';
import { installRuntime } from '../../src/worker/telemetry/install-runtime.ts';
import { callsFirst } from './function-model.ts';
import { startSessionWorker } from './session-worker.ts';

const [address = '', taskQueue = '', artifactsDir = '', writable = '', encoded = ''] = process.argv.slice(2);
const command = Buffer.from(encoded, 'base64').toString('utf8');

installRuntime(undefined);
const connection = await NativeConnection.connect({ address });
const shell = resolveShell({ writable: [writable] }, (path) => path, []);
const worker = await startSessionWorker(
  {
    policy: [{ tool: 'bash', decision: 'allow' }],
    tools: [createBashTool({ ...shell, hosts: [], roots: [] })],
    model: callsFirst([{ tool: 'bash', args: { command } }]),
  },
  { connection, taskQueue, artifactsDir },
);
process.once('SIGTERM', () => void worker.stop().then(() => connection.close()));
