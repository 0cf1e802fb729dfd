// Connects to the bench's server and opens both sides, or one, with the same worker options.
import { Client } from '@temporalio/client';
import { NativeConnection, type WorkerOptions } from '@temporalio/worker';
import { connectClient } from '../src/config/temporal-connection.ts';
import { createBareSide } from './bare-side.ts';
import { createOurSide } from './our-side.ts';
import type { Pace } from './pace.ts';
import type { Side } from './side.ts';

export type Sides = {
  client: Client;
  sides: Record<Side['name'], Side>;
  close(): Promise<void>;
};

type Options = {
  address: string;
  pace: Pace;
  taskQueuePrefix: string;
  artifactsDir: string;
  /** Only this side is opened. */
  only?: Side['name'];
  /** Instead of each side's own bundle. */
  bundlePath?: string;
  /** Over the options of our worker. */
  worker?: Partial<WorkerOptions>;
};

export async function openSides(options: Options): Promise<Sides> {
  const { address, pace, taskQueuePrefix, artifactsDir, only, bundlePath, worker } = options;
  const connection = await NativeConnection.connect({ address });
  const clientConnection = await connectClient({ address, namespace: 'default' });
  const client = new Client({ connection: clientConnection });
  const setting = (name: Side['name']) => ({
    ...{ connection, client, pace, artifactsDir },
    ...(bundlePath === undefined ? {} : { bundlePath }),
    taskQueue: `${taskQueuePrefix}-${name}`,
  });
  const ours = only === 'bare' ? undefined : await createOurSide({ ...setting('ours'), worker });
  const bare = only === 'ours' ? undefined : await createBareSide(setting('bare'));
  return {
    client,
    sides: { ours: ours ?? absent('ours'), bare: bare ?? absent('bare') },
    async close() {
      await Promise.all([ours?.stop(), bare?.stop()]);
      await connection.close();
      await clientConnection.close();
    },
  };
}

function absent(name: Side['name']): Side {
  const refuse = () => Promise.reject(new Error(`The side ${name} was not opened in this process.`));
  return { name, start: refuse, ended: refuse, stop: refuse };
}
