// The server of a process, as Temporal's own tools are told of it: a profile in a file, and variables over it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resolveConfig } from '../../src/config/config.ts';
import { toConnectionOptions } from '../../src/config/temporal-connection.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

type Environment = Record<string, string>;

const prod = `
[profile.prod]
address = "ops.a1b2c.tmprl.cloud:7233"
namespace = "ops.a1b2c"
api_key = "x-key"
[profile.prod.grpc_meta]
team = "ops"
desk = "night"
`;

async function place(toml = prod) {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'temporal.toml'), toml.replaceAll('$', cwd));
  const settingsOf = (environment: Environment) =>
    resolveConfig({ cwd, environment: { TEMPORAL_CONFIG_FILE: join(cwd, 'temporal.toml'), ...environment } });
  const optionsOf = (environment: Environment) => {
    const { temporal } = settingsOf(environment);
    return toConnectionOptions({ ...temporal, address: temporal.address ?? '' });
  };
  return { cwd, settingsOf, optionsOf };
}

test('[CORE-12a] a profile is read: address, namespace, key, headers; a key turns TLS on', async () => {
  const { settingsOf, optionsOf } = await place();
  const environment = { TEMPORAL_PROFILE: 'prod' };
  expect(settingsOf(environment).temporal).toMatchObject({ namespace: 'ops.a1b2c' });
  expect(optionsOf(environment)).toEqual({
    address: 'ops.a1b2c.tmprl.cloud:7233',
    apiKey: 'x-key',
    tls: true,
    metadata: { team: 'ops', desk: 'night' },
  });
});

test('[CORE-12a] the default profile of the usual file is read without a word', async () => {
  const home = await temporaryFolder();
  await mkdir(join(home, '.config', 'temporalio'), { recursive: true });
  const toml = '[profile.default]\naddress = "127.0.0.1:9"\n[profile.other.oauth]\nclient_id = "x"';
  await writeFile(join(home, '.config', 'temporalio', 'temporal.toml'), toml);
  expect(resolveConfig({ cwd: home, environment: { HOME: home } }).temporal).toMatchObject({
    address: '127.0.0.1:9',
    namespace: 'default',
  });
  expect(resolveConfig({ cwd: home, environment: {} }).temporal.address).toBeUndefined();
});

test('[CORE-12b] variables override a profile, empty ones count as unset, and an empty header is taken away', async () => {
  const { settingsOf, optionsOf } = await place();
  const environment = {
    TEMPORAL_PROFILE: 'prod',
    TEMPORAL_ADDRESS: '',
    TEMPORAL_NAMESPACE: 'mine',
    TEMPORAL_API_KEY: 'other',
    TEMPORAL_GRPC_META_DESK: '',
    TEMPORAL_GRPC_META_X_ON_CALL: 'ann',
  };
  expect(settingsOf(environment).temporal.namespace).toBe('mine');
  expect(optionsOf(environment)).toMatchObject({
    address: 'ops.a1b2c.tmprl.cloud:7233',
    apiKey: 'other',
    metadata: { team: 'ops', 'x-on-call': 'ann' },
  });
});

test('[CORE-12b] certificates as text and as files of the folder; plain text is a choice', async () => {
  const { cwd, settingsOf, optionsOf } = await place(
    '[profile.default]\naddress = "a:1"\n[profile.default.tls]\nclient_cert_path = "$/c.pem"\nclient_key_path = "$/k.pem"',
  );
  expect(() => optionsOf({})).toThrow(/Cannot read a certificate file \(ENOENT: .*c\.pem/);
  await writeFile(join(cwd, 'c.pem'), 'C');
  await writeFile(join(cwd, 'k.pem'), 'K');
  const pair = { crt: Buffer.from('C'), key: Buffer.from('K') };
  const { tls } = optionsOf({ TEMPORAL_TLS_SERVER_CA_CERT_DATA: 'CA', TEMPORAL_TLS_SERVER_NAME: 'n' });
  expect(tls).toMatchObject({ serverNameOverride: 'n' });
  const { clientCertPair, serverRootCACertificate } = typeof tls === 'object' ? tls : {};
  expect(Buffer.from(clientCertPair?.crt ?? '')).toEqual(pair.crt);
  expect(Buffer.from(serverRootCACertificate ?? '').toString()).toBe('CA');
  expect(settingsOf({}).closedPaths).toEqual(
    expect.arrayContaining([join(cwd, 'k.pem'), join(cwd, 'temporal.toml')]),
  );
  expect(optionsOf({ TEMPORAL_TLS: 'false' }).tls).toBe(false);
  expect(optionsOf({ TEMPORAL_TLS: '1' }).tls).toMatchObject({});
});

test.each<[string, string, Environment, RegExp]>([
  [
    'a profile that is not there',
    prod,
    { TEMPORAL_PROFILE: 'prd' },
    /Cannot use the profile "prd" of .*'prd' not found/,
  ],
  [
    'a file that is not there',
    prod,
    { TEMPORAL_CONFIG_FILE: 'gone.toml' },
    /TEMPORAL_CONFIG_FILE is .*gone\.toml: expected a file/,
  ],
  ['a profile without an address', prod, {}, /the profile "default" of .*: it has no address/],
  ['a key without an address', '[profile.default]\napi_key = "k"', {}, /it has no address/],
  ['a misspelt field', '[profile.default]\nadress = "a:1"', {}, /unrecognized in profile\.default: adress/],
  ['no TOML', '[profile.default\n', {}, /Cannot use the profile "default" of /],
  ['no profiles', 'address = "a:1"\n', {}, /unrecognized: address/],
  ['an empty file', '', {}, /it has no table \[profile\.default\]/],
  [
    'an address without a port',
    '[profile.default]\naddress = "a"\napi_key = "k"',
    {},
    /The address of the profile is "a": expected "host:port"/,
  ],
  [
    'plain text to another machine',
    '[profile.default]\naddress = "a:1"',
    {},
    /is a:1, which is not this machine, and neither TLS/,
  ],
  [
    'half a certificate',
    '[profile.default]\naddress = "a:1"\ntls = { client_cert_data = "c" }',
    {},
    /belong together/,
  ],
  [
    'a certificate twice',
    prod,
    {
      TEMPORAL_PROFILE: 'prod',
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: 'a',
      TEMPORAL_TLS_SERVER_CA_CERT_DATA: 'b',
    },
    /both server_ca_cert_path and server_ca_cert_data/,
  ],
])('[CORE-12c] %s is refused with its place', async (_, toml, environment, words) => {
  const { settingsOf } = await place(toml);
  expect(() => settingsOf(environment)).toThrow(words);
});

test.each([
  'TEMPORAL_CODEC_ENDPOINT',
  'TEMPORAL_CODEC_AUTH',
  'TEMPORAL_TLS_DISABLE_HOST_VERIFICATION',
  'TEMPORAL_CLIENT_AUTHORITY',
  'TEMPORAL_TLS_CERT',
  'TEMPORAL_TLS_KEY_DATA',
  'TEMPORAL_TLS_CA',
  'TEMPORAL_CLI_ADDRESS',
  'TEMPORAL_ENV',
])('[CORE-12d] %s, which Holdfast does not read, is refused by name', (name) => {
  expect(() => resolveConfig({ cwd: '/somewhere', environment: { [name]: 'x' } })).toThrow(
    `Holdfast does not read ${name}: expected a profile, or the variables`,
  );
  expect(resolveConfig({ cwd: '/somewhere', environment: { [name]: '' } }).temporal.namespace).toBe(
    'default',
  );
});

test('[CORE-12d] variables that Kubernetes makes for a service named temporal are no settings', () => {
  const environment = { TEMPORAL_PORT: 'tcp://10.0.0.1:7233', TEMPORAL_SERVICE_HOST: '10.0.0.1' };
  expect(resolveConfig({ cwd: '/somewhere', environment }).temporal.address).toBeUndefined();
});
