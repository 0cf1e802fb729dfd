// Connects to a Temporal server by its settings, for clients and for workers. Node side.
import { defined } from '@holdfast/base/defined';
import { messageOf } from '@holdfast/base/message-of';
import { Connection, isGrpcServiceError } from '@temporalio/client';
import { toClientOptions } from '@temporalio/envconfig';
import { describeTrouble, grpcStatus } from '../common/server-trouble.ts';
import { ConfigError } from './config-file.ts';
import type { TemporalSettings } from './temporal-settings.ts';

const connectTimeoutMs = 5_000;
/**
 * Limit of one answer of the server. The SDK means 128 MiB, too, but its option lacks the prefix, so that gRPC's 4 MiB would hold
 * (sdk-typescript#1470): a page of a session's history is larger at times.
 */
const maxAnswerBytes = 128 * 1024 * 1024;

/** Options of both kinds of connection. Reads certificate files; throws a ConfigError that names an unreadable one. */
export function toConnectionOptions(settings: TemporalSettings & { address: string }) {
  const { address, apiKey, grpcMeta: metadata, proxy } = settings;
  try {
    const { tls } = toClientOptions(settings).connectionOptions;
    // without a word the SDK encrypts wherever there is a key, also against TEMPORAL_TLS=false
    return { ...defined({ address, apiKey, metadata, proxy }), tls: tls ?? false };
  } catch (error) {
    throw new ConfigError(
      `Cannot read a certificate file (${messageOf(error)}). Check the TEMPORAL_TLS_* paths, and those of the profile.`,
    );
  }
}

const refusals: readonly number[] = [grpcStatus.permissionDenied, grpcStatus.unauthenticated];

/**
 * A client connection that has answered once. Throws within about 5 s: a NoServerError if no server answers, a ConfigError if
 * one answers and refuses the key or the certificate.
 */
export async function connectClient(settings: TemporalSettings & { address: string }): Promise<Connection> {
  try {
    const { proxy, ...options } = toConnectionOptions(settings);
    const channelArgs = {
      'grpc.max_receive_message_length': maxAnswerBytes,
      // the library's own reading of the environment is not that of the worker
      'grpc.enable_http_proxy': 0,
      ...(proxy && {
        'grpc.http_connect_target': `dns:${settings.address}`,
        'grpc.default_authority': settings.address,
      }),
      ...defined({ 'grpc.http_connect_creds': proxy?.basicAuth && Object.values(proxy.basicAuth).join(':') }),
    };
    return await Connection.connect({
      ...options,
      address: proxy?.targetHost ?? settings.address,
      connectTimeout: connectTimeoutMs,
      channelArgs,
    });
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const cause = error instanceof Error ? error.cause : undefined;
    if (isGrpcServiceError(cause) && refusals.includes(cause.code)) {
      throw new ConfigError(
        `The Temporal server at ${settings.address} refuses this client (${cause.details}). ` +
          `Check TEMPORAL_API_KEY and the TEMPORAL_TLS_* paths.`,
      );
    }
    const reason = messageOf(error);
    throw new NoServerError(
      `No Temporal server at ${settings.address} after ${connectTimeoutMs / 1000} s (${reason}). ` +
        'Start it, or correct TEMPORAL_ADDRESS or the profile that names it; without both Holdfast starts its own.',
      { cause: error },
    );
  }
}

type AnyConnection = Pick<Connection, 'workflowService' | 'withDeadline'>;

/**
 * Asks for the namespace, as the SDK's worker does at its start, which fails without closing what it has opened. Throws a
 * NoServerError with the words of the server.
 */
export async function assertNamespace(
  connection: AnyConnection,
  server: Pick<TemporalSettings, 'namespace'> & { address: string },
): Promise<void> {
  const { namespace } = server;
  try {
    await connection.withDeadline(Date.now() + connectTimeoutMs, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
  } catch (error) {
    throw new NoServerError(describeTrouble(error, server), { cause: error });
  }
}

/** Several kinds of probes arrive together; one answer of the server serves them all. */
const freshMs = 1_000;

/** The function returns undefined when the server answers, else the reason. */
export function createServerProbe(askServer: () => Promise<unknown>): () => Promise<string | undefined> {
  let asked = { at: -Infinity, reason: Promise.resolve<string | undefined>(undefined) };
  return () => {
    if (performance.now() - asked.at > freshMs) {
      const reason = askServer().then(
        () => undefined,
        (error: unknown) => `the Temporal server does not answer: ${messageOf(error)}`,
      );
      asked = { at: performance.now(), reason };
    }
    return asked.reason;
  };
}

/** No server at the address serves this client. */
export class NoServerError extends Error {
  override readonly name = 'NoServerError';
}
