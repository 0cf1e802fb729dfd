// Connects to the bench's server and opens both sides, or one, with the same worker options.
import { Client } from '@temporalio/client';
import { NativeConnection, type WorkerOptions } from '@temporalio/worker';
import type { BehindStore } from '../../src/activities/storage/behind-store.ts';
import { defined } from '@holdfast/base/defined';
import { connectClient } from '../../src/config/temporal-connection.ts';
import { createBareSide } from './bare-side.ts';
import { createOurSide } from './our-side.ts';
import type { Pace } from './pace.ts';
import type { Side, SideName } from './side.ts';

export type Sides = { client: Client; sides: Record<SideName, Side>; close(): Promise<void> };

type Options = {
  address: string;
  pace: Pace;
  taskQueuePrefix: string;
  artifactsDir: string;
  /** The sides to open; default: ours and the bare one. */
  names?: SideName[];
  /** Replaces each side's own bundle. */
  bundlePath?: string;
  /** Overrides our worker's options. */
  worker?: Partial<WorkerOptions>;
  /** Replaces the store of our sessions. */
  artifacts?: BehindStore;
};

export async function openSides(options: Options): Promise<Sides> {
  const {
    address,
    pace,
    taskQueuePrefix,
    artifactsDir,
    names = ['ours', 'bare'],
    bundlePath,
    worker,
    artifacts,
  } = options;
  const connection = await NativeConnection.connect({ address });
  const clientConnection = await connectClient({ address, namespace: 'default' });
  const client = new Client({ connection: clientConnection });
  const open = async (name: SideName): Promise<Side> => {
    if (!names.includes(name)) return absent(name);
    const taskQueue = `${taskQueuePrefix}-${name}`;
    const setting = { connection, client, pace, artifactsDir, taskQueue, ...defined({ bundlePath }) };
    return name === 'ours' ? createOurSide({ ...setting, worker, artifacts }) : createBareSide(name, setting);
  };
  const sides = { ours: await open('ours'), bare: await open('bare'), written: await open('written') };
  return {
    client,
    sides,
    async close() {
      await Promise.all(names.map((name) => sides[name].stop()));
      await connection.close();
      await clientConnection.close();
    },
  };
}

function absent(name: SideName): Side {
  const refuse = () => Promise.reject(new Error(`The side ${name} was not opened in this process.`));
  return { name, start: refuse, ended: refuse, stop: refuse };
}
