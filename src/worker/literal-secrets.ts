// Secrets written into the config itself instead of as a reference: headers, tokens, variables, passwords. Pure.
import { present } from '@holdfast/base/present';
import { secretReferences } from '../activities/secrets/references.ts';
import type { Config } from '../config/config.ts';

type Named = [name: string, value: string];
type Settings = Pick<
  Config,
  'httpHosts' | 'mcpServers' | 'memory' | 'notes' | 'toolsets' | 'policyTiers' | 'telemetry' | 'destinations'
>;

/** Other headers and variables hold words that results need, such as `application/json`. */
const secretName = /auth|token|secret|passw|passphrase|pwd|credential|cookie|session|key|dsn/i;

export function mayHoldSecret(name: string): boolean {
  return secretName.test(name);
}

/** Each value has a unique name. */
export function literalSecrets(settings: Settings): Named[] {
  const { httpHosts, mcpServers, memory, notes, toolsets, policyTiers, telemetry, destinations } = settings;
  const database = typeof memory?.store === 'object' ? memory.store.postgres.url : '';
  return [
    ...Object.entries(httpHosts).flatMap(([host, { headers }]) => ofRecord(`header of ${host}`, headers)),
    ...Object.entries(mcpServers).flatMap(([name, server]) => {
      const place = `MCP server ${name}`;
      return 'url' in server
        ? [...ofRecord(`header of ${place}`, server.headers), ...partsOf(`token of ${place}`, server.token)]
        : ofRecord(`variable of ${place}`, server.env);
    }),
    ...Object.entries(toolsets).flatMap(([name, { settings, instances = {} }]) => [
      ...ofRecord(`setting of toolset ${name}`, settings),
      ...Object.entries(instances).flatMap(([instance, { settings: own }]) =>
        ofRecord(`setting of toolset ${name}, instance ${instance}`, own),
      ),
    ]),
    ...Object.entries(destinations).flatMap(([name, { email, webhook, mapping }]) => [
      ...passwordOf(`address of destination ${name}`, email?.smtp ?? webhook?.url ?? ''),
      ...ofRecord(`setting of destination ${name}`, mapping?.settings),
    ]),
    ...passwordOf('address of the memory', database),
    ...passwordOf('address of the notes', notes?.postgres?.url ?? ''),
    ...partsOf('token of the classifier', policyTiers?.classifier?.token),
    ...telemetryHeaders(telemetry),
  ];
}

function telemetryHeaders({ metrics, traces }: Settings['telemetry']): Named[] {
  const headers = metrics && 'otlp' in metrics ? metrics.headers : undefined;
  return [
    ...ofRecord('header of the metrics', headers),
    ...ofRecord('header of the traces', traces?.headers),
  ];
}

function ofRecord(place: string, values: Readonly<Record<string, string>> = {}): Named[] {
  return Object.entries(values).flatMap(([name, value]) =>
    mayHoldSecret(name) ? partsOf(`${place}: ${name}`, value) : passwordOf(`${place}: ${name}`, value),
  );
}

/** The value, also without its scheme: `Bearer abc` is often printed as `abc`. A reference is learned where it is read. */
function partsOf(name: string, value: string | undefined): Named[] {
  if (value === undefined || secretReferences(value).length > 0) return [];
  const bare = /^(?:bearer|basic|token|apikey)\s+(.+)$/i.exec(value);
  return present<Named>([
    [name, value],
    bare?.[1] !== undefined && [`${name}, without its scheme`, bare[1]],
    ...(/^basic\s/i.test(value) ? basicPassword(name, bare?.[1] ?? '') : []),
    ...passwordOf(name, value),
  ]);
}

function basicPassword(name: string, encoded: string): Named[] {
  const password = /^[^:]*:(.+)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8'))?.[1];
  return password === undefined ? [] : [[`${name}, its password`, password]];
}

/** The password of a URL such as `postgres://app:password@db/shop`. */
function passwordOf(name: string, value: string): Named[] {
  if (secretReferences(value).length > 0) return [];
  const password = URL.parse(value)?.password ?? '';
  return password === '' ? [] : [[`${name}, its password`, decoded(password)]];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
