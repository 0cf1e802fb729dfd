// The settings of a process's Temporal server, from the variables of Temporal's own tools. Runs where a process starts.
import { resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError } from './config-file.ts';

/** The address and credentials of a Temporal server. Without `address` the embedded server is used. */
export type TemporalSettings = {
  address?: string | undefined;
  namespace: string;
  apiKey?: string | undefined;
  tls?: TlsSettings | undefined;
};
/** Certificates as file paths; absent ones are the system's. */
export type TlsSettings = {
  serverName?: string | undefined;
  caFile?: string | undefined;
  certFile?: string | undefined;
  keyFile?: string | undefined;
};

const text = z.string().trim().min(1).optional();
/** By name; an empty variable counts as absent. */
export const temporalVariables = {
  /** `host:port` of a Temporal server; without it Holdfast starts its own. */
  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^(\[[0-9a-fA-F:]+\]|[^:/\s]+):\d{1,5}$/, 'expected "host:port", for example "127.0.0.1:7233"')
    .optional(),
  /** Its namespace, by default `default`. */
  TEMPORAL_NAMESPACE: text,
  /** Its API key; turns TLS on. */
  TEMPORAL_API_KEY: text,
  /** A server on another host needs TLS, an API key, or `false` for a trusted network. */
  TEMPORAL_TLS: z.enum(['true', 'false'], 'expected "true" or "false"').optional(),
  /** The expected name of the server. */
  TEMPORAL_TLS_SERVER_NAME: text,
  /** The certificate authority of the server. */
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: text,
  /** The client certificate; needs its key. */
  TEMPORAL_TLS_CLIENT_CERT_PATH: text,
  /** The key of the client certificate. */
  TEMPORAL_TLS_CLIENT_KEY_PATH: text,
};
type Settings = z.infer<z.ZodObject<typeof temporalVariables>>;

/** Throws a ConfigError for half a client certificate, and for plain text to another machine unless it is allowed. */
export function resolveTemporal(settings: Settings, cwd: string): TemporalSettings {
  const path = (file: string | undefined): string | undefined =>
    file === undefined ? undefined : resolve(cwd, file);
  const tls: TlsSettings = {
    serverName: settings.TEMPORAL_TLS_SERVER_NAME,
    caFile: path(settings.TEMPORAL_TLS_SERVER_CA_CERT_PATH),
    certFile: path(settings.TEMPORAL_TLS_CLIENT_CERT_PATH),
    keyFile: path(settings.TEMPORAL_TLS_CLIENT_KEY_PATH),
  };
  if ((tls.certFile === undefined) !== (tls.keyFile === undefined)) {
    throw new ConfigError(
      'TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH belong together: one is set, the other is not.',
    );
  }
  const { TEMPORAL_ADDRESS: address, TEMPORAL_API_KEY: apiKey, TEMPORAL_TLS: wanted } = settings;
  const named = Object.values(tls).some((value) => value !== undefined) || apiKey !== undefined;
  const encrypted = wanted === undefined ? named : wanted === 'true';
  if (address !== undefined && !encrypted && wanted === undefined && !isLoopback(address)) {
    throw new ConfigError(
      `TEMPORAL_ADDRESS is ${address}, which is not this machine, and neither TLS nor an API key is set. ` +
        `Set TEMPORAL_API_KEY or TEMPORAL_TLS=true, or TEMPORAL_TLS=false to allow plain text on a trusted network.`,
    );
  }
  return {
    address,
    namespace: settings.TEMPORAL_NAMESPACE ?? 'default',
    apiKey,
    tls: encrypted ? tls : undefined,
  };
}

/** True if `host:port` is this machine. */
export function isLoopback(address: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\]):\d+$/.test(address);
}
