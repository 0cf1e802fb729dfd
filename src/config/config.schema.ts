// The fields of a config file and their values. Runs where a process starts.
import { z } from 'zod';
import type { RegisteredHook } from '../activities/hooks/hook-definition.ts';
import type { Projections } from '../activities/model/model-request.ts';
import type { ModelHooks } from '../activities/model/providers/request-hooks.ts';
import {
  type McpServerSettings,
  expectedMcpServerName,
  mcpServerName,
} from '../activities/mcp/mcp-settings.ts';
import type { ArtifactStore } from '../activities/storage/artifact-store.ts';
import { expectedEntry, isAllowEntry } from '../activities/tools/built-in/http-allow-list.ts';
import type { RegisteredTool } from '../activities/tools/define-tool.ts';
import { agentSpecSchema, modelNameSchema, policyRulesSchema } from '../core/agent/agent-spec.schema.ts';
import { agentModes } from '../core/model/tool-spec.ts';
import { expectedHostName, isHostName } from '../core/tools/hosts.ts';
import type { HoldfastConfig } from './define-config.ts';
import type { OwnModelProvider } from '../activities/model/providers/own-provider.ts';
import { expectedSecretName, secretName, secretReferences } from '../activities/secrets/references.ts';
import { describeUnknown } from '../activities/secrets/secrets.ts';
import { isProviderName, expectedProviderName } from '../core/model/model-name.ts';
import type { SecretSource } from '../activities/secrets/sources.ts';
import { shellSchema } from './shell.schema.ts';
import type { WireName } from '../activities/model/providers/vendors.ts';
import { isWireName, wireNames, builtInProviders } from '../activities/model/providers/vendors.ts';

const price = z.number().min(0);
const pricesSchema = z.strictObject({
  input: price,
  output: price,
  cacheRead: price.exactOptional(),
  cacheWrite: price.exactOptional(),
});
const toolSchema = objectWith<RegisteredTool>(
  { spec: 'object', parse: 'function', run: 'function' },
  'expected the result of defineTool',
).refine(({ spec }) => typeof spec.name === 'string', 'expected the result of defineTool');
const hookSchema = objectWith<RegisteredHook>(
  { name: 'string', points: 'object', call: 'function' },
  'expected the result of defineHook',
).refine(({ points }) => Array.isArray(points), 'expected the result of defineHook');
const ownProviderSchema = objectWith<OwnModelProvider>(
  { call: 'function' },
  'expected { call(request, options) { ... } }',
);
const ownStoreSchema = objectWith<ArtifactStore>(
  { id: 'string', put: 'function', get: 'function' },
  'expected a store: an id that is not empty, and the functions put and get; or { s3: { bucket, ... } }',
);
const s3Schema = z.strictObject({
  s3: z.strictObject({
    bucket: z.string().trim().min(1),
    prefix: z.string().exactOptional(),
    region: z.string().trim().min(1).exactOptional(),
    endpoint: z.url({ protocol: /^https?$/, error: 'expected an http(s) address' }).exactOptional(),
    forcePathStyle: z.boolean().exactOptional(),
  }),
});
/** By its key and not as a union, so that a mistake is that of the form that was meant. */
const artifactsSchema = z.custom<NonNullable<HoldfastConfig['artifacts']>>().superRefine((value, context) => {
  const isS3 = typeof value === 'object' && value !== null && 's3' in value;
  const { error } = (isS3 ? s3Schema : ownStoreSchema).safeParse(value);
  error?.issues.forEach((issue) => context.addIssue({ ...issue }));
});

/** A class instance too: its methods are not its own fields. */
function objectWith<Type>(fields: { [Field in keyof Type]?: string }, error: string): z.ZodCustom<Type> {
  const has = (value: object, name: string, type: string): boolean => {
    const found: unknown = Reflect.get(value, name);
    return typeof found === type && found !== '' && found !== null;
  };
  return z.custom<Type>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      Object.entries<string | undefined>(fields).every(([name, type = '']) => has(value, name, type)),
    error,
  );
}

function functionOf<Type>(): z.ZodCustom<Type> {
  return z.custom<Type>((value) => typeof value === 'function', 'expected a function');
}

const allowEntry = z.string().refine(isAllowEntry, {
  error: ({ input }) => `${JSON.stringify(input)} is not expected here: expected ${expectedEntry}`,
});

const providerName = z.string().refine(isProviderName, `expected ${expectedProviderName}`);

const providerSchema = z.strictObject({
  speaks: z.custom<WireName>(isWireName, `expected one of ${wireNames.join(', ')}`).exactOptional(),
  baseUrl: z.url({ protocol: /^https?$/, error: 'expected an http(s) address' }).exactOptional(),
  apiKeyVariable: z.string().min(1).exactOptional(),
  idleTimeoutMs: z.int().min(1).exactOptional(),
});

function checkOwnNames(
  providers: NonNullable<HoldfastConfig['providers']>,
  context: z.RefinementCtx<unknown>,
): void {
  for (const [name, { speaks, baseUrl }] of Object.entries(providers)) {
    const isOwn = !builtInProviders.has(name);
    const isWhole = speaks !== undefined && baseUrl !== undefined;
    if (name !== 'scripted' && (!isOwn || isWhole)) continue;
    const message =
      name === 'scripted' ? 'is the name of the scripted model' : 'needs "speaks" and "baseUrl"';
    context.addIssue({ code: 'custom', path: [name], message });
  }
}

function checkModelProviders(
  { modelProviders = {}, providers = {} }: HoldfastConfig,
  context: z.RefinementCtx<unknown>,
): void {
  for (const name of Object.keys(modelProviders)) {
    const isTaken = builtInProviders.has(name) || name === 'scripted' || name in providers;
    const message = 'is the name of another provider: choose one of its own';
    if (isTaken) context.addIssue({ code: 'custom', path: ['modelProviders', name], message });
  }
}

function hasUser(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && (url.username !== '' || url.password !== '');
}

const policyTiersSchema = z.strictObject({
  classifier: z
    .strictObject({
      url: z
        .url({ protocol: /^https?$/, error: 'expected an http(s) address' })
        .refine((address) => !hasUser(address), 'expected an address without a user; use "token"'),
      token: z.string().min(1).exactOptional(),
      threshold: z.number().gt(0).max(1).exactOptional(),
      timeoutMs: z.int().min(1).max(60_000).exactOptional(),
    })
    .exactOptional(),
  model: modelNameSchema.exactOptional(),
  calls: z.enum(['changes', 'all']).exactOptional(),
});

const mcpCommon = {
  trustAnnotations: z.boolean().exactOptional(),
  tools: z.array(z.string().min(1)).exactOptional(),
  timeoutMs: z.int().min(1).max(86_400_000).exactOptional(),
  requirePins: z.boolean().exactOptional(),
};
const texts = z.record(z.string().min(1), z.string());
const stdioServerSchema = z.strictObject({
  command: z.array(z.string().min(1)).min(1, 'expected a program and its arguments, as a list'),
  env: texts.exactOptional(),
  cwd: z.string().min(1).exactOptional(),
  ...mcpCommon,
});
const httpServerSchema = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: 'expected an http(s) address' }),
  headers: texts.exactOptional(),
  token: z.string().min(1).exactOptional(),
  ...mcpCommon,
});

/** Read as the one kind or the other, so that a mistake names its field. */
const mcpServerSchema: z.ZodType<McpServerSettings> = z.unknown().transform((value, context) => {
  const isHttp = typeof value === 'object' && value !== null && 'url' in value;
  const parsed = (isHttp ? httpServerSchema : stdioServerSchema).safeParse(value);
  if (parsed.success) return parsed.data;
  for (const { path, message } of parsed.error.issues) context.addIssue({ code: 'custom', path, message });
  return z.NEVER;
});

const sources = "{ env: 'VARIABLE' }, { file: 'path' } or { command: ['program', 'argument'] }";
const sourceSchema = z.custom<SecretSource>(isSource, `expected ${sources}`);

function isSource(value: unknown): value is SecretSource {
  if (typeof value !== 'object' || value === null) return false;
  const [[kind, given] = [], ...more] = Object.entries(value);
  if (more.length > 0) return false;
  if (kind === 'command') return Array.isArray(given) && given.length > 0 && given.every(isWord);
  return (kind === 'env' || kind === 'file') && isWord(given);
}

function isWord(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

const secretsSchema = z.record(
  z.string().regex(secretName, `the name is not valid: expected ${expectedSecretName}`),
  sourceSchema,
);
const keyIdSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,30}[A-Za-z0-9])?$/,
    'expected a key id of letters and digits, with ".", "_" or "-" inside it, at most 32',
  );
/** The key itself in a config would be a secret in a file that people share. */
const keySchema = z.custom<string | SecretSource>(
  (value) => isSource(value) || (typeof value === 'string' && isReference(value)),
  `expected 'secret://name', ${sources}`,
);

function isReference(text: string): boolean {
  return text.startsWith('secret://') && secretName.test(text.slice('secret://'.length));
}

const encryptionSchema = z
  .strictObject({ activeKey: keyIdSchema, keys: z.record(keyIdSchema, keySchema) })
  .refine(({ activeKey, keys }) => Object.hasOwn(keys, activeKey), {
    path: ['activeKey'],
    error: 'is none of "keys"',
  });

/** Fields whose texts may name secrets. */
const withReferences = [
  'encryption',
  'http',
  'mcpServers',
  'toolsets',
  'policyTiers',
] as const satisfies (keyof HoldfastConfig)[];

function checkReferences(config: HoldfastConfig, context: z.RefinementCtx<unknown>): void {
  const known = Object.keys(config.secrets ?? {});
  for (const field of withReferences) {
    for (const name of secretReferences(config[field])) {
      if (known.includes(name)) continue;
      context.addIssue({ code: 'custom', path: [field], message: describeUnknown(name, known) });
    }
  }
}

const postPath = z
  .string()
  .regex(
    /^\/[^?#\s]*$/,
    'expected a path that begins with "/", without a query: "*" matches within one segment',
  );

const httpSchema = z
  .strictObject({
    allow: z.array(allowEntry),
    hosts: z
      .record(
        z.string().min(1),
        z.strictObject({
          headers: z
            .record(z.string().regex(/^[\w-]+$/, 'expected the name of a header'), z.string())
            .exactOptional(),
          post: z.array(postPath).exactOptional(),
        }),
      )
      .exactOptional(),
  })
  .superRefine(({ allow, hosts = {} }, context) => {
    for (const host of Object.keys(hosts)) {
      if (allow.includes(host)) continue;
      const message = `is not in http.allow: expected one of ${allow.join(', ') || 'none'}`;
      context.addIssue({ code: 'custom', path: ['hosts', host], message });
    }
  });

const fieldsSchema = z.strictObject({
  // a rule of one agent is for its name, and a name is no pattern
  agents: z
    .record(z.string().regex(/^[^*]+$/, 'expected a name without "*"'), agentSpecSchema)
    .exactOptional(),
  tools: z.array(toolSchema).exactOptional(),
  hooks: z.array(hookSchema).exactOptional(),
  toolGroups: z.record(z.string().min(1), z.array(z.string().min(1))).exactOptional(),
  model: modelNameSchema.exactOptional(),
  models: z
    .record(
      modelNameSchema,
      z.strictObject({
        prices: pricesSchema.exactOptional(),
        contextWindow: z.int().min(1).exactOptional(),
        images: z.boolean().exactOptional(),
        thinkingLevels: z.array(z.enum(['minimal', 'low', 'medium', 'high', 'xhigh'])).exactOptional(),
        maxOutput: z.int().min(1).exactOptional(),
      }),
    )
    .exactOptional(),
  providers: z.record(providerName, providerSchema).superRefine(checkOwnNames).exactOptional(),
  modelProviders: z.record(providerName, ownProviderSchema).exactOptional(),
  modelQueues: z.record(z.string().min(1), z.string().min(1)).exactOptional(),
  taskQueue: z.string().trim().min(1).exactOptional(),
  script: z.string().min(1).exactOptional(),
  policyTiers: policyTiersSchema.exactOptional(),
  policy: policyRulesSchema.exactOptional(),
  maxMode: z.enum(agentModes).exactOptional(),
  protectedPaths: z.array(z.string().min(1)).exactOptional(),
  getApiKey: functionOf<NonNullable<HoldfastConfig['getApiKey']>>().exactOptional(),
  modelHooks: z
    .strictObject({
      onRequest: functionOf<NonNullable<ModelHooks['onRequest']>>().exactOptional(),
      onResponse: functionOf<NonNullable<ModelHooks['onResponse']>>().exactOptional(),
      rewriteRequest: functionOf<NonNullable<ModelHooks['rewriteRequest']>>().exactOptional(),
    })
    .exactOptional(),
  projections: z
    .strictObject({
      transformContext: functionOf<NonNullable<Projections['transformContext']>>().exactOptional(),
      convertToLlm: functionOf<NonNullable<Projections['convertToLlm']>>().exactOptional(),
    })
    .exactOptional(),
  files: z
    .strictObject({
      roots: z.array(z.string().min(1)),
      writable: z.array(z.string().min(1)).exactOptional(),
    })
    .exactOptional(),
  http: httpSchema.exactOptional(),
  toolsets: z
    .record(
      z.string().min(1),
      z.strictObject({
        settings: z.record(z.string().min(1), z.string()).exactOptional(),
        tools: z.array(z.string().min(1)).exactOptional(),
        enabled: z.boolean().exactOptional(),
      }),
    )
    .exactOptional(),
  mcpServers: z
    .record(z.string().regex(mcpServerName, `expected ${expectedMcpServerName}`), mcpServerSchema)
    .exactOptional(),
  secrets: secretsSchema.exactOptional(),
  encryption: encryptionSchema.exactOptional(),
  shell: shellSchema.exactOptional(),
  hosts: z
    .record(
      z.string().refine(isHostName, `expected ${expectedHostName}`),
      z.strictObject({ description: z.string().min(1).max(500).exactOptional() }),
    )
    .exactOptional(),
  artifactsDir: z.string().min(1).exactOptional(),
  artifacts: artifactsSchema.exactOptional(),
  retention: z.strictObject({ artifactsDays: z.number().min(1) }).exactOptional(),
});

export const configSchema: z.ZodType<HoldfastConfig> = fieldsSchema
  .refine(({ artifacts, artifactsDir }) => artifacts === undefined || artifactsDir === undefined, {
    path: ['artifacts'],
    error: 'is a store of its own: expected no artifactsDir beside it',
  })
  .superRefine(checkModelProviders)
  .superRefine(checkReferences);
