// The settings of a process's Temporal server, from the profiles and variables of Temporal's own tools. Runs where a process
// starts.
import { existsSync } from 'node:fs';
import { type ClientConfigProfile, loadClientConfigProfile } from '@temporalio/envconfig';
import { z } from 'zod';
import type { ProxyConfig } from '@temporalio/common/lib/internal-non-workflow/index.js';
import { messageOf } from '@holdfast/base/message-of';
import { ConfigError } from './config-file.ts';
import type { Environment } from './environment.ts';
import { temporalProxy } from './proxy.ts';

/** The address and credentials of a Temporal server. Without `address` the embedded server is used; without `tls` a key turns TLS on. */
export type TemporalSettings = Omit<ClientConfigProfile, 'address'> & {
  address?: string | undefined;
  namespace: string;
  proxy?: ProxyConfig | undefined;
};

const text = z.string().trim().min(1).optional();
const place = /^(\[[0-9a-fA-F:]+\]|[^:/\s]+):\d{1,5}$/;
const expectedPlace = 'expected "host:port", for example "127.0.0.1:7233"';

/** By name; an empty variable counts as absent. */
export const temporalVariables = {
  /** `host:port` of a Temporal server; without it and without a profile Holdfast starts its own. */
  TEMPORAL_ADDRESS: z.string().regex(place, expectedPlace).optional(),
  /** Its namespace, by default `default`. */
  TEMPORAL_NAMESPACE: text,
  /** The file of profiles, by default `temporalio/temporal.toml` in the user's folder of settings. Variables override a profile. */
  TEMPORAL_CONFIG_FILE: text,
  /** The name of a profile, by default `default`. */
  TEMPORAL_PROFILE: text,
  /** Its API key; turns TLS on. */
  TEMPORAL_API_KEY: text,
  /** A server on another host needs TLS, an API key, or `false` for a trusted network. */
  TEMPORAL_TLS: z.enum(['true', 'false', '1', '0'], 'expected "true" or "false"').optional(),
  /** The expected name of the server. */
  TEMPORAL_TLS_SERVER_NAME: text,
  /** The certificate authority of the server: a file, or with `_DATA` its text, as for the next two. */
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: text,
  /** The client certificate; needs its key. */
  TEMPORAL_TLS_CLIENT_CERT_PATH: text,
  /** The key of the client certificate. */
  TEMPORAL_TLS_CLIENT_KEY_PATH: text,
};

/** Variables of Temporal's tools, and of their older versions. */
const unread =
  /^TEMPORAL_(?:CODEC_|CLI_|TLS_DISABLE_HOST_VERIFICATION$|TLS_(?:CERT|KEY|CA)(?:_|$)|CLIENT_AUTHORITY$|ENV(?:_FILE)?$)/;

/** Throws a ConfigError for what cannot be used: half a client certificate, or plain text to another machine unless it is allowed. */
export function resolveTemporal(environment: Environment): TemporalSettings {
  const ignored = Object.keys(environment).filter((name) => unread.test(name) && environment[name]);
  if (ignored.length > 0)
    throw new ConfigError(
      `Holdfast does not read ${ignored.join(', ')}: expected a profile, or the variables that docs/reference/config.md lists. Unset it.`,
    );
  const profile = { namespace: 'default', ...readProfile(environment) };
  const { address, apiKey, tls } = profile;
  if ((tls?.clientCert === undefined) !== (tls?.clientKey === undefined))
    throw new ConfigError(
      'The client certificate of the Temporal server and its key belong together: one is missing.',
    );
  if (address === undefined || isLoopback(address)) return profile;
  if (!place.test(address))
    throw new ConfigError(`The address of the profile is "${address}": ${expectedPlace}.`);
  if (apiKey === undefined && tls === undefined)
    throw new ConfigError(
      `The address of the Temporal server is ${address}, which is not this machine, and neither TLS nor an API key is set. ` +
        `Set TEMPORAL_API_KEY or TEMPORAL_TLS=true, or TEMPORAL_TLS=false to allow plain text on a trusted network.`,
    );
  return { ...profile, proxy: temporalProxy(environment, address) };
}

function readProfile(environment: Environment): ClientConfigProfile {
  const { TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: name } = environment;
  if (file && !existsSync(file))
    throw new ConfigError(`TEMPORAL_CONFIG_FILE is ${file}: expected a file that exists.`);
  const set = Object.entries(environment)
    // an empty header takes that of the profile away
    .filter(([key, value]) => value || key.startsWith('TEMPORAL_GRPC_META_'))
    // the library changes the first underscore only
    .map(([key, value]) => [key.replaceAll(/(?<=^TEMPORAL_GRPC_META_.*)_/g, '-'), value]);
  const where = `"${name || 'default'}" of ${file || 'temporal.toml'}`;
  let profile: ClientConfigProfile;
  try {
    // a file that nobody named may have fields of newer tools
    const configFileStrict = Boolean(file || name);
    profile = loadClientConfigProfile({ overrideEnvVars: Object.fromEntries(set), configFileStrict });
  } catch (error) {
    // the library reads on in a file without any table of profiles
    const reason = error instanceof TypeError ? 'it has no table [profile.default]' : messageOf(error);
    throw new ConfigError(`Cannot use the profile ${where}: ${reason}.`);
  }
  // otherwise the embedded server would be started for somebody who means another one
  if (profile.address !== undefined || !(file || name || profile.apiKey)) return profile;
  throw new ConfigError(
    `Cannot use the profile ${where}: it has no address. Add one, or set TEMPORAL_ADDRESS.`,
  );
}

/** True if `host:port` is this machine. */
function isLoopback(address: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\]):\d+$/.test(address);
}
