// The demo with `--crash`: its worker is a child process, killed and replaced while the session continues.
import { Client } from '@temporalio/client';
import { holdPath } from './checkout/place.ts';
import type { Heard } from '../../../src/client.ts';
import { messageOf } from '@holdfast/base/message-of';
import type { Closers } from './closers.ts';
import { type Crash, makeCrashes } from './crashes.ts';
import type { DemoSetting } from './demo-setting.ts';
import { type WorkerProcess, startWorkerProcess } from './demo-worker.ts';
import { readPendingActivities } from './pending-activities.ts';

export type CrashRun = {
  /** Call it with every message of the session, from which it knows the turn. */
  hear(heard: Heard): void;
  /** Kills until all kills are made or `ended` aborts. Never rejects: errors are printed. */
  crash(sessionId: string, ended: AbortSignal): Promise<Crash[]>;
};

/** Starts the first worker process. */
export async function startCrashRun(setting: DemoSetting, closers: Closers): Promise<CrashRun> {
  const { frame, incident, dir } = setting;
  const { output, access, config } = frame;
  const start = (): Promise<WorkerProcess> =>
    startWorkerProcess({
      configFile: incident.configFile,
      address: access.settings.address,
      namespace: access.settings.namespace,
      taskQueue: config.taskQueue,
      dir,
      environment: config.environment,
    });
  let worker = await start();
  closers.add(() => worker.kill());
  output.print(`worker    process ${worker.pid}`);
  let turn = 1;
  const { namespace } = access.settings;
  const client = new Client({ connection: access.connection, namespace });
  return {
    hear: (heard) => {
      if ('turn' in heard) turn = heard.turn ?? turn;
    },
    crash: (sessionId, ended) =>
      makeCrashes(
        {
          readPending: () => readPendingActivities(client, sessionId),
          killWorker: async () => {
            await worker.kill();
            return worker.pid;
          },
          startWorker: async () => {
            worker = await start();
            return worker.pid;
          },
          turn: () => turn,
          say: (line) => output.print(output.colors.red(`  ✂ ${line}`)),
          breakLine: () => {
            if (output.terminal) output.print('');
          },
          holdFile: holdPath(incident.place.dir),
          onceTool: 'tool.rollback_config',
        },
        ended,
      ).catch((error: unknown) => {
        output.say(`! The kills ended early: ${messageOf(error)}`);
        return [];
      }),
  };
}
