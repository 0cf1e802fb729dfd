// A session of a back office holds a row of PostgreSQL in an open transaction, so that payments of that account time out.
// The log of payments shows its release at the same time; only the database knows who holds the lock.
import pg from 'pg';
import { lacksPrograms } from '../../programs.ts';
import { findPostgres, startPostgres } from '../../postgres.ts';
import { type IncidentModule, type StartedIncident, type System, until } from '../../system.ts';

export const lockWait: IncidentModule = {
  start,
  lacks: () => (findPostgres() === undefined ? 'PostgreSQL not installed' : lacksPrograms('psql')),
};

async function start(system: System): Promise<StartedIncident> {
  const address = await startPostgres(system, ['autovacuum=off']);
  const clientOf = (application_name: string) => {
    const pool = new pg.Pool({ connectionString: address, max: 3, application_name });
    pool.on('error', () => undefined);
    system.atEnd(() => pool.end().catch(() => undefined));
    return pool;
  };
  const payments = clientOf('payments');
  await payments.query('create role holdfast login in role pg_monitor');
  await payments.query('create table accounts as select id, 0 as cents from generate_series(1, 50) as id');
  const log = system.log('payments');
  let [good, failed] = [0, 0];
  const pay = async (): Promise<void> => {
    const client = await payments.connect();
    try {
      await client.query("set lock_timeout = '400ms'");
      await client.query('update accounts set cents = cents + 1 where id = 7');
      good += 1;
    } catch (error) {
      failed += 1;
      if (failed <= 100) log('ERROR', `payment failed account=7 release=9.3.0 reason="${String(error)}"`);
    } finally {
      client.release();
    }
  };
  log('INFO', 'started release=9.2.0');
  system.every(100, pay);
  await until('a payment', () => good > 5);
  const office = system.log('backoffice');
  office('INFO', 'correction of account 7 opened by=erin');
  const editor = await clientOf('backoffice').connect();
  system.atEnd(async () => editor.release(true));
  await editor.query('begin');
  await editor.query('update accounts set cents = 0 where id = 7');
  await system.deploy('d-640', 'payments', 'release 9.3.0: shorter lock timeouts');
  log('INFO', 'started release=9.3.0');
  await until('failed payments', () => failed > 5);
  return {
    task: [
      'Payments of one account fail since the release of payments, with timeouts. Roll back, or is it something else?',
      'Change nothing; say what is to be done.',
      `Folder: ${system.folder} (logs/, deploys.log). The postgresql tools ask the database.`,
    ].join('\n'),
    toolsets: { postgresql: { port: new URL(address).port } },
  };
}
