// The mark in a server's namespace by which a folder knows its own server.
import { Connection, isGrpcServiceError } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { portOf, takesConnections } from './dev-server-process.ts';

export const devNamespace = 'default';
const markerKey = 'holdfast';
const retentionMs = 30 * 24 * 3_600_000;
const answerTimeoutMs = 3_000;
export const startTimeoutMs = 60_000;

/** Sets the mark and a retention of 30 days (the server's default is one day). Retries until the namespace is served. */
export async function markServer(address: string, id: string): Promise<void> {
  await withConnection(address, startTimeoutMs, (connection) =>
    connection.workflowService.updateNamespace({
      namespace: devNamespace,
      updateInfo: { data: { [markerKey]: id } },
      config: { workflowExecutionRetentionTtl: msToTs(retentionMs) },
    }),
  );
}

type Marked = { mark: string | undefined; serverVersion: string | undefined };

export async function readMark(address: string): Promise<Marked | undefined> {
  if (!(await takesConnections(portOf(address) ?? 0))) return undefined;
  const read = async ({ workflowService }: Connection): Promise<Marked> => {
    const [described, system] = await Promise.all([
      workflowService.describeNamespace({ namespace: devNamespace }),
      workflowService.getSystemInfo({}),
    ]);
    const mark = described.namespaceInfo?.data?.[markerKey];
    return { mark, serverVersion: system.serverVersion ?? undefined };
  };
  try {
    // no interceptors: they would retry a server that has just died
    return await withConnection(address, answerTimeoutMs, read, { interceptors: [] });
  } catch {
    return undefined;
  }
}

/** Errors that a database keeps once it has them, and that a slow one never has. */
const lastingFault =
  /operation failed\.? .*(interrupted \(\d+\)|disk I\/O error|database is closed|malformed)/i;

/** The error of a server that answers, and whose database does not; undefined if none is certain. */
export async function databaseFault(address: string): Promise<string | undefined> {
  const read = ({ workflowService }: Connection) =>
    workflowService.describeNamespace({ namespace: devNamespace });
  try {
    await withConnection(address, answerTimeoutMs, read, { interceptors: [] });
    return undefined;
  } catch (error) {
    const details = isGrpcServiceError(error) ? error.details : '';
    return lastingFault.test(details) ? details : undefined;
  }
}

async function withConnection<T>(
  address: string,
  timeoutMs: number,
  work: (connection: Connection) => Promise<T>,
  options: { interceptors?: [] } = {},
): Promise<T> {
  // a proxy of the environment must not come between us and loopback
  const connection = Connection.lazy({ address, channelArgs: { 'grpc.enable_http_proxy': 0 }, ...options });
  try {
    return await connection.withDeadline(Date.now() + timeoutMs, () => work(connection));
  } finally {
    await connection.close();
  }
}
